/* SPDX-License-Identifier: Apache-2.0 */
/* A C function from nodes: what is used more than once gets a name, the rest is written where it is used; results are
   assigned in their order, each after what it needs, and all is cut into functions that a compiler digests quickly.  A value that a later chunk
   needs lives in the array s. */
#include "model/export_c_function.h"

#include <string.h>

#include "base/heap.h"

enum {
    STATEMENTS_A_CHUNK = 120,
    MAX_INLINE = 16,       /* operations in one expression */
    MAX_ON_STACK = 1 << 15 /* doubles; more are taken from the heap */
};

#define NO_ROOT SIZE_MAX

struct statement_plan {
    uint32_t node;
    size_t root; /* which root it assigns; NO_ROOT: it names the node */
};

struct plan {
    const struct graph *g;
    const struct c_function *f;
    uint8_t *kind;     /* by node: enum node_kind */
    uint8_t *uses;     /* by node: 0, 1, 2 = more */
    uint32_t *name;    /* by node */
    uint32_t *chunk;   /* by node: the last chunk that uses it */
    uint32_t *written; /* by node that has a name: the chunk of its statement */
    uint32_t *root;    /* by node: 1 + the first root that it is, or 0 */
    uint8_t *calls;    /* by node: is a function called where it is written? */
    size_t count, shared;
    LIST(uint32_t) pending; /* nodes to be looked at; with FINISH: all below them is done */
    LIST(struct statement_plan) statement;
};

#define FINISH 0x80000000u

static bool is_leaf(const struct plan *p, uint32_t node)
{
    uint32_t const operation = node_at(p->g, node)->operation;
    return p->kind[node] == NODE_HOISTED ||
           (operation < OP_NEGATE && operation != OP_INPUT && operation != OP_INPUT_SLOPE);
}

/* The arguments that are written where the node is. */
static unsigned arguments_of(const struct plan *p, uint32_t node)
{
    return is_leaf(p, node) ? 0 : operation_arguments(node_at(p->g, node)->operation);
}

static void plan_free(struct plan *p)
{
    heap_return(p->kind);
    heap_return(p->uses);
    heap_return(p->name);
    heap_return(p->chunk);
    heap_return(p->written);
    heap_return(p->root);
    heap_return(p->calls);
    LIST_FREE(&p->pending);
    LIST_FREE(&p->statement);
}

static bool plan_take(struct plan *p, const struct graph *g, const struct c_function *f)
{
    *p = (struct plan){.g = g, .f = f, .count = g->node.count};
    p->kind = heap_take(p->count);
    p->uses = heap_take(p->count);
    p->name = heap_take(p->count * sizeof *p->name);
    p->chunk = heap_take(p->count * sizeof *p->chunk);
    p->written = heap_take(p->count * sizeof *p->written);
    p->root = heap_take(p->count * sizeof *p->root);
    p->calls = heap_take(p->count);
    return p->kind && p->uses && p->name && p->chunk && p->written && p->root && p->calls;
}

static void add_use(struct plan *p, uint32_t node)
{
    if (p->uses[node] < 2) p->uses[node]++;
}

static void count_uses(struct plan *p)
{
    const struct hoist *const plan = p->f->plan;
    for (size_t k = 0; plan && k < plan->count; k++) p->kind[plan->node[k]] = NODE_HOISTED;
    for (size_t i = p->f->roots; i-- > 0;) {
        add_use(p, p->f->root[i]);
        p->root[p->f->root[i]] = (uint32_t)(i + 1);
    }
    for (uint32_t i = (uint32_t)p->count; i-- > 0;) {
        if (!p->uses[i]) continue;
        for (unsigned k = 0; k < arguments_of(p, i); k++) add_use(p, node_at(p->g, i)->argument[k]);
    }
}

static bool is_call(uint32_t operation)
{
    return (operation >= OP_EXP && operation <= OP_TANH && operation != OP_SQRT) ||
           operation == OP_POWER || operation == OP_INPUT || operation == OP_INPUT_SLOPE;
}

/* Calls are no part of a sum: they get names.  chunk[] is the length here, see below. */
static void look_at_argument(struct plan *p, uint32_t node, uint32_t argument)
{
    bool const is_sum = node_is(p->g, node, OP_ADD) || node_is(p->g, node, OP_SUBTRACT);
    if (p->kind[argument] == NODE_INLINE && p->calls[argument]) {
        if (is_sum) p->kind[argument] = NODE_LOCAL;
        if (is_sum) p->chunk[argument] = 0;
        p->calls[node] = !is_sum;
    }
    p->chunk[node] += p->chunk[argument];
}

/* Which nodes get names: those used twice, and where an expression becomes long. */
static void name_nodes(struct plan *p)
{
    uint32_t *const length = p->chunk; /* operations written in place; not needed after this */
    for (uint32_t i = 0; i < p->count; i++) {
        unsigned const arguments = arguments_of(p, i);
        p->name[i] = p->kind[i] == NODE_HOISTED ? p->f->plan->slot[i] : UNNAMED;
        if (!p->uses[i] || p->kind[i] == NODE_HOISTED) continue;
        p->kind[i] = NODE_INLINE;
        length[i] = arguments > 0;
        for (unsigned k = 0; k < arguments; k++)
            look_at_argument(p, i, node_at(p->g, i)->argument[k]);
        if (is_call(node_at(p->g, i)->operation)) p->calls[i] = 1;
        if (is_leaf(p, i) || (p->uses[i] == 1 && length[i] <= MAX_INLINE)) continue;
        length[i] = 0;
        if (p->uses[i] == 1 && p->root[i]) continue;
        bool const is_result = p->root[i] && !p->f->place; /* in a large matrix s[] is nearer */
        p->kind[i] = is_result ? NODE_RESULT : NODE_LOCAL;
        if (is_result) p->name[i] = p->root[i] - 1;
    }
    memset(p->chunk, 0, p->count * sizeof *p->chunk);
}

static bool has_statement(const struct plan *p, uint32_t node)
{
    return p->kind[node] == NODE_LOCAL || p->kind[node] == NODE_RESULT;
}

/* Adds the statements of all that a node needs and that has none yet, in the order of need; uses[] becomes 0 where that is
   done. */
static bool add_needed(struct plan *p, uint32_t root)
{
    bool good = LIST_ADD(&p->pending, root);
    while (good && p->pending.count) {
        uint32_t const at = p->pending.item[--p->pending.count], node = at & ~FINISH;
        if (at & FINISH) {
            p->written[node] = (uint32_t)(p->statement.count / STATEMENTS_A_CHUNK);
            size_t const result = p->kind[node] == NODE_RESULT ? p->name[node] : NO_ROOT;
            good = LIST_ADD(&p->statement, (struct statement_plan){node, result});
        } else if (p->uses[node]) {
            p->uses[node] = 0;
            if (has_statement(p, node)) good = LIST_ADD(&p->pending, node | FINISH);
            for (unsigned k = arguments_of(p, node); good && k-- > 0;)
                good = LIST_ADD(&p->pending, node_at(p->g, node)->argument[k]);
        }
    }
    return good;
}

/* First all values that call functions: calls among sums would cost a tenth more, since what is in registers must be saved.
   Then each root in turn, after what it needs: results go out in the order of their places, which a large matrix wants. */
static bool order_statements(struct plan *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (has_statement(p, i) && p->calls[i] && !add_needed(p, i)) return false;
    for (size_t i = 0; i < p->f->roots; i++) {
        uint32_t const node = p->f->root[i];
        if (!add_needed(p, node)) return false;
        if (p->kind[node] == NODE_RESULT && p->name[node] == i) continue;
        uint32_t const chunk = (uint32_t)(p->statement.count / STATEMENTS_A_CHUNK);
        if (p->chunk[node] < chunk) p->chunk[node] = chunk;
        if (!LIST_ADD(&p->statement, (struct statement_plan){node, i})) return false;
    }
    return true;
}

/* The chunk of every statement goes down to what is written inside it: what a later chunk uses is shared. */
static void share_nodes(struct plan *p)
{
    for (uint32_t i = (uint32_t)p->count; i-- > 0;) {
        if (p->kind[i] == NODE_UNUSED) continue;
        uint32_t const chunk = has_statement(p, i) ? p->written[i] : p->chunk[i];
        for (unsigned k = 0; k < arguments_of(p, i); k++) {
            uint32_t const argument = node_at(p->g, i)->argument[k];
            if (p->chunk[argument] < chunk) p->chunk[argument] = chunk;
        }
        if (p->kind[i] == NODE_LOCAL && p->chunk[i] > chunk) p->kind[i] = NODE_SHARED;
    }
}

/* Numbers in the order of the statements. */
static void number_nodes(struct plan *p)
{
    uint32_t locals = 0;
    for (size_t i = 0; i < p->statement.count; i++) {
        struct statement_plan const s = p->statement.item[i];
        if (s.root != NO_ROOT) continue;
        p->name[s.node] = p->kind[s.node] == NODE_SHARED ? (uint32_t)p->shared++ : locals++;
    }
}

static void write_statement(struct writer *w, const struct plan *p, struct statement_plan s)
{
    const struct c_function *const f = p->f;
    struct naming const names = {p->g, f->model, f->target, p->name, p->kind, f->np, f->switches};
    bool const is_defined =
        s.root == NO_ROOT || (p->kind[s.node] == NODE_RESULT && p->name[s.node] == s.root);
    if (s.root == NO_ROOT) {
        bool const is_local = p->kind[s.node] == NODE_LOCAL;
        write_text(w, is_local ? "    double const w%u = " : "    s[%u] = ", p->name[s.node]);
    } else {
        write_text(w, "    %s[%zu] = ", f->target, f->place ? f->place[s.root] : s.root);
    }
    write_expression(w, &names, s.node, is_defined);
    write_text(w, ";\n");
}

static void write_statements(struct writer *w, const struct plan *p, size_t chunk)
{
    size_t end = (chunk + 1) * STATEMENTS_A_CHUNK;
    if (end > p->statement.count) end = p->statement.count;
    for (size_t i = chunk * STATEMENTS_A_CHUNK; i < end && !w->failed; i++)
        write_statement(w, p, p->statement.item[i]);
}

static void write_chunks(struct writer *w, const struct plan *p, size_t chunks)
{
    const struct c_function *const f = p->f;
    for (size_t c = 0; c < chunks; c++) {
        write_text(w, "CHUNK void %s_%s_%zu(%s%s, double *s)\n{\n    %s\n    %s(void)s;\n",
                   f->model, f->name, c, f->arguments, f->plan ? ", const double *h" : "",
                   f->unused, f->plan ? "(void)h, " : "");
        write_statements(w, p, c);
        write_text(w, "}\n\n");
    }
}

/* The function that calls the chunks; its return value says when there was no memory for s. */
static void write_calls(struct writer *w, const struct plan *p, size_t chunks)
{
    const struct c_function *const f = p->f;
    bool const on_heap = p->shared > MAX_ON_STACK;
    if (on_heap) {
        write_text(w, "    double *const s = malloc(%zu * sizeof *s);\n", p->shared);
        write_text(w, "    if (!s) return -1;\n");
    } else {
        write_text(w, "    double s[%zu];\n", p->shared + 1);
    }
    for (size_t c = 0; c < chunks; c++)
        write_text(w, "    %s_%s_%zu(%s%s, s);\n", f->model, f->name, c, f->passed,
                   f->plan ? ", h" : "");
    if (on_heap) write_text(w, "    free(s);\n");
}

static void write_whole(struct writer *w, const struct plan *p)
{
    const struct c_function *const f = p->f;
    size_t const chunks = (p->statement.count + STATEMENTS_A_CHUNK - 1) / STATEMENTS_A_CHUNK;
    if (chunks > 1) write_chunks(w, p, chunks);
    write_text(w, "%sint %s_%s(%s)\n{\n", f->is_inner ? "static " : "", f->model, f->name,
               f->parameters);
    write_text(w, "    %s\n", f->unused);
    bool const has_context = strstr(f->parameters, "context") != NULL;
    if (has_context && f->plan) write_hoisted_access(w, f->model);
    if (!has_context && f->plan) write_text(w, "    (void)h;\n");
    if (has_context && !f->plan) write_text(w, "    (void)context;\n");
    if (chunks > 1)
        write_calls(w, p, chunks);
    else
        write_statements(w, p, 0);
    write_text(w, "    return 0;\n}\n\n");
}

void write_function(struct writer *w, const struct graph *g, const struct c_function *f)
{
    struct plan p;
    bool good = plan_take(&p, g, f);
    if (good) {
        count_uses(&p);
        name_nodes(&p);
        good = order_statements(&p);
    }
    if (good) {
        share_nodes(&p);
        number_nodes(&p);
        write_whole(w, &p);
    }
    if (!good) w->failed = true;
    plan_free(&p);
}
