/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of S at a switching point.  s+ = s- + (f- - f+) dT/dp is 0, or nearly so, where a relay stops at a position that hardly depends on p.  Errors of s- within the tolerance,
   |ds_i| <= w_i, stay as large as they were:
     |ds+_i| <= |1 - (f-_i - f+_i) g_yi/r| w_i + |(f-_i - f+_i)/r| sum_{j != i} |g_yj| w_j,   r = g_t + g_y f-,
   so that hundreds of rtol of s+ may be wrong, in a row that is handed out.  Of every row the worst column is remembered, until it has decayed (docs/switches.md). */
#ifndef DRIVE_REMAINS_H
#define DRIVE_REMAINS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct tansy_solver;

struct remains {
    double *slope;   /* slope[n]: dg/dy of the surface at work, */
    double rate;     /* and r, before it is turned, */
    double pressed;  /* the largest error of a step, in tolerances, since the last one; */
    bool is_known;   /* if they are */
    double *largest; /* largest[n]: |y_i| at switching points and where it was asked for */
    double *error;   /* error[n]: of s_ik times the scale of k, where it was left; 0: none */
    double *since;   /* since[n]: when, */
    double *decay;   /* decay[n]: and the rate at which it decays */
    double *size;    /* size[n]: how many times as large s- was */
    size_t *column, *number; /* [n]: k, as in sens0, and the switch */
    size_t rows;             /* how many rows have an error */
    struct {
        double t, wrong, size; /* of what was handed out: relative, in the norm of DESIGN 12 */
        size_t number, row, column;
    } told; /* the worst; wrong = 0: there was none */
};

void remains_layout(struct tansy_solver *s, struct arena *arena);
void remains_forget(struct tansy_solver *s);

/* At a switching point, before g_j is turned, g in e->value and its rate in e->rate: what its slopes are. */
void remains_find_slope(struct tansy_solver *s, double t, size_t j);

/* After it is turned, f- in e->f, f+ in e->f_after, dT/dp in e->delay, s- in sens0: which rows s+ is not known well in. */
void remains_look(struct tansy_solver *s, double t, size_t j);

/* A step was made. */
void remains_note_step(struct tansy_solver *s);

/* y and S at t were handed out. */
void remains_judge(struct tansy_solver *s, double t, const double *y, const double *sens);

#endif
