/* SPDX-License-Identifier: Apache-2.0 */
/* From a bound system to programs: f or F, their derivatives and tangents, switch functions, initial values.  What depends on p
   alone is found over all of them together, so that it is computed once per p. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/compile.h"
#include "model/lane_asked.h"

enum { MOST_PLACES = INT32_MAX };

/* The roots of all programs in one list, in the order of `enum family`. */
enum family {
    RHS,
    JACOBIAN,
    RATE_JACOBIAN,
    PARAMETER,
    TANGENT,
    SWITCHES,
    SWITCHES_T,
    SWITCH_TANGENT,
    CONSTRAINT,
    CONSTRAINT_TANGENT,
    FAMILIES
};

struct roots {
    LIST(uint32_t) node;
    size_t start[FAMILIES + 1];
};

/* The expressions that one compilation works on. */
struct sources {
    uint32_t *g, *g_t; /* switch functions and their derivatives in t */
    struct derivative time;
    struct tangent tangent, switch_tangent, constraint_tangent;
    struct roots roots;
};

static bool add_family(struct roots *r, enum family family, const uint32_t *node, size_t count)
{
    r->start[family] = r->node.count;
    if (!LIST_ROOM(&r->node, count)) return false;
    if (count > 0) memcpy(r->node.item + r->node.count, node, count * sizeof *node);
    r->node.count += count;
    r->start[family + 1] = r->node.count;
    return true;
}

/* dg/dt as a full vector, from the sparse derivative. */
static tansy_status find_time_derivative(struct tansy_model *m, struct sources *s)
{
    struct system *const system = &m->system;
    size_t const count = system->watched;
    if (count == 0) return TANSY_OK;
    s->g = heap_take(count * sizeof *s->g);
    s->g_t = heap_take(count * sizeof *s->g_t);
    if (!s->g || !s->g_t) return TANSY_OUT_OF_MEMORY;
    for (size_t j = 0; j < count; j++) s->g[j] = system->condition.item[j].node;
    TRY(differentiate(system->graph, s->g, count, OP_TIME, 1, &s->time));
    for (size_t j = 0; j < count; j++)
        s->g_t[j] = s->time.start[j] < s->time.start[j + 1] ? s->time.node[s->time.start[j]] : 0;
    return TANSY_OK;
}

/* Operations that the roots need, common subexpressions counted once: nodes in their cone that are not leaves. */
static size_t count_operations(const struct graph *g, const uint32_t *root, size_t roots,
                               unsigned char *needed)
{
    const struct node *const node = graph_nodes(g);
    size_t operations = 0;
    memset(needed, 0, graph_count(g));
    for (size_t i = 0; i < roots; i++) needed[root[i]] = 1;
    for (size_t x = graph_count(g); x-- > 0;) {
        if (!needed[x] || node[x].operation < OP_NEGATE) continue;
        int const arguments =
            node[x].operation == OP_SELECT ? 3 : 1 + (node[x].operation >= OP_ADD);
        for (int a = 0; a < arguments; a++) needed[node[x].argument[a]] = 1;
        operations++;
    }
    return operations;
}

static tansy_status count_all(struct tansy_model *m)
{
    const struct graph *const g = m->system.graph;
    const struct system *const system = &m->system;
    unsigned char *const needed = heap_take(graph_count(g));
    if (!needed) return TANSY_OUT_OF_MEMORY;
    m->operations[0] = count_operations(g, model_function(m), system->state.count, needed);
    m->operations[1] = count_operations(g, m->jacobian.node, m->jacobian.entries, needed);
    m->operations[2] = count_operations(g, m->parameter.node, m->parameter.entries, needed);
    heap_return(needed);
    return TANSY_OK;
}

/* Does the matrix depend on parameters, switches and pieces alone?  These are constant between switching points. */
static bool is_constant(const struct graph *g, const struct derivative *matrix)
{
    uint32_t const still =
        1u << OP_CONSTANT | 1u << OP_PARAMETER | 1u << OP_SWITCH | 1u << OP_PIECE;
    for (size_t e = 0; e < matrix->entries; e++)
        if (graph_leaves(g, matrix->node[e]) & ~still) return false;
    return true;
}

/* F_y', the tangent with y', and what the structure of the equations asks for. */
static tansy_status differentiate_residual(struct tansy_model *m, struct sources *s)
{
    struct system *const system = &m->system;
    struct graph *const g = system->graph;
    size_t const n = system->state.count, np = system->parameter.count;
    TRY(differentiate(g, system->residual, n, OP_RATE, n, &m->rates));
    m->has_constant_mass = is_constant(g, &m->rates);
    TRY(differentiate_tangent_rates(g, system->residual, n, n, np, &s->tangent));
    TRY(model_analyse(m));
    if (!m->structure.constraints) return TANSY_OK;
    m->constraint = heap_take(n * sizeof *m->constraint);
    if (!m->constraint) return TANSY_OUT_OF_MEMORY;
    TRY(constraint_rates(m, m->constraint));
    return differentiate_tangent_rates(g, m->constraint, n, n, np, &s->constraint_tangent);
}

static tansy_status differentiate_all(struct tansy_model *m, struct sources *s)
{
    struct system *const system = &m->system;
    struct graph *const g = system->graph;
    uint32_t *const f = model_function(m);
    size_t const n = system->state.count, np = system->parameter.count;
    graph_merge_exponentials(g, f, n, f);
    TRY(differentiate(g, f, n, OP_STATE, n, &m->jacobian));
    TRY(differentiate(g, f, n, OP_PARAMETER, np, &m->parameter));
    if (model_is_explicit(m))
        TRY(differentiate_tangent_with(g, f, &m->jacobian, &m->parameter, &s->tangent));
    else
        TRY(differentiate_residual(m, s));
    m->tangent_terms = s->tangent.terms;
    TRY(find_time_derivative(m, s));
    return differentiate_tangent(g, s->g, system->watched, n, np, &s->switch_tangent);
}

static tansy_status collect_roots(struct tansy_model *m, struct sources *s)
{
    struct roots *const r = &s->roots;
    size_t const n = m->system.state.count;
    bool const done =
        add_family(r, RHS, model_function(m), n) &&
        add_family(r, JACOBIAN, m->jacobian.node, m->jacobian.entries) &&
        add_family(r, RATE_JACOBIAN, m->rates.node, m->rates.entries) &&
        add_family(r, PARAMETER, m->parameter.node, m->parameter.entries) &&
        add_family(r, TANGENT, s->tangent.coefficient, s->tangent.terms) &&
        add_family(r, SWITCHES, s->g, m->system.watched) &&
        add_family(r, SWITCHES_T, s->g_t, m->system.watched) &&
        add_family(r, SWITCH_TANGENT, s->switch_tangent.coefficient, s->switch_tangent.terms) &&
        add_family(r, CONSTRAINT, m->constraint, m->constraint ? n : 0) &&
        add_family(r, CONSTRAINT_TANGENT, s->constraint_tangent.coefficient,
                   s->constraint_tangent.terms);
    return done ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

static tansy_status make(const struct tansy_model *m, const struct sources *s, enum family family,
                         struct program **program)
{
    const struct roots *const r = &s->roots;
    size_t const first = r->start[family], count = r->start[family + 1] - first;
    return program_create(m->system.graph, &m->code.plan, r->node.item + first, count, program);
}

static tansy_status make_pattern(struct tansy_model *m)
{
    const struct derivative *const F = &m->parameter;
    m->code.row = heap_take((F->entries + 1) * sizeof *m->code.row);
    m->code.column = heap_take((F->entries + 1) * sizeof *m->code.column);
    if (!m->code.row || !m->code.column) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < F->rows; i++)
        for (size_t e = F->start[i]; e < F->start[i + 1]; e++) {
            m->code.row[e] = i;
            m->code.column[e] = F->column[e];
        }
    return TANSY_OK;
}

/* y0(p) and its derivative, scattered into D[i*np + k]. */
static tansy_status make_initial(struct tansy_model *m)
{
    struct system *const system = &m->system;
    size_t const n = system->state.count, np = system->parameter.count;
    struct derivative *const D = &m->initial_parameter;
    uint32_t *const root = heap_take(n * sizeof *root);
    size_t *place = NULL;
    if (!root) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) root[i] = system->state.item[i].initial;
    tansy_status status = program_create(system->graph, NULL, root, n, &m->code.initial);
    if (status == TANSY_OK) status = differentiate(system->graph, root, n, OP_PARAMETER, np, D);
    if (status == TANSY_OK && !(place = heap_take((D->entries + 1) * sizeof *place)))
        status = TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; status == TANSY_OK && i < n; i++)
        for (size_t e = D->start[i]; e < D->start[i + 1]; e++) place[e] = i * np + D->column[e];
    if (status == TANSY_OK && np <= MOST_PLACES / n)
        status = program_create_scattered(system->graph, NULL, D->node, place, D->entries,
                                          &m->code.initial_jacobian);
    heap_return(place);
    heap_return(root);
    return status;
}

static void need(size_t work, size_t *most)
{
    if (work > *most) *most = work;
}

static void measure_work(struct compiled *c)
{
    need(program_work(c->rhs), &c->work);
    if (c->jacobian) need(program_work(c->jacobian), &c->work);
    need(program_work(c->parameter), &c->work);
    need(program_work(c->initial), &c->work);
    if (c->initial_jacobian) need(program_work(c->initial_jacobian), &c->work);
    if (c->rate_jacobian) need(program_work(c->rate_jacobian), &c->work);
    if (c->constraint) need(program_work(c->constraint), &c->work);
    if (c->constraint_tangent) need(lane_asked_work(c->constraint_tangent), &c->work);
    need(lane_asked_work(c->tangent), &c->work);
    if (c->plan.count > 0) need(program_work(c->plan.program), &c->work);
    need(c->time_terms.work, &c->work);
    if (!c->switches) return;
    need(program_work(c->switches), &c->work);
    need(program_work(c->switches_t), &c->work);
    need(lane_asked_work(c->switch_tangent), &c->work);
    need(enclosure_work(c->enclosure), &c->work);
}

static tansy_status make_switches(struct tansy_model *m, struct sources *s)
{
    struct compiled *const c = &m->code;
    TRY(make(m, s, SWITCHES, &c->switches));
    TRY(make(m, s, SWITCHES_T, &c->switches_t));
    TRY(enclosure_create(m->system.graph, s->g, m->system.watched, &c->enclosure));
    return lane_program_create(m->system.graph, &c->plan, &s->switch_tangent, &c->switch_tangent);
}

static tansy_status make_constraints(struct tansy_model *m, struct sources *s)
{
    struct compiled *const c = &m->code;
    TRY(make(m, s, CONSTRAINT, &c->constraint));
    return lane_program_create(m->system.graph, &c->plan, &s->constraint_tangent,
                               &c->constraint_tangent);
}

static tansy_status make_programs(struct tansy_model *m, struct sources *s)
{
    const struct graph *const g = m->system.graph;
    struct compiled *const c = &m->code;
    TRY(hoist_plan(g, s->roots.node.item, s->roots.node.count, &c->plan));
    TRY(make(m, s, RHS, &c->rhs));
    TRY(make(m, s, PARAMETER, &c->parameter));
    TRY(storage_make(m));
    TRY(lane_program_create_either(g, &c->plan, &s->tangent, &m->jacobian, &c->tangent));
    if (m->constraint) TRY(make_constraints(m, s));
    return m->system.watched > 0 ? make_switches(m, s) : TANSY_OK;
}

/* Whether a tangent may need a second look: that of rows, or of J, which takes their place where that is shorter. */
static tansy_status find_failures(struct tansy_model *m, const struct sources *s)
{
    struct tangent direct;
    bool *const may = &m->code.tangent_may_fail;
    const uint32_t *const f = model_function(m);
    size_t const n = m->system.state.count;
    tansy_status status = lane_asked_may_differ(m->system.graph, f, n, &s->tangent, may);
    if (status != TANSY_OK || *may) return status;
    status = tangent_of_matrices(&m->jacobian, NULL, &direct)
                 ? lane_asked_may_differ(m->system.graph, f, n, &direct, may)
                 : TANSY_OUT_OF_MEMORY;
    tangent_free(&direct);
    return status;
}

static tansy_status compile(struct tansy_model *m, struct sources *s)
{
    TRY(differentiate_all(m, s));
    TRY(storage_find(m));
    TRY(make_pattern(m));
    TRY(collect_roots(m, s));
    TRY(make_initial(
        m)); /* may add nodes, so the plan, which knows the graph's size, comes after */
    TRY(make_programs(m, s));
    TRY(time_terms_find(m->system.graph, model_function(m), m->system.state.count,
                        &m->code.time_terms));
    measure_work(&m->code);
    TRY(find_failures(m, s));
    return count_all(m);
}

tansy_status model_compile(struct tansy_model *m)
{
    struct sources s = {0};
    tansy_status const status = compile(m, &s);
    heap_return(s.g);
    heap_return(s.g_t);
    derivative_free(&s.time);
    tangent_free(&s.tangent);
    tangent_free(&s.switch_tangent);
    tangent_free(&s.constraint_tangent);
    LIST_FREE(&s.roots.node);
    return status;
}

void model_compiled_free(struct tansy_model *m)
{
    struct compiled *const c = &m->code;
    program_free(c->rhs);
    program_free(c->jacobian);
    program_free(c->rate_jacobian);
    program_free(c->constraint);
    program_free(c->parameter);
    program_free(c->switches);
    program_free(c->switches_t);
    program_free(c->initial);
    program_free(c->initial_jacobian);
    program_free(c->grid);
    program_free(m->outputs.value);
    program_free(m->outputs.conditions);
    lane_program_free(c->tangent);
    lane_program_free(c->constraint_tangent);
    lane_program_free(c->switch_tangent);
    enclosure_free(c->enclosure);
    time_terms_free(&c->time_terms);
    lane_program_free(m->outputs.tangent);
    hoist_free(&c->plan);
    heap_return(c->row);
    heap_return(c->column);
    heap_return(c->jacobian_row);
    heap_return(c->jacobian_column);
    derivative_free(&m->jacobian);
    derivative_free(&m->rates);
    derivative_free(&m->parameter);
    derivative_free(&m->initial_parameter);
    structure_free(&m->structure);
    heap_return(m->constraint);
}
