/* SPDX-License-Identifier: Apache-2.0 */
/* method = auto: rk8 where a problem is not stiff, bdf where it is, and back. */
#include "drive/solver.h"
#include "support/problems.h"
#include "support/sparse_solver.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* y1' = -k(t) (y1 - P cos t) - P sin t, y2' = P sin t - y2 + P cos t, P the mean of all p: y = P (cos t, sin t) whatever k is.  It falls
   from 10^4, which is stiff, to 0.3 behind t = 5, in no step by more than factors that are 20 steps old can bear. */
enum { N = 2, NP = 70, ENTRIES = 2 };
static const double RTOL = 1e-6;

static double decay(double t)
{
    return 0.3 + 1e4 / (1 + exp(2 * (t - 5)));
}

static double mean(const double *p, size_t stride)
{
    double sum = 0;
    for (size_t k = 0; k < NP; k++) sum += p[k * stride];
    return sum / NP;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    double const P = mean(p, 1);
    f[0] = -decay(t) * (y[0] - P * cos(t)) - P * sin(t);
    f[1] = P * sin(t) - y[1] + P * cos(t);
    return 0;
}

/* Of a dense matrix, a band of width 0, or the entries of the diagonal, as context says. */
static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)y, (void)p;
    const tansy_structure *const structure = context;
    J[0] = -decay(t);
    J[*structure == TANSY_DENSE ? 3 : 1] = -1;
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)y, (void)p, (void)context;
    for (size_t k = 0; k < NP; k++) {
        F[k] = (decay(t) * cos(t) - sin(t)) / NP;
        F[NP + k] = (sin(t) + cos(t)) / NP;
    }
    return 0;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)y, (void)p, (void)context;
    for (size_t k = 0; k < columns; k++) {
        double const P = mean(U + k, ld);
        R[k] = -decay(t) * V[k] + P * (decay(t) * cos(t) - sin(t));
        R[ld + k] = -V[ld + k] + P * (sin(t) + cos(t));
    }
    return 0;
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    y0[0] = mean(p, 1);
    y0[1] = 0;
    return 0;
}

static int initial_jacobian(double t0, const double *p, double *D, void *context)
{
    (void)t0, (void)p, (void)context;
    for (size_t k = 0; k < NP; k++) D[k] = 1.0 / NP;
    return 0;
}

static tansy_problem falling(tansy_structure *structure)
{
    static double p[NP];
    static const size_t row[ENTRIES] = {0, 1}, column[ENTRIES] = {0, 1};
    for (size_t k = 0; k < NP; k++) p[k] = 1;
    tansy_problem problem = {.n = N,
                             .np = NP,
                             .initial = initial,
                             .initial_jacobian = initial_jacobian,
                             .p = p,
                             .context = structure,
                             .rhs = rhs,
                             .jacobian = jacobian,
                             .parameter_jacobian = parameter,
                             .tangent = tangent,
                             .structure = *structure,
                             .concurrent = 1};
    if (*structure == TANSY_SPARSE)
        problem.jacobian_pattern = (tansy_pattern){ENTRIES, row, column};
    return problem;
}

/* atol = rtol.  Every error test allows rtol |y| + atol; the promise is a hundred times that. */
static tansy_options options_of(void)
{
    return (tansy_options){.rtol = RTOL, .atol = RTOL};
}

static void check_exact(double t, const double *y, const double *sens)
{
    double const exact[N] = {cos(t), sin(t)};
    for (size_t i = 0; i < N; i++) {
        CHECK_CLOSE(y[i], exact[i], 100 * RTOL * (1 + fabs(exact[i])));
        for (size_t k = 0; k < NP; k++)
            CHECK_CLOSE(sens[k * N + i], exact[i] / NP, 100 * RTOL * (1 + fabs(exact[i]) / NP));
    }
}

static const struct method *method_of(const tansy_solver *s)
{
    return s->stepper.method;
}

static double y[N], sens[NP * N];

TEST(a_problem_that_is_stiff_first_begins_with_rk8_goes_to_bdf_and_returns)
{
    sparse_solver_or_dense();
    for (tansy_structure structure = TANSY_DENSE; structure <= TANSY_SPARSE; structure++) {
        tansy_problem const problem = falling(&structure);
        tansy_options const options = options_of();
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
        CHECK(method_of(s) == &method_dop853);
        CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_OK);
        CHECK(method_of(s) == &method_bdf);
        CHECK_EQUAL(s->automatic.changes, 1);
        check_exact(4, y, sens);
        CHECK_EQUAL(tansy_solve(s, 60, y, sens), TANSY_OK);
        CHECK(method_of(s) == &method_dop853);
        CHECK_EQUAL(s->automatic.changes, 2);
        check_exact(60, y, sens);
        tansy_free(s);
    }
}

/* Also in the steps before and after a change. */
TEST(dense_output_is_good_in_every_step)
{
    tansy_structure structure = TANSY_DENSE;
    tansy_problem const problem = falling(&structure);
    tansy_options const options = options_of();
    tansy_solver *const s = tansy_create(&problem, &options);
    size_t looked = 0, changes = 0;
    while (tansy_time(s) < 60) {
        double const before = tansy_time(s);
        CHECK_EQUAL(tansy_step(s, 60, NULL, NULL), TANSY_OK);
        for (double place = 0; place <= 1; place += 0.25) {
            double const t = before + place * (tansy_time(s) - before);
            CHECK_EQUAL(tansy_at(s, t, y, NULL, sens, NULL), TANSY_OK);
            check_exact(t, y, sens);
        }
        looked += s->automatic.changes != changes;
        changes = s->automatic.changes;
    }
    CHECK_EQUAL(looked, 2);
    tansy_free(s);
}

/* One run, whose last y and S are left in y, sens. */
static void run_to_end(tansy_solver *s)
{
    CHECK_EQUAL(tansy_solve(s, 60, y, sens), TANSY_OK);
    CHECK(s->automatic.changes >= 2 && method_of(s) == &method_dop853);
}

TEST(a_restart_gives_the_same_bits)
{
    static double first[NP * N];
    tansy_structure structure = TANSY_DENSE;
    tansy_problem const problem = falling(&structure);
    tansy_options const options = options_of();
    tansy_solver *const s = tansy_create(&problem, &options);
    run_to_end(s);
    memcpy(first, sens, sizeof sens);
    for (int x = 0; x < 2; x++) {
        double const until = x == 0 ? 60 : 4;
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK(method_of(s) == &method_dop853);
        CHECK_EQUAL(tansy_solve(s, until, y, sens), TANSY_OK); /* the second ends with bdf */
        if (x == 0) CHECK_EQUAL(memcmp(first, sens, sizeof sens), 0);
    }
    CHECK(method_of(s) == &method_bdf);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    run_to_end(s);
    CHECK_EQUAL(memcmp(first, sens, sizeof sens), 0);
    tansy_free(s);
}

TEST(threads_change_nothing)
{
    static double first[NP * N];
    tansy_structure structure = TANSY_DENSE;
    tansy_problem const problem = falling(&structure);
    for (int threads = 1; threads <= 3; threads++) {
        tansy_options options = options_of();
        options.threads = threads;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK(s->stepper.panels > 1);
        run_to_end(s);
        if (threads == 1)
            memcpy(first, sens, sizeof sens);
        else
            CHECK_EQUAL(memcmp(first, sens, sizeof sens), 0);
        tansy_free(s);
    }
}

/* The bytes of a solver at some step, put back later, replay the run: taken before the first change, between both, and after. */
TEST(the_bytes_of_a_solver_put_back_replay_the_changes)
{
    static double first[NP * N];
    tansy_structure structure = TANSY_DENSE;
    tansy_problem const problem = falling(&structure);
    tansy_options const options = options_of();
    for (size_t changes = 0; changes <= 2; changes++) {
        tansy_stats stats;
        tansy_solver *const s = tansy_create(&problem, &options);
        do CHECK_EQUAL(tansy_step(s, 60, NULL, NULL), TANSY_OK);
        while (s->automatic.changes < changes);
        tansy_get_stats(s, &stats);
        char *const copy = malloc(stats.bytes);
        CHECK(copy != NULL);
        memcpy(copy, s, stats.bytes);
        run_to_end(s);
        memcpy(first, sens, sizeof sens);
        memcpy(s, copy, stats.bytes);
        run_to_end(s);
        CHECK_EQUAL(memcmp(first, sens, sizeof sens), 0);
        free(copy);
        tansy_free(s);
    }
}

/* What the run ended with, and in how many changes. */
static const struct method *van_der_pol(double mu, double end, size_t *changes)
{
    tansy_problem problem = problem_find("van_der_pol")->problem;
    double const p[] = {mu};
    problem.p = p;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = RTOL});
    CHECK(method_of(s) == &method_dop853);
    CHECK_EQUAL(tansy_solve(s, end, NULL, NULL), TANSY_OK);
    const struct method *const method = method_of(s);
    *changes = s->automatic.changes;
    tansy_free(s);
    return method;
}

TEST(van_der_pol_is_stiff_at_1000_and_not_at_1)
{
    size_t changes;
    CHECK(van_der_pol(1000, 100, &changes) == &method_bdf);
    CHECK_EQUAL(changes, 1);
    CHECK(van_der_pol(1, 40, &changes) == &method_dop853);
    CHECK_EQUAL(changes, 0);
}

TEST(the_report_tells_the_method_in_use_and_how_often_it_changed)
{
    static const char rk8[] = "method         explicit Runge-Kutta DOP853\n"
                              "               chosen by stiffness: rk8 or bdf, changed 0 times\n";
    static const char bdf[] = "method         backward differentiation formulas, orders up to 5\n"
                              "               chosen by stiffness: rk8 or bdf, changed 1 times\n";
    char page[4096];
    tansy_structure structure = TANSY_DENSE;
    tansy_problem const problem = falling(&structure);
    tansy_options const options = options_of();
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    CHECK_TEXT_CONTAINS(page, rk8);
    CHECK_TEXT_CONTAINS(page, "sensitivities  exact tangents of the discrete step\n");
    CHECK(!strstr(page, "cost of a step"));
    CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_OK);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    CHECK_TEXT_CONTAINS(page, bdf);
    CHECK_TEXT_CONTAINS(page, "cost of a step");
    CHECK_TEXT_CONTAINS(page, "iterations     state ");
    CHECK(!strstr(page, "warning"));
    tansy_free(s);
}

/* What is asked for is left as it is: these are for multistep methods, or for bdf. */
TEST(options_of_multistep_methods_lead_to_bdf)
{
    static const tansy_options asked[] = {{.sensitivities = TANSY_STAGGERED},
                                          {.sensitivities = TANSY_MEASURED},
                                          {.max_order = 3},
                                          {.linear_solver = TANSY_GMRES}};
    tansy_structure structure = TANSY_DENSE;
    tansy_problem const problem = falling(&structure);
    for (size_t x = 0; x < sizeof asked / sizeof *asked; x++) {
        tansy_solver *const s = tansy_create(&problem, &asked[x]);
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
        CHECK(method_of(s) == &method_bdf);
        CHECK(!s->automatic.is_on);
        tansy_free(s);
    }
}

TEST(without_columns_it_is_the_same)
{
    tansy_structure structure = TANSY_DENSE;
    tansy_problem const problem = falling(&structure);
    tansy_options options = options_of();
    options.sensitivities = TANSY_NONE;
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 60, y, NULL), TANSY_OK);
    CHECK_EQUAL(s->automatic.changes, 2);
    CHECK_CLOSE(y[0], cos(60), 100 * RTOL);
    tansy_free(s);
}
