/* SPDX-License-Identifier: Apache-2.0 */
/* A DAE of index 1 in closed form whose functions count their calls and fail where a test wants it:
     y'/a + y = 0,  z^2 - b y = 0,  y(0) = c,  p = (a, b, c),      y = c e^(-a t),  z = sqrt(b c) e^(-a t/2),
   as F(t, y, y', p) = 0 or as B(p) y' = f with B = diag(1/a, 0); z(0) is found from a guess. */
#ifndef TEST_IMPLICIT_DECAY_H
#define TEST_IMPLICIT_DECAY_H

#include <stdbool.h>
#include <stddef.h>
#include <tansy/tansy.h>

enum { DECAY_N = 2, DECAY_NP = 3, DECAY_SENS = DECAY_N * DECAY_NP };

enum decay_function {
    DECAY_RESIDUAL,
    DECAY_RESIDUAL_JACOBIAN,
    DECAY_RATE_JACOBIAN,
    DECAY_RESIDUAL_PARAMETER,
    DECAY_RESIDUAL_TANGENT,
    DECAY_RHS,
    DECAY_JACOBIAN,
    DECAY_TANGENT,
    DECAY_MASS,
    DECAY_MASS_TANGENT,
    DECAY_INITIAL,
    DECAY_INITIAL_JACOBIAN,
    DECAY_PREPARE,
    DECAY_SOLVE,
    DECAY_DERIVED,
    DECAY_DERIVED_TANGENT,
    DECAY_FUNCTIONS
};
extern const char *const decay_function_name[DECAY_FUNCTIONS];

enum decay_kind { DECAY_NAN, DECAY_POSITIVE, DECAY_NEGATIVE, DECAY_KINDS };

/* The context.  The calls first .. last, counted from 1, of the function fail; first == 0: none. */
struct decay_user {
    enum decay_function function;
    enum decay_kind kind;
    size_t first, last;
    double guess; /* of z(0); 0: 1 */
    size_t calls[DECAY_FUNCTIONS];
    bool stopped;
    size_t calls_after_stop;
    double earliest, latest; /* times seen, from 0 on */
    double pivot[DECAY_N];   /* of the preconditioner, as it was prepared */
    double off;
};

extern const double decay_p[DECAY_NP];

/* What the problem gives. */
enum {
    DECAY_MATRICES = 1,
    DECAY_TANGENTS = 2,
    DECAY_INITIALS = 4,
    DECAY_MASS_FORM = 8,
    DECAY_PRECONDITIONER = 16
};

tansy_problem decay_problem(struct decay_user *user, int gives);

/* y[2], yp[2], sens[k*2 + i], sensp at t; any may be NULL. */
void decay_exact(double t, double *y, double *yp, double *sens, double *sensp);

/* The largest error of y and p_k S in units of |exact| + floor. */
double decay_error(double t, double floor, const double *y, const double *sens);

#endif
