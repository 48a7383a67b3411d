/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that fail in their k-th call, for every k, in a problem with a condition that has no value at first and on which nothing
   depends then; explicit, and implicit with a guess for which there are no consistent values.
     x = t - 0.3,  y' = x >= 0 and sqrt(x) >= 0.5 ? p : 2 p,   [0 = z - sqrt(x >= 0 ? x + 0.01 : 0.01 - x) + 0 a, 0 = a - x] */
#include <tansy/tansy.h>

#include <math.h>
#include <string.h>

#include "test.h"

struct failing {
    size_t calls, first, last;
    int kind; /* 0: NaN, else what is returned */
};

static int fault(struct failing *it, double *v)
{
    it->calls++;
    if (it->calls < it->first || it->calls > it->last) return 0;
    if (it->kind == 0) *v = (double)NAN;
    return it->kind;
}

static int slopes(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y;
    f[0] = 1;
    f[1] = p[1] != 0 && p[2] != 0 ? p[0] : 2 * p[0];
    return fault(context, f);
}

static int conditions(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p;
    g[0] = y[0];
    g[1] = sqrt(y[0]) - 0.5;
    return fault(context, g);
}

/* y = (x, y, a, z). */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t;
    F[0] = yp[0] - 1;
    F[1] = yp[1] - (p[1] != 0 && p[2] != 0 ? p[0] : 2 * p[0]);
    F[2] = y[2] - y[0];
    F[3] = y[3] - sqrt((p[1] != 0 ? y[2] : -y[2]) + 0.01);
    return fault(context, F);
}

static int implicit_conditions(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p;
    g[0] = y[2];
    g[1] = sqrt(y[2]) - 0.5;
    return fault(context, g);
}

/* One run to t = 0.8; y(0.8) = 2 p 0.55 + p 0.25. */
static tansy_status run(struct failing *it, int implicit)
{
    static const double y0[] = {-0.3, 0, 0.5, 1}, p = 1;
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC,
                                      TANSY_ALGEBRAIC};
    tansy_problem problem = {.n = 2,
                             .np = 1,
                             .y0 = y0,
                             .p = &p,
                             .rhs = slopes,
                             .switches = 2,
                             .switch_function = conditions,
                             .context = it};
    if (implicit) {
        problem.n = 4;
        problem.rhs = NULL;
        problem.residual = residual;
        problem.kind = kind;
        problem.switch_function = implicit_conditions;
    }
    double y[4], sens[4];
    tansy_options const o = {.method = implicit ? TANSY_DASSL : TANSY_ADAMS,
                             .rtol = 1e-4,
                             .atol = 1e-6,
                             .max_step = 0.2};
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, 0.8, y, sens);
    if (status == TANSY_OK) {
        CHECK_CLOSE(y[1], 1.35, 1e-2); /* 100 rtol */
        CHECK_CLOSE(sens[1], 1.35, 2e-2);
    } else {
        CHECK(tansy_message(s)[0] != '\0');
    }
    tansy_free(s);
    return status;
}

/* All where it begins, then fewer of what is done over and over. */
static size_t next_after(size_t k)
{
    return k < 150 ? (TEST_STRIDE + 2) / 3 : k < 1000 ? 3 * TEST_STRIDE : 13 * TEST_STRIDE;
}

static void fail_every_call(int implicit)
{
    static const int kinds[] = {0, 2, -3};
    struct failing it = {.calls = 0};
    CHECK_EQUAL(run(&it, implicit), TANSY_OK);
    size_t const calls = it.calls;
    for (size_t k = 1; k <= calls; k += next_after(k))
        for (size_t x = 0; x < 3; x++) {
            it = (struct failing){.first = k, .last = k, .kind = kinds[x]};
            tansy_status const once = run(&it, implicit);
            if (kinds[x] < 0) CHECK_EQUAL(once, TANSY_USER_STOPPED);
            it = (struct failing){.first = k, .last = (size_t)-1, .kind = kinds[x]};
            tansy_status const always = run(&it, implicit);
            if (kinds[x] < 0) CHECK_EQUAL(always, TANSY_USER_STOPPED);
        }
}

TEST(every_call_may_fail_where_a_condition_has_no_value)
{
    fail_every_call(0);
}

TEST(every_call_may_fail_where_modes_are_looked_for)
{
    fail_every_call(1);
}
