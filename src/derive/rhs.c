/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the right-hand side: counted, checked for NaN and Inf, failures recorded and put in words. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "derive/providers.h"

enum { FEW = 16 };

/* The exponent of NaN and Inf is all ones: adding one to it carries into the sign bit. */
static uint64_t exponent_carry(const double *v)
{
    uint64_t const exponent = UINT64_C(0x7ff) << 52, one = UINT64_C(1) << 52;
    uint64_t bits = 0;
    memcpy(&bits, v, sizeof bits);
    return (bits & exponent) + one;
}

static uint64_t add_carry(uint64_t carry, const double *v)
{
    carry |= exponent_carry(v);
    __asm__("" : "+r"(carry)); /* no instruction; keeps the compiler from loading two at once */
    return carry;
}

static bool all_finite(const struct derive_worker *w, size_t count, const double *v)
{
    if (count > FEW) return w->kernels->all_finite(count, v);
    uint64_t carry = 0;
    size_t i = 0; /* one by one: a wide load would wait for the user's narrow stores */
    for (; i + 2 <= count; i += 2) {
        carry = add_carry(carry, &v[i]);
        carry = add_carry(carry, &v[i + 1]);
    }
    if (i < count) carry = add_carry(carry, &v[i]);
    return carry >> 63 == 0;
}

static int record_code(struct failure *failure, const char *function, double t, int code)
{
    *failure = (struct failure){.kind = code > 0 ? FAILURE_POSITIVE : FAILURE_NEGATIVE,
                                .function = function,
                                .column = SIZE_MAX,
                                .code = code,
                                .t = t};
    return code > 0 ? 1 : -1;
}

static int record_value(struct failure *failure, const char *function, double t, const double *v)
{
    size_t i = 0;
    while (isfinite(v[i])) i++;
    *failure = (struct failure){.kind = FAILURE_NOT_FINITE,
                                .function = function,
                                .row = i,
                                .column = SIZE_MAX,
                                .value = v[i],
                                .t = t};
    return 1;
}

int judge(struct derive_worker *worker, const char *function, double t, int code, size_t count,
          const double *v)
{
    if (code != 0) return record_code(&worker->failure, function, t, code);
    if (all_finite(worker, count, v)) return 0;
    return record_value(&worker->failure, function, t, v);
}

int judge_matrix(struct derive_worker *worker, const char *function, double t, int code, size_t n,
                 size_t width, const double *v)
{
    int const verdict = judge(worker, function, t, code, n * width, v);
    if (verdict != 0 && code == 0) {
        worker->failure.column = worker->failure.row % width;
        worker->failure.row /= width;
    }
    return verdict;
}

/* r = -F. */
static int residual(struct derive *d, struct derive_worker *w, const struct point *at, double *r)
{
    int const code = d->problem->residual(at->t, at->y, at->yp, w->p, r, w->context);
    for (size_t i = 0; i < d->n; i++) r[i] = -r[i];
    return judge(w, "residual", at->t, code, d->n, r);
}

int derive_value(struct derive *d, size_t worker, const struct point *at, double *r)
{
    struct derive_worker *const w = &d->worker[worker];
    if (d->form == FORM_RESIDUAL) {
        w->counts.rhs++;
        return residual(d, w, at, r);
    }
    int const code = derive_rhs(d, worker, at->t, at->y, r);
    return code == 0 && d->form == FORM_MASS ? mass_subtract_product(d, worker, at, r) : code;
}

enum form derive_form(const tansy_problem *problem)
{
    if (problem->residual) return FORM_RESIDUAL;
    return problem->mass ? FORM_MASS : FORM_ODE;
}

int judge_asked(const struct derive *d, size_t worker, const char *function, double t, int code,
                const tansy_pattern *pattern, const double *v)
{
    struct derive_worker *const w = &d->worker[worker];
    size_t const count = pattern->row ? pattern->entries : d->n * d->np;
    if (code != 0) return record_code(&w->failure, function, t, code);
    if (all_finite(w, count, v)) return 0;
    for (size_t e = 0; e < count; e++) {
        size_t const row = pattern->row ? pattern->row[e] : e / d->np;
        size_t const column = pattern->row ? pattern->column[e] : e % d->np;
        if (isfinite(v[e]) || !d->touched[column]) continue;
        (void)record_value(&w->failure, function, t, v + e);
        w->failure.row = row;
        w->failure.column = column;
        return 1;
    }
    return 0;
}

int derive_rhs(struct derive *d, size_t worker, double t, const double *y, double *f)
{
    struct derive_worker *const w = &d->worker[worker];
    w->counts.rhs++;
    int const code = d->problem->rhs(t, y, w->p, f, w->context);
    return judge(w, "rhs", t, code, d->n, f);
}

int derive_at_rest(struct derive *d, size_t worker, double t, const double *y, double *f)
{
    if (d->form != FORM_RESIDUAL) return derive_rhs(d, worker, t, y, f);
    return derive_value(d, worker, &(struct point){.t = t, .y = y, .yp = d->no_rate}, f);
}

/* dF/dy' that is constant may depend on p and on modes. */
static void forget_mass(struct derive *d)
{
    d->has_mass = d->mass_is_ready = false;
    for (size_t w = 0; w < d->workers; w++) d->worker[w].knows_mass = false;
}

void derive_set_parameters(struct derive *d)
{
    forget_mass(d);
    for (size_t w = 0; w < d->workers; w++) {
        worker_touch(&d->worker[w]);
        for (size_t k = 0; k < d->length; k++) d->worker[w].p[k] = d->p[k];
    }
}

void derive_set_modes(struct derive *d)
{
    forget_mass(d);
    for (size_t w = 0; w < d->workers; w++) {
        worker_touch(&d->worker[w]);
        for (size_t k = d->np; k < d->length; k++) d->worker[w].p[k] = d->p[k];
    }
}

size_t derive_length(const tansy_problem *problem)
{
    bool const pieces = problem->switches > 0 || problem->breaks > 0;
    return problem->np + (pieces ? problem->switches + 1 : 0);
}

const char *source_name(const struct derive *d, enum source source)
{
    static const char *const names[] = {"none", "given", "matrix", "differences", "tangent"};
    return source == SOURCE_GIVEN && d->problem->from_model ? "model" : names[source];
}
