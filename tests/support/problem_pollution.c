/* SPDX-License-Identifier: Apache-2.0 */
/* Pollution of the Bari test set: 20 species, 25 reactions, the columns of all rate constants. */
#include "mechanism.h"
#include "problem_list.h"

const struct test_problem *problem_pollution(void)
{
    static const double atol[] = {6e-5,  2e-4, 4e-12, 4e-5, 3e-10, 3e-10, 1e-4, 3e-4, 1e-5, 3e-11,
                                  2e-11, 2e-6, 2e-7,  3e-8, 9e-6,  4e-21, 7e-6, 1e-7, 2e-9, 6e-8};
    static struct mass_action network;
    static struct test_problem it = {
        .name = "pollution", .atol = atol, .reference = "pollution.csv", .t_end = 60, .stiff = 1};
    if (network.n == 0) {
        mechanism_read("pollution_mechanism.txt", &network);
        it.problem = mass_action_problem(&network);
    }
    return &it;
}
