/* SPDX-License-Identifier: Apache-2.0 */
/* How columns are divided into panels, all of them and the first ones. */
#include "matrix/panels.h"

#include "matrix/kernels.h"
#include "test.h"

enum { MOST = 130, ROWS = 7, SMALL = 5, LARGE = 100000 };

static size_t lanes_of(size_t n, size_t ns, const double *tolerance)
{
    struct panel panel[MOST];
    size_t const panels = panels_number(n, ns, ROWS, tolerance);
    size_t lanes = 0;
    panels_divide(n, ns, ROWS, tolerance, panel);
    for (size_t m = 0; m < panels; m++) lanes += panel[m].lanes;
    return lanes;
}

TEST(columns_cost_no_more_than_rounding_up_to_8_lanes)
{
    for (size_t ns = 1; ns <= MOST; ns++) {
        size_t const most = (ns + 7) / 8 * 8;
        CHECK_AT_MOST((double)lanes_of(SMALL, ns, NULL), (double)most);
        CHECK_AT_MOST((double)lanes_of(LARGE, ns, NULL), (double)most);
    }
}

TEST(every_column_is_in_one_panel)
{
    struct panel panel[MOST];
    for (size_t ns = 1; ns <= MOST; ns++) {
        size_t const panels = panels_number(SMALL, ns, ROWS, NULL);
        size_t first = 0;
        panels_divide(SMALL, ns, ROWS, NULL, panel);
        for (size_t m = 0; m < panels; m++) {
            CHECK_EQUAL(panel[m].number, m);
            CHECK_EQUAL(panel[m].first, first);
            CHECK(panel[m].columns >= 1 && panel[m].columns <= panel[m].lanes);
            CHECK_EQUAL(panel[m].count, lane_round(SMALL * panel[m].lanes));
            first += panel[m].columns;
        }
        CHECK_EQUAL(first, ns);
    }
}

/* Whether the panels of the first `active` columns lie in the room of all. */
static void check_room(size_t n, size_t active, const double *tolerance, size_t panels,
                       const struct panel *room)
{
    struct panel panel[MOST];
    size_t const number = panels_number(n, active, ROWS, tolerance);
    CHECK(number <= panels);
    panels_divide(n, active, ROWS, tolerance, panel);
    for (size_t m = 0; m < number; m++) {
        CHECK(panel[m].lanes <= room[m].lanes);
        CHECK(panel[m].count <= room[m].count);
    }
}

TEST(the_room_of_all_columns_holds_the_first_ones)
{
    /* Groups of 1 to 45 columns whose tolerances differ by more than 10. */
    static const size_t group[] = {45, 1, 20, 3, 32, 29};
    double tolerance[MOST];
    for (size_t k = 0, g = 0, left = group[0]; k < MOST; k++, left--) {
        if (left == 0) left = group[++g];
        tolerance[k] = g % 2 == 0 ? 1e-3 : 1e-6;
    }
    for (int x = 0; x < 4; x++) {
        size_t const n = x % 2 ? LARGE : SMALL;
        const double *const groups = x / 2 ? tolerance : NULL;
        for (size_t ns = 1; ns <= MOST; ns++) {
            struct panel room[MOST + 1];
            size_t const panels = panels_number(n, ns, ROWS, groups);
            panels_divide(n, ns, ROWS, groups, room);
            size_t const number = panels_widen(n, ROWS, panels, room);
            CHECK(number <= panels + 1);
            for (size_t active = 1; active <= ns; active++)
                check_room(n, active, groups, number, room);
        }
    }
}
