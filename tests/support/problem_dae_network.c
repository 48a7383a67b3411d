/* SPDX-License-Identifier: Apache-2.0 */
/* A generated mechanism of 600 species, the last 100 of them radicals in a quasi-steady state, 0 = (N r)_i, and 1,200
   mass-action reactions, of which 400 rate constants are parameters: a DAE of index 1 with sparse matrices.  Like real
   mechanisms it is local (a reaction makes species near those it takes) but for a few species that take part
   everywhere.  Every radical is made by a slow reaction and lost to one molecule and by itself, and no two
   radicals react with each other, so that the algebraic equations are linear in them.  There is no reference. */
#include "mass_action.h"
#include "mass_form.h"
#include "problem_list.h"
#include "random.h"

#include <math.h>

enum { STABLE = 500, RADICALS = 100, N = STABLE + RADICALS, HUBS = 6, WINDOW = 12 };
enum {
    SLOW = 700,
    RADICAL_REACTIONS = 500,
    REACTIONS = SLOW + RADICAL_REACTIONS,
    PARAMETERS = 400
};

static size_t below(struct random_source *source, size_t limit)
{
    return (size_t)(0.5 * (random_next(source) + 1) * (double)limit) % limit;
}

/* 10^low .. 10^high, uniform in the logarithm. */
static double log_uniform(struct random_source *source, double low, double high)
{
    return pow(10, low + 0.5 * (random_next(source) + 1) * (high - low));
}

/* A stable species not far from i, and not i. */
static size_t near(struct random_source *source, size_t i)
{
    size_t const from = i < WINDOW ? 0 : i - WINDOW;
    size_t const found = (from + below(source, 2 * WINDOW + 1)) % STABLE;
    return found == i ? (i + 1) % STABLE : found;
}

struct reaction {
    double k;
    size_t left[2], right[2]; /* N: none */
};

/* A -> C, A + hub -> C + hub' or A + B -> C + D. */
static struct reaction make_slow(struct random_source *source)
{
    size_t const a = below(source, STABLE), kind = below(source, 4);
    struct reaction r = {.left = {a, N}, .right = {near(source, a), N}};
    r.k = log_uniform(source, -2, 1);
    if (kind == 1 || kind == 2) {
        r.left[1] = near(source, a);
        r.right[1] = near(source, a);
    } else if (kind == 3) {
        r.left[1] = below(source, HUBS);
        r.right[1] = below(source, HUBS);
    }
    return r;
}

/* Five reactions of radical R: A -> C + R, R -> A, R + B -> C, R + hub -> D, R + B -> C + next R. */
static struct reaction make_radical(struct random_source *source, size_t number)
{
    size_t const radical = number / 5, kind = number % 5, at = radical * (STABLE / RADICALS);
    size_t const self = STABLE + radical, next = STABLE + (radical + 1) % RADICALS;
    struct reaction r = {.left = {self, N}, .right = {near(source, at), N}};
    r.k = log_uniform(source, 1, 3);
    if (kind == 0) {
        r.k = log_uniform(source, -2, 0);
        r.left[0] = near(source, at);
        r.right[1] = self;
    }
    if (kind == 2 || kind == 4) r.left[1] = near(source, at);
    if (kind == 3) r.left[1] = below(source, HUBS);
    if (kind == 4) r.right[1] = next;
    return r;
}

/* Reactions in an order that has nothing to do with their kind: the first ones are the parameters. */
static void make_network(struct mass_action *m)
{
    static struct reaction list[REACTIONS];
    struct random_source source = {.state = 2024};
    for (size_t r = 0; r < REACTIONS; r++)
        list[r] = r < SLOW ? make_slow(&source) : make_radical(&source, r - SLOW);
    m->n = N;
    m->parameters = PARAMETERS;
    for (size_t i = 0; i < STABLE; i++) m->y0[i] = 0.5 * (1 + random_next(&source));
    for (size_t r = 0; r < REACTIONS; r++) {
        static double left[MASS_ACTION_SPECIES], right[MASS_ACTION_SPECIES];
        size_t const other = r + below(&source, REACTIONS - r);
        struct reaction const it = list[other];
        list[other] = list[r];
        for (int side = 0; side < 2; side++) {
            if (it.left[side] < N) left[it.left[side]] += 1;
            if (it.right[side] < N) right[it.right[side]] += 1;
        }
        mass_action_add(m, it.k, left, right);
    }
    mass_action_finish(m);
    mass_action_make_sparse(m);
}

const struct test_problem *problem_dae_network(void)
{
    static struct mass_action network;
    static double atol[N], one[STABLE];
    static size_t diagonal[STABLE];
    static tansy_kind kind[N];
    static struct mass_form form = {
        .entries = STABLE, .row = diagonal, .column = diagonal, .value = one};
    static struct test_problem it = {
        .name = "dae_network_600x400", .atol = atol, .t_end = 10, .stiff = 1};
    if (network.n == 0) {
        make_network(&network);
        for (size_t i = 0; i < N; i++) {
            atol[i] = i < STABLE ? 1e-3 : 1e-5;
            kind[i] = i < STABLE ? TANSY_DIFFERENTIAL : TANSY_ALGEBRAIC;
            if (i < STABLE) one[i] = 1, diagonal[i] = i;
        }
        form.inner = mass_action_problem(&network);
        form.inner.kind = kind;
        mass_form_make(&form);
        it.problem = form.implicit;
    }
    return &it;
}
