/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the evaluator of expressions: its frames. */
#ifndef MODEL_BIND_FRAMES_H
#define MODEL_BIND_FRAMES_H

#include "model/bind.h"

enum frame_kind {
    FRAME_TOP,        /* the expression asked for */
    FRAME_DEFINITION, /* of entry `entry` of `symbol` */
    FRAME_BACKWARD,   /* the rate of a reversible reaction's way back: the value is subtracted */
    FRAME_BOUND,      /* bound number `done` of the ranges of a sum */
    FRAME_BODY        /* the body of a sum: `done` terms of it are summed */
};

struct frame {
    enum frame_kind kind;
    enum mode mode;
    uint32_t at, end; /* terms */
    size_t scope;     /* the bindings from here on are seen */
    size_t bindings;  /* how many there were before */
    uint32_t symbol;
    size_t entry;
    uint32_t sum; /* the term of a sum */
    uint32_t
        range; /* its first range: one after the other, each the body of the one before, where a bound has an earlier index */
    bool nested,
        is_inside; /* the body is the next range; which is done, and its value on the stack */
    size_t done;
    struct indices indices;
    double lower; /* of the range whose upper bound is evaluated */
};

struct evaluator {
    LIST(struct value) stack;
    LIST(struct frame) frame;
    size_t cycles;
};

/* bind_count.c: how many terms the sum on top is still to have, with those it has as part of sums and a loop around it.  As
   far as the ranges are the same every time; so it is never more than there will be. */
double bind_terms_ahead(const struct binder *b);

#endif
