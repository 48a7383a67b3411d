/* SPDX-License-Identifier: Apache-2.0 */
/* A DAE of index 1 in closed form whose functions count their calls and fail where a test wants it:
     y'/a + y = 0,  z^2 - b y = 0,  y(0) = c,  p = (a, b, c),      y = c e^(-a t),  z = sqrt(b c) e^(-a t/2),
   as F(t, y, y', p) = 0 or as B(p) y' = f with B = diag(1/a, 0); z(0) is found from a guess. */
#ifndef TEST_IMPLICIT_FADE_H
#define TEST_IMPLICIT_FADE_H

#include <stdbool.h>
#include <stddef.h>
#include <tansy/tansy.h>

enum { FADE_N = 2, FADE_NP = 3, FADE_SENS = FADE_N * FADE_NP };

enum fade_function {
    FADE_RESIDUAL,
    FADE_RESIDUAL_JACOBIAN,
    FADE_RATE_JACOBIAN,
    FADE_RESIDUAL_PARAMETER,
    FADE_RESIDUAL_TANGENT,
    FADE_RHS,
    FADE_JACOBIAN,
    FADE_TANGENT,
    FADE_MASS,
    FADE_MASS_TANGENT,
    FADE_INITIAL,
    FADE_INITIAL_JACOBIAN,
    FADE_PREPARE,
    FADE_SOLVE,
    FADE_DERIVED,
    FADE_DERIVED_TANGENT,
    FADE_FUNCTIONS
};
extern const char *const fade_function_name[FADE_FUNCTIONS];

enum fade_kind { FADE_NAN, FADE_POSITIVE, FADE_NEGATIVE, FADE_KINDS };

/* The context.  The calls first .. last, counted from 1, of the function fail; first == 0: none. */
struct fade_user {
    enum fade_function function;
    enum fade_kind kind;
    size_t first, last;
    double guess; /* of z(0); 0: 1 */
    size_t calls[FADE_FUNCTIONS];
    bool stopped;
    size_t calls_after_stop;
    double earliest, latest; /* times seen, from 0 on */
    double pivot[FADE_N];    /* of the preconditioner, as it was prepared */
    double off;
};

extern const double fade_p[FADE_NP];

/* What the problem gives. */
enum {
    FADE_MATRICES = 1,
    FADE_TANGENTS = 2,
    FADE_INITIALS = 4,
    FADE_MASS_FORM = 8,
    FADE_PRECONDITIONER = 16
};

tansy_problem fade_problem(struct fade_user *user, int gives);

/* y[2], yp[2], sens[k*2 + i], sensp at t; any may be NULL. */
void fade_exact(double t, double *y, double *yp, double *sens, double *sensp);

/* The largest error of y and p_k S in units of |exact| + floor. */
double fade_error(double t, double floor, const double *y, const double *sens);

#endif
