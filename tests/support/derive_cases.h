/* SPDX-License-Identifier: Apache-2.0 */
/* Small right-hand sides with exact derivatives for the tests of src/derive, and a provider of derivatives set
   up for one of them in a block of its own, as a solver would.  The user functions count their calls and fail,
   or give a wrong entry, where the test wants it. */
#ifndef TEST_DERIVE_CASES_H
#define TEST_DERIVE_CASES_H

#include "derive/derive.h"
#include "support/problems.h"

enum { CASE_MOST = 8, CASE_PANELS = 16 };

/* f is analytic within one size of its arguments: |d^q f_i| <= q! terms_i / size^q, up to small factors. */
struct derive_case {
    const char *name;
    size_t n, np, lower, upper; /* bandwidths; n - 1 when dense */
    double y[CASE_MOST], p[CASE_MOST], level[CASE_MOST];
    void (*rhs)(const double *y, const double *p, double *f);
    void (*exact)(const double *y, const double *p, double *J, double *F); /* n*n, n*np, zeroed */
    void (*terms)(const double *y, const double *p, double *terms); /* sum of abs of the terms */
};

enum { CASES = 4 };
extern const struct derive_case derive_case_list[CASES];

enum fault { FAULT_NONE, FAULT_POSITIVE, FAULT_NEGATIVE, FAULT_NAN };

/* The context of the user functions. */
struct derive_user {
    const struct derive_case *of;
    double unit[CASE_MOST]; /* p_k is given in this unit: the case's p_k is p[k]*unit[k] */
    size_t calls;           /* of any function */
    size_t first, last;     /* calls that fail, counted from 1; first == 0: none */
    enum fault fault;
    double wrong; /* added to the entry (1, 0) of each derivative */
    bool banded;
};

/* What the problem gives. */
enum {
    GIVE_JACOBIAN = 1,
    GIVE_PARAMETER = 2,
    GIVE_PATTERN = 4,
    GIVE_TANGENT = 8,
    GIVE_BANDED = 16
};

struct derive_setup {
    struct derive_user user;
    tansy_problem problem;
    tansy_options options;
    const double *y, *level; /* y[n], level[n] = atol/rtol */
    double t, p[CASE_MOST];
    double *scale, *rtol, *atol;
    size_t row[CASE_MOST * CASE_MOST],
        column[CASE_MOST * CASE_MOST]; /* pattern: all entries, by rows */
    enum matrix_kind kind;             /* of J */
    size_t workers;
    bool has_second; /* room for second derivatives */
    struct derive d;
    struct matrix J;
    struct panel panel[CASE_PANELS];
    size_t panels, at; /* the panel at work is panel[at] */
    double *f, *V, *R; /* f[n], V and R of the panel at work */
    struct message message;
    tansy_status status; /* of derive_complete */
    void *block;
};

/* Fills problem and options for the case, giving what `gives` says; ns = np columns, rtol = 1e-6. */
void derive_prepare(struct derive_setup *s, const struct derive_case *of, int gives);

/* The same for a problem of problems.h with all it gives. */
void derive_prepare_problem(struct derive_setup *s, const struct test_problem *of);

/* Lays out and completes what was prepared (and changed by the test); status is kept. */
void derive_build(struct derive_setup *s);
void derive_discard(struct derive_setup *s);

/* Evaluates f and, where the tangent needs them, the matrices at (t, y); then R of the panel at work. */
int derive_evaluate(struct derive_setup *s);

/* V of the panel at work: v_ik of relative size `relative` of y_i over the size of direction k. */
void derive_fill(struct derive_setup *s, double relative);

/* The exact R and the unit of its error: terms times the size of the direction, sum of both parts. */
void derive_expected(const struct derive_setup *s, double *exact, double *unit);

#endif
