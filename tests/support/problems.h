/* SPDX-License-Identifier: Apache-2.0 */
/* The test problems, all with every derivative given by hand or by the mass-action tables, none of them by
   differences.  Their functions are pure and may be called by several threads.  Files are looked up in
   TANSY_REFERENCE_DIR; one that is missing or broken ends the program with a message. */
#ifndef TEST_PROBLEMS_H
#define TEST_PROBLEMS_H

#include <stddef.h>
#include <tansy/problem.h>

struct test_problem {
    const char *name;      /* "gas_oil" */
    tansy_problem problem; /* the columns are those of the reference file, in its order */
    const double
        *atol; /* atol[n] at rtol = 1: use atol_i = rtol * atol[i].  Where not said otherwise
                              1e-3 of the largest abs(y_i) at t0 and the reference times, to one digit:
                              below that error_norm.h measures absolutely anyway */
    const char *reference; /* "gasoil.csv", or NULL */
    double t_end;          /* the last reference time */
    int stiff;             /* not 0: not for Adams */
    int amplifies;         /* not 0: the problem itself amplifies errors; the bound is in
                              tests/reference/cvodes_errors.csv instead of 100 rtol */
};

/* The number of columns of S: .ns, or all parameters. */
size_t problem_columns(const struct test_problem *it);

/* The problem of that name; NULL if there is none. */
const struct test_problem *problem_find(const char *name);

/* Problem k, counted from 0; NULL behind the last.  These are of the form y' = f with dense matrices. */
const struct test_problem *problem_number(size_t k);

/* The same of the problems that are implicit (F = 0; B y' = f where the name ends in _mass) or have band or sparse
   matrices.  Others of heat.h and crane.h are found by their names, and pleiades, which amplifies errors so much that no derivative by
   differences is good enough for it. */
const struct test_problem *problem_structured_number(size_t k);

#endif
