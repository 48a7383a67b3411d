/* SPDX-License-Identifier: Apache-2.0 */
/* Guards: where a branch is chosen by g >= 0, a root, a power that is no whole number or a logarithm of c g in it is evaluated as
   if c g had the sign that the branch promises.  While a condition is frozen g may be on its other side by a rounding error, or
   by a step that is tried, where x^1.5 of `if x > 0 then x^1.5` and of abs(x)^1.5 would be NaN. */
#ifndef MODEL_BIND_GUARD_H
#define MODEL_BIND_GUARD_H

#include "model/bind.h"

enum { MAX_LITERALS = 8 }; /* of one condition; more are not looked at */

/* g has this sign where a branch is taken; first: the lowest node of a root that it may guard there. */
struct promise {
    uint32_t g, first;
    int sign;
};

struct promises {
    size_t count;
    struct promise item[MAX_LITERALS];
};

/* What a condition, made of OP_SWITCH in a graph, says of its switches where it is true or is not. */
struct literal {
    uint32_t number;
    bool holds;
};
size_t guard_literals(const struct graph *g, uint32_t condition, bool holds,
                      struct literal literal[MAX_LITERALS]);

/* What is below a root: the argument of sqrt and powers is held at 0, of log at the least number, so that x log(x) is 0. */
enum under { UNDER_NOTHING, UNDER_POWER, UNDER_LOG, UNDERS };

/* Of a node: what it makes of its first argument. */
enum under guard_kind(const struct graph *g, const struct node *n);

/* A factor of the base of a root as a number times g?  Then c, which is not 0; else 0. */
double guard_ratio(const struct graph *g, uint32_t node, uint32_t condition);

/* The lowest leaf or function that a sum contains, UINT32_MAX: too long or a constant.  Equal ones for c g and g. */
uint32_t guard_key(const struct graph *g, uint32_t node);

/* The factors of a base that guard_base would look at: how many of them, at most MAX_FACTORS. */
enum { MAX_FACTORS = 24 };
size_t guard_factors(const struct graph *g, uint32_t base, uint32_t factor[MAX_FACTORS]);

/* Some promise is about the base itself. */
bool guard_is_whole(const struct graph *g, uint32_t base, const struct promises *promises);

/* The base with the first factor that a promise is about held on its side. */
uint32_t guard_base(struct graph *g, uint32_t base, const struct promises *promises,
                    enum under under);

/* The expression of a branch with all roots guarded; room: see below. */
struct guard_room {
    LIST(uint32_t) image; /* by node: image + 1, 0: none yet, all 0 between calls */
    LIST(uint32_t) stack, seen;
};
uint32_t guard_branch(struct graph *g, uint32_t branch, const struct promises *promises,
                      struct guard_room *room);
void guard_room_free(struct guard_room *room);

/* Switch `number` decides the sign of a factor of a root. */
struct guarded {
    uint32_t root, number;
};

/* What a model needs guards for, found before its graph is built anew (bind_guard_find.c). */
struct guards {
    bool any;
    uint8_t *under;            /* under[nodes]: bits 1 << enum under */
    LIST(struct guarded) pair; /* roots rising */
    uint32_t *first;           /* first[switches]: of the new graph; UINT32_MAX: no root */
};
tansy_status guards_find(const struct binder *b, const uint8_t *mark, struct guards *guards);
void guards_free(struct guards *guards);

/* bind_known.c: known[i] is 1 in the new graph where what node i of the old one is has a value as far as conditions are concerned,
   else 0; ONE: always.  image[]: the nodes in the new graph; truth[]: which are conditions. */
struct knowing {
    struct graph *to;
    const struct graph *from;
    const struct switching *switching;
    const struct final_switch *final;
    const uint32_t *image;
    uint32_t *known;
    uint8_t *truth;
};
void bind_find_known(struct knowing *k, const uint8_t *mark, unsigned marks);

#endif
