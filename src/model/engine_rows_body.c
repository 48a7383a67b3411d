/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and products of rows. */
#include "matrix/vector_types.h"
#include "model/engine.h"

#include <assert.h>
#include <string.h>

enum {
    SHORT = 5,         /* fewer terms of a sign have code of their own, */
    MOST_WEIGHTED = 8, /* and so many weighted ones */
    PAIRS = 2 * CHUNK,
    BLOCK = 256 /* rows that stay in the first cache while operand after operand joins */
};

/* Where row r of an instruction goes: to[place[r]], or to[r] when place is NULL. */
struct target {
    double *to;
    const uint32_t *place;
};

static struct target target_of(const struct run *run, const struct instruction *i)
{
    double *const base = i->to_out ? run->out : run->work;
    if (i->placed) return (struct target){base, run->program->place.item + i->place};
    return (struct target){base + i->to, NULL};
}

/* Two slots by one load; which is which depends on the machine. */
struct two {
    uint32_t a, b;
};

ALWAYS_INLINE struct two two_slots(const uint32_t *ix)
{
    uint64_t both;
    memcpy(&both, ix, sizeof both);
    return (struct two){(uint32_t)both, (uint32_t)(both >> 32)};
}

/* Four terms. */
ALWAYS_INLINE double chunk_sum(const uint32_t *x, const double *w)
{
    struct two const first = two_slots(x), second = two_slots(x + 2);
    return (w[first.a] + w[first.b]) + (w[second.a] + w[second.b]);
}

/* Rows of `plus` and `minus` terms, both known to the compiler. */
ALWAYS_INLINE void add_rows(const uint32_t *ix, size_t count, const double *w, struct target target,
                            size_t plus, size_t minus)
{
    double *const to = target.to;
    const uint32_t *const place = target.place;
    for (size_t r = 0; r < count; r++, ix += plus + minus) {
        double sum = plus ? w[ix[0]] : -w[ix[0]];
        UNROLL
        for (size_t k = 1; k < plus; k++) sum += w[ix[k]];
        UNROLL
        for (size_t k = plus ? 0 : 1; k < minus; k++) sum -= w[ix[plus + k]];
        to[place ? place[r] : r] = sum;
    }
}

/* One row of any shape. */
ALWAYS_INLINE double row_sum(const int32_t *shape, const uint32_t **ix, const double **weight,
                             const double *w)
{
    double sum = 0, other = 0;
    const uint32_t *x = *ix;
    const double *c = *weight;
    for (int32_t k = 0; k < shape[PLUS]; k++) sum += w[*x++];
    for (int32_t k = 0; k < shape[MINUS]; k++) sum -= w[*x++];
    for (int32_t k = 0; k < shape[WEIGHTED]; k++) sum += *c++ * w[*x++];
    for (int32_t k = 0; k < shape[PAIR]; k++, x += 2) other += w[x[0]] * w[x[1]];
    for (int32_t k = 0; k < shape[MINUS_PAIR]; k++, x += 2) other -= w[x[0]] * w[x[1]];
    *ix = x;
    *weight = c;
    return sum + other;
}

static void sum_any(const struct run *run, const struct instruction *i)
{
    struct target const target = target_of(run, i);
    const uint32_t *ix = run->program->index.item + i->index;
    const double *weight = run->program->weight.item + i->weight;
    int32_t const shape[TERM_KINDS] = {i->shape[0], i->shape[1], i->shape[2], i->shape[3],
                                       i->shape[4]};
    for (size_t r = 0; r < i->count; r++)
        target.to[target.place ? target.place[r] : r] = row_sum(shape, &ix, &weight, run->work);
}

/* c x */
static void scale_rows(const struct run *run, const struct instruction *i)
{
    struct target const target = target_of(run, i);
    const uint32_t *const ix = run->program->index.item + i->index;
    const double *const weight = run->program->weight.item + i->weight, *const w = run->work;
    for (size_t r = 0; r < i->count; r++)
        target.to[target.place ? target.place[r] : r] = weight[r] * w[ix[r]];
}

/* -a b */
static void negate_products(const struct run *run, const struct instruction *i)
{
    struct target const target = target_of(run, i);
    const uint32_t *ix = run->program->index.item + i->index;
    const double *const w = run->work;
    for (size_t r = 0; r < i->count; r++, ix += 2) {
        struct two const slots = two_slots(ix);
        target.to[target.place ? target.place[r] : r] = -(w[slots.a] * w[slots.b]);
    }
}

/* Rows of `terms` weighted terms, known to the compiler. */
ALWAYS_INLINE void weigh_rows(const struct run *run, const struct instruction *i, size_t terms)
{
    struct target const target = target_of(run, i);
    const uint32_t *ix = run->program->index.item + i->index;
    const double *c = run->program->weight.item + i->weight, *const w = run->work;
    for (size_t r = 0; r < i->count; r++, ix += terms, c += terms) {
        double sum[2] = {0};
        UNROLL
        for (size_t k = 0; k < terms; k++) sum[k % 2] += c[k] * w[ix[k]];
        target.to[target.place ? target.place[r] : r] = sum[0] + sum[1];
    }
}

static void weigh_few(const struct run *run, const struct instruction *i)
{
#define WEIGH_ROWS(n)                                                                              \
    case n:                                                                                        \
        weigh_rows(run, i, n);                                                                     \
        break;
    switch (i->shape[WEIGHTED]) {
        WEIGH_ROWS(2)
        WEIGH_ROWS(3)
        WEIGH_ROWS(4)
        WEIGH_ROWS(5)
        WEIGH_ROWS(6)
        WEIGH_ROWS(7)
        WEIGH_ROWS(8)
    }
}

/* Rows with so few terms of coefficients 1 and -1 that they have code of their own: most rows of sparse matrices. */
static void add_few(const struct run *run, const struct instruction *i, struct target target)
{
    const uint32_t *const ix = run->program->index.item + i->index;
#define ADD_ROWS(p, m)                                                                             \
    case (p)*SHORT + (m):                                                                          \
        add_rows(ix, i->count, run->work, target, p, m);                                           \
        break;
    switch (i->shape[PLUS] * SHORT + i->shape[MINUS]) {
        /* clang-format off */
                       ADD_ROWS(0, 1) ADD_ROWS(0, 2) ADD_ROWS(0, 3) ADD_ROWS(0, 4)
        ADD_ROWS(1, 0) ADD_ROWS(1, 1) ADD_ROWS(1, 2) ADD_ROWS(1, 3) ADD_ROWS(1, 4)
        ADD_ROWS(2, 0) ADD_ROWS(2, 1) ADD_ROWS(2, 2) ADD_ROWS(2, 3) ADD_ROWS(2, 4)
        ADD_ROWS(3, 0) ADD_ROWS(3, 1) ADD_ROWS(3, 2) ADD_ROWS(3, 3) ADD_ROWS(3, 4)
        ADD_ROWS(4, 0) ADD_ROWS(4, 1) ADD_ROWS(4, 2) ADD_ROWS(4, 3) ADD_ROWS(4, 4)
        /* clang-format on */
    }
}

static void sum_rows(const struct run *run, const struct instruction *i)
{
    const int32_t *const shape = i->shape;
    bool const pure = !shape[WEIGHTED] && !shape[PAIR] && !shape[MINUS_PAIR];
    if (pure && shape[PLUS] < SHORT && shape[MINUS] < SHORT)
        add_few(run, i, target_of(run, i));
    else if (shape[WEIGHTED] == 1 && shape_columns(shape) == 1)
        scale_rows(run, i);
    else if (shape[MINUS_PAIR] == 1 && shape_columns(shape) == 2)
        negate_products(run, i);
    else if (shape[WEIGHTED] <= MOST_WEIGHTED && shape_columns(shape) == (unsigned)shape[WEIGHTED])
        weigh_few(run, i);
    else
        sum_any(run, i);
}

/* The slots rise, so that neighbours are found by their ends.  Several sums: the additions of one would wait for each
   other. */
static double weighted_sum(size_t count, const uint32_t *x, const double *c, const double *w)
{
    vector whole[2] = {{0}, {0}};
    double sum[4] = {0};
    size_t k = 0;
    size_t const both = 2 * (size_t)VECTOR;
    while (k + both <= count) {
        if (x[k + both - 1] - x[k] == both - 1) {
            whole[0] += VECTOR_OF(c + k) * VECTOR_OF(w + x[k]);
            whole[1] += VECTOR_OF(c + k + VECTOR) * VECTOR_OF(w + x[k] + VECTOR);
            k += both;
        } else {
            for (size_t m = 0; m < 4; m++) sum[m] += c[k + m] * w[x[k + m]];
            k += 4;
        }
    }
    for (; k < count; k++) sum[k % 4] += c[k] * w[x[k]];
    whole[0] += whole[1];
    for (size_t m = 0; m < VECTOR; m++) sum[m % 4] += whole[0][m];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Four sums. */
static double plain_sum(size_t count, const uint32_t *x, const double *w)
{
    double sum[4] = {0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t m = 0; m < 4; m++) sum[m] += w[x[k + m]];
    for (; k < count; k++) sum[0] += w[x[k]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double pair_sum(size_t count, const uint32_t *x, const double *w)
{
    double sum[4] = {0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t m = 0; m < 4; m++) sum[m] += w[x[2 * (k + m)]] * w[x[2 * (k + m) + 1]];
    for (; k < count; k++) sum[0] += w[x[2 * k]] * w[x[2 * k + 1]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Long rows, shape after shape in index[]. */
static void sum_long(const struct run *run, const struct instruction *i)
{
    struct target const target = target_of(run, i);
    const uint32_t *ix = run->program->index.item + i->index;
    const double *weight = run->program->weight.item + i->weight;
    const double *const w = run->work;
    assert(target.place);
    for (size_t r = 0; r < i->count; r++) {
        const uint32_t *const n = ix, *const plus = ix + TERM_KINDS, *const minus = plus + n[PLUS];
        const uint32_t *const weighted = minus + n[MINUS], *const pair = weighted + n[WEIGHTED];
        const uint32_t *const minus_pair = pair + 2 * (size_t)n[PAIR];
        double const rest = plain_sum(n[PLUS], plus, w) - plain_sum(n[MINUS], minus, w);
        double const products = pair_sum(n[PAIR], pair, w) - pair_sum(n[MINUS_PAIR], minus_pair, w);
        target.to[target.place[r]] =
            rest + products + weighted_sum(n[WEIGHTED], weighted, weight, w);
        weight += n[WEIGHTED];
        ix = minus_pair + 2 * (size_t)n[MINUS_PAIR];
    }
}

/* The first terms of all rows (OP_ADD) or 0, then chunks of all in turn, so that none waits for the one before it and no loop ends with a surprise. */
static void sum_chunks(const struct run *run, const struct instruction *i)
{
    struct target const target = target_of(run, i);
    const uint32_t *x = run->program->index.item + i->index;
    const double *c = run->program->weight.item + i->weight, *const w = run->work;
    double *const to = target.to;
    assert(target.place);
    if (i->operation == OP_ADD)
        for (size_t r = 0; r < i->count; r++, x += CHUNK) to[target.place[r]] = chunk_sum(x, w);
    else
        for (size_t r = 0; r < i->count; r++) to[target.place[r]] = 0;
    for (int32_t k = 0; k < i->shape[PLUS]; k++, x += CHUNK + 1) to[x[CHUNK]] += chunk_sum(x, w);
    for (int32_t k = 0; k < i->shape[MINUS]; k++, x += CHUNK + 1) to[x[CHUNK]] -= chunk_sum(x, w);
    for (int32_t k = 0; k < i->shape[WEIGHTED]; k++, x += CHUNK + 1, c += CHUNK)
        to[x[CHUNK]] += (c[0] * w[x[0]] + c[1] * w[x[1]]) + (c[2] * w[x[2]] + c[3] * w[x[3]]);
    for (int32_t k = 0; k < i->shape[PAIR]; k++, x += PAIRS + 1)
        to[x[PAIRS]] +=
            (w[x[0]] * w[x[1]] + w[x[2]] * w[x[3]]) + (w[x[4]] * w[x[5]] + w[x[6]] * w[x[7]]);
    for (int32_t k = 0; k < i->shape[MINUS_PAIR]; k++, x += PAIRS + 1)
        to[x[PAIRS]] -=
            (w[x[0]] * w[x[1]] + w[x[2]] * w[x[3]]) + (w[x[4]] * w[x[5]] + w[x[6]] * w[x[7]]);
}

/* What a stream is for rows from `first`: an array, or the same number for all. */
struct operand {
    const double *from;
    bool is_array;
};

static struct operand operand_of(const struct run *run, const struct stream *s, size_t first)
{
    return (struct operand){run->space[s->space] + s->index + s->stride * first, s->stride == 1};
}

/* The operations of a stream on a block: r = how(r, x), where x is an array or a number, w weights, y another operand. */
#define EACH_ROW(expression)                                                                       \
    {                                                                                              \
        size_t k = 0;                                                                              \
        for (; k + VECTOR <= n; k += VECTOR) {                                                     \
            loose_vector *const r = (loose_vector *)(to + k);                                      \
            expression(VECTOR_OF, vector);                                                         \
        }                                                                                          \
        for (; k < n; k++) {                                                                       \
            double *const r = to + k;                                                              \
            expression(SCALAR_OF, double);                                                         \
        }                                                                                          \
    }
#define SCALAR_OF(p) (*(p))

static void join_plain(size_t n, struct operand x, double sign, bool first, double *to)
{
    double const a = *x.from;
    if (x.is_array && first) {
#define JOIN(at, type) *r = sign * at(x.from + k)
        EACH_ROW(JOIN)
#undef JOIN
    } else if (x.is_array) {
#define JOIN(at, type) *r += sign * at(x.from + k)
        EACH_ROW(JOIN)
#undef JOIN
    } else if (first) {
#define JOIN(at, type) *r = (type){0} + sign * a
        EACH_ROW(JOIN)
#undef JOIN
    } else {
#define JOIN(at, type) *r += sign * a
        EACH_ROW(JOIN)
#undef JOIN
    }
}

static void join_pair(size_t n, struct operand x, struct operand y, double sign, bool first,
                      double *to)
{
    if (!x.is_array) { /* the array first; two numbers would be one product that all rows share */
        struct operand const other = x;
        x = y;
        y = other;
    }
    assert(x.is_array);
    double const b = sign * *y.from;
    if (first && !y.is_array) {
#define JOIN(at, type) *r = b * at(x.from + k)
        EACH_ROW(JOIN)
#undef JOIN
        return;
    }
    if (first) memset(to, 0, n * sizeof *to);
    if (y.is_array) {
#define JOIN(at, type) *r += sign * at(x.from + k) * at(y.from + k)
        EACH_ROW(JOIN)
#undef JOIN
    } else {
#define JOIN(at, type) *r += b * at(x.from + k)
        EACH_ROW(JOIN)
#undef JOIN
    }
}

static void multiply_by(size_t n, struct operand x, double *to)
{
    double const a = *x.from;
    if (x.is_array) {
#define JOIN(at, type) *r *= at(x.from + k)
        EACH_ROW(JOIN)
#undef JOIN
    } else {
#define JOIN(at, type) *r *= a
        EACH_ROW(JOIN)
#undef JOIN
    }
}

/* The sums of rows first .. first + n, kind after kind. */
static void sum_block(const struct run *run, const struct instruction *i, size_t first, size_t n,
                      double *to)
{
    const struct stream *s = run->program->stream.item + i->stream;
    const double *weight = run->program->weight.item + i->weight + first;
    bool empty = true;
    for (int kind = PLUS; kind <= MINUS; kind++)
        for (int32_t k = 0; k < i->shape[kind]; k++, s++, empty = false)
            join_plain(n, operand_of(run, s, first), kind == PLUS ? 1 : -1, empty, to);
    for (int32_t k = 0; k < i->shape[WEIGHTED]; k++, s++, weight += i->count, empty = false)
        join_pair(n, operand_of(run, s, first), (struct operand){weight, true}, 1, empty, to);
    for (int kind = PAIR; kind <= MINUS_PAIR; kind++)
        for (int32_t k = 0; k < i->shape[kind]; k++, s += 2, empty = false)
            join_pair(n, operand_of(run, s, first), operand_of(run, s + 1, first),
                      kind == PAIR ? 1 : -1, empty, to);
}

static void product_block(const struct run *run, const struct instruction *i, size_t first,
                          size_t n, double *to)
{
    const struct stream *const s = run->program->stream.item + i->stream;
    join_plain(n, operand_of(run, s, first), 1, true, to);
    for (int32_t k = 1; k < i->shape[0]; k++) multiply_by(n, operand_of(run, s + k, first), to);
}

static void stream_rows(const struct run *run, const struct instruction *i)
{
    double *const to = target_of(run, i).to;
    for (size_t r = 0; r < i->count; r += BLOCK) {
        size_t const n = i->count - r < BLOCK ? i->count - r : BLOCK;
        if (i->code == CODE_SUM_STREAM)
            sum_block(run, i, r, n, to + r);
        else
            product_block(run, i, r, n, to + r);
    }
}

ALWAYS_INLINE void multiply_rows(const uint32_t *ix, size_t count, const double *w,
                                 struct target target, size_t factors)
{
    for (size_t r = 0; r < count; r++, ix += factors) {
        struct two const first = two_slots(ix);
        double product = w[first.a] * w[first.b];
        if (factors == 3) product *= w[ix[2]];
        if (factors == 4) {
            struct two const second = two_slots(ix + 2);
            product *= w[second.a] * w[second.b];
        }
        target.to[target.place ? target.place[r] : r] = product;
    }
}

static void multiply_any(const uint32_t *ix, size_t count, const double *w, struct target target,
                         size_t factors)
{
    for (size_t r = 0; r < count; r++, ix += factors) {
        double product = w[ix[0]];
        for (size_t k = 1; k < factors; k++) product *= w[ix[k]];
        target.to[target.place ? target.place[r] : r] = product;
    }
}

static void product_rows(const struct run *run, const struct instruction *i)
{
    const uint32_t *const ix = run->program->index.item + i->index;
    struct target const target = target_of(run, i);
#define MULTIPLY_ROWS(n)                                                                           \
    case n:                                                                                        \
        if (target.place)                                                                          \
            multiply_rows(ix, i->count, run->work, target, n);                                     \
        else                                                                                       \
            multiply_rows(ix, i->count, run->work, (struct target){target.to, NULL}, n);           \
        break;
    switch (i->shape[0]) {
        MULTIPLY_ROWS(2)
        MULTIPLY_ROWS(3)
        MULTIPLY_ROWS(4)
    default:
        multiply_any(ix, i->count, run->work, target, (size_t)i->shape[0]);
    }
}

void PASTE(engine_sums, KERNELS_NAME)(const struct run *run, const struct instruction *i);
void PASTE(engine_products, KERNELS_NAME)(const struct run *run, const struct instruction *i);

void PASTE(engine_sums, KERNELS_NAME)(const struct run *run, const struct instruction *i)
{
    if (i->code == CODE_SUM)
        sum_rows(run, i);
    else if (i->code == CODE_CHUNKS)
        sum_chunks(run, i);
    else if (i->code == CODE_LONG)
        sum_long(run, i);
    else
        stream_rows(run, i);
}

void PASTE(engine_products, KERNELS_NAME)(const struct run *run, const struct instruction *i)
{
    if (i->code == CODE_PRODUCT)
        product_rows(run, i);
    else
        stream_rows(run, i);
}
