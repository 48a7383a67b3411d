/* SPDX-License-Identifier: Apache-2.0 */
/* Transients of S behind a switching point.  Where a stiff component begins to move at T(p), S jumps by (f- - f+) dT/dp, as large as its rate L, and is back at its usual
   size after a time of 1/L.  Errors of rtol |S| = rtol L on the way, in S itself and by way of J(y) S in y, stay behind in slow components, whose S is not large.
   While S is a times its usual size, and the share b of its errors stays behind (jump_leak.c), all error weights are therefore multiplied by theta = c/(a b), c by the method (docs/switches.md). */
#ifndef DRIVE_JUMP_TRANSIENT_H
#define DRIVE_JUMP_TRANSIENT_H

#include <stdbool.h>
#include <stddef.h>

/* Times its usual size: S, or what it leaves behind, is as ever. */
enum { JUMP_IS_OVER = 3 };

/* Vectors of jump_leak.c: y, f and J S where the transient is; y where it ends; S; changes of J S; and what y is usually, by which what stays behind is
   measured: rows of S may still be large from a transient before. */
enum leak_vector {
    LEAK_Y,
    LEAK_F,
    LEAK_R,
    LEAK_END,
    LEAK_S,
    LEAK_HALF,
    LEAK_FULL,
    LEAK_LAST,
    LEAK_PLAIN,
    LEAK_VECTORS
};

struct jump_transient {
    /* What S_ik is usually: row_i factor_k/u_k, u_k the scale of column k.  There is no room for all entries one by one. */
    double *row;    /* row[n], in units of y; NULL: nothing can jump */
    double *factor; /* factor[ns], at least 1 */
    double *before,
        *after; /* [n]: the largest |S_ik| u_k before and after the jump, or when it was last looked at */
    double *rates;              /* [n]: room for that of S' */
    double *room;               /* LEAK_VECTORS of them */
    double *g, *g_begin, *mode; /* [switches]: room for values and modes of switches */
    size_t begun;               /* steps before this run */
    double pace;                /* the longest step of late */
    bool is_new;                /* S has jumped, and S' is not yet known */
    double theta;               /* 1: tolerances are as the user asked for */
    double leak;                /* the share b, which */
    bool keeps_leak;            /* does not become less while the time constant is the same */
    bool is_counted;            /* below */
    bool is_on;                 /* S is large, and decays, */
    bool lasts;                 /* or will soon be ended by another switching point: */
    double ends;                /* within this time */
    double from;                /* since this time, */
    double tau;                 /* at first with this time constant; */
    double size;                /* so many times its usual size, most of all in: */
    size_t column;
    double rate;      /* while it is looked for: that of S' likewise, in the same column */
    double next_look; /* time since `from` by which rows must be less by half */
    double least;     /* theta is not less: steps have failed */
    size_t steps;     /* made before the last look */

    size_t count; /* of transients in this run with a theta below 1; */
    size_t spent; /* steps in them; */
    size_t left;  /* those that were left, or not followed, as steps in them became too many */
    struct {
        double t, size, left; /* left: times the tolerance that S may be wrong by, */
        double digits;        /* and how many digits it then has */
        size_t column;
    } worst; /* of those where rounding, or what failed, leaves too much */
};

#endif
