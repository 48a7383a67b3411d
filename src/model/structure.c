/* SPDX-License-Identifier: Apache-2.0 */
/* Index and kinds of variables from the matching.  With c_i differentiations of equation i and d_j the highest order of y_j
   the structural index is  max c_i, and one more when some d_j = 0  (Pryce 2001). */
#include "model/structure.h"

#include "base/heap.h"
#include "base/message.h"

enum { NONE = UINT32_MAX };

/* Row i of both derivatives merged, from entry `next` on; the entry after it. */
static size_t merge_row(const struct derivative *F_y, const struct derivative *F_rate, size_t i,
                        struct incidence *at, size_t next)
{
    size_t x = F_y->start[i], r = F_rate->start[i];
    while (x < F_y->start[i + 1] || r < F_rate->start[i + 1]) {
        uint32_t const of_y = x < F_y->start[i + 1] ? F_y->column[x] : NONE;
        uint32_t const of_rate = r < F_rate->start[i + 1] ? F_rate->column[r] : NONE;
        x += of_y <= of_rate;
        r += of_rate <= of_y;
        at->is_rate[next] = of_rate <= of_y;
        at->variable[next++] = of_y < of_rate ? of_y : of_rate;
    }
    return next;
}

static void incidence_free(struct incidence *at)
{
    heap_return(at->start);
    heap_return(at->variable);
    heap_return(at->is_rate);
}

static tansy_status make_incidence(const struct derivative *F_y, const struct derivative *F_rate,
                                   struct incidence *at)
{
    size_t const most = F_y->entries + F_rate->entries;
    at->n = F_y->rows;
    at->start = heap_take((at->n + 1) * sizeof *at->start);
    at->variable = heap_take((most + 1) * sizeof *at->variable);
    at->is_rate = heap_take((most + 1) * sizeof *at->is_rate);
    if (!at->start || !at->variable || !at->is_rate) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < at->n; i++)
        at->start[i + 1] = merge_row(F_y, F_rate, i, at, at->start[i]);
    return TANSY_OK;
}

static tansy_status take_arrays(struct structure *s)
{
    size_t const room = s->n + 1;
    s->times = heap_take(room * sizeof *s->times);
    s->order = heap_take(room * sizeof *s->order);
    s->variable_of = heap_take(room * sizeof *s->variable_of);
    s->equation_of = heap_take(room * sizeof *s->equation_of);
    s->kind = heap_take(room * sizeof *s->kind);
    s->is_constraint = heap_take(room * sizeof *s->is_constraint);
    return s->times && s->order && s->variable_of && s->equation_of && s->kind && s->is_constraint
               ? TANSY_OK
               : TANSY_OUT_OF_MEMORY;
}

static void find_index(struct structure *s)
{
    size_t most = 0, undetermined = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->times[i] > most) most = s->times[i];
        if (s->order[i] == 0) undetermined = 1;
    }
    s->index = most + undetermined;
}

static void find_kinds(const struct incidence *at, struct structure *s)
{
    for (size_t j = 0; j < s->n; j++) s->kind[j] = TANSY_ALGEBRAIC;
    for (size_t e = 0; e < at->start[at->n]; e++)
        if (at->is_rate[e]) s->kind[at->variable[e]] = TANSY_DIFFERENTIAL;
}

/* Is equation i  g(t, y, p) = 0  in differential variables alone? */
static bool is_constraint(const struct incidence *at, const struct structure *s, size_t i)
{
    for (size_t e = at->start[i]; e < at->start[i + 1]; e++)
        if (at->is_rate[e] || s->kind[at->variable[e]] != TANSY_DIFFERENTIAL) return false;
    return true;
}

/* True when what has to be differentiated has to be so once, and consists of constraints. */
static bool find_constraints(const struct incidence *at, struct structure *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->times[i] == 0) continue;
        if (s->times[i] > 1 || !is_constraint(at, s, i)) return false;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->is_constraint[i] = s->times[i] == 1;
        s->constraints += s->is_constraint[i];
    }
    return true;
}

/* The equations in which each variable is the highest derivative: equation[start[j] .. start[j + 1]]. */
struct users {
    size_t *start;
    uint32_t *equation;
};

static void find_users(const struct incidence *at, const struct structure *s, struct users *u)
{
    size_t const n = at->n;
    for (size_t i = 0; i < n; i++)
        for (size_t e = at->start[i]; e < at->start[i + 1]; e++)
            if (structure_is_highest(at, s, i, e)) u->start[at->variable[e]]++;
    for (size_t j = 0; j < n; j++) u->start[j + 1] += u->start[j];
    for (size_t i = n; i-- > 0;)
        for (size_t e = at->start[i]; e < at->start[i + 1]; e++)
            if (structure_is_highest(at, s, i, e))
                u->equation[--u->start[at->variable[e]]] = (uint32_t)i;
}

/* Multipliers: algebraic variables that are known only when the derivative of a constraint is.  From the constraints on:
   who uses the variable that an equation determines? */
static void follow(struct structure *s, const struct users *u, uint32_t *pending, bool *seen)
{
    size_t count = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        seen[i] = s->is_constraint[i];
        if (seen[i]) pending[count++] = i;
    }
    while (count > 0) {
        uint32_t const j = s->variable_of[pending[--count]];
        if (s->kind[j] == TANSY_ALGEBRAIC) s->kind[j] = TANSY_INDEX_2;
        for (size_t e = u->start[j]; e < u->start[j + 1]; e++) {
            uint32_t const user = u->equation[e];
            if (!seen[user]) pending[count++] = user;
            seen[user] = true;
        }
    }
}

static tansy_status find_multipliers(const struct incidence *at, struct structure *s)
{
    size_t const n = s->n;
    struct users u = {.start = heap_take((n + 1) * sizeof *u.start),
                      .equation = heap_take((at->start[n] + 1) * sizeof *u.equation)};
    uint32_t *const pending = heap_take((n + 1) * sizeof *pending);
    bool *const seen = heap_take((n + 1) * sizeof *seen);
    bool const good = u.start && u.equation && pending && seen;
    if (good) {
        find_users(at, s, &u);
        follow(s, &u, pending, seen);
    }
    heap_return(u.start);
    heap_return(u.equation);
    heap_return(pending);
    heap_return(seen);
    return good ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

static tansy_status analyse(const struct incidence *at, struct structure *s)
{
    TRY(take_arrays(s));
    TRY(structure_match(at, s));
    find_kinds(at, s);
    if (s->is_singular) return TANSY_OK;
    find_index(s);
    if (s->index > 2) return TANSY_OK;
    bool const is_simple = find_constraints(at, s);
    s->is_hessenberg = s->index == 2 && is_simple;
    return s->is_hessenberg ? find_multipliers(at, s) : TANSY_OK;
}

tansy_status structure_find(const struct derivative *F_y, const struct derivative *F_rate,
                            struct structure *s)
{
    struct incidence at = {0};
    s->n = F_y->rows;
    tansy_status status = make_incidence(F_y, F_rate, &at);
    if (status == TANSY_OK) status = analyse(&at, s);
    incidence_free(&at);
    return status;
}

bool structure_is_solvable(const struct structure *s)
{
    return !s->is_singular && (s->index < 2 || s->is_hessenberg);
}

void structure_free(struct structure *s)
{
    heap_return(s->times);
    heap_return(s->order);
    heap_return(s->variable_of);
    heap_return(s->equation_of);
    heap_return(s->kind);
    heap_return(s->vanishing);
    heap_return(s->is_constraint);
    *s = (struct structure){.n = 0};
}
