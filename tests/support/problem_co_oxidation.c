/* SPDX-License-Identifier: Apache-2.0 */
/* Oxidation of CO: 11 species, 52 one-way reactions, the columns of all rate constants; the mixture ignites
   near t = 0.01, and errors in the time of ignition are amplified. */
#include "mechanism.h"
#include "problem_list.h"

const struct test_problem *problem_co_oxidation(void)
{
    static const double atol[] = {8e-13, 3e-13, 1e-12, 2e-10, 3e-13, 1e-10,
                                  6e-14, 3e-15, 1e-10, 1e-10, 9e-18};
    static struct mass_action network;
    static struct test_problem it = {.name = "co_oxidation",
                                     .atol = atol,
                                     .reference = "co_oxidation_substitute.csv",
                                     .t_end = 1,
                                     .stiff = 1,
                                     .amplifies = 1};
    if (network.n == 0) {
        mechanism_read("co_mechanism.txt", &network);
        it.problem = mass_action_problem(&network);
    }
    return &it;
}
