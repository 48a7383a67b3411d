/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked where the corrector cannot converge.  A vessel of fixed volume that overflows, of index 2: columns are 0 or 5,000 at t0, and
   the constraint brings rounding errors of the one into the other; a tolerance below them was put down to df/dy and to jumps. */
#include <tansy/tansy.h>

#include <stdbool.h>
#include <string.h>

#include "test.h"

static const char vessel[] = "parameter v1=0.05, v2=0.08, v3=0.03, F=2, k=0.4, Vr=10\n"
                             "state n1=20, n2=50, n3=(Vr-20*v1-50*v2)/v3\n"
                             "algebraic L=1\n"
                             "let N = n1+n2+n3\n"
                             "n1' = F - L*n1/N - k*n1*n2/Vr\n"
                             "n2' = 0.5*F - L*n2/N - k*n1*n2/Vr\n"
                             "n3' = 0.2*F*(1+0.5*sin(time)) - L*n3/N + k*n1*n2/Vr\n"
                             "0 = v1*n1 + v2*n2 + v3*n3 - Vr\n";

static const char root[] = "parameter k=1\nstate x=1\nalgebraic z=1\n"
                           "x' = -k\n0 = z^2 - x\n";

/* What a run that stops with this status says, or does not. */
static void check_message(const char *text, tansy_options options, tansy_status status,
                          const char *part, bool there)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    tansy_problem problem = {0};
    double y[4], S[4 * 6];
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 20, y, options.sensitivities == TANSY_NONE ? NULL : S), status);
    if (there)
        CHECK_TEXT_CONTAINS(tansy_message(s), part);
    else
        CHECK(strstr(tansy_message(s), part) == NULL);
    tansy_free(s);
    tansy_model_free(m);
}

TEST(a_tolerance_below_rounding_errors_is_named)
{
    check_message(vessel, (tansy_options){.rtol = 1e-11, .atol = 1e-13}, TANSY_NOT_CONVERGED,
                  "is the tolerance of n", true);
    check_message(vessel, (tansy_options){.rtol = 1e-11, .atol = 1e-14}, TANSY_NOT_CONVERGED,
                  "rounding errors count", true);
}

/* z has no value beyond t = 1. */
TEST(a_sensible_one_is_not)
{
    check_message(root,
                  (tansy_options){.method = TANSY_DASSL, .rtol = 1e-6, .sensitivities = TANSY_NONE},
                  TANSY_NOT_CONVERGED, "is the tolerance", false);
}

TEST(index_2_with_gmres_is_told_what_to_choose)
{
    check_message(
        vessel, (tansy_options){.linear_solver = TANSY_GMRES}, TANSY_BAD_OPTION,
        "(L is a multiplier) needs a direct linear solver, not gmres: choose linear_solver "
        "= auto, or differentiate the constraints once",
        true);
}
