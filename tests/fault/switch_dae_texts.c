/* SPDX-License-Identifier: Apache-2.0 */
/* What is said where a condition of a DAE cannot be crossed fits what happens there. */
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

static void stop_with(const char *text, const tansy_options *options, double end,
                      tansy_status status, const char *part, const char *not_part)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "texts");
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, options);
    CHECK_EQUAL(tansy_solve(s, end, NULL, NULL), status);
    CHECK_TEXT_CONTAINS(tansy_message(s), part);
    CHECK(strstr(tansy_message(s), not_part) == NULL);
    tansy_free(s);
    tansy_model_free(m);
}

/* Two capacitors with a conductance g that is larger above a threshold of v2 - v3, which jumps down where g becomes larger. */
TEST(a_variable_that_jumps_back_is_no_sliding)
{
    stop_with("parameter C1 = 0.5, C2 = 0.8, R = 1.3, Is = 0.05, vt = 0.4, ts = 1.1\n"
              "state v1 = 0.3, v2 = 0.1, v3 = 0\n"
              "let us = if time < ts then sin(4*time) else 0.5\n"
              "let g = if v2 - v3 > 0.25 then 1.5 else 1\n"
              "C1*(v1' - v2') + (v1 - us)/R = 0\n"
              "C1*(v2' - v1') + Is*(exp((v2 - v3)/vt) - 1) + v2*g = 0\n"
              "C2*v3' = Is*(exp((v2 - v3)/vt) - 1) - v3/R\ntime 0 .. 3\n",
              &(tansy_options){.method = TANSY_LIMEX, .rtol = 1e-10}, 3, TANSY_SLIDING,
              "each of its branches puts g on the side of the other", "both sides");
}

/* A battery that is charged with constant current, then with constant voltage, by a condition instead of min(). */
TEST(a_branch_that_holds_g_at_0_is_named)
{
    stop_with("algebraic ic = 0\nalgebraic vt = 3\nvt = ocv + v1 + R0*ic\n"
              "0 = if vt*1 < Vmax then I0 - ic else Vmax - vt + 0*ic\n"
              "parameter C = 3, R0 = 0.05, R1 = 0.03, C1 = 20, I0 = 2, Vmax = 4.1\n"
              "state z = 0.2, v1 = 0\n"
              "let ocv = 3.2 + 0.7*z + 0.15*z^2 - 0.05*exp(-20*z)\n"
              "z' = ic/C\nv1' = -v1/(R1*C1) + ic/C1\ntime 0 .. 4\n",
              &(tansy_options){.method = TANSY_DASSL, .rtol = 1e-6}, 4, TANSY_GRAZING,
              "0 = min(I - i, V - v)", "rounding errors");
}

/* A clarifier in m3/d: its overflow is 5e4, and its columns are what is left of 3.5e5 times those of the level, which are good to 1e-6. */
TEST(steps_that_columns_of_algebraic_variables_make_short_are_told)
{
    stop_with("parameter Cw = 1.8, L = 30, crest = 3, q = 50000, A = 1200\nstate level = 2.9\n"
              "algebraic over = 0\nlevel' = (q*(1 + 0.5*sin(6.28*time)) - over)/A\n"
              "0 = over - 86400*Cw*L*max(level - crest, 0)^1.5\ntime 0 .. 2\n",
              &(tansy_options){.method = TANSY_ROSENBROCK, .rtol = 1e-8, .max_steps = 1500}, 2,
              TANSY_TOO_MANY_STEPS, "larger atol, or set suppress_algebraic", "too small");
}
