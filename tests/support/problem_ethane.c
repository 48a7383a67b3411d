/* SPDX-License-Identifier: Apache-2.0 */
/* Pyrolysis of ethane: 7 species, 5 reactions, the columns of k1..k5 and of the initial ethane. */
#include "mechanism.h"
#include "problem_list.h"

const struct test_problem *problem_ethane(void)
{
    static const double atol[] = {9e-10, 2e-15, 4e-12, 2e-15, 8e-10, 5e-15, 8e-10};
    static const int columns[] = {0, 1, 2, 3, 4, TANSY_INITIAL(0)};
    static struct mass_action network;
    static struct test_problem it = {.name = "ethane",
                                     .atol = atol,
                                     .reference = "ethane_substitute.csv",
                                     .t_end = 20,
                                     .stiff = 1};
    if (network.n == 0) {
        mechanism_read("ethane_mechanism.txt", &network);
        it.problem = mass_action_problem(&network);
        it.problem.ns = sizeof columns / sizeof *columns;
        it.problem.columns = columns;
    }
    return &it;
}
