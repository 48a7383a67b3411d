/* SPDX-License-Identifier: Apache-2.0 */
/* The costs of the pieces of a step from counts alone: sizes, entries, bandwidths, and the operations that the problem tells.
   The unit is a nanosecond of a 2.8 GHz core with AVX-512; only ratios matter, and they are the same on every machine, so that a
   choice is too.  The rates were fitted to what `measured` clocks on the problems of tests/support, the models of
   examples/models and generated networks, n = 1 to 600, 1 to 400 columns; most meet it within a factor of 1.5.  On 18 models and networks
   with all columns and with one the choice took at most 1.05 times as long as the best of all ways in 33 of 36 cases, 1.21 in the worst
   (bdf, rtol = 1e-6). */
#include <math.h>

#include "drive/solver.h"
#include "matrix/lu_tiny.h"

/* Functions: a call, an operation of a model, a number that a user's function computes. */
static const double call = 10, model_call = 40, operation = 0.6, value = 0.6, derivative = 1.2;

/* Entries of a row of df/dy where only n or a band is known; wide bands come from grids. */
static const double usual_entries = 6;

static double at_most(double a, double most)
{
    return a < most ? a : most;
}

/* What is known of a problem before anything is evaluated. */
struct known {
    const tansy_problem *q;
    double n, np;
    double lanes;   /* columns of S, rounded up to vectors */
    double stored;  /* numbers that a matrix is stored in */
    double entries; /* of them not zero */
    double fp;      /* entries of df/dp */
};

static struct known look(const struct tansy_solver *s)
{
    const tansy_problem *const q = &s->problem;
    double const n = (double)s->n, np = (double)s->np;
    double const width =
        q->structure == TANSY_BANDED ? (double)(q->lower + q->upper + 1) : n; /* of a row */
    double const listed = (double)s->J.entries, pattern = (double)q->parameter_pattern.entries;
    bool const sparse = q->structure == TANSY_SPARSE;
    return (struct known){.q = q,
                          .n = n,
                          .np = np,
                          .lanes = 4 * ceil((double)s->ns / 4),
                          .stored = s->J.kind == MATRIX_DENSE ? n * n
                                    : sparse                  ? listed
                                                              : n * width,
                          .entries = sparse ? listed : n * at_most(width, usual_entries),
                          .fp = q->parameter_pattern.row ? pattern : n * np};
}

/* A function that computes so many numbers, in as many operations as are told. */
static double function(const struct known *k, int which, double numbers, double each)
{
    double const told = k->q->operations[which];
    return told > 0 ? model_call + operation * told : call + each * numbers;
}

/* Differences need a call of f for each group of columns of J that share no row: the width of a band, or half as many
   again as a row of a general pattern has entries. */
static void count_matrices(const struct known *k, struct costs *c)
{
    const tansy_problem *const q = k->q;
    bool const given = q->residual ? q->residual_jacobian != NULL : q->jacobian != NULL;
    bool const given_parameter =
        q->residual ? q->residual_parameter != NULL : q->parameter_jacobian != NULL;
    double const calls = (q->structure == TANSY_SPARSE ? 1.5 : 1) * k->stored / k->n;
    double const keep = 0.5 * k->stored + 0.3 * k->entries; /* cleared, checked, zeros left out */
    double const check = 0.5 * k->fp;
    c->eval = keep + (given ? function(k, 1, k->entries, derivative) : calls * c->fun);
    c->par = given_parameter ? function(k, 2, 0.6 * k->fp, derivative) + check : k->np * c->fun;
}

/* All columns by the tangent that is given: once the coefficients, then the terms of every lane. */
static double count_seed(const struct known *k)
{
    const double *const told = k->q->operations;
    double const lanes = 4 + k->lanes; /* fewer than eight save little */
    if (told[3] == 0) return call + k->lanes * 0.5 * k->entries;
    return 3 * model_call + operation * (told[1] + told[2]) + lanes * 0.05 * told[3];
}

/* Without a tangent a difference for each column; products with one matrix or two. */
static void count_tangents(const struct tansy_solver *s, const struct known *k, struct costs *c)
{
    const tansy_problem *const q = k->q;
    bool const given = q->residual ? q->residual_tangent != NULL : q->tangent != NULL;
    bool const differences = !given || s->options.residual == TANSY_DIFFERENCES;
    double const matrices = s->derive.form == FORM_ODE ? 1 : 2;
    c->seed = differences ? (double)s->ns * c->fun : count_seed(k);
    c->mvp = call + k->lanes * (0.09 * matrices * k->entries + 0.1 * k->n) + 0.4 * k->fp;
}

/* Operations of factors and solves, times what each takes, and what a row takes whatever its length. */
static void count_factors(const struct tansy_solver *s, const struct known *k, struct costs *c)
{
    const struct linear *const l = &s->linear;
    bool const dense = l->table == &linear_dense_lu, iterates = l->table->iterate != NULL;
    bool const unknown = iterates || l->table == linear_sparse; /* filled to thrice the entries */
    double const n = k->n, entries = k->entries;
    double const factor = iterates  ? 0
                          : unknown ? 18 * entries * entries / n
                                    : l->table->factor_cost(l);
    double const solve = unknown ? 6 * entries : l->table->solve_cost(l);
    double const one = n <= TINY ? 20 + 4.3 * n : 35 + 7 * n + 0.03 * solve;
    double const filled = unknown ? 0.6 : 1; /* 0.4 to 0.95 of that fill is clocked */
    c->fac = dense ? 25 + 9 * n + 0.9 * n * n + 0.024 * factor : filled * (20 * n + 0.16 * factor);
    c->lin = dense ? one : 15 + 4.5 * n + 0.15 * solve;
    double const row = dense ? 0 : 1; /* narrow rows wait for each other */
    c->panels = 30 + (k->lanes + 2) * ((0.64 + row) * n + 0.0155 * solve);
}

struct costs solver_count_costs(const struct tansy_solver *s)
{
    struct known const k = look(s);
    struct costs c = {.fun = function(&k, 0, k.entries, value)};
    count_matrices(&k, &c);
    count_tangents(s, &k, &c);
    if (s->linear.table != &linear_diagonal) count_factors(s, &k, &c);
    return c;
}
