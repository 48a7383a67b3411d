/* SPDX-License-Identifier: Apache-2.0 */
/* Maximum matching by augmenting paths, breadth first, and Pantelides' algorithm on top of it: where no path leads from an
   equation to a free variable, all equations and variables reached are differentiated.  An equation differentiated
   times[i] times holds y_j of order  sigma_ij + times[i],  sigma = 1 for y_j', 0 for y_j; it can determine y_j only if
   that is order[j].  Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988) 213; Pryce, BIT 41 (2001) 364. */
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/structure.h"

enum { NONE = UINT32_MAX };

/* A search: the equations reached, in that order, and from which equation each variable was reached. */
struct search {
    const struct incidence *at;
    struct structure *s;
    bool any; /* whichever variables stand there, not the highest derivatives alone */
    uint32_t *queue;
    uint32_t *from;    /* from[n]: of a variable, or NONE */
    uint32_t *reached; /* the variables */
    size_t queued, count;
};

/* Turns the matching over along the path that ends in variable j. */
static void turn_over(struct search *f, uint32_t j)
{
    while (j != NONE) {
        uint32_t const i = f->from[j], before = f->s->variable_of[i];
        f->s->variable_of[i] = j;
        f->s->equation_of[j] = i;
        j = before;
    }
}

/* Looks at the variables of an equation; the first free one, or NONE. */
static uint32_t look(struct search *f, uint32_t i)
{
    for (size_t e = f->at->start[i]; e < f->at->start[i + 1]; e++) {
        uint32_t const j = f->at->variable[e];
        if (f->from[j] != NONE) continue;
        if (!f->any && !structure_is_highest(f->at, f->s, i, e)) continue;
        f->from[j] = i;
        f->reached[f->count++] = j;
        if (f->s->equation_of[j] == NONE) return j;
        f->queue[f->queued++] = f->s->equation_of[j];
    }
    return NONE;
}

/* Finds a variable for equation i; false: there is none, and all that was reached is in queue and reached. */
static bool augment(struct search *f, uint32_t i)
{
    uint32_t found = NONE;
    for (size_t k = 0; k < f->count; k++) f->from[f->reached[k]] = NONE;
    f->count = 0;
    f->queued = 1;
    f->queue[0] = i;
    for (size_t k = 0; k < f->queued && found == NONE; k++) found = look(f, f->queue[k]);
    if (found == NONE) return false;
    turn_over(f, found);
    return true;
}

static void forget(struct search *f)
{
    memset(f->s->variable_of, 0xff, f->at->n * sizeof(uint32_t));
    memset(f->s->equation_of, 0xff, f->at->n * sizeof(uint32_t));
    memset(f->from, 0xff, f->at->n * sizeof(uint32_t));
    f->count = 0;
}

/* Ends because the system is not singular: some choice gives every equation a variable, and orders rise no further than
   that of the choice needs. */
static void differentiate_until_matched(struct search *f)
{
    struct structure *const s = f->s;
    for (uint32_t i = 0; i < f->at->n; i++)
        while (!augment(f, i)) {
            for (size_t k = 0; k < f->queued; k++) s->times[f->queue[k]]++;
            for (size_t k = 0; k < f->count; k++) s->order[f->reached[k]]++;
        }
}

static void match(struct search *f)
{
    forget(f);
    f->any = true;
    for (uint32_t i = 0; i < f->at->n; i++)
        if (!augment(f, i)) f->s->is_singular = true;
    if (f->s->is_singular) return;
    forget(f);
    f->any = false;
    differentiate_until_matched(f);
}

tansy_status structure_match(const struct incidence *at, struct structure *s)
{
    size_t const n = at->n;
    struct search f = {.at = at, .s = s};
    f.queue = heap_take((3 * n + 3) * sizeof *f.queue);
    if (!f.queue) return TANSY_OUT_OF_MEMORY;
    f.from = f.queue + n + 1;
    f.reached = f.from + n + 1;
    for (size_t e = 0; e < at->start[n]; e++)
        if (at->is_rate[e]) s->order[at->variable[e]] = 1;
    match(&f);
    heap_return(f.queue);
    return TANSY_OK;
}
