/* SPDX-License-Identifier: Apache-2.0 */
/* Solves a test problem through its reference times and measures how wrong state and columns are. */
#ifndef TEST_ACCURACY_H
#define TEST_ACCURACY_H

#include "error_norm.h"
#include "problems.h"
#include "reference.h"

#include <tansy/options.h>
#include <tansy/status.h>

/* A problem with all that is needed to judge a solution. */
struct oracle {
    const struct test_problem *problem;
    struct reference exact;
    struct error_norm norm;
};

/* What came out of one run; errors are infinite when it failed. */
struct accuracy {
    tansy_status status;
    char message[1024];
    double state;   /* the largest e of y over the reference times */
    double columns; /* the largest e_k */
    size_t column;  /* where that was */
    double time;
    size_t steps;
};

/* Where the solver gets derivatives from: those of the problem; none, whatever its form; none, and no pattern of the matrices
   either, so that a sparse one is probed. */
enum derivatives { GIVEN, BY_DIFFERENCES, BY_DIFFERENCES_ALONE };

/* The problem with that much of its derivatives left. */
tansy_problem problem_with(tansy_problem problem, enum derivatives derivatives);

/* Ends the program when the problem or its reference does not exist. */
void oracle_open(const char *name, struct oracle *o);

void oracle_close(struct oracle *o);

/* One run with the tolerances rtol and atol_i = rtol * problem->atol[i]; other options as given. */
struct accuracy oracle_measure(const struct oracle *o, enum derivatives derivatives,
                               const tansy_options *options);

/* One run of that form of the problem, with the options as they are. */
struct accuracy oracle_measure_form(const struct oracle *o, const tansy_problem *problem,
                                    const tansy_options *options);

/* The largest error allowed to a run of `method`: 100 rtol, or where the problem amplifies errors what CVODES has
   at that tolerance. */
double oracle_bound(const struct oracle *o, tansy_method method, double rtol);

/* The names by which files and messages call them: "bdf", "staggered". */
const char *method_name(tansy_method method);
const char *sensitivities_name(tansy_sensitivities sensitivities);

#endif
