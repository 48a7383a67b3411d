/* SPDX-License-Identifier: Apache-2.0 */
/* A C function from nodes: what is used more than once gets a name, the rest is written where it is used; statements stand
   in rising order of the nodes and are cut into functions that a compiler digests quickly.  A value that a later chunk
   needs lives in the array s. */
#include "model/export_c_function.h"

#include <string.h>

#include "base/heap.h"

enum {
    STATEMENTS_A_CHUNK = 250,
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
    uint32_t *chunk;   /* by node: the chunk it is written in */
    uint32_t *by_node; /* by node: 1 + first root that is this node */
    uint32_t *next;    /* by root: 1 + next root that is the same node */
    size_t count, shared;
    LIST(struct statement_plan) statement;
};

static bool is_leaf(const struct graph *g, uint32_t node)
{
    uint32_t const operation = node_at(g, node)->operation;
    return operation < OP_NEGATE && operation != OP_INPUT && operation != OP_INPUT_SLOPE;
}

static void plan_free(struct plan *p)
{
    heap_return(p->kind);
    heap_return(p->uses);
    heap_return(p->name);
    heap_return(p->chunk);
    heap_return(p->by_node);
    heap_return(p->next);
    LIST_FREE(&p->statement);
}

static bool plan_take(struct plan *p, const struct graph *g, const struct c_function *f)
{
    *p = (struct plan){.g = g, .f = f, .count = g->node.count};
    p->kind = heap_take(p->count);
    p->uses = heap_take(p->count);
    p->name = heap_take(p->count * sizeof *p->name);
    p->chunk = heap_take(p->count * sizeof *p->chunk);
    p->by_node = heap_take(p->count * sizeof *p->by_node);
    p->next = heap_take((f->roots + 1) * sizeof *p->next);
    return p->kind && p->uses && p->name && p->chunk && p->by_node && p->next;
}

static void add_use(struct plan *p, uint32_t node)
{
    if (p->uses[node] < 2) p->uses[node]++;
}

static void count_uses(struct plan *p)
{
    for (size_t i = p->f->roots; i-- > 0;) {
        uint32_t const node = p->f->root[i];
        add_use(p, node);
        p->next[i] = p->by_node[node];
        p->by_node[node] = (uint32_t)(i + 1);
    }
    for (size_t i = p->count; i-- > 0;) {
        const struct node *const n = node_at(p->g, (uint32_t)i);
        if (!p->uses[i]) continue;
        for (unsigned k = 0; k < operation_arguments(n->operation); k++) add_use(p, n->argument[k]);
    }
}

/* Which nodes get names: those used twice, and where an expression becomes long. */
static bool name_nodes(struct plan *p)
{
    uint32_t *const length = p->chunk; /* operations written in place; not needed after this */
    for (uint32_t i = 0; i < p->count; i++) {
        const struct node *const n = node_at(p->g, i);
        unsigned const arguments = operation_arguments(n->operation);
        p->name[i] = UNNAMED;
        if (!p->uses[i]) continue;
        p->kind[i] = NODE_INLINE;
        length[i] = arguments > 0;
        for (unsigned k = 0; k < arguments; k++) length[i] += length[n->argument[k]];
        if (!is_leaf(p->g, i) && (p->uses[i] > 1 || length[i] > MAX_INLINE)) {
            bool const is_result = p->uses[i] == 1 && p->by_node[i];
            if (!is_result) p->kind[i] = NODE_LOCAL;
            if (!is_result && !LIST_ADD(&p->statement, (struct statement_plan){i, NO_ROOT}))
                return false;
            length[i] = 0;
        }
        for (uint32_t r = p->by_node[i]; r; r = p->next[r - 1])
            if (!LIST_ADD(&p->statement, (struct statement_plan){i, r - 1})) return false;
    }
    return true;
}

/* The chunk that node i is written in, from its statements, the last of which is the one before *next.  p->chunk[i] is the
   last chunk that uses it: when it is named and that is a later one, it is shared. */
static uint32_t find_chunk(struct plan *p, uint32_t i, size_t *next)
{
    uint32_t written = p->chunk[i], last = p->chunk[i];
    while (*next > 0 && p->statement.item[*next - 1].node == i) {
        written = (uint32_t)(--*next / STATEMENTS_A_CHUNK);
        if (written > last) last = written;
    }
    if (p->kind[i] == NODE_LOCAL && last > written) p->kind[i] = NODE_SHARED;
    return written;
}

/* The chunk of every statement goes down to what is written inside it. */
static void share_nodes(struct plan *p)
{
    size_t next = p->statement.count;
    for (uint32_t i = (uint32_t)p->count; i-- > 0;) {
        const struct node *const n = node_at(p->g, i);
        if (p->kind[i] == NODE_UNUSED) continue;
        uint32_t const chunk = find_chunk(p, i, &next);
        for (unsigned k = 0; k < operation_arguments(n->operation); k++)
            if (p->chunk[n->argument[k]] < chunk) p->chunk[n->argument[k]] = chunk;
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
    struct naming const names = {p->g, f->model, p->name, p->kind, f->np, f->switches};
    if (s.root == NO_ROOT) {
        bool const is_local = p->kind[s.node] == NODE_LOCAL;
        write_text(w, is_local ? "    double const w%u = " : "    s[%u] = ", p->name[s.node]);
    } else {
        write_text(w, "    %s[%zu] = ", f->target, f->place ? f->place[s.root] : s.root);
    }
    write_expression(w, &names, s.node, s.root == NO_ROOT);
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
        write_text(w, "CHUNK void %s_%s_%zu(%s, double *s)\n{\n    %s\n    (void)s;\n", f->model,
                   f->name, c, f->arguments, f->unused);
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
        write_text(w, "    %s_%s_%zu(%s, s);\n", f->model, f->name, c, f->passed);
    if (on_heap) write_text(w, "    free(s);\n");
}

static void write_whole(struct writer *w, const struct plan *p)
{
    const struct c_function *const f = p->f;
    size_t const chunks = (p->statement.count + STATEMENTS_A_CHUNK - 1) / STATEMENTS_A_CHUNK;
    if (chunks > 1) write_chunks(w, p, chunks);
    write_text(w, "%sint %s_%s(%s)\n{\n", f->is_inner ? "static " : "", f->model, f->name,
               f->parameters);
    if (f->before) write_text(w, "%s", f->before);
    write_text(w, "    %s\n", f->unused);
    if (strstr(f->parameters, "context")) write_text(w, "    (void)context;\n");
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
        good = name_nodes(&p);
    }
    if (good) {
        memset(p.chunk, 0, p.count * sizeof *p.chunk);
        share_nodes(&p);
        number_nodes(&p);
        write_whole(w, &p);
    }
    if (!good) w->failed = true;
    plan_free(&p);
}
