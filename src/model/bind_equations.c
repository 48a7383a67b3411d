/* SPDX-License-Identifier: Apache-2.0 */
/* Equations: one for each entry of the loops behind `for`, and x' = (its reactions) for states that have no other. */
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"

/* A left side that is x' alone: the term that names it is the last in postfix order. */
static bool is_rate(const struct binder *b, struct expression left)
{
    return b->syntax->term.item[left.first + left.count - 1].kind == TERM_RATE;
}

/* Only x' = reactions + ... adds to the reactions of x. */
static tansy_status check_reactions(struct binder *b, uint32_t state, struct place place)
{
    const char *const name = b->system->state.item[state].name;
    size_t shares;
    bind_shares_of(b, state, &shares);
    if (shares == 0 || b->reactions_used) return TANSY_OK;
    return BIND_ERROR(
        b, place,
        "%s has reactions; write %s' = reactions + ... if the equation is meant to add to them",
        name, name);
}

/* The list has room for it. */
static tansy_status add_equation(struct binder *b, const struct statement *st)
{
    struct value left = value_number(0, st->place), right;
    struct equation equation = {.state = UINT32_MAX, .place = st->place};
    if (is_rate(b, st->left))
        TRY(bind_rate(b, st->left, &equation.state, &left.unit));
    else
        TRY(bind_evaluate(b, st->left, MODE_MODEL, &left));
    b->current_state = equation.state;
    b->reactions_used = false;
    tansy_status const status = bind_evaluate(b, st->value, MODE_MODEL, &right);
    b->current_state = UINT32_MAX;
    TRY(status);
    TRY(value_same_unit(b, st->place, left.unit, right.unit,
                        "the two sides of this equation have"));
    if (equation.state != UINT32_MAX && b->share.count > 0)
        TRY(check_reactions(b, equation.state, st->place));
    equation.node = value_node(b, &right);
    if (equation.state == UINT32_MAX)
        equation.node = graph_binary(b->graph, OP_SUBTRACT, value_node(b, &left), equation.node);
    b->equation.item[b->equation.count++] = equation;
    return TANSY_OK;
}

/* The range of an index for the values that the indices before it have. */
static tansy_status open_range(struct binder *b, const struct statement *st, uint32_t which,
                               struct indices *indices)
{
    const struct range *const range = &b->syntax->range.item[st->ranges.first + which];
    b->binding.count = which;
    TRY(bind_index_free(b, range, 0));
    return bind_range_number(b, indices, which, range);
}

/* for i in 1..N, j in 1..i: an index after the other, the last fastest.  How many there are is not known before: one more than there are
   unknowns is enough to be refused. */
static tansy_status add_following(struct binder *b, const struct statement *st)
{
    struct indices indices = {.count = st->ranges.count};
    uint32_t at[MAX_INDICES] = {0}, level = 0;
    if (!LIST_ROOM(&b->binding, indices.count)) return BIND_NO_MEMORY(b);
    TRY(open_range(b, st, 0, &indices));
    while ((level > 0 || at[0] < indices.size[0]) && b->equation.count <= b->first_integral) {
        if (at[level] == indices.size[level]) {
            at[--level]++;
            continue;
        }
        b->binding.item[level] =
            (struct binding){indices.name[level], (double)(indices.lower[level] + at[level])};
        b->binding.count = level + 1;
        if (level + 1 < indices.count) {
            at[++level] = 0;
            TRY(open_range(b, st, level, &indices));
            continue;
        }
        if (!LIST_ROOM(&b->equation, 1)) return BIND_NO_MEMORY(b);
        TRY(add_equation(b, st));
        at[level]++;
    }
    bind_loop_end(b);
    return TANSY_OK;
}

static tansy_status add_equations(struct binder *b, const struct statement *st)
{
    struct indices indices;
    if (bind_range_follows(b, st->ranges) != NO_NAME) return add_following(b, st);
    TRY(bind_ranges(b, st->ranges, &indices));
    if (!LIST_ROOM(&b->equation, indices.entries)) return BIND_NO_MEMORY(b);
    TRY(bind_loop_begin(b, &indices));
    for (size_t k = 0; k < indices.entries; k++) {
        bind_loop_set(b, &indices, k);
        TRY(add_equation(b, st));
    }
    bind_loop_end(b);
    return TANSY_OK;
}

/* The equations of states that only reactions change.  given[i] is 1 + the number of the equation x_i' = ... */
static tansy_status add_reaction_equations(struct binder *b, const size_t *given)
{
    for (size_t k = 0; k < b->share.count; k++) {
        uint32_t const state = b->share.item[k].state;
        size_t count;
        if (given[state] > 0 || (k > 0 && b->share.item[k - 1].state == state)) continue;
        struct equation equation = {.state = state, .place = b->system->state.item[state].place};
        equation.node = bind_shares_of(b, state, &count);
        if (!LIST_ADD(&b->equation, equation)) return BIND_NO_MEMORY(b);
    }
    return b->no_memory || graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

static tansy_status find_doubles(struct binder *b, size_t *given)
{
    for (size_t k = 0; k < b->equation.count; k++) {
        const struct equation *const e = &b->equation.item[k];
        size_t line, column;
        if (e->state == UINT32_MAX) continue;
        if (given[e->state] > 0) {
            struct place const first = b->equation.item[given[e->state] - 1].place;
            source_locate(&b->syntax->source, first.offset, &line, &column);
            const char *const name = b->system->state.item[e->state].name;
            return BIND_ERROR(b, e->place,
                              "%s has two equations; the first is in line %zu; another one that "
                              "has %s' in it is written as 2*%s' = ... or 0 = ...",
                              name, line, name, name);
        }
        given[e->state] = k + 1;
    }
    return TANSY_OK;
}

/* Too few: names the variables that stand in no equation as x' = ... or, when algebraic, at all. */
static tansy_status report_missing(struct binder *b, const size_t *given)
{
    enum { SHOWN = 6 };
    char names[400] = "";
    size_t missing = 0, general = 0, first = 0;
    int used = 0;
    for (size_t k = 0; k < b->equation.count; k++)
        general += b->equation.item[k].state == UINT32_MAX;
    for (size_t i = 0; i < b->first_integral; i++) {
        if (given[i] > 0) continue;
        if (missing == 0) first = i;
        if (missing++ < SHOWN)
            used += snprintf(names + used, sizeof names - (size_t)used, "%s%.50s",
                             missing > 1 ? ", " : "", b->system->state.item[i].name);
    }
    if (missing > SHOWN)
        (void)snprintf(names + used, sizeof names - (size_t)used, ", ... (%zu in all)", missing);
    struct place const place = b->system->state.item[first].place;
    if (general == 0) return BIND_ERROR(b, place, "there is no equation for %s", names);
    return BIND_ERROR(b, place,
                      "there are %zu equations for %zu unknowns: %s ha%s no equation x' = ..., and "
                      "only %zu other%s "
                      "left for %s",
                      b->equation.count, b->first_integral, names, missing > 1 ? "ve" : "s",
                      general, general > 1 ? "s are" : " is", missing > 1 ? "them" : "it");
}

static tansy_status check_equations(struct binder *b, size_t *given)
{
    TRY(find_doubles(b, given));
    TRY(add_reaction_equations(b, given));
    TRY(find_doubles(b, memset(given, 0, b->first_integral * sizeof *given)));
    if (b->equation.count < b->first_integral) return report_missing(b, given);
    if (b->equation.count > b->first_integral)
        return BIND_ERROR(b, b->equation.item[b->first_integral].place,
                          "there are more equations (%zu) than unknowns (%zu): this one is too "
                          "many, or a variable is "
                          "not declared",
                          b->equation.count, b->first_integral);
    return TANSY_OK;
}

tansy_status bind_equations(struct binder *b)
{
    b->current_state = UINT32_MAX;
    for (uint32_t i = 0; i < b->state_leaf.count; i++)
        bind_state_leaf(b, i); /* next to each other */
    for (size_t k = 0; k < b->syntax->statement.count; k++)
        if (b->syntax->statement.item[k].kind == STATEMENT_EQUATION)
            TRY(add_equations(b, &b->syntax->statement.item[k]));
    if (b->first_integral == 0 && b->equation.count == 0)
        return BIND_ERROR(b, ((struct place){0, 0}),
                          "there is no state: a model needs at least one, `state x = 1`");
    size_t *const given = heap_take((b->first_integral + 1) * sizeof *given);
    if (!given) return BIND_NO_MEMORY(b);
    tansy_status const status = check_equations(b, given);
    heap_return(given);
    return status;
}
