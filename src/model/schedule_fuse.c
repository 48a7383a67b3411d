/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and products of many operands.  An addition that only another addition uses is part of that one's row, and
   likewise a multiplication; a product of two factors that one sum uses is a term of it.  Rows are made by falling numbers of
   nodes: whoever uses a node comes before it. */
#include "model/schedule.h"

#include <math.h>

#include "base/heap.h"
#include "model/simplify.h"

/* What becomes of a node: a row, a part of another's row, or (-x or c*x that only roots use) a copy. */
enum role { ROLE_ROW, ROLE_PART, ROLE_COPY };

enum {
    LARGEST_REPEAT = 3,
    LARGEST_FACTORS = 4,
    LARGEST_POWER = 16 /* halves: x^8 errs by 4 units */
};

/* A node whose terms belong to the row that is being made, with a weight. */
struct part {
    uint32_t node;
    double weight;
};

/* A node that gets a row; its terms begin with `first` and end where those of the row listed after it begin. */
struct listed {
    uint32_t node, first;
};

struct fusion {
    struct schedule *s;
    uint8_t *role;
    LIST(struct listed) listed; /* falling nodes */
    LIST(struct part) part;     /* of the row being made: a heap, the highest node first */
    LIST(struct term) found;    /* its terms */
    bool failed;
};

/* How many arguments all nodes have together: the terms there may be. */
static size_t count_uses(struct schedule *s)
{
    size_t all = 0;
    for (size_t i = 0; i < s->roots; i++)
        if (s->root_uses[s->root[i]] < 2) s->root_uses[s->root[i]]++;
    for (size_t v = s->nodes; v-- > 0;) {
        if ((!s->uses[v] && !s->root_uses[v]) || is_leaf(s, (uint32_t)v)) continue;
        const struct node *const n = &s->node[v];
        unsigned const arguments = operation_arguments(n->operation);
        for (unsigned k = 0; k < arguments; k++)
            if (s->uses[n->argument[k]] < 2) s->uses[n->argument[k]]++;
        all += arguments;
    }
    return all;
}

static bool is_constant(const struct schedule *s, uint32_t v)
{
    return s->node[v].operation == OP_CONSTANT;
}

/* c*x, c a constant. */
static bool is_scaled(const struct schedule *s, uint32_t v)
{
    return s->node[v].operation == OP_MULTIPLY && is_constant(s, s->node[v].argument[1]);
}

static bool is_product(const struct schedule *s, uint32_t v)
{
    return s->node[v].operation == OP_MULTIPLY && !is_scaled(s, v);
}

static bool is_used_once(const struct schedule *s, uint32_t v)
{
    return s->uses[v] == 1 && !s->root_uses[v] && !is_leaf(s, v);
}

/* 2b of x^b where b is a constant with fast code, else 0. */
static int twice_power(const struct schedule *s, uint32_t v)
{
    const struct node *const n = &s->node[v];
    if (n->operation != OP_POWER || !is_constant(s, n->argument[1])) return 0;
    double const twice = 2 * node_value(&s->node[n->argument[1]]);
    return fabs(twice) <= LARGEST_POWER && twice == rint(twice) ? (int)twice : 0;
}

/* x^2 .. x^4 used by one product or sum. */
static int small_power(const struct schedule *s, uint32_t v)
{
    int const twice = twice_power(s, v);
    return twice >= 4 && twice <= 2 * LARGEST_FACTORS && twice % 2 == 0 ? twice / 2 : 0;
}

static void add_term(struct fusion *f, struct term term)
{
    if (!LIST_ADD(&f->found, term)) f->failed = true;
}

static void add_part(struct fusion *f, struct part part)
{
    if (!LIST_ADD(&f->part, part)) {
        f->failed = true;
        return;
    }
    struct part *const heap = f->part.item;
    size_t at = f->part.count - 1;
    for (; at > 0 && heap[(at - 1) / 2].node < part.node; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = part;
}

/* The part with the highest node, so that terms come in the order in which expressions were made. */
static struct part take_part(struct fusion *f)
{
    struct part *const heap = f->part.item;
    struct part const top = heap[0], last = heap[--f->part.count];
    size_t at = 0;
    for (size_t child = 1; child < f->part.count; child = 2 * at + 1) {
        if (child + 1 < f->part.count && heap[child + 1].node > heap[child].node) child++;
        if (heap[child].node < last.node) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* A product of two factors that are not products themselves: a and b. */
static bool is_pair(const struct schedule *s, uint32_t v, uint32_t *a, uint32_t *b)
{
    if (small_power(s, v) == 2) {
        *a = *b = s->node[v].argument[0];
        return true;
    }
    if (!is_product(s, v)) return false;
    *a = s->node[v].argument[0];
    *b = s->node[v].argument[1];
    for (unsigned k = 0; k < 2; k++) {
        uint32_t const x = s->node[v].argument[k];
        if (is_used_once(s, x) && (is_product(s, x) || small_power(s, x))) return false;
    }
    return true;
}

/* c1*(c2*y) stays as it is where c1*c2 is out of range, which y may bring back. */
static bool in_range(const struct schedule *s, double weight, uint32_t x)
{
    return isnormal(weight * node_value(&s->node[s->node[x].argument[1]]));
}

/* weight*x joins the sum.  A sum with a weight stays as it is: c*(a - b) must not become c*a - c*b. */
static void join_sum(struct fusion *f, double weight, uint32_t x)
{
    const struct schedule *const s = f->s;
    uint32_t const operation = s->node[x].operation;
    bool const unit = fabs(weight) == 1;
    uint32_t a, b;
    if (is_constant(s, x)) {
        add_term(f, (struct term){ONE, NOTHING, weight * node_value(&s->node[x])});
        return;
    }
    if (is_used_once(s, x)) {
        if (operation == OP_NEGATE || (is_scaled(s, x) && in_range(s, weight, x)) ||
            (unit && (operation == OP_ADD || operation == OP_SUBTRACT))) {
            f->role[x] = ROLE_PART;
            add_part(f, (struct part){x, weight});
            return;
        }
        if (unit && is_pair(s, x, &a, &b)) {
            f->role[x] = ROLE_PART;
            add_term(f, (struct term){a, b, weight});
            return;
        }
    }
    double const size = fabs(weight);
    int const repeat = size == 2 || size == LARGEST_REPEAT ? (int)size : 1; /* 2 x = x + x */
    for (int k = 0; k < repeat; k++) add_term(f, (struct term){x, NOTHING, weight / repeat});
}

static void join_product(struct fusion *f, uint32_t x)
{
    const struct schedule *const s = f->s;
    int const power = is_used_once(s, x) ? small_power(s, x) : 0;
    if (is_used_once(s, x) && is_product(s, x)) {
        f->role[x] = ROLE_PART;
        add_part(f, (struct part){x, 1});
        return;
    }
    if (power) {
        f->role[x] = ROLE_PART;
        x = s->node[x].argument[0];
    }
    for (int k = 0; k < (power ? power : 1); k++) add_term(f, (struct term){x, NOTHING, 1});
}

static void expand_sum(struct fusion *f, double weight, const struct node *n)
{
    if (n->operation == OP_MULTIPLY) {
        join_sum(f, weight * node_value(&f->s->node[n->argument[1]]), n->argument[0]);
        return;
    }
    join_sum(f, n->operation == OP_NEGATE ? -weight : weight, n->argument[0]);
    if (n->operation != OP_NEGATE)
        join_sum(f, n->operation == OP_SUBTRACT ? -weight : weight, n->argument[1]);
}

/* c*(x*y*..): the constant is one more factor. */
static bool is_scaled_product(const struct schedule *s, const struct node *n)
{
    return n->operation == OP_MULTIPLY && is_constant(s, n->argument[1]) &&
           is_used_once(s, n->argument[0]) && is_product(s, n->argument[0]);
}

static enum row_kind kind_of(const struct schedule *s, uint32_t v)
{
    const struct node *const n = &s->node[v];
    if (is_product(s, v) || is_scaled_product(s, n)) return ROW_PRODUCT;
    if (n->operation == OP_ADD || n->operation == OP_SUBTRACT || n->operation == OP_NEGATE ||
        n->operation == OP_MULTIPLY)
        return ROW_SUM;
    if (small_power(s, v)) return ROW_PRODUCT;
    return twice_power(s, v) ? ROW_POWER : ROW_FUNCTION;
}

/* What node v itself gives to its row. */
static void expand(struct fusion *f, uint32_t v, enum row_kind kind)
{
    const struct schedule *const s = f->s;
    const struct node *const n = &s->node[v];
    if (kind == ROW_PRODUCT && n->operation == OP_POWER) {
        for (int k = 0; k < small_power(s, v); k++)
            add_term(f, (struct term){n->argument[0], NOTHING, 1});
    } else if (kind == ROW_PRODUCT) {
        join_product(f, n->argument[0]);
        join_product(f, n->argument[1]);
    } else if (kind == ROW_SUM) {
        expand_sum(f, 1, n);
    } else {
        unsigned const arguments = kind == ROW_POWER ? 1 : operation_arguments(n->operation);
        for (unsigned k = 0; k < arguments; k++) /* those found last come first */
            add_term(f, (struct term){n->argument[arguments - 1 - k], NOTHING, 1});
    }
}

/* The terms found go to the schedule, kind after kind; they are in falling order and turned round. */
static void file_terms(struct fusion *f, enum row_kind row)
{
    struct schedule *const s = f->s;
    size_t const count = f->found.count;
    size_t next[TERM_KINDS + 1] = {0};
    if (!LIST_ROOM(&s->term, count)) f->failed = true;
    if (f->failed) return;
    for (size_t e = 0; e < count && row == ROW_SUM; e++) next[term_kind(&f->found.item[e]) + 1]++;
    for (int kind = 0; kind < TERM_KINDS; kind++) next[kind + 1] += next[kind];
    for (size_t e = count; e-- > 0;) {
        int const kind = row == ROW_SUM ? (int)term_kind(&f->found.item[e]) : PLUS;
        s->term.item[s->term.count + next[kind]++] = f->found.item[e];
    }
    s->term.count += count;
    f->found.count = 0;
}

/* The row of node v with all its parts. */
static void expand_row(struct fusion *f, uint32_t v)
{
    struct schedule *const s = f->s;
    enum row_kind const kind = kind_of(s, v);
    if (!LIST_ADD(&f->listed, (struct listed){v, (uint32_t)s->term.count})) f->failed = true;
    expand(f, v, kind);
    while (f->part.count > 0 && !f->failed) {
        struct part const part = take_part(f);
        const struct node *const n = &s->node[part.node];
        if (kind == ROW_SUM) {
            expand_sum(f, part.weight, n);
        } else {
            join_product(f, n->argument[0]);
            join_product(f, n->argument[1]);
        }
    }
    file_terms(f, kind);
}

/* The rows listed, by rising nodes. */
static bool make_rows(struct fusion *f)
{
    struct schedule *const s = f->s;
    size_t end = s->term.count;
    if (!LIST_ROOM(&s->row, f->listed.count + 1)) return false;
    s->row.count = f->listed.count;
    for (size_t k = 0; k < f->listed.count; k++) {
        struct listed const row = f->listed.item[f->listed.count - 1 - k];
        s->row_of[row.node] = (uint32_t)k;
        s->row.item[k] = (struct row){.node = row.node,
                                      .first = row.first,
                                      .kind = (uint8_t)kind_of(s, row.node),
                                      .operation = (uint8_t)s->node[row.node].operation};
        int32_t *const shape = s->row.item[k].shape;
        for (size_t e = row.first; e < end; e++)
            shape[s->row.item[k].kind == ROW_SUM ? term_kind(&s->term.item[e]) : PLUS]++;
        end = row.first;
    }
    return true;
}

/* Powers know theirs; roots that nothing else uses know where they go. */
static void finish_rows(struct schedule *s)
{
    for (size_t r = 0; r < s->row.count; r++) {
        struct row *const row = &s->row.item[r];
        if (row->kind == ROW_POWER) row->shape[0] = twice_power(s, row->node);
        row->is_last =
            s->root_uses[row->node] == 1 && !s->uses[row->node] && row->kind <= ROW_PRODUCT;
        row->is_direct = row->is_last && !s->kept;
    }
    for (size_t i = 0; i < s->roots; i++) {
        uint32_t const r = s->row_of[s->root[i]];
        if (r != NOTHING) s->row.item[r].place = (uint32_t)(s->place ? s->place[i] : i);
    }
}

/* Is v the same as weight*x for a node x that stays?  What only roots use is computed at the end, as it goes to out. */
static bool is_copy(const struct fusion *f, uint32_t v)
{
    const struct schedule *const s = f->s;
    const struct node *const n = &s->node[v];
    if (s->uses[v] || f->role[v] != ROLE_ROW) return false;
    if (n->operation != OP_NEGATE && !is_scaled(s, v)) return false;
    uint32_t const x = n->argument[0];
    return is_leaf(s, x) || s->uses[x] > 1 || s->root_uses[x];
}

/* The roots that are copied. */
static bool list_copies(struct fusion *f)
{
    struct schedule *const s = f->s;
    s->copy = heap_take((s->roots + 1) * sizeof *s->copy);
    for (size_t i = 0; i < s->roots && s->copy; i++) {
        uint32_t const v = s->root[i];
        const struct node *const n = &s->node[v];
        s->copy[i] = (struct term){v, NOTHING, 1};
        if (f->role[v] != ROLE_COPY) continue;
        double const weight = n->operation == OP_NEGATE ? -1 : node_value(&s->node[n->argument[1]]);
        s->copy[i] = (struct term){n->argument[0], NOTHING, weight};
    }
    return s->copy;
}

static bool fuse(struct fusion *f)
{
    struct schedule *const s = f->s;
    size_t const terms = count_uses(s) + 1; /* more only where 2 x is x + x */
    f->failed = !LIST_ROOM(&s->term, terms);
    for (size_t v = s->nodes; v-- > 0 && !f->failed;) {
        s->row_of[v] = NOTHING;
        if ((!s->uses[v] && !s->root_uses[v]) || is_leaf(s, (uint32_t)v) || f->role[v] == ROLE_PART)
            continue;
        if (is_copy(f, (uint32_t)v))
            f->role[v] = ROLE_COPY;
        else
            expand_row(f, (uint32_t)v);
    }
    if (f->failed || !make_rows(f)) return false;
    finish_rows(s);
    return list_copies(f);
}

bool schedule_fuse(struct schedule *s)
{
    size_t const nodes = s->nodes + 1;
    struct fusion f = {.s = s, .role = heap_take(nodes)};
    s->uses = heap_take(nodes);
    s->root_uses = heap_take(nodes);
    s->row_of = heap_take(nodes * sizeof *s->row_of);
    bool const done = s->uses && s->root_uses && s->row_of && f.role && fuse(&f);
    heap_return(f.role);
    LIST_FREE(&f.listed);
    LIST_FREE(&f.part);
    LIST_FREE(&f.found);
    return done;
}

void schedule_free(struct schedule *s)
{
    heap_return(s->uses);
    heap_return(s->root_uses);
    heap_return(s->row_of);
    heap_return(s->copy);
    LIST_FREE(&s->row);
    LIST_FREE(&s->term);
}
