/* SPDX-License-Identifier: Apache-2.0 */
/* The ways to solve the problem of fault_problem.h: both methods, all correctors, and derivatives from all
   sources; and a run that looks at every accepted step. */
#ifndef TEST_FAULT_CASES_H
#define TEST_FAULT_CASES_H

#include "fault_problem.h"

struct fault_case {
    char name[64];         /* "bdf, staggered, tangent" */
    tansy_options options; /* rtol = 1e-4, atol = 1e-7 */
    int gives;             /* of the problem */
    bool differences;      /* S is made from differences of f */
};

enum { FAULT_METHODS = 2, FAULT_CORRECTORS = 3, FAULT_SOURCES = 4 };
enum { FAULT_CASES = FAULT_METHODS * FAULT_CORRECTORS * FAULT_SOURCES };

struct fault_case fault_case(size_t number);

/* What came out of a run. */
struct fault_result {
    tansy_status status;
    char message[512];
    double t; /* the last time reached */
    double y[FAULT_N], sens[FAULT_SENS];
    bool finite; /* y and S of all accepted steps */
    tansy_stats stats;
};

/* Goes to t by single steps, however many, and then gives the solution there; or where it stopped. */
struct fault_result fault_integrate(tansy_solver *s, double t);

/* Creates, integrates from 0 to t, frees; what went on is in user. */
struct fault_result fault_run(const struct fault_case *it, struct fault_user *user, double t);

/* The same y, S and counts, bit for bit. */
bool fault_same(const struct fault_result *a, const struct fault_result *b);

/* 0 if it holds; else tells on stderr what does not, and returns 1. */
size_t fault_told(bool holds, const char *what, const struct fault_case *it,
                  const struct fault_user *user, const struct fault_result *r);

#endif
