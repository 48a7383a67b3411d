/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals: for every operation of the graph one that holds all its values for arguments out of given intervals.  Bounds are
   moved outward by more than any rounding error of an operation (sums that a program adds up in another order may differ by that of their
   largest term); what has a pole or leaves its domain is the whole line. */
#ifndef MODEL_INTERVAL_H
#define MODEL_INTERVAL_H

#include "model/expression.h"

struct interval {
    double low, high; /* never NaN; low <= high */
};

/* A value and its derivative along a curve. */
struct enclosed {
    struct interval value, slope;
};

struct interval interval_of(double value);
struct interval interval_hull(struct interval a, struct interval b);
struct interval interval_whole(void);

/* One operation with one or two arguments (b is not looked at where there is one), or OP_SELECT's choice. */
struct enclosed enclosed_operation(uint32_t operation, const struct enclosed *a,
                                   const struct enclosed *b);
struct enclosed enclosed_select(const struct enclosed *condition, const struct enclosed *then,
                                const struct enclosed *otherwise);

#endif
