/* SPDX-License-Identifier: Apache-2.0 */
/* Which form the equations have.  An equation F = 0 that is linear in a single rate, F = F(x' = 0) + c x', is solved for
   it, x' = -F(x' = 0)/c; rates of other states on the right of x' = ... are replaced by their own right-hand sides. */
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"
#include "model/differentiate.h"
#include "model/simplify.h"

static const double any_state[] = {0.37, 2.19}; /* and one more each, so that no terms cancel */

/* The equations sorted out: node[i] is the right-hand side of x_i' = ..., or UINT32_MAX. */
struct form {
    size_t n;                /* without integrals */
    uint32_t *rhs, *general; /* general[count]: residuals of the others */
    size_t count;
    uint32_t *of_rhs, *of_general; /* the equations that these are made from */
    uint32_t *work;                /* work[n] */
    struct derivative rates;       /* of general[] */
};

static tansy_status sort_out(struct binder *b, struct form *f)
{
    memset(f->rhs, 0xff, f->n * sizeof *f->rhs);
    for (size_t k = 0; k < f->n; k++) {
        const struct equation *const e = &b->equation.item[k];
        if (e->state == UINT32_MAX)
            f->general[f->count] = e->node;
        else
            f->rhs[e->state] = e->node;
        if (e->state == UINT32_MAX)
            f->of_general[f->count++] = (uint32_t)k;
        else
            f->of_rhs[e->state] = (uint32_t)k;
    }
    if (f->count == 0) return TANSY_OK;
    return differentiate(b->graph, f->general, f->count, OP_RATE, f->n, &f->rates) == TANSY_OK
               ? TANSY_OK
               : BIND_NO_MEMORY(b);
}

/* A term where the model begins, with the parameters as numbers, the time if that is known, and states that stand for any, from `first` on. */
static uint32_t at_start(struct binder *b, size_t n, double first, uint32_t term)
{
    const struct system *const s = b->system;
    size_t const np = s->parameter.count, room = (np > n ? np : n) + 1;
    uint32_t *const value = heap_take(room * sizeof *value);
    if (!value) b->no_memory = true;
    if (!value) return term;
    for (size_t k = 0; k < np; k++) value[k] = graph_constant(b->graph, s->parameter.item[k].value);
    struct substitution by = {.leaf = OP_PARAMETER, .replacement = value, .count = np};
    graph_substitute(b->graph, &by, &term, 1, &term);
    value[0] = graph_constant(b->graph, s->t0);
    by = (struct substitution){.leaf = OP_TIME, .replacement = value, .count = 1};
    if (!isnan(s->t0)) graph_substitute(b->graph, &by, &term, 1, &term);
    for (size_t i = 0; i < n; i++) value[i] = graph_constant(b->graph, first + (double)i);
    by = (struct substitution){.leaf = OP_STATE, .replacement = value, .count = n};
    graph_substitute(b->graph, &by, &term, 1, &term);
    heap_return(value);
    return term;
}

/* Does a coefficient vanish where the model begins, whatever the states?  eps x does at eps = 0. */
static bool vanishes_at_start(struct binder *b, size_t n, uint32_t coefficient)
{
    uint32_t const known = 1u << OP_PARAMETER | 1u << OP_TIME;
    bool vanishes = (graph_leaves(b->graph, coefficient) & known) != 0;
    for (size_t k = 0; k < sizeof any_state / sizeof *any_state && vanishes; k++) {
        uint32_t const value = at_start(b, n, any_state[k], coefficient);
        vanishes = node_is_constant(b->graph, value) && node_value(node_at(b->graph, value)) == 0;
    }
    return vanishes;
}

/* Is this the right-hand side of an equation even so?  Where the factor is in all of its terms, t y' = t (1 - k y), it is. */
static bool is_known_at_start(struct binder *b, size_t n, uint32_t rhs)
{
    uint32_t const value = at_start(b, n, any_state[0], rhs);
    return node_is_constant(b->graph, value) && isfinite(node_value(node_at(b->graph, value)));
}

/* What is left of an equation by the coefficient of its rate, which x in x*y' = x*z is: cancelled. */
static uint32_t divide(struct graph *g, uint32_t rest, uint32_t coefficient)
{
    graph_keep_poles(g, false);
    uint32_t const quotient = graph_binary(g, OP_DIVIDE, rest, coefficient);
    graph_keep_poles(g, true);
    return quotient;
}

/* Can residual k be solved for a rate?  Its coefficient must not vanish, by a switch or by its value at the start, without the rest of it. */
static bool is_solvable(struct binder *b, const struct form *f, size_t k, uint32_t rest)
{
    uint32_t const forbidden = 1u << OP_RATE | 1u << OP_SWITCH | 1u << OP_PIECE | 1u << OP_INPUT;
    size_t const entry = f->rates.start[k];
    uint32_t const coefficient = f->rates.node[entry];
    if (f->rates.start[k + 1] - entry != 1) return false;
    if (f->rhs[f->rates.column[entry]] != UINT32_MAX) return false;
    if (graph_leaves(b->graph, coefficient) & forbidden) return false;
    return !vanishes_at_start(b, f->n, coefficient) ||
           is_known_at_start(b, f->n, divide(b->graph, rest, coefficient));
}

/* Solves what can be solved; the rest moves up in general[]. */
static tansy_status solve_single(struct binder *b, struct form *f)
{
    size_t kept = 0;
    memset(f->work, 0,
           f->n * sizeof *f->work); /* every rate is replaced by node 0, the constant 0 */
    struct substitution const no_rates = {.leaf = OP_RATE, .replacement = f->work, .count = f->n};
    uint32_t *const rest = heap_take(f->count * sizeof *rest);
    if (!rest) return BIND_NO_MEMORY(b);
    graph_substitute(b->graph, &no_rates, f->general, f->count, rest);
    for (size_t k = 0; k < f->count; k++) {
        size_t const entry = f->rates.start[k];
        if (!is_solvable(b, f, k, rest[k])) {
            f->of_general[kept] = f->of_general[k];
            f->general[kept++] = f->general[k];
            continue;
        }
        uint32_t const negative = graph_unary(b->graph, OP_NEGATE, rest[k]);
        f->rhs[f->rates.column[entry]] = divide(b->graph, negative, f->rates.node[entry]);
        f->of_rhs[f->rates.column[entry]] = f->of_general[k];
    }
    heap_return(rest);
    f->count = kept;
    return graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

static bool has_rates(const struct binder *b, const uint32_t *root, size_t roots)
{
    for (size_t i = 0; i < roots; i++)
        if (graph_leaves(b->graph, root[i]) & 1u << OP_RATE) return true;
    return false;
}

/* Replaces rates by right-hand sides; false: they depend on each other in a cycle. */
static bool resolve_rates(struct binder *b, struct form *f)
{
    struct substitution const by = {.leaf = OP_RATE, .replacement = f->rhs, .count = f->n};
    return !has_rates(b, f->rhs, f->n) || graph_resolve(b->graph, &by, f->rhs);
}

/* general[k] becomes residual i, and is done. */
static void place_general(struct binder *b, struct form *f, size_t k, size_t i)
{
    b->system->residual[i] = f->general[k];
    b->system->equation[i] = b->equation.item[f->of_general[k]].place;
    f->general[k] = UINT32_MAX;
}

/* residual[i]: of x_i' = rhs where there is one; the general ones go to the free places, those with a rate to the place of
   that rate if they can. */
static tansy_status place_residuals(struct binder *b, struct form *f)
{
    uint32_t *const residual = b->system->residual;
    size_t free_place = 0;
    for (size_t i = 0; i < f->n; i++) {
        residual[i] = UINT32_MAX;
        if (f->rhs[i] == UINT32_MAX) continue;
        residual[i] = graph_binary(b->graph, OP_SUBTRACT,
                                   graph_leaf(b->graph, OP_RATE, (uint32_t)i), f->rhs[i]);
        b->system->equation[i] = b->equation.item[f->of_rhs[i]].place;
    }
    if (f->count == 0) return TANSY_OK;
    derivative_free(&f->rates);
    if (differentiate(b->graph, f->general, f->count, OP_RATE, f->n, &f->rates) != TANSY_OK)
        return BIND_NO_MEMORY(b);
    for (size_t k = 0; k < f->count; k++)
        for (size_t e = f->rates.start[k]; e < f->rates.start[k + 1] && f->general[k] != UINT32_MAX;
             e++) {
            if (residual[f->rates.column[e]] == UINT32_MAX)
                place_general(b, f, k, f->rates.column[e]);
        }
    for (size_t k = 0; k < f->count; k++) {
        if (f->general[k] == UINT32_MAX) continue;
        while (residual[free_place] != UINT32_MAX) free_place++;
        place_general(b, f, k, free_place);
    }
    return TANSY_OK;
}

/* B y' = f: no derivative with respect to a rate contains a rate. */
static tansy_status is_linear_in_rates(struct binder *b, bool *is_linear)
{
    struct derivative d = {0};
    size_t const n = b->system->state.count;
    *is_linear = true;
    if (differentiate(b->graph, b->system->residual, n, OP_RATE, n, &d) != TANSY_OK)
        return BIND_NO_MEMORY(b);
    for (size_t e = 0; e < d.entries; e++)
        if (graph_leaves(b->graph, d.node[e]) & 1u << OP_RATE) *is_linear = false;
    derivative_free(&d);
    return TANSY_OK;
}

/* y' = rhs, integrands behind it, without rates. */
static tansy_status make_explicit(struct binder *b, const struct form *f)
{
    struct system *const s = b->system;
    struct substitution const by = {.leaf = OP_RATE, .replacement = f->rhs, .count = f->n};
    s->form = FORM_EXPLICIT;
    s->rhs = heap_take((s->state.count + 1) * sizeof *s->rhs);
    if (!s->rhs) return BIND_NO_MEMORY(b);
    memcpy(s->rhs, f->rhs, f->n * sizeof *s->rhs);
    for (size_t i = f->n; i < s->state.count; i++) {
        s->rhs[i] = b->integrand.item[i - f->n];
        if (has_rates(b, &s->rhs[i], 1)) graph_substitute(b->graph, &by, &s->rhs[i], 1, &s->rhs[i]);
    }
    return TANSY_OK;
}

static tansy_status make_implicit(struct binder *b, struct form *f)
{
    struct system *const s = b->system;
    bool is_linear;
    s->residual = heap_take((s->state.count + 1) * sizeof *s->residual);
    s->equation = heap_take((s->state.count + 1) * sizeof *s->equation);
    if (!s->residual || !s->equation) return BIND_NO_MEMORY(b);
    TRY(place_residuals(b, f));
    for (size_t i = f->n; i < s->state.count; i++) {
        s->residual[i] =
            graph_binary(b->graph, OP_SUBTRACT, graph_leaf(b->graph, OP_RATE, (uint32_t)i),
                         b->integrand.item[i - f->n]);
        s->equation[i] = s->state.item[i].place;
    }
    TRY(is_linear_in_rates(b, &is_linear));
    s->form = is_linear ? FORM_LINEARLY_IMPLICIT : FORM_IMPLICIT;
    return TANSY_OK;
}

static tansy_status decide(struct binder *b, struct form *f)
{
    TRY(sort_out(b, f));
    if (f->count > 0) TRY(solve_single(b, f));
    if (f->count == 0 && resolve_rates(b, f))
        TRY(make_explicit(b, f));
    else
        TRY(make_implicit(b, f));
    return b->no_memory || graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

tansy_status bind_form(struct binder *b)
{
    struct form f = {.n = b->first_integral};
    f.rhs = heap_take((5 * f.n + 1) * sizeof *f.rhs);
    if (!f.rhs) return BIND_NO_MEMORY(b);
    f.general = f.rhs + f.n;
    f.work = f.general + f.n;
    f.of_rhs = f.work + f.n;
    f.of_general = f.of_rhs + f.n;
    tansy_status const status = decide(b, &f);
    derivative_free(&f.rates);
    heap_return(f.rhs);
    return status;
}
