/* SPDX-License-Identifier: Apache-2.0 */
/* The makers of the single problems, one a file, for problems.c; others use problem_find(). */
#ifndef TEST_PROBLEM_LIST_H
#define TEST_PROBLEM_LIST_H

#include "problems.h"

const struct test_problem *problem_gas_oil(void);
const struct test_problem *problem_robertson(void);
const struct test_problem *problem_hires(void);
const struct test_problem *problem_pollution(void);
const struct test_problem *problem_van_der_pol(void);
const struct test_problem *problem_ethane(void);
const struct test_problem *problem_e3(void);
const struct test_problem *problem_c1(void);
const struct test_problem *problem_c5(void);
const struct test_problem *problem_decay(void);
const struct test_problem *problem_co_oxidation(void);
const struct test_problem *problem_network_100x400(void);
const struct test_problem *problem_lotka_volterra(void);
const struct test_problem *problem_pleiades(void);

/* Implicit ones, or such with band or sparse matrices. */
const struct test_problem *problem_batch_reactor(void);
const struct test_problem *problem_batch_reactor_mass(void);
const struct test_problem *problem_robertson_dae(void);
const struct test_problem *problem_robertson_dae_mass(void);
const struct test_problem *problem_akzo_nobel(void);
const struct test_problem *problem_akzo_nobel_mass(void);
const struct test_problem *problem_transistor(void);
const struct test_problem *problem_transistor_mass(void);
const struct test_problem *problem_pendulum(void);
const struct test_problem *problem_pendulum_mass(void);
const struct test_problem *problem_pendulum_slow(void);
const struct test_problem *problem_network_100x400_sparse(void);
const struct test_problem *problem_dae_network(void);

#endif
