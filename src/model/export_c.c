/* SPDX-License-Identifier: Apache-2.0 */
/* The model as C: which functions there are and what they compute. */
#include "model/export_c.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "model/differentiate.h"
#include "model/export_c_data.h"
#include "model/export_c_function.h"
#include "model/export_c_model.h"

enum { TEXT_SIZE = 512 };

static const char point[] = "double t, const double *y, const double *p, double *%s";
static const char rate_point[] =
    "double t, const double *y, const double *rate, const double *p, double *%s";

/* What a function depends on. */
enum depends { ON_STATES, ON_RATES };

/* target[place] = root of (t, y, p), or of (t, y, y', p), as most functions are. */
static void write_values(struct export *x, enum depends on, const char *name, const char *target,
                         const uint32_t *root, const size_t *place, size_t roots)
{
    char parameters[TEXT_SIZE], arguments[TEXT_SIZE / 2], passed[TEXT_SIZE], unused[TEXT_SIZE];
    const char *const rate = on == ON_RATES ? "rate, " : "";
    (void)snprintf(arguments, sizeof arguments, on == ON_RATES ? rate_point : point, target);
    (void)snprintf(parameters, sizeof parameters, "%s, void *context", arguments);
    (void)snprintf(passed, sizeof passed, "t, y, %sp, %s", rate, target);
    (void)snprintf(unused, sizeof unused, "(void)t, (void)y, %s(void)p, (void)%s;",
                   on == ON_RATES ? "(void)rate, " : "", target);
    write_function(&x->w, x->g,
                   &(struct c_function){.model = x->model,
                                        .name = name,
                                        .parameters = parameters,
                                        .arguments = arguments,
                                        .passed = passed,
                                        .unused = unused,
                                        .target = target,
                                        .root = root,
                                        .place = place,
                                        .roots = roots,
                                        .plan = x->plan,
                                        .np = x->np,
                                        .switches = x->system->watched});
}

/* The pattern of a matrix as two arrays, rows and columns. */
static void write_pattern(struct export *x, const char *name, const struct derivative *d,
                          size_t *number)
{
    char word[TEXT_SIZE];
    for (size_t i = 0; i < d->rows; i++)
        for (size_t e = d->start[i]; e < d->start[i + 1]; e++) number[e] = i;
    (void)snprintf(word, sizeof word, "%s_row", name);
    write_sizes(&x->w, x->model, word, number, d->entries);
    for (size_t e = 0; e < d->entries; e++) number[e] = d->column[e];
    (void)snprintf(word, sizeof word, "%s_column", name);
    write_sizes(&x->w, x->model, word, number, d->entries);
    write_text(&x->w, "\n");
}

static void widen_band(struct export *x, const struct derivative *d)
{
    for (size_t i = 0; i < d->rows; i++) {
        for (size_t e = d->start[i]; e < d->start[i + 1]; e++) {
            size_t const j = d->column[e];
            if (i > j && i - j > x->lower) x->lower = i - j;
            if (j > i && j - i > x->upper) x->upper = j - i;
        }
    }
}

/* dF/dy and dF/dy' share one storage. */
static void measure_band(struct export *x)
{
    widen_band(x, &x->J);
    widen_band(x, &x->M);
    x->is_banded = 3 * (x->lower + x->upper + 1) < x->n; /* where a band is surely the better */
}

static size_t jacobian_place(const struct export *x, size_t i, size_t j)
{
    if (!x->is_banded) return i * x->n + j;
    return i * (x->lower + x->upper + 1) + j + x->lower - i;
}

/* df/dy, dF/dy or dF/dy' in its places. */
static void write_jacobian(struct export *x, const char *name, const struct derivative *d,
                           size_t *place)
{
    for (size_t i = 0; i < x->n; i++)
        for (size_t e = d->start[i]; e < d->start[i + 1]; e++)
            place[e] = jacobian_place(x, i, d->column[e]);
    write_values(x, export_is_implicit(x) ? ON_RATES : ON_STATES, name, "J", d->node, place,
                 d->entries);
}

/* df/dp in the order of its pattern. */
static void write_parameter_matrix(struct export *x, size_t *place)
{
    bool const implicit = export_is_implicit(x);
    const char *const name = implicit ? "residual_parameter" : "parameter_jacobian";
    write_pattern(x, name, &x->F, place);
    write_values(x, implicit ? ON_RATES : ON_STATES, name, "F", x->F.node, NULL, x->F.entries);
}

/* dy0/dp, dense. */
static void write_initial_jacobian(struct export *x, size_t *place)
{
    for (size_t i = 0; i < x->n; i++)
        for (size_t e = x->D.start[i]; e < x->D.start[i + 1]; e++)
            place[e] = i * x->np + x->D.column[e];
    write_function(
        &x->w, x->g,
        &(struct c_function){.model = x->model,
                             .name = "initial_jacobian",
                             .parameters = "double t, const double *p, double *D, void *context",
                             .arguments = "double t, const double *p, double *D",
                             .passed = "t, p, D",
                             .unused = "(void)t, (void)p, (void)D;",
                             .target = "D",
                             .root = x->D.node,
                             .place = place,
                             .roots = x->D.entries,
                             .np = x->np,
                             .switches = x->system->watched});
}

static void write_matrices(struct export *x)
{
    size_t room = x->J.entries > x->F.entries ? x->J.entries : x->F.entries;
    if (x->D.entries > room) room = x->D.entries;
    if (x->M.entries > room) room = x->M.entries;
    size_t *const place = heap_take((room + 1) * sizeof *place);
    if (!place) {
        x->w.failed = true;
        return;
    }
    write_pattern(x, "jacobian", &x->J, place);
    write_jacobian(x, export_is_implicit(x) ? "residual_jacobian" : "jacobian", &x->J, place);
    if (export_is_implicit(x)) write_jacobian(x, "rate_jacobian", &x->M, place);
    write_parameter_matrix(x, place);
    write_initial_jacobian(x, place);
    heap_return(place);
}

static void write_initial(struct export *x)
{
    write_function(
        &x->w, x->g,
        &(struct c_function){.model = x->model,
                             .name = "initial",
                             .parameters = "double t, const double *p, double *y0, void *context",
                             .arguments = "double t, const double *p, double *y0",
                             .passed = "t, p, y0",
                             .unused = "(void)t, (void)p;",
                             .target = "y0",
                             .root = x->initial,
                             .roots = x->n,
                             .np = x->np,
                             .switches = x->system->watched});
}

/* The switch functions that the solver watches, and their tangents. */
static void write_switches(struct export *x)
{
    size_t const watched = x->system->watched;
    if (!watched) return;
    for (size_t j = 0; j < watched; j++) x->root[j] = x->system->condition.item[j].node;
    write_values(x, ON_STATES, "switches", "g", x->root, NULL, watched);
    for (size_t j = 0; j < watched; j++) {
        bool const moves = x->slope.start[j] < x->slope.start[j + 1];
        x->root[j] = moves ? x->slope.node[x->slope.start[j]] : ZERO;
    }
    write_tangent(&x->w, x->g,
                  &(struct c_tangent){.model = x->model,
                                      .name = "switch_tangent",
                                      .rows = &x->switch_tangent,
                                      .slope = x->root,
                                      .plan = x->plan,
                                      .switches = watched});
}

/* df/dt, where there is one. */
static void write_time(struct export *x)
{
    if (x->time.entries == 0) return;
    for (size_t i = 0; i < x->n; i++) {
        bool const moves = x->time.start[i] < x->time.start[i + 1];
        x->root[i] = moves ? x->time.node[x->time.start[i]] : ZERO;
    }
    write_values(x, ON_STATES, "time_derivative", "ft", x->root, NULL, x->n);
}

/* Initial values may depend on conditions in p alone: switch j becomes g_j >= 0, until none is left (a condition uses only
   switches of lower number).  False: no memory. */
static bool resolve_initial(struct export *x)
{
    const struct system *const s = x->system;
    size_t const conditions = s->condition.count;
    bool is_resolved = true;
    for (size_t i = 0; i < x->n; i++) {
        x->initial[i] = s->state.item[i].initial;
        if (graph_leaves(x->g, x->initial[i]) & 1u << OP_SWITCH) is_resolved = false;
    }
    for (size_t pass = 0; pass < conditions && !is_resolved; pass++) {
        for (size_t j = 0; j < conditions; j++)
            x->root[j] = graph_binary(x->g, OP_AT_LEAST, s->condition.item[j].node, ZERO);
        graph_substitute(x->g, &(struct substitution){OP_SWITCH, x->root, conditions}, x->initial,
                         x->n, x->initial);
        is_resolved = true;
        for (size_t i = 0; i < x->n; i++)
            if (graph_leaves(x->g, x->initial[i]) & 1u << OP_SWITCH) is_resolved = false;
    }
    return !graph_failed(x->g);
}

/* dF/dy', and the tangents in y' too. */
static bool derive_rates(struct export *x)
{
    const uint32_t *const F = x->system->residual, *const g = x->structure->constraint;
    size_t const n = x->n, np = x->np;
    return differentiate(x->g, F, n, OP_RATE, n, &x->M) == TANSY_OK &&
           differentiate_tangent_rates(x->g, F, n, n, np, &x->tangent) == TANSY_OK &&
           (!g ||
            differentiate_tangent_rates(x->g, g, n, n, np, &x->constraint_tangent) == TANSY_OK);
}

/* All derivatives; false: no memory. */
static bool derive(struct export *x)
{
    const struct system *const s = x->system;
    const uint32_t *const f = s->rhs ? s->rhs : s->residual;
    size_t const n = x->n, np = x->np, watched = s->watched;
    bool good = differentiate(x->g, f, n, OP_STATE, n, &x->J) == TANSY_OK &&
                differentiate(x->g, f, n, OP_PARAMETER, np, &x->F) == TANSY_OK;
    good = good && (s->rhs ? differentiate_tangent(x->g, f, n, n, np, &x->tangent) == TANSY_OK
                           : derive_rates(x));
    if (good && s->rhs) good = differentiate(x->g, f, n, OP_TIME, 1, &x->time) == TANSY_OK;
    good = good && differentiate(x->g, x->initial, n, OP_PARAMETER, np, &x->D) == TANSY_OK;
    for (size_t k = 0; k < s->output.count; k++) x->root[k] = s->output.item[k].node;
    good = good && differentiate_tangent_rates(x->g, x->root, s->output.count, n, np,
                                               &x->output_tangent) == TANSY_OK;
    good = good &&
           differentiate(x->g, x->root, s->output.count, OP_TIME, 1, &x->output_time) == TANSY_OK;
    for (size_t j = 0; j < watched; j++) x->root[j] = s->condition.item[j].node;
    return good && differentiate(x->g, x->root, watched, OP_TIME, 1, &x->slope) == TANSY_OK &&
           differentiate_tangent(x->g, x->root, watched, n, np, &x->switch_tangent) == TANSY_OK;
}

/* Sums in an order that is quick to evaluate, once all is differentiated; false: no memory. */
static bool balance(struct export *x)
{
    const struct system *const s = x->system;
    memcpy(x->rhs, s->rhs ? s->rhs : s->residual, x->n * sizeof *x->rhs);
    return balance_sums(x->g, x->rhs, x->n) && balance_sums(x->g, x->J.node, x->J.entries) &&
           balance_sums(x->g, x->M.node, x->M.entries) &&
           balance_sums(x->g, x->F.node, x->F.entries);
}

static void add_roots(uint32_t *all, size_t *count, const uint32_t *root, size_t roots)
{
    if (roots > 0) memcpy(all + *count, root, roots * sizeof *root);
    *count += roots;
}

/* Mere parameters stand together in the engine's plan; in C they have a place already. */
static void drop_parameters(const struct graph *g, struct hoist *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        uint32_t const node = plan->node[i];
        bool const is_leaf = graph_nodes(g)[node].operation < OP_NEGATE;
        plan->slot[node] = is_leaf ? UINT32_MAX : (uint32_t)kept;
        if (!is_leaf) plan->node[kept++] = node;
    }
    plan->count = kept;
}

/* What all functions that get a context need of p alone; false: no memory. */
static bool plan_hoisting(struct export *x)
{
    size_t const watched = x->system->watched;
    const uint32_t *const g = export_is_implicit(x) ? x->structure->constraint : NULL;
    size_t count = 0;
    uint32_t *const all = heap_take((2 * x->n + x->J.entries + x->M.entries + x->F.entries +
                                     x->tangent.terms + watched + x->slope.entries +
                                     x->switch_tangent.terms + x->constraint_tangent.terms) *
                                    sizeof *all);
    if (!all) return false;
    add_roots(all, &count, x->rhs, x->n);
    add_roots(all, &count, x->J.node, x->J.entries);
    add_roots(all, &count, x->M.node, x->M.entries);
    add_roots(all, &count, x->F.node, x->F.entries);
    add_roots(all, &count, g, g ? x->n : 0);
    add_roots(all, &count, x->constraint_tangent.coefficient, x->constraint_tangent.terms);
    add_roots(all, &count, x->tangent.coefficient, x->tangent.terms);
    add_roots(all, &count, x->root, watched); /* the conditions, as derive() has left them */
    add_roots(all, &count, x->slope.node, x->slope.entries);
    add_roots(all, &count, x->switch_tangent.coefficient, x->switch_tangent.terms);
    bool const good = hoist_plan(x->g, all, count, &x->hoist) == TANSY_OK;
    drop_parameters(x->g, &x->hoist);
    x->plan = x->hoist.count > 0 ? &x->hoist : NULL;
    heap_return(all);
    return good;
}

static void write_tangent_of(struct export *x, const char *name, const struct tangent *rows)
{
    write_tangent(&x->w, x->g,
                  &(struct c_tangent){.model = x->model,
                                      .name = name,
                                      .rows = rows,
                                      .plan = x->plan,
                                      .switches = x->system->watched});
}

/* f or F, the derivatives that belong to it, and all else. */
static void write_equations(struct export *x)
{
    bool const implicit = export_is_implicit(x);
    measure_band(x);
    if (x->plan)
        write_hoisted(
            &x->w, x->g,
            &(struct c_function){
                .model = x->model, .plan = x->plan, .np = x->np, .switches = x->system->watched});
    write_values(x, implicit ? ON_RATES : ON_STATES, implicit ? "residual" : "rhs",
                 implicit ? "F" : "f", x->rhs, NULL, x->n);
    write_matrices(x);
    write_row_loop(&x->w, x->model);
    write_tangent_of(x, implicit ? "residual_tangent" : "tangent", &x->tangent);
    if (implicit && x->structure->constraint) {
        write_values(x, ON_RATES, "constraint_rate", "R", x->structure->constraint, NULL, x->n);
        write_tangent_of(x, "constraint_rate_tangent", &x->constraint_tangent);
    }
    write_initial(x);
    write_switches(x);
    write_time(x);
    write_outputs(x);
    write_names(x);
    if (implicit) write_kinds(x);
    write_problem(x);
    write_entry(x);
}

static void end(struct export *x)
{
    derivative_free(&x->J);
    derivative_free(&x->M);
    derivative_free(&x->F);
    derivative_free(&x->D);
    derivative_free(&x->slope);
    derivative_free(&x->time);
    derivative_free(&x->output_time);
    tangent_free(&x->tangent);
    tangent_free(&x->switch_tangent);
    tangent_free(&x->constraint_tangent);
    tangent_free(&x->output_tangent);
    hoist_free(&x->hoist);
    heap_return(x->root);
    heap_return(x->rhs);
    heap_return(x->initial);
    LIST_FREE(&x->w.piece);
    graph_free(x->g);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the writer writes through it */
size_t export_c(const struct system *system, const struct export_structure *structure, char *text,
                size_t size)
{
    static const struct export_structure unknown = {.kind = NULL};
    struct export x = {.system = system,
                       .structure = structure ? structure : &unknown,
                       .n = system->state.count,
                       .np = system->parameter.count,
                       .w = {.text = text, .size = size}};
    size_t const room = x.n + system->output.count + system->condition.count + 1;
    export_name(&x);
    x.g = graph_copy(system->graph);
    x.root = heap_take(room * sizeof *x.root);
    x.rhs = heap_take((x.n + 1) * sizeof *x.rhs);
    x.initial = heap_take((x.n + 1) * sizeof *x.initial);
    bool const good = x.g && x.root && x.rhs && x.initial && resolve_initial(&x) && derive(&x) &&
                      balance(&x) && plan_hoisting(&x);
    if (good) {
        write_head(&x.w, system);
        write_inputs(&x.w, system, x.model);
        write_parameters(&x.w, system, x.model);
        write_equations(&x);
    }
    size_t const used = good && !x.w.failed ? x.w.used : 0;
    end(&x);
    return used;
}
