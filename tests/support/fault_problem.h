/* SPDX-License-Identifier: Apache-2.0 */
/* A problem in closed form whose functions fail where a test wants it, count their calls, and take their
   parameters in any unit:
     y_0' = -k y_0^2,  y_1' = m y_0,  y(0) = (a, b),  p = (k, m, a, b),
     y_0 = a/u,  y_1 = b + (m/k) log u,  u = 1 + a k t. */
#ifndef TEST_FAULT_PROBLEM_H
#define TEST_FAULT_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <tansy/tansy.h>

enum { FAULT_N = 2, FAULT_NP = 4, FAULT_SENS = FAULT_N * FAULT_NP };

enum fault_function {
    IN_RHS,
    IN_JACOBIAN,
    IN_PARAMETER_JACOBIAN,
    IN_TANGENT,
    IN_INITIAL,
    IN_INITIAL_JACOBIAN,
    FAULT_FUNCTIONS
};

enum fault_kind { GIVES_NAN, GIVES_INF, RETURNS_POSITIVE, RETURNS_NEGATIVE, FAULT_KINDS };

/* The calls first .. last, counted from 1, of the function fail; first == 0: none. */
struct fault_plan {
    enum fault_function function;
    enum fault_kind kind;
    size_t first, last;
};

/* The context of the functions; all zero but the units, which fault_user() sets to 1. */
struct fault_user {
    struct fault_plan plan;
    double unit[FAULT_NP]; /* p_k is given in this unit: k is p[0]*unit[0] */
    size_t calls[FAULT_FUNCTIONS];
    bool stopped;                  /* a function has returned a negative value */
    size_t calls_after_stop;       /* of any function */
    double earliest, latest;       /* of the times seen */
    double wrong[FAULT_FUNCTIONS]; /* added to the entry (1, 0) of a derivative */
    /* Watches p when home is not NULL: it may be home[4], or differ from it in one place by reach |home_k|. */
    const double *home;
    double reach;
    size_t moved, strayed; /* calls with another p, and with one that is not allowed */
    int fence;             /* not 0: f says "not here" where p_0 - fault_p[0] has this sign */
};

struct fault_user fault_user(void);

/* What the problem gives; what is missing is differenced. */
enum { WITH_NOTHING = 0, WITH_MATRICES = 1, WITH_TANGENT = 2, WITH_INITIAL = 4 };

extern const double fault_p[FAULT_NP];
extern const char *const fault_function_name[FAULT_FUNCTIONS];

/* The problem with p[4], which tansy_create() copies: fault_p in units of 1. */
tansy_problem fault_problem(struct fault_user *user, int gives, const double *p);

/* y[2] and sens[k*2 + i] at t with p = fault_p in units of 1. */
void fault_exact(double t, double *y, double *sens);

/* How wrong state and columns are, docs/design.md section 12, with floor_i = floor: the larger of both. */
double fault_error(double t, double floor, const double *y, const double *sens);

#endif
