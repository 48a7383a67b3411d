/* SPDX-License-Identifier: Apache-2.0 */
/* Corners: points where a condition g >= 0 that nobody watches stands at g = 0, so that what depends on it is differentiable
   along a direction from one side only, or jumps.  Of outputs at a point, and of initial values at p. */
#ifndef MODEL_CORNERS_H
#define MODEL_CORNERS_H

#include <tansy/functions.h>

#include "model/model.h"

/* Memory for one look: doubles. */
size_t corners_room(const struct corner_programs *c, size_t n, size_t np);

/* A point, leaves with p[np], and a direction s[n], s_rate[n], u[np], and tau in time; s and s_rate may be NULL where nothing depends
   on them. */
struct corner_look {
    struct leaves at;
    double beside; /* the time at which conditions are as they count at the point */
    double piece;
    size_t n;
    const double *s, *s_rate, *u;
    double tau;
    const struct program *time; /* dQ/dt, where tau may be other than 0; else NULL */
    double *time_room;          /* time_room[program_work(time) + rows] */
};

/* What a look finds of a row. */
struct bend {
    enum {
        BEND_NONE,
        BEND_SLOPE,
        BEND_JUMP
    } kind;           /* the same from both sides; another slope; value */
    size_t condition; /* that makes it */
};

/* Some condition stands at its edge, so that it is worth while to look along the columns; direction and s do not matter. */
bool corners_stand(const struct corner_programs *c, const struct corner_look *look, double *room);

/* False: no condition turns between the two sides and the point; else bend[rows] is filled, and slope[rows], the derivatives along the
   direction, all of them from one side. */
bool corners_find(const struct corner_programs *c, const struct corner_look *look, double *room,
                  struct bend *bend, double *slope);

/* Where conditions stand at their edge the columns of outputs, dq[k*outputs + o], are taken from one side; corner[outputs] is
   filled.  Either may be NULL. */
tansy_status corners_of_outputs(const struct tansy_model *m, const tansy_point *at,
                                const tansy_columns *columns, tansy_corner *corner, double *dq);

#endif
