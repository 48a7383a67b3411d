/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of directions: R = f_p U alone (V = 0) must be the columns of df/dp that were asked for. */
#include <stdint.h>

#include "support/derive_cases.h"
#include "test.h"

static const struct derive_case *const robertson = &derive_case_list[0];
enum { BOTH = GIVE_JACOBIAN | GIVE_PARAMETER };

/* Builds with the columns and compares R with df/dp; `first` is what consecutive[0] must be. */
static void check_columns(int gives, size_t ns, const int *columns, size_t first)
{
    struct derive_setup s;
    double J[CASE_MOST * CASE_MOST] = {0}, F[CASE_MOST * CASE_MOST] = {0};
    robertson->exact(robertson->y, robertson->p, J, F);
    derive_prepare(&s, robertson, gives);
    s.problem.ns = ns;
    s.problem.columns = columns;
    derive_build(&s);
    CHECK_EQUAL(s.d.consecutive[0], first);
    CHECK_EQUAL(derive_evaluate(&s), 0);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < ns; k++) {
            int const j = columns ? columns[k] : (int)k;
            CHECK(s.R[i * s.panel->lanes + k] == (j < 0 ? 0 : F[i * 3 + (size_t)j]));
        }
    derive_discard(&s);
}

TEST(consecutive_parameters_are_copied_and_others_scattered)
{
    check_columns(BOTH, 3, NULL, 0);
    check_columns(BOTH, 2, (const int[]){1, 2}, 1);
    check_columns(BOTH, 2, (const int[]){2, 1}, SIZE_MAX);
    check_columns(BOTH, 2, (const int[]){TANSY_INITIAL(0), 0}, SIZE_MAX);
    check_columns(BOTH, 2, (const int[]){TANSY_INITIAL(1), TANSY_INITIAL(0)}, SIZE_MAX);
    check_columns(BOTH | GIVE_PATTERN, 3, NULL, SIZE_MAX);
    check_columns(BOTH | GIVE_PATTERN, 2, (const int[]){2, 2}, SIZE_MAX);
}

/* The pattern backwards: entries need not be sorted. */
TEST(a_pattern_in_any_order_gives_the_same_tangent)
{
    struct derive_setup s, backwards;
    derive_prepare(&s, robertson, GIVE_JACOBIAN | GIVE_PATTERN);
    derive_prepare(&backwards, robertson, GIVE_JACOBIAN | GIVE_PATTERN);
    for (size_t e = 0; e < 9; e++) {
        backwards.row[e] = s.row[8 - e];
        backwards.column[e] = s.column[8 - e];
    }
    derive_build(&s);
    derive_build(&backwards);
    derive_fill(&s, 1);
    derive_fill(&backwards, 1);
    CHECK_EQUAL(derive_evaluate(&s), 0);
    CHECK_EQUAL(derive_evaluate(&backwards), 0);
    for (size_t x = 0; x < s.panel->count; x++) CHECK(s.R[x] == backwards.R[x]);
    derive_discard(&s);
    derive_discard(&backwards);
}
