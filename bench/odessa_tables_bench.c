/* SPDX-License-Identifier: Apache-2.0 */
/* Tables I to IV of Leis and Kramer 1988: error control on the pyrolysis of ethane.  Their rate constants are not
   public: we run a documented substitute of the same size (tests/reference/ethane_mechanism.txt), and compare
   claims, not digits. Concentrations count in units of the initial ethane: ATOL = 1e-2 RTOL of it, for y and, as in
   the paper, for S. */
#include "support/claims.h"
#include "support/experiment.h"
#include "support/task.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 7, RATES = 5, TIMES = 2, MAX_COLUMNS = N };
static const double output[TIMES] = {1, 20};
static const int rate_columns[RATES] = {0, 1, 2, 3, 4};
static const int initial_columns[N] = {TANSY_INITIAL(0), TANSY_INITIAL(1), TANSY_INITIAL(2),
                                       TANSY_INITIAL(3), TANSY_INITIAL(4), TANSY_INITIAL(5),
                                       TANSY_INITIAL(6)};

/* One line of a table. */
struct setting {
    size_t ns;
    const int *columns;
    double rtol, rtol_first; /* of y and all columns; of the first column, 0: as the others */
    double rtol_others;      /* of the other columns; 0: as y */
    tansy_error_control control;
};

struct outcome {
    struct measurement m;
    double y[TIMES * N], sens[TIMES * MAX_COLUMNS * N];
};

struct tables {
    const struct test_problem *problem;
    double unit;          /* the initial ethane */
    struct outcome exact; /* of y and the rate constants */
    struct claims claims;
    FILE *file;
};

static void run(const struct tables *t, const struct setting *s, double patience, struct outcome *o)
{
    double atol[N], rtol_sens[MAX_COLUMNS * N], atol_sens[MAX_COLUMNS * N];
    for (size_t i = 0; i < N; i++) atol[i] = 1e-2 * s->rtol * t->unit;
    for (size_t x = 0; x < s->ns * N; x++) {
        double const others = s->rtol_others > 0 ? s->rtol_others : s->rtol;
        double const rtol = x < N && s->rtol_first > 0 ? s->rtol_first : others;
        int const initial = s->columns[x / N] < 0; /* dy/dy0 has no unit */
        rtol_sens[x] = rtol;
        atol_sens[x] = 1e-2 * rtol * (initial ? 1 : t->unit);
    }
    struct experiment e = {.problem = t->problem->problem, .times = TIMES, .t = output, .y = o->y};
    e.options = (tansy_options){.method = TANSY_BDF,
                                .sensitivities = s->ns > 0 ? TANSY_DIRECT : TANSY_NONE,
                                .error_control = s->control,
                                .rtol = s->rtol,
                                .atol_state = atol};
    if (s->ns > 0) {
        e.problem.ns = s->ns;
        e.problem.columns = s->columns;
        e.options.rtol_sens = rtol_sens;
        e.options.atol_sens = atol_sens;
        e.sens = o->sens;
    }
    o->m = experiment_run(&e, patience);
}

/* (5.1): the mean relative error in percent of the entries above `least`, over both times. */
static double mean_error(size_t count, const double *value, const double *exact, double least)
{
    double sum = 0;
    size_t counted = 0;
    for (size_t x = 0; x < count; x++) {
        if (!(fabs(exact[x]) > least)) continue;
        sum += fabs(value[x] - exact[x]) / fabs(exact[x]);
        counted++;
    }
    return 100 * sum / (double)counted;
}

/* (5.1) of column k. */
static double column_error(size_t ns, size_t k, const struct outcome *o,
                           const struct outcome *exact)
{
    double value[TIMES * N], right[TIMES * N];
    for (size_t m = 0; m < TIMES; m++) {
        memcpy(value + m * N, o->sens + (m * ns + k) * N, N * sizeof(double));
        memcpy(right + m * N, exact->sens + (m * ns + k) * N, N * sizeof(double));
    }
    return mean_error((size_t)TIMES * N, value, right, 0);
}

static double state_error(const struct tables *t, const struct outcome *o)
{
    return mean_error((size_t)TIMES * N, o->y, t->exact.y, 0);
}

static void write_row(const struct tables *t, const char *table, const struct setting *s,
                      const struct outcome *o)
{
    fprintf(t->file, "%s,%zu,%.1e,%.1e,%zu,%.3e,%.3e\n", table, s->ns, s->rtol,
            s->rtol_first > 0 ? s->rtol_first : s->rtol, o->m.stats.steps, state_error(t, o),
            1e6 * o->m.seconds);
}

static size_t repeated_by_columns(const struct outcome *o)
{
    size_t sum = 0;
    for (size_t k = 1; k <= o->m.stats.ns; k++) sum += o->m.repeated[k];
    return sum;
}

/* Tables I and II. */
static void run_tables_1_2(struct tables *t)
{
    static const int paper[][2] = {{5, 20}, {25, 102}, {16, 57}, {15, 44}, {19, 63}, {51, 90}};
    struct outcome alone, joint;
    double last = HUGE_VAL;
    int monotone = 1;
    size_t more = 0, by_first = 0, by_others = 0;
    printf("Tables I and II: E(y) in percent, steps (those of the paper), repeated steps, time\n"
           "%6s | %38s | %38s\n",
           "RTOL", "y alone", "y and 5 rate constants");
    for (int d = 0; d < 6; d++) {
        struct setting const y = {.rtol = pow(10, -3 - d)};
        struct setting const both = {.rtol = y.rtol, .ns = RATES, .columns = rate_columns};
        run(t, &y, 0.05, &alone);
        run(t, &both, 0.05, &joint);
        double const e = state_error(t, &joint);
        printf("%6.0e | %9.2g %5zu (%3d) %4s %7.0f us | %9.2g %5zu (%3d) %4zu %7.0f us\n", y.rtol,
               state_error(t, &alone), alone.m.stats.steps, paper[d][0], "", 1e6 * alone.m.seconds,
               e, joint.m.stats.steps, paper[d][1], repeated_by_columns(&joint),
               1e6 * joint.m.seconds);
        write_row(t, "I", &y, &alone);
        write_row(t, "II", &both, &joint);
        monotone &= e < last;
        last = e;
        more += joint.m.stats.steps > alone.m.stats.steps;
        by_first += joint.m.repeated[1];
        by_others += repeated_by_columns(&joint) - joint.m.repeated[1];
    }
    claim(&t->claims, monotone, "E(y) is not monotone",
          "E(y) falls monotonically under mutually dependent error control");
    claim(&t->claims, more >= 5, "S does not govern the steps",
          "the sensitivities govern the joint solution: more steps with S than without at %zu of 6 "
          "tolerances",
          more);
    claim(&t->claims, by_first >= by_others, "k1 does not cause the repeated steps",
          "k1 is responsible for the repeated steps: %zu by k1, %zu by the others", by_first,
          by_others);
}

/* The test of S itself costs little: the same steps with S tested against tolerances it always meets, and untested. */
static void run_cost_of_control(struct tables *t)
{
    struct outcome o;
    struct setting s = {
        .rtol = 1e-6, .ns = RATES, .columns = rate_columns, .rtol_first = 1e9, .rtol_others = 1e9};
    double seconds[2] = {HUGE_VAL, HUGE_VAL};
    size_t steps[2] = {0, 0};
    for (int r = 0; r < 20; r++) {
        s.control = r % 2 == 0 ? TANSY_EACH_COLUMN : TANSY_STATE_ONLY;
        run(t, &s, 0.02, &o);
        seconds[r % 2] = fmin(seconds[r % 2], o.m.seconds / (double)o.m.stats.steps);
        steps[r % 2] = o.m.stats.steps;
    }
    double const percent = 100 * (seconds[0] / seconds[1] - 1);
    printf("\nerror control of S: %zu steps tested, %zu untested, %.1f %% more time a step\n",
           steps[0], steps[1], percent);
    claim(&t->claims, percent < 10, "error control of S costs more than 10 percent",
          "controlling S costs little: %.1f %% of the effort (paper: less than 5, and 10 for CO)",
          percent);
}

static void run_table_3(struct tables *t)
{
    static const double rtol[4][2] = {{1e-8, 1e-8}, {1e-8, 1e-6}, {1e-6, 1e-6}, {1e-6, 1e-5}};
    static const int paper[4] = {90, 51, 44, 30};
    size_t steps[4];
    double worst = 0;
    printf("\nTable III\n%8s %8s | %8s %8s | %5s (paper) %4s %9s\n", "RTOL(y)", "RTOL(s1)", "E(y)",
           "E(s1)", "steps", "rep.", "time");
    for (int r = 0; r < 4; r++) {
        struct outcome o;
        struct setting const s = {
            .rtol = rtol[r][0], .rtol_first = rtol[r][1], .ns = RATES, .columns = rate_columns};
        run(t, &s, 0.05, &o);
        write_row(t, "III", &s, &o);
        double const ey = state_error(t, &o);
        double const es = column_error(RATES, 0, &o, &t->exact);
        steps[r] = o.m.stats.steps;
        worst = fmax(worst, fmax(ey, es));
        printf("%8.0e %8.0e | %8.2g %8.2g | %5zu  (%3d)  %4zu %6.0f us\n", rtol[r][0], rtol[r][1],
               ey, es, steps[r], paper[r], repeated_by_columns(&o), 1e6 * o.m.seconds);
    }
    claim(&t->claims, worst < 0.5, "Table III is not accurate to half a percent",
          "all four settings are accurate to half a percent: %.2g %%", worst);
    claim(&t->claims, steps[1] < steps[0] && steps[3] < steps[2],
          "a tolerance for s1 alone saves no steps",
          "a larger tolerance for s1 alone saves steps: %zu to %zu at 1e-8, %zu to %zu at 1e-6",
          steps[0], steps[1], steps[2], steps[3]);
    claim(
        &t->claims, steps[3] < steps[1], "direct control is not cheaper than indirect",
        "direct control of S is cheaper than indirect control by a tight y: %zu steps against %zu",
        steps[3], steps[1]);
}

/* The loosest tolerance that gives a mean error of at most a percent in the entries above 1e-6. */
static void find_percent(const struct tables *t, struct setting *s, struct outcome *o)
{
    struct outcome exact;
    double const relative = s->columns[0] < 0 ? 1 : t->unit;
    s->rtol = 1e-10;
    run(t, s, 0, &exact);
    for (s->rtol = 1e-2; s->rtol > 1e-9; s->rtol /= sqrt(10)) {
        run(t, s, 0, o);
        if (mean_error(TIMES * s->ns * N, o->sens, exact.sens, 1e-6 * relative) <= 1) break;
    }
    run(t, s, 0.1, o);
}

static void print_row(const struct tables *t, const char *what, const struct setting *s,
                      const struct outcome *o)
{
    printf("%-50s %.0e %6zu %6.0f us\n", what, s->rtol, o->m.stats.steps, 1e6 * o->m.seconds);
    write_row(t, "IV", s, o);
}

static void run_table_4(struct tables *t)
{
    struct setting rates = {.ns = RATES, .columns = rate_columns};
    struct setting all = {.ns = N, .columns = initial_columns};
    struct outcome alone, joint, full, tight, loose;
    find_percent(t, &rates, &joint);
    find_percent(t, &all, &full);
    struct setting const none = {.rtol = rates.rtol};
    struct setting const dependent = {
        .rtol = 1e-8, .ns = 1, .columns = initial_columns, .control = TANSY_STATE_ONLY};
    struct setting const first = {
        .rtol = 1e-6, .ns = N, .columns = initial_columns, .rtol_first = 1e-1, .rtol_others = 1e4};
    run(t, &none, 0.1, &alone);
    run(t, &dependent, 0.1, &tight);
    run(t, &first, 0.1, &loose);
    double const base = alone.m.seconds, predicted = base + N * (joint.m.seconds - base) / RATES;
    printf("\nTable IV: initial values at a mean error of a percent\n%-50s %5s %6s %9s\n", "",
           "RTOL", "steps", "time");
    print_row(t, "y alone", &none, &alone);
    print_row(t, "5 rate constants", &rates, &joint);
    print_row(t, "7 initial values", &all, &full);
    printf("%-63s %6.0f us\n", "7 columns at the marginal cost of rate constants", 1e6 * predicted);
    print_row(t, "[C2H6]_0 controlled by y alone", &dependent, &tight);
    print_row(t, "7 initial values, [C2H6]_0 at 1e-1, others off", &first, &loose);
    claim(&t->claims, full.m.seconds > predicted, "initial values cost no more than predicted",
          "the full set of initial values costs more than its marginal cost predicts: %.2f times",
          full.m.seconds / predicted);
    claim(&t->claims, loose.m.stats.steps < tight.m.stats.steps,
          "switching columns off saves no steps",
          "columns switched off by large tolerances save steps: %zu against %zu",
          loose.m.stats.steps, tight.m.stats.steps);
}

int main(void)
{
    static struct tables t = {.claims = {.name = "odessa_tables"}};
    struct setting const exact = {.rtol = 1e-11, .ns = RATES, .columns = rate_columns};
    t.problem = problem_find("ethane");
    t.unit = t.problem->problem.y0[0];
    t.file = results_open("odessa_tables");
    fprintf(t.file, "table,columns,rtol,rtol_first,steps,error_y_percent,us\n");
    run(&t, &exact, 0, &t.exact);
    run_tables_1_2(&t);
    run_cost_of_control(&t);
    run_table_3(&t);
    run_table_4(&t);
    fclose(t.file);
    claims_finish(&t.claims);
    return 0;
}
