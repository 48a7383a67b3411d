/* SPDX-License-Identifier: Apache-2.0 */
/* Components of implicit problems that stand at 0 behind algebraic variables, with a condition at 0: what is computed of them first is 0 but for roundings of either sign, which turn nothing (src/drive/cross_hidden.c).
   Against the same models with `let`, and for jumps, which are crossed or refused. */
#include "support/model_solution.h"
#include "test.h"

#include <math.h>

struct pair {
    size_t ahead, states, np;     /* algebraic variables, which come first */
    const char *implicit, *plain; /* with the same states, which come last */
};

static const struct pair pairs[] = {
    {1, 2, 1,
     "algebraic y = 0\ny = max(h - 0.02, 0)^1.5\nparameter A = 0.8303\nstate h = 0, g = 0\n"
     "A*h' = 0.625 - y\nA*g' = y - max(g, 0)^1.5\n",
     "let y = max(h - 0.02, 0)^1.5\nparameter A = 0.8303\nstate h = 0, g = 0\n"
     "h' = (0.625 - y)/A\ng' = (y - max(g, 0)^1.5)/A\n"},
    {1, 2, 1,
     "algebraic y = 0\ny = k*max(h - 0.02, 0)\nparameter k = 0.3\nstate h = 0, g = 0\n"
     "h' = 1 - y\ng' = y - max(g, 0)\n",
     "let y = k*max(h - 0.02, 0)\nparameter k = 0.3\nstate h = 0, g = 0\n"
     "h' = 1 - y\ng' = y - max(g, 0)\n"},
    {2, 3, 2,
     "algebraic f1 = 0, f2 = 0\nf1 = k*max(a - c, 0)\nf2 = k*max(b - c, 0)\n"
     "parameter k = 0.7, c = 0.1\nstate a = 0, b = 0, d = 0\n"
     "a' = 0.5 - f1\nb' = f1 - f2 - 0.1*max(b, 0)\nd' = f2 - 0.2*max(d, 0)\n",
     "let f1 = k*max(a - c, 0)\nlet f2 = k*max(b - c, 0)\n"
     "parameter k = 0.7, c = 0.1\nstate a = 0, b = 0, d = 0\n"
     "a' = 0.5 - f1\nb' = f1 - f2 - 0.1*max(b, 0)\nd' = f2 - 0.2*max(d, 0)\n"},
    /* steps of rosenbrock begin there with a length of 0.04, and its dense output dips by 1e-15 */
    {1, 2, 2,
     "algebraic z = 0\nz = k*max(c1 - h, 0)\nparameter k = 1, h = 0.2\nstate c1 = 0, c2 = 0\n"
     "c1' = 1 - z\nc2' = z - max(c2, 0)*(1 + c1)\n",
     "let z = k*max(c1 - h, 0)\nparameter k = 1, h = 0.2\nstate c1 = 0, c2 = 0\n"
     "c1' = 1 - z\nc2' = z - max(c2, 0)*(1 + c1)\n"},
    {2, 2, 1,
     "algebraic z1 = 0, z2 = 0\nz1 = k*max(c1, 0)\nz2 = max(c2, 0)\nparameter k = 0.4\n"
     "state c1 = 0, c2 = 0\nc1' = max(time - 0.5, 0) - z1\n2*c2' = z1 - z2\n",
     "let z1 = k*max(c1, 0)\nlet z2 = max(c2, 0)\nparameter k = 0.4\n"
     "state c1 = 0, c2 = 0\nc1' = max(time - 0.5, 0) - z1\nc2' = (z1 - z2)/2\n"},
    {3, 3, 2,
     "algebraic q1 = 0, q2 = 0, q3 = 0\nq1 = k*max(h1 - h2, 0)\nq2 = k*max(h2 - h3, 0)\n"
     "0 = q3 - a*max(h3, 0)\nparameter k = 1, a = 0.7\nstate h1 = 0, h2 = 0, h3 = 0\n"
     "h1' = 1 - cos(time) - q1\nh2' = q1 - q2\nh3' = q2 - q3\n",
     "let q1 = k*max(h1 - h2, 0)\nlet q2 = k*max(h2 - h3, 0)\n"
     "let q3 = a*max(h3, 0)\nparameter k = 1, a = 0.7\nstate h1 = 0, h2 = 0, h3 = 0\n"
     "h1' = 1 - cos(time) - q1\nh2' = q1 - q2\nh3' = q2 - q3\n"},
    {1, 3, 2,
     "algebraic F = 0\n0 = F - b*max(I, 0)*S\nparameter b = 2, g = 0.5\n"
     "state S = 1, E = 0, I = 0\nE' = F + 0.001*min(time, 1) - E\nI' = E - g*max(I, 0)\n"
     "S' = -F - 0.001*min(time, 1)\n",
     "let F = b*max(I, 0)*S\nparameter b = 2, g = 0.5\nstate S = 1, E = 0, I = 0\n"
     "E' = F + 0.001*min(time, 1) - E\nI' = E - g*max(I, 0)\nS' = -F - 0.001*min(time, 1)\n"},
};
static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_DASSL, TANSY_ROSENBROCK,
                                       TANSY_LIMEX};

TEST(what_stands_at_zero_is_left_as_it_is_without_algebraic_variables)
{
    for (size_t x = 0; x < sizeof pairs / sizeof *pairs; x++)
        for (double t = 0.01; t < 20; t *= 3) {
            struct model_solution const exact =
                model_solve(pairs[x].plain, &(tansy_options){.rtol = 1e-11, .atol = 1e-14}, t);
            for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
                for (double rtol = 1e-4; rtol > 5e-9; rtol /= 100) {
                    tansy_options const options = {
                        .method = methods[m], .rtol = rtol, .atol = 1e-3 * rtol, .max_steps = 3000};
                    struct model_solution const is = model_solve(pairs[x].implicit, &options, t);
                    size_t const ahead = pairs[x].ahead, states = pairs[x].states;
                    double const bound = 100 * rtol;
                    for (size_t i = 0; i < states; i++) {
                        double const floor = 1e-3;
                        double const y = exact.y[i];
                        CHECK_CLOSE(is.y[ahead + i], y, bound * (fabs(y) + floor));
                        for (size_t k = 0; k < pairs[x].np; k++) {
                            double const s = exact.sens[k][i];
                            CHECK_CLOSE(is.sens[k][ahead + i], s, bound * (fabs(s) + floor));
                        }
                    }
                }
        }
}

/* x is ahead of 0 from the start: the jump is there at once, whatever roundings say; T of z > 0.01 follows k. */
TEST(a_jump_at_zero_is_not_passed_over)
{
    static const char text[] = "algebraic z = 0\nz = k*h\nparameter k = 0.5\nstate h = 0, g = 0\n"
                               "h' = 1\ng' = if z > 0 then k else -1\n";
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (double rtol = 1e-4; rtol > 5e-9; rtol /= 100) {
            struct model_solution const is =
                model_solve(text, &(tansy_options){.method = methods[m], .rtol = rtol}, 2);
            CHECK_CLOSE(is.y[2], 1, 100 * rtol);       /* k t */
            CHECK_CLOSE(is.sens[0][2], 2, 300 * rtol); /* t */
        }
}

/* behind lags, and two conditions that do nothing alone: the jump is crossed, or refused */
TEST(a_jump_at_zero_that_needs_two_conditions_is_not_passed_over)
{
    static const char text[] =
        "algebraic z = 0\nz = c2\nparameter k = 1.3, J = 1\nstate c1 = 0, c2 = 0, u = 0\n"
        "c1' = 1 - k*c1\nc2' = c1 - k*c2\nu' = (if z > 0 and c2 > 0 then J else 0) - 0.3*u\n";
    double const exact = (1 - exp(-0.3 * 0.025)) / 0.3;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (double rtol = 1e-4; rtol > 5e-9; rtol /= 100) {
            tansy_problem problem;
            double y[4], sens[8];
            tansy_model *const model = model_of_text(text, &problem);
            tansy_solver *const s = tansy_create(
                &problem, &(tansy_options){.method = methods[m], .rtol = rtol, .max_step = 0.01});
            tansy_status const status = tansy_solve(s, 0.025, y, sens);
            if (status == TANSY_OK) CHECK_CLOSE(y[3], exact, 100 * rtol * (exact + 1e-3));
            if (status != TANSY_OK) CHECK_EQUAL(status, TANSY_GRAZING);
            tansy_free(s);
            tansy_model_free(model);
        }
}

/* What is far below atol may grow: x has the part of the jump that u has, 1e17 times. */
TEST(a_jump_at_zero_is_not_too_small_to_be_seen)
{
    static const char text[] =
        "algebraic z = 0\nz = c\nparameter k = 1, J = 1\nstate a = 0, c = 0, u = 0, x = 0\n"
        "a' = 1e-15 - k*a\nc' = a - k*c\nu' = if z > 0 then J*1e-15 else 0\nx' = 1e17*u\n";
    /* x = 50 (5 - late)^2, where the jump may be seen a step late, which the program tells */
    double const step = 0.025, exact = 50 * 5 * 5, bound = exact * 2 * step / 5;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct model_solution const is =
            model_solve(text, &(tansy_options){.method = methods[m], .max_step = step}, 5);
        CHECK_CLOSE(is.y[4], exact, bound);
        CHECK_CLOSE(is.sens[1][4], exact, bound);
    }
}
