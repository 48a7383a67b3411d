/* SPDX-License-Identifier: Apache-2.0 */
/* Components of implicit problems that stand at 0 behind algebraic variables, with a condition at 0: what is computed of them first is 0 but for roundings of either sign, which turn nothing (src/drive/cross_hidden.c).
   Against the same models with `let`, and for jumps, which are crossed or refused. */
#include "support/model_solution.h"
#include "test.h"

#include <math.h>

struct pair {
    const char *implicit, *plain; /* with the same states, which come last */
};

static const struct pair pairs[] = {
    {"algebraic y = 0\ny = max(h - 0.02, 0)^1.5\nparameter A = 0.8303\nstate h = 0, g = 0\n"
     "A*h' = 0.625 - y\nA*g' = y - max(g, 0)^1.5\n",
     "let y = max(h - 0.02, 0)^1.5\nparameter A = 0.8303\nstate h = 0, g = 0\n"
     "h' = (0.625 - y)/A\ng' = (y - max(g, 0)^1.5)/A\n"},
    {"algebraic y = 0\ny = k*max(h - 0.02, 0)\nparameter k = 0.3\nstate h = 0, g = 0\n"
     "h' = 1 - y\ng' = y - max(g, 0)\n",
     "let y = k*max(h - 0.02, 0)\nparameter k = 0.3\nstate h = 0, g = 0\n"
     "h' = 1 - y\ng' = y - max(g, 0)\n"},
    {"algebraic f1 = 0, f2 = 0\nf1 = k*max(a - c, 0)\nf2 = k*max(b - c, 0)\n"
     "parameter k = 0.7, c = 0.1\nstate a = 0, b = 0, d = 0\n"
     "a' = 0.5 - f1\nb' = f1 - f2 - 0.1*max(b, 0)\nd' = f2 - 0.2*max(d, 0)\n",
     "let f1 = k*max(a - c, 0)\nlet f2 = k*max(b - c, 0)\n"
     "parameter k = 0.7, c = 0.1\nstate a = 0, b = 0, d = 0\n"
     "a' = 0.5 - f1\nb' = f1 - f2 - 0.1*max(b, 0)\nd' = f2 - 0.2*max(d, 0)\n"},
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
                    size_t const ahead = x == 2 ? 2 : 1, states = x == 2 ? 3 : 2;
                    double const bound = 100 * rtol;
                    for (size_t i = 0; i < states; i++) {
                        double const floor = 1e-3;
                        double const y = exact.y[i];
                        CHECK_CLOSE(is.y[ahead + i], y, bound * (fabs(y) + floor));
                        for (size_t k = 0; k < states - 1; k++) {
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
