/* SPDX-License-Identifier: Apache-2.0 */
/* Five tanks joined by pipes of all kinds, which become equal one after the other and stay so (switch_levels.c): steps are long again then, and S is that of the common level, whatever the
   times of output.  That the pipe between the first two is smooth, d/sqrt(abs(d) + 1e-6), does not matter. */
#include <tansy/tansy.h>

#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

enum { N = 5, NP = 6, MOST_STEPS = 2000 };

static const char tanks[] =
    "parameter c1 = 0.707, c2 = 1.33, c3 = 0.607, c4 = 1.04, qi = 0.542, co = 0\n"
    "state h1 = 1, h2 = 1.46, h3 = 2.32, h4 = 1, h5 = 2.53\n"
    "h1' = -c1*(h1-h2)/sqrt(abs((h1-h2))+1e-6)\n"
    "h2' = +c1*(h1-h2)/sqrt(abs((h1-h2))+1e-6) -c2*sign((h2-h3))*abs((h2-h3))^0.571\n"
    "h3' = +c2*sign((h2-h3))*abs((h2-h3))^0.571 -c3*sign((h3-h4))*abs((h3-h4))^0.571 "
    "+ 0*co - co*(if h3>0.5 then sqrt(h3) else 0)\n"
    "h4' = +c3*sign((h3-h4))*abs((h3-h4))^0.571 -(if (h4-h5)>0 then c4*sqrt(max((h4-h5),0)) else "
    "-c4*sqrt(max(-(h4-h5),0)))\n"
    "h5' = +(if (h4-h5)>0 then c4*sqrt(max((h4-h5),0)) else -c4*sqrt(max(-(h4-h5),0))) + qi*(if "
    "time>1 and time < 3 then 1 else 0)\n";

static void check(tansy_method method, double rtol, double end, int times)
{
    tansy_options const o = {.method = method,
                             .rtol = rtol,
                             .atol = 1e-9,
                             .max_step = end / 200,
                             .max_steps = MOST_STEPS};
    tansy_problem problem;
    tansy_model *const model = model_of_text(tanks, &problem);
    tansy_solver *const s = tansy_create(&problem, &o);
    double y[N], S[NP * N];
    tansy_status status = TANSY_OK;
    for (int k = 1; k <= times && status == TANSY_OK; k++)
        status = tansy_solve(s, end * k / times, y, S);
    if (status != TANSY_OK) puts(tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    for (size_t i = 0; i < N; i++) {
        CHECK_CLOSE(y[i], (8.31 + 2 * 0.542) / 5, 100 * o.rtol);
        CHECK_CLOSE(S[(size_t)4 * N + i], 0.4, 100 * o.rtol);
        for (size_t k = 0; k < 4; k++) CHECK_CLOSE(S[k * N + i], 0, 100 * o.rtol);
    }
    tansy_free(s);
    tansy_model_free(model);
}

TEST(a_smooth_pipe_beside_them_does_not_keep_levels_from_rest)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF};
    for (int m = 0; m < 2; m++)
        for (int times = 1; times <= 30; times += 29) check(methods[m], 1e-6, 10, times);
}

/* A rtol that is another by 1e-9 of itself makes other roundings of all that follows, as another machine does: none of them leads to other steps. */
TEST(levels_come_to_rest_whatever_rounding_is)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF};
    for (int m = 0; m < 2; m++)
        for (int k = 1; k <= 40; k += TEST_STRIDE)
            check(methods[m], 1e-6 * (1 + 1e-9 * k), 10, k % 2 ? 1 : 30);
}
