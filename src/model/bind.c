/* SPDX-License-Identifier: Apache-2.0 */
/* Binding a model, see system.h: the order of the work. */
#include "model/bind.h"

#include "base/heap.h"

static void binder_free(struct binder *b)
{
    unit_table_free(&b->units);
    LIST_FREE(&b->unit_text);
    heap_return(b->symbol_of);
    LIST_FREE(&b->symbol);
    LIST_FREE(&b->definition);
    LIST_FREE(&b->state_leaf);
    LIST_FREE(&b->binding);
    LIST_FREE(&b->poison);
    LIST_FREE(&b->switching);
    LIST_FREE(&b->switching_of);
    LIST_FREE(&b->equation);
    LIST_FREE(&b->share);
    LIST_FREE(&b->scratch);
    LIST_FREE(&b->integrand);
    bind_evaluator_free(b);
}

/* Names and sizes first; then what is made of constants; then expressions, those that others use before them; the form of the
   equations and the numbers of switches when all expressions are there. */
static tansy_status bind_all(struct binder *b)
{
    static tansy_status (*const parts[])(struct binder *) = {
        bind_time,     bind_declare, bind_size,      bind_parameters, bind_span,
        bind_controls, bind_inputs,  bind_states,    bind_reactions,  bind_equations,
        bind_outputs,  bind_form,    bind_numbering,
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) TRY(parts[k](b));
    return TANSY_OK;
}

tansy_status system_bind(struct system *system, struct syntax *syntax)
{
    return bind_within(system, syntax, MAX_EVALUATED);
}

tansy_status bind_within(struct system *system, struct syntax *syntax, size_t terms)
{
    struct binder b = {.terms = terms,
                       .most_terms = terms,
                       .system = system,
                       .syntax = syntax,
                       .current_state = UINT32_MAX};
    system->graph = b.graph = graph_create();
    if (b.graph) graph_keep_poles(b.graph, true);
    tansy_status const status = b.graph ? bind_all(&b) : BIND_NO_MEMORY(&b);
    if (system->graph) graph_keep_poles(system->graph, false);
    binder_free(&b);
    if (!system->name) system->name = system->title = "";
    return status;
}

void system_free(struct system *system)
{
    graph_free(system->graph);
    graph_free(system->grid);
    LIST_FREE(&system->grid_pair);
    LIST_FREE(&system->state);
    LIST_FREE(&system->parameter);
    LIST_FREE(&system->output);
    LIST_FREE(&system->condition);
    LIST_FREE(&system->start_condition);
    LIST_FREE(&system->break_time);
    LIST_FREE(&system->table);
    heap_return(system->rhs);
    heap_return(system->residual);
    heap_return(system->equation);
    text_free(system);
    *system = (struct system){0};
}
