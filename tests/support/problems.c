/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of all test problems. */
#include "problems.h"

#include "crane.h"
#include "heat.h"
#include "problem_list.h"

#include <string.h>

static const struct test_problem *(*const makers[])(void) = {
    problem_decay,       problem_gas_oil,         problem_robertson,      problem_e3, problem_hires,
    problem_ethane,      problem_pollution,       problem_co_oxidation,   problem_c1, problem_c5,
    problem_van_der_pol, problem_network_100x400, problem_lotka_volterra,
};

static const struct test_problem *heat_10(void)
{
    return heat_problem(10, HEAT_BAND);
}

static const struct test_problem *heat_10_sparse(void)
{
    return heat_problem(10, HEAT_SPARSE);
}

static const struct test_problem *heat_10_mass(void)
{
    return heat_problem(10, HEAT_MASS);
}

static const struct test_problem *heat_10_ode(void)
{
    return heat_problem(10, HEAT_ODE);
}

static const struct test_problem *(*const structured_makers[])(void) = {
    problem_batch_reactor, problem_batch_reactor_mass,
    problem_robertson_dae, problem_robertson_dae_mass,
    problem_akzo_nobel,    problem_akzo_nobel_mass,
    problem_transistor,    problem_transistor_mass,
    problem_pendulum,      problem_pendulum_mass,
    problem_pendulum_slow, heat_10,
    heat_10_sparse,        heat_10_mass,
    heat_10_ode,           problem_network_100x400_sparse,
    problem_dae_network,
};

const struct test_problem *problem_structured_number(size_t k)
{
    return k < sizeof structured_makers / sizeof *structured_makers ? structured_makers[k]() : NULL;
}

const struct test_problem *problem_number(size_t k)
{
    return k < sizeof makers / sizeof *makers ? makers[k]() : NULL;
}

const struct test_problem *problem_find(const char *name)
{
    const struct test_problem *it = NULL;
    for (size_t k = 0; (it = problem_number(k)) && strcmp(it->name, name) != 0; k++) {
    }
    for (size_t k = 0; !it && problem_structured_number(k); k++)
        if (strcmp(problem_structured_number(k)->name, name) == 0)
            it = problem_structured_number(k);
    if (!it && strcmp(name, "pleiades") == 0) it = problem_pleiades();
    if (!it) it = crane_find(name);
    return it ? it : heat_find(name);
}

size_t problem_columns(const struct test_problem *it)
{
    return it->problem.columns ? it->problem.ns : it->problem.np;
}
