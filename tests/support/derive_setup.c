/* SPDX-License-Identifier: Apache-2.0 */
/* A provider of derivatives for a case, laid out in a block of its own. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "support/derive_cases.h"

/* Counts the call; what the function is to do. */
static enum fault enter(struct derive_user *user)
{
    user->calls++;
    bool const fails = user->first > 0 && user->calls >= user->first && user->calls <= user->last;
    return fails ? user->fault : FAULT_NONE;
}

/* The code of a function that has written v, with NaN put in where that is the fault. */
static int leave(enum fault fault, double *v)
{
    if (fault == FAULT_NAN) v[0] = (double)NAN;
    return fault == FAULT_POSITIVE ? 3 : fault == FAULT_NEGATIVE ? -4 : 0;
}

static void own_units(const struct derive_user *user, const double *p, double *own)
{
    for (size_t k = 0; k < CASE_MOST; k++) own[k] = k < user->of->np ? p[k] * user->unit[k] : 0;
}

static void evaluate_exact(const struct derive_user *user, const double *y, const double *p,
                           double *J, double *F)
{
    const struct derive_case *const of = user->of;
    double own[CASE_MOST];
    own_units(user, p, own);
    memset(J, 0, CASE_MOST * CASE_MOST * sizeof(double));
    memset(F, 0, CASE_MOST * CASE_MOST * sizeof(double));
    of->exact(y, own, J, F);
    for (size_t i = 0; i < of->n; i++)
        for (size_t k = 0; k < of->np; k++) F[i * of->np + k] *= user->unit[k];
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    struct derive_user *const user = context;
    enum fault const fault = enter(user);
    double own[CASE_MOST];
    own_units(user, p, own);
    user->of->rhs(y, own, f);
    return leave(fault, f);
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    struct derive_user *const user = context;
    const struct derive_case *const of = user->of;
    enum fault const fault = enter(user);
    double dense[CASE_MOST * CASE_MOST], F[CASE_MOST * CASE_MOST];
    evaluate_exact(user, y, p, dense, F);
    dense[of->n > 1 ? of->n : 0] += user->wrong;
    size_t const width = of->lower + of->upper + 1;
    for (size_t i = 0; i < of->n; i++)
        for (size_t j = 0; j < of->n; j++) {
            bool const inside = i <= j + of->lower && j <= i + of->upper;
            if (inside)
                J[user->banded ? i * width + j + of->lower - i : i * of->n + j] =
                    dense[i * of->n + j];
        }
    return leave(fault, J + (user->banded ? of->lower : 0));
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    struct derive_user *const user = context;
    const struct derive_case *const of = user->of;
    enum fault const fault = enter(user);
    double J[CASE_MOST * CASE_MOST], dense[CASE_MOST * CASE_MOST];
    evaluate_exact(user, y, p, J, dense);
    dense[of->n > 1 ? of->np : 0] += user->wrong;
    memcpy(F, dense, of->n * of->np * sizeof(double));
    return leave(fault, F);
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    struct derive_user *const user = context;
    const struct derive_case *const of = user->of;
    enum fault const fault = enter(user);
    double J[CASE_MOST * CASE_MOST], F[CASE_MOST * CASE_MOST];
    evaluate_exact(user, y, p, J, F);
    J[of->n > 1 ? of->n : 0] += user->wrong;
    for (size_t i = 0; i < of->n; i++)
        for (size_t k = 0; k < columns; k++) {
            double sum = 0;
            for (size_t j = 0; j < of->n; j++) sum += J[i * of->n + j] * V[j * ld + k];
            for (size_t j = 0; j < of->np; j++) sum += F[i * of->np + j] * U[j * ld + k];
            R[i * ld + k] = sum;
        }
    return leave(fault, R);
}

void derive_prepare(struct derive_setup *s, const struct derive_case *of, int gives)
{
    *s = (struct derive_setup){.user = {.of = of}, .workers = 1};
    s->options = (tansy_options){.rtol = 1e-6};
    s->user.banded = (gives & GIVE_BANDED) != 0;
    s->kind = s->user.banded ? MATRIX_BAND : MATRIX_DENSE;
    for (size_t k = 0; k < of->np; k++) {
        s->user.unit[k] = 1;
        s->p[k] = of->p[k];
    }
    for (size_t e = 0; e < of->n * of->np; e++) {
        s->row[e] = e / of->np;
        s->column[e] = e % of->np;
    }
    s->problem = (tansy_problem){.n = of->n,
                                 .np = of->np,
                                 .y0 = of->y,
                                 .p = s->p,
                                 .context = &s->user,
                                 .rhs = rhs,
                                 .ns = of->np,
                                 .structure = s->user.banded ? TANSY_BANDED : TANSY_DENSE,
                                 .lower = s->user.banded ? of->lower : 0,
                                 .upper = s->user.banded ? of->upper : 0};
    if (gives & GIVE_JACOBIAN) s->problem.jacobian = jacobian;
    if (gives & GIVE_PARAMETER) s->problem.parameter_jacobian = parameter;
    if (gives & GIVE_PATTERN)
        s->problem.parameter_pattern = (tansy_pattern){of->n * of->np, s->row, s->column};
    if (gives & GIVE_TANGENT) s->problem.tangent = tangent;
    s->y = of->y;
    s->level = of->level;
    s->t = 0.5;
}

void derive_prepare_problem(struct derive_setup *s, const struct test_problem *of)
{
    *s = (struct derive_setup){.problem = of->problem,
                               .options = {.rtol = 1e-6},
                               .workers = 1,
                               .y = of->problem.y0,
                               .level = of->atol};
    s->problem.ns = problem_columns(of);
    s->kind = of->problem.structure == TANSY_BANDED ? MATRIX_BAND : MATRIX_DENSE;
}

static void lay_out(struct derive_setup *s, struct arena *arena)
{
    s->d.problem = &s->problem;
    matrix_layout(&s->J, arena);
    derive_layout(&s->d, arena, s->panel, s->panels);
    s->scale = arena_doubles(arena, s->problem.np);
    s->rtol = arena_doubles(arena, s->problem.n);
    s->atol = arena_doubles(arena, s->problem.n);
    s->f = arena_doubles(arena, s->problem.n);
    s->V = arena_doubles(arena, s->panels ? s->panel[0].count : 0);
    s->R = arena_doubles(arena, s->panels ? s->panel[0].count : 0);
}

static void set_scales(struct derive_setup *s)
{
    for (size_t i = 0; i < s->d.n; i++) {
        s->rtol[i] = s->options.rtol;
        s->atol[i] = s->options.rtol * s->level[i];
    }
    for (size_t k = 0; k < s->d.np; k++) s->scale[k] = s->d.p[k] != 0 ? fabs(s->d.p[k]) : 1;
    s->d.scale = s->scale;
    s->d.rtol = s->rtol;
    s->d.atol = s->atol;
    s->d.y0_tolerance = s->options.rtol;
}

void derive_build(struct derive_setup *s)
{
    enum { HISTORY = 1 };
    const tansy_problem *const problem = &s->problem;
    size_t const ns = problem->ns, n = problem->n;
    s->J =
        (struct matrix){.kind = s->kind, .n = n, .lower = problem->lower, .upper = problem->upper};
    s->panels = panels_number(n, ns, HISTORY, NULL);
    panels_divide(n, ns, HISTORY, NULL, s->panel);
    s->d = (struct derive){.p = problem->p,
                           .kernels = kernels_choose(),
                           .n = n,
                           .np = problem->np,
                           .ns = ns,
                           .workers = s->workers,
                           .has_second = s->has_second,
                           .J = &s->J};
    struct arena arena = {0};
    lay_out(s, &arena);
    s->block = heap_take(arena.used);
    arena = (struct arena){.block = s->block};
    lay_out(s, &arena);
    set_scales(s);
    s->status = derive_complete(&s->d, &s->options, s->panel, s->panels, &s->message);
}

void derive_discard(struct derive_setup *s)
{
    heap_return(s->block);
    s->block = NULL;
}

int derive_evaluate(struct derive_setup *s)
{
    struct derive *const d = &s->d;
    struct point const at = {.t = s->t, .y = s->y, .f = s->f};
    int code = derive_rhs(d, 0, s->t, s->y, s->f);
    if (code == 0 && d->tangent_needs_matrices) code = d->jacobian(d, &at);
    if (code == 0 && d->tangent_needs_matrices) code = d->parameter(d, &at);
    return code ? code : d->tangent(d, s->workers - 1, &at, &s->panel[s->at], s->V, NULL, s->R);
}

/* The size of direction k along p: the largest |u_j|/scale_j. */
static double direction_size(const struct derive_setup *s, size_t k)
{
    double size = 0;
    for (size_t e = s->d.direction_start[k]; e < s->d.direction_start[k + 1]; e++)
        size = fmax(size, fabs(s->d.direction_value[e]) / s->scale[s->d.direction_row[e]]);
    return size;
}

void derive_fill(struct derive_setup *s, double relative)
{
    const struct derive_case *const of = s->user.of;
    const struct panel *const panel = &s->panel[s->at];
    for (size_t k = 0; k < panel->columns; k++) {
        double const along = direction_size(s, panel->first + k);
        for (size_t i = 0; i < of->n; i++) {
            double const part = cos((double)(3 * i + 7 * k)); /* some numbers of either sign */
            s->V[i * panel->lanes + k] = relative * part * of->y[i] * (along > 0 ? along : 1);
        }
    }
}

void derive_expected(const struct derive_setup *s, double *exact, double *unit)
{
    const struct derive_case *const of = s->user.of;
    const struct derive *const d = &s->d;
    const struct panel *const panel = &s->panel[s->at];
    double J[CASE_MOST * CASE_MOST], F[CASE_MOST * CASE_MOST], terms[CASE_MOST], own[CASE_MOST];
    evaluate_exact(&s->user, of->y, s->p, J, F);
    own_units(&s->user, s->p, own);
    of->terms(of->y, own, terms);
    for (size_t i = 0; i < of->n; i++)
        for (size_t k = 0; k < panel->columns; k++) {
            double sum = 0, size = direction_size(s, panel->first + k), along = 0;
            for (size_t j = 0; j < of->n; j++) {
                double const v = s->V[j * panel->lanes + k];
                sum += J[i * of->n + j] * v;
                along = fmax(along, fabs(v) / (fabs(of->y[j]) + of->level[j]));
            }
            for (size_t e = d->direction_start[panel->first + k];
                 e < d->direction_start[panel->first + k + 1]; e++)
                sum += F[i * of->np + d->direction_row[e]] * d->direction_value[e];
            exact[i * panel->lanes + k] = sum;
            unit[i * panel->lanes + k] = terms[i] * (size + along);
        }
}
