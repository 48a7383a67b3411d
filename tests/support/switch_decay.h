/* SPDX-License-Identifier: Apache-2.0 */
/* A decay that changes its rate where y crosses c, in closed form:
     y' = -k1 y where y >= c, else -k2 y,  p = (k1, k2, c),  columns k1, k2, c, y(t0).
   Forward from t0 = 0, y(0) = 2 it crosses at T = log(y0/c)/k1; backward from t0 = 2, y(2) = 1/2 at
   T = t0 - log(c/y0)/k2. */
#ifndef TEST_SWITCH_DECAY_H
#define TEST_SWITCH_DECAY_H

#include <stdbool.h>
#include <stddef.h>
#include <tansy/tansy.h>

enum { DECAY_COLUMNS = 4, DECAY_NP = 3 };

/* The context of the functions. */
struct decay_user {
    size_t rhs, switches, tangents; /* calls */
    double nan_from; /* the switch function gives NaN at and beyond this time; NaN: never */
    int fails;       /* what it returns instead, when not 0 */
    bool strayed;    /* a function was called with modes that are not 0 or 1 */
};

enum {
    DECAY_GIVES_F = 0,
    DECAY_GIVES_MATRICES = 1,
    DECAY_GIVES_TANGENT = 2,
    DECAY_GIVES_SWITCH = 4
};

extern const double decay_p[DECAY_NP];

struct decay_user decay_user(void);
tansy_problem decay_problem(struct decay_user *user, bool forward, int gives);

/* The switching time, and y and sens[4] at t, with left limits at it. */
double decay_switch_time(bool forward);
void decay_exact(bool forward, double t, double *y, double *sens);

/* How wrong y and the columns are at t, docs/design.md section 12: the largest of all. */
double decay_error(bool forward, double t, const double *y, const double *sens);

#endif
