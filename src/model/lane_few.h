/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents where few rows of U are not 0, as in panels of parameters: the part of V by the map without U, to which comes
   that of U, forward from row to row, only where these rows come to. */
#ifndef MODEL_LANE_FEW_H
#define MODEL_LANE_FEW_H

#include "model/lane_map.h"

/* The rows that depend on p.  Sources are numbered p first, then rows; roots are the last rows. */
struct lane_few {
    struct lane_map along;  /* of V; its program has the coefficients of the terms below, too */
    size_t np, rows, inner; /* inner: those that are no roots */
    size_t *start;          /* start[np + rows + 1] */
    lane_term *
        user; /* user[start[source]] ..: the rows that have this source, and the slots of its coefficients */
    double *reach; /* reach[np]: terms from p to roots along all ways */
    double most;   /* of the sum of these: with more of them all rows of U are read as fast */
};

/* With fewer parameters there is little to save. */
enum { LEAST_PARAMETERS = 16 };

/* J: NULL, or of fewer terms than the tangent has without p. */
tansy_status lane_few_create(struct lane_few *f, const struct lane_frame *from,
                             const struct tangent *t, const struct derivative *J);
void lane_few_free(struct lane_few *f);

/* Whether the rows of U that are not 0 are few; never of an object that has not been created. */
bool lane_few_applies(const struct lane_few *f, size_t moving, const size_t *moving_row);

/* R += (d root/dp) U.  coefficient: as the program of f->along has left them; work: lane_few_work() doubles. */
size_t lane_few_work(const struct lane_few *f);
void lane_few_add(const struct lane_few *f, const double *coefficient,
                  const struct lane_panels *panels, double *work);

#endif
