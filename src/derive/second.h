/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of second derivatives by differences share.  With T(t, y) = J V + f_p U at (t, y), in whatever way it is had,
     R = d/da T(t + a tau, y + a v) = sum_m weight_m T(t + m eps tau, y + m eps v)/eps. */
#ifndef DERIVE_SECOND_H
#define DERIVE_SECOND_H

#include "derive/derive.h"

enum { MOST_SHIFTS = 3 };

/* A formula for the first derivative. */
struct shifts {
    size_t points;
    struct {
        int m;
        double weight;
    } point[MOST_SHIFTS];
};

/* One motion of (t, y) and where its result goes. */
struct second_part {
    struct derive *d;
    size_t worker;
    const struct point *at;
    const struct panel *panel;
    const double *V;
    double *R;
    const struct shifts *shifts;
    const double *v; /* NULL: y stays */
    double eps, t_step;
    double span;  /* of time: its sign tells where the step goes */
    double Delta; /* relative increment */
};

/* The relative increment along both directions where second derivatives are differences of f. */
double second_increment(void);

/* Point m of the line, y written into room[n] if it moves. */
struct point second_move(const struct second_part *part, const struct point *from, int m,
                         double *room);

/* R += sum_m weight_m T_m: of the given tangent; of given df/dy, and df/dp where it is given too; of differences of f along each
   column, or along its part in p alone. */
int second_by_tangent(const struct second_part *part);
int second_by_matrices(const struct second_part *part);
int second_by_values(const struct second_part *part, bool along_y);

#endif
