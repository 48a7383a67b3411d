/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_set_tolerances with what there is already, or with what is refused, changes nothing, to the bit, wherever the run stands. */
#include "test.h"

#include <string.h>
#include <tansy/tansy.h>

enum { N = 3, COLUMNS = 3 };

/* Fades away, beyond a break time to a level; and what stays at zero. */
static int fade(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] + 0.01 * p[1];
    f[1] = y[0] - 2 * y[1] * y[1];
    f[2] = 0;
    return 0;
}

static const struct {
    double rtol, atol;
    tansy_status status;
} given[] = {{1e-6, 1e-12, TANSY_OK},
             {7, 0, TANSY_BAD_OPTION},
             {3e-16, 1e-30, TANSY_BAD_OPTION},
             {1e-6, TANSY_NO_ATOL, TANSY_ZERO_WEIGHT}};
enum { GIVEN = sizeof given / sizeof *given };

/* y, S and the steps of a run that is retuned at t = 4.5, after the break; way < 0: not at all. */
struct result {
    double y[N], S[COLUMNS * N];
    size_t steps;
};

static struct result run(tansy_method method, int way)
{
    static const double y0[] = {1, 2, 0}, p[] = {3}, breaks[] = {4};
    static const int columns[COLUMNS] = {TANSY_INITIAL(0), 0, TANSY_INITIAL(1)};
    tansy_problem const problem = {.n = N,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .rhs = fade,
                                   .breaks = 1,
                                   .break_times = breaks,
                                   .columns = columns,
                                   .ns = COLUMNS};
    struct result r;
    memset(&r, 0, sizeof r);
    tansy_stats stats;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = method, .rtol = 1e-6, .atol = 1e-12});
    CHECK_EQUAL(tansy_solve(s, 4.5, NULL, NULL), TANSY_OK);
    for (int twice = 0; twice < 2 && way >= 0; twice++)
        CHECK_EQUAL(tansy_set_tolerances(s, given[way].rtol, given[way].atol), given[way].status);
    CHECK_EQUAL(tansy_solve(s, 12, r.y, r.S), TANSY_OK);
    tansy_get_stats(s, &stats);
    r.steps = stats.steps;
    tansy_free(s);
    return r;
}

TEST(tolerances_that_are_the_same_or_refused_change_nothing)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct result const untouched = run(methods[m], -1);
        for (int way = 0; way < GIVEN; way++) {
            struct result const retuned = run(methods[m], way);
            CHECK_EQUAL(retuned.steps, untouched.steps);
            CHECK(memcmp(retuned.y, untouched.y, sizeof retuned.y) == 0);
            CHECK(memcmp(retuned.S, untouched.S, sizeof retuned.S) == 0);
        }
    }
}
