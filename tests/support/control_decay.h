/* SPDX-License-Identifier: Apache-2.0 */
/* y1' = -k y1 + u_i on piece i, y2' = y1, with the levels u_i in disorder among the parameters and the times from which they act;
   and its closed form. */
#ifndef TEST_CONTROL_DECAY_H
#define TEST_CONTROL_DECAY_H

#include <stdbool.h>
#include <tansy/tansy.h>

enum { PIECES = 5, NP = 1 + PIECES, LEVEL = 1 };
extern const double control_rate, control_breaks[PIECES - 1];
/* level[i] of piece i is parameter LEVEL + place[i]. */
extern const size_t control_place[PIECES];
extern const double control_level[PIECES];

struct control_user {
    double p[NP], active_from[NP];
    double fail_from;   /* f fails from here on; infinite: it does not */
    int failures, code; /* so many times beyond the first break it returns this code */
    size_t switches;    /* before the number of the piece */
    bool nan;           /* the tangent of the last level is none */
};

struct control_user control_user(void);

/* The parameter that is the level of the piece at work. */
size_t control_level_at(const double *p, const void *context);

tansy_problem control_problem(struct control_user *u);

/* y and dy/dp of both components at t >= 0: S as the solver gives it, sens[k*2 + i]. */
void control_exact(double t, double *y, double *sens);

/* Checks y and S at t >= 0: each entry within 100 rtol. */
void control_check(double t, double rtol, const double *y, const double *sens);

/* One of each family. */
enum { CONTROL_METHODS = 6 };
extern const tansy_method control_methods[CONTROL_METHODS];

#endif
