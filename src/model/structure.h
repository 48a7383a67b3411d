/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of F(t, y, y', p) = 0 from the places where y and y' stand alone: which equations must be differentiated in
   time to get an ODE (Pantelides 1988), hence the structural index, and which variables are algebraic. */
#ifndef MODEL_STRUCTURE_H
#define MODEL_STRUCTURE_H

#include <tansy/problem.h>
#include <tansy/status.h>

#include "model/differentiate.h"

struct structure {
    size_t n;
    bool is_singular;      /* no choice gives every equation a variable of its own */
    size_t index;          /* 0: an ODE; undefined when singular */
    bool is_hessenberg;    /* index 2 alone: all constraints are free of algebraic variables */
    uint32_t *times;       /* times[n]: how often equation i has to be differentiated */
    uint32_t *order;       /* order[n]: of the derivative of y_j that is then the highest */
    uint32_t *variable_of; /* variable_of[n]: that equation i determines, or UINT32_MAX */
    uint32_t *equation_of; /* equation_of[n]: that determines y_j, or UINT32_MAX */
    tansy_kind *kind;      /* kind[n] */
    char *
        vanishing; /* vanishing[n], as tansy_problem has it; NULL: no coefficient of a derivative may vanish */
    size_t constraints;  /* how many g(t, y, p) = 0 in differential variables there are that must be
                               differentiated once; 0 when the solver cannot take the model */
    bool *is_constraint; /* is_constraint[n] */
};

/* From dF/dy and dF/dy'.  TANSY_OK or TANSY_OUT_OF_MEMORY; s must be zeroed, structure_free in any case. */
tansy_status structure_find(const struct derivative *F_y, const struct derivative *F_rate,
                            struct structure *s);
void structure_free(struct structure *s);

/* Is it of index 0, 1, or 2 in Hessenberg form? */
bool structure_is_solvable(const struct structure *s);

/* Where the variables stand: entries start[i] .. start[i + 1] of equation i; is_rate: y_j' does. */
struct incidence {
    size_t n;
    size_t *start;
    uint32_t *variable;
    bool *is_rate;
};

/* structure_matching.c: gives every equation a variable of its own.  First whichever stand there, which finds singular
   systems; then, with equations differentiated where that does not do, the highest derivatives. */
tansy_status structure_match(const struct incidence *at, struct structure *s);

/* Is y_j in equation i, both differentiated, the highest derivative of y_j? */
static inline bool structure_is_highest(const struct incidence *at, const struct structure *s,
                                        size_t i, size_t entry)
{
    return (at->is_rate[entry] ? 1 : 0) + s->times[i] == s->order[at->variable[entry]];
}

#endif
