/* SPDX-License-Identifier: Apache-2.0 */
/* The list of all test problems. */
#include "problems.h"

#include "problem_list.h"

#include <string.h>

static const struct test_problem *(*const makers[])(void) = {
    problem_decay, problem_gas_oil, problem_robertson,   problem_e3,
    problem_hires, problem_ethane,  problem_pollution,   problem_co_oxidation,
    problem_c1,    problem_c5,      problem_van_der_pol, problem_network_100x400,
};

const struct test_problem *problem_number(size_t k)
{
    return k < sizeof makers / sizeof *makers ? makers[k]() : NULL;
}

const struct test_problem *problem_find(const char *name)
{
    const struct test_problem *it = NULL;
    for (size_t k = 0; (it = problem_number(k)) && strcmp(it->name, name) != 0; k++) {
    }
    return it;
}

size_t problem_columns(const struct test_problem *it)
{
    return it->problem.columns ? it->problem.ns : it->problem.np;
}
