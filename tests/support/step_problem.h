/* SPDX-License-Identifier: Apache-2.0 */
/* A smooth nonlinear problem that depends on t, in closed form, for one-step methods, as y' = f and as B y' = f in several ways:
     q w' = -a w^2,   v' = (c - (a/q) w^2) cos(c t + w) - k (v^2 - sin^2(c t + w)),   0 = 1 + w^2 + d v^2 - exp(z),
     w = 1/(b + (a/q) t),   v = sin(c t + w),   z = log(1 + w^2 + d v^2),   p = (a, b, c, d, k, q), b in the initial values alone.
   Where there is z, w^2 in the first equation is exp(z) - 1 - d v^2. */
#ifndef TEST_STEP_PROBLEM_H
#define TEST_STEP_PROBLEM_H

#include <stdbool.h>
#include <tansy/tansy.h>

enum { STEP_N = 3, STEP_NP = 6, STEP_MOST_COLUMNS = 80 };

/* B = Q D, D = diag(1, 1, 0) or diag(q, 1, 0), the right-hand side multiplied by Q too. */
enum step_form {
    STEP_ODE,       /* w, v; no B */
    STEP_MASS,      /* w, v; B = Q, a full matrix */
    STEP_MASS_OF_P, /* w, v; B = Q diag(q, 1) */
    STEP_SEMI,      /* w, v, z; B = diag(1, 1, 0) */
    STEP_DAE,       /* w, v, z; B = Q diag(1, 1, 0): its last row is not zero */
    STEP_DAE_OF_P,  /* w, v, z; B = Q diag(q, 1, 0) */
    STEP_RESIDUAL,  /* the same as F = B y' - f */
    STEP_FORMS
};

/* What is given besides f; time: df/dt, second: second derivatives. */
enum { STEP_MATRICES = 1, STEP_TANGENT = 2, STEP_TIME = 4, STEP_SECOND = 8, STEP_ALL = 15 };

struct step_problem {
    enum step_form form;
    double p[STEP_NP];
    int columns[STEP_MOST_COLUMNS];
    tansy_problem problem; /* points into this struct */
};

/* ns columns: the parameters in turn.  The structure may be changed by step_problem_store(). */
void step_problem_set(struct step_problem *it, enum step_form form, int gives, size_t ns);

/* df/dy and B are stored as a band (full) or with a sparse pattern (full). */
void step_problem_store(struct step_problem *it, tansy_structure structure);

/* y[n] and sens[k*n + i] at t. */
void step_exact(const struct step_problem *it, long double t, long double *y, long double *sens);

/* Their derivatives by t, of the form STEP_ODE. */
void step_exact_slope(const struct step_problem *it, double t, double *yp, double *sensp);

/* errors[0] of y, errors[1 + k] of column k: 2-norms over the components. */
void step_errors(const struct step_problem *it, double t, const double *y, const double *sens,
                 double *errors);

const char *step_form_name(enum step_form form);

#endif
