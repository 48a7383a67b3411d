/* SPDX-License-Identifier: Apache-2.0 */
/* Spikes of S.  In a fast phase of a smooth solution, such as the jump of a relaxation oscillation, S is about y' times what a parameter moves its time by, and may be 10^6
   times as large for a moment as before and after.  Errors of rtol |S| made there stay behind in slow components, whose S is not large any more.  While S
   of a component whose errors do not decay within the phase is a times its usual size, all error weights are multiplied by theta = 1/(2 a) (docs/sensitivities.md). */
#ifndef DRIVE_SPIKE_H
#define DRIVE_SPIKE_H

#include <stdbool.h>
#include <stddef.h>

struct spike {
    double *
        usual; /* usual[n]: the largest |S_ik| u_k before the phase, at least |y_i|; NULL: there is no S */
    double *y;    /* y[n]: |y_i| then */
    double pace;  /* the longest step of the run */
    bool is_fast; /* steps are much shorter than that, */
    double from;  /* since this time */
    double theta; /* 1: tolerances are as the user asked for */
    double least; /* theta is not less: steps have failed */
    size_t begun; /* steps before this run */
    size_t spent; /* steps with theta < 1; */
    bool is_left; /* they became too many */
    struct {
        double t, size, left; /* left: times the tolerance of before that S may be wrong by */
        size_t row, column;
    } worst; /* of those where theta is not small enough */
};

#endif
