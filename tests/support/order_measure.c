/* SPDX-License-Identifier: Apache-2.0 */
/* Settings, ranges of h and slopes. */
#include "support/order_measure.h"

#include <math.h>

void order_for_all(double tolerance, size_t pairs, size_t ns, order_property *holds)
{
    for (size_t m = 0; method_tables[m]; m++)
        for (size_t c = 0; corrector_tables[c]; c++)
            for (int other = 0; other < 2; other++) {
                bool const functional = other && method_tables[m] == &method_adams;
                bool const implicit = other && method_tables[m] == &method_dassl;
                if (other && !implicit && (!functional || corrector_tables[c] == &corrector_direct))
                    continue;
                struct order_problem it;
                struct order_setting const setting = {.method = method_tables[m],
                                                      .corrector = corrector_tables[c],
                                                      .linear = functional ? TANSY_DIAGONAL
                                                                           : TANSY_DENSE_LU,
                                                      .tolerance = tolerance};
                order_problem_set(&it, pairs, ns, functional ? 1e-4 : 0.02);
                if (implicit) order_problem_hide(&it);
                holds(&setting, &it);
            }
}

size_t order_steps(int q, int r)
{
    static const double first[] = {0, 1000, 250, 100, 100, 50, 50, 50, 50, 25, 25, 25, 25};
    return (size_t)lround(first[q] * exp2((double)r / (ORDER_REFINEMENTS - 1)));
}

double order_slope(const double h[ORDER_REFINEMENTS], const double error[ORDER_REFINEMENTS])
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int r = 0; r < ORDER_REFINEMENTS; r++) {
        x += log(fabs(h[r]));
        y += log(error[r]);
        xx += log(fabs(h[r])) * log(fabs(h[r]));
        xy += log(fabs(h[r])) * log(error[r]);
    }
    return (ORDER_REFINEMENTS * xy - x * y) / (ORDER_REFINEMENTS * xx - x * x);
}
