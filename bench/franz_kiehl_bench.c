/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments of Franz and Kiehl, section 4: S to all initial values by internal differences, with tolerance delta_S for S and
   delta = delta_S^2 for y, against external differences, n + 1 runs at tolerance delta from y0 and y0 + delta_S r_j, as they
   are compared there: times at equal delta_S, not at equal error.  C1 and C5 of DETEST, E3 of STIFF DETEST alone and copied ten times,
   with and without using the structure of its matrices.  Errors are tested and measured in units of |y| + 1 and |s| + 1, the
   mixture of (12), whose increments follow from that.  First claim: internal differences keep to the tolerance; second: they save
   computing time, the more the larger the dimension and the fuller the matrices.  bench/results/franz_kiehl.csv. */
#include "support/claims.h"
#include "support/decay_chain.h"
#include "support/e3_copies.h"
#include "support/experiment.h"
#include "support/external_differences.h"
#include "support/task.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As DOPRI8S and GRK4AS (3.1, 3.2): their formulas, forward differences, no second derivatives, and the state in shorter steps of its own
   (2.4), as many as its tolerance delta asks for.  What section 4 says of its runs is that delta is the square of delta_S, that external runs
   have delta too, all of them, from initial values moved by delta_S, each with steps of its own, and that the time is that of solution and
   sensitivity.  It does not say: the norms, the first step (here the same for both), which tolerances the plots have. */
static const char *const nonstiff[][2] = {{"method", "rk8"}, {"formula", "dopri8"}},
                         *const stiff[][2] = {{"method", "rosenbrock"},
                                              {"formula", "grk4a"},
                                              {"norm", "max"}},
                         *const internal[][2] = {{"sensitivities", "difference"},
                                                 {"difference", "forward"},
                                                 {"second_derivatives", "neglected"},
                                                 {"substeps", "-1"}};
enum { NONSTIFF_OPTIONS = 2, STIFF_OPTIONS = 3, INTERNAL_OPTIONS = 4 };

static const double patience = 0.4; /* seconds for one measurement, unless it takes longer */

/* delta_S = 1e-2 ... 1e-7, as far as forward differences go, for DOPRI8S; ... 1e-6 for GRK4AS, whose order 4 takes millions of
   steps at delta = 1e-14. */
enum { TOLERANCES = 11, STIFF_TOLERANCES = 9, MOST_STATES = 30 };
static const double largest_digits = 2, digits_step = 0.5;

/* "These integrations use different step size sequences": in DOPRI8 by decisions that are not smooth, in a study of its own here by unlike
   first steps. */
static const double unlike_first_step = 0.02, unlike_growth = 1.15;

struct study {
    const char *name;
    struct test_problem problem;
    struct task task;                                    /* with one time, the end */
    double first_step, growth;                           /* of external runs, see struct external */
    double error[2][TOLERANCES], seconds[2][TOLERANCES]; /* internal, external */
    double evaluations[2][TOLERANCES];                   /* of f */
};

/* The last time of the reference only. */
static void keep_the_end(struct reference *r)
{
    size_t const last = r->times - 1, block = r->ns * r->n;
    r->t[0] = r->t[last];
    memmove(r->y, r->y + last * r->n, r->n * sizeof(double));
    memmove(r->sens, r->sens + last * block, block * sizeof(double));
    r->times = 1;
}

static void open_study(struct study *s)
{
    s->task = (struct task){.problem = &s->problem, .name = s->name};
    reference_read(&s->problem, &s->task.exact);
    keep_the_end(&s->task.exact);
    task_finish(&s->task);
}

/* From the reference of E3, whose columns begin with the initial values: the same in every copy, nothing between them. */
static void open_copies(struct study *s, const double *atol)
{
    const struct test_problem *e3 = problem_find("e3");
    struct reference one, *all = &s->task.exact;
    size_t const n = s->problem.problem.n;
    reference_read(e3, &one);
    keep_the_end(&one);
    s->task = (struct task){.problem = &s->problem, .name = s->name};
    *all = (struct reference){.times = 1, .n = n, .ns = n};
    all->t = bench_take(1 + n + n * n, sizeof(double));
    all->y = all->t + 1;
    all->sens = all->y + n;
    all->t[0] = one.t[0];
    for (size_t i = 0; i < n; i++) {
        all->y[i] = one.y[i % E3_STATES];
        for (size_t k = i - i % E3_STATES; k < i - i % E3_STATES + E3_STATES; k++)
            all->sens[k * n + i] = one.sens[k % E3_STATES * E3_STATES + i % E3_STATES];
    }
    s->problem.atol = atol;
    s->problem.stiff = 1;
    task_finish(&s->task);
    reference_free(&one);
}

static void set_option(tansy_options *options, const char *name, const char *value)
{
    char message[300];
    if (tansy_option_set(options, name, value, message, sizeof message) == TANSY_OK) return;
    fprintf(stderr, "%s\n", message);
    exit(EXIT_FAILURE);
}

/* Tolerances delta for y and delta_S for S, which fill atol[n] and sens_tolerances[2*ns*n]. */
static tansy_options choose_options(const struct study *s, double delta_S, double *atol,
                                    double *sens_tolerances)
{
    size_t const n = s->task.exact.n, ns = s->task.exact.ns;
    tansy_options o = {.rtol = delta_S * delta_S, .max_steps = 10000000};
    size_t const options = s->problem.stiff ? STIFF_OPTIONS : NONSTIFF_OPTIONS;
    for (size_t k = 0; k < options; k++) {
        const char *const *const pair = s->problem.stiff ? stiff[k] : nonstiff[k];
        set_option(&o, pair[0], pair[1]);
    }
    for (size_t k = 0; k < INTERNAL_OPTIONS; k++) set_option(&o, internal[k][0], internal[k][1]);
    for (size_t i = 0; i < n; i++) atol[i] = o.rtol * s->problem.atol[i];
    for (size_t x = 0; x < ns * n; x++) {
        sens_tolerances[x] = delta_S;
        sens_tolerances[ns * n + x] = delta_S * s->problem.atol[x % n];
    }
    o.atol_state = atol;
    o.rtol_sens = sens_tolerances;
    o.atol_sens = sens_tolerances + ns * n;
    return o;
}

static void measure(struct study *s, size_t m, double delta_S)
{
    static double atol[MOST_STATES], tolerances[2 * MOST_STATES * MOST_STATES];
    struct run run;
    run_open(&s->task, &run);
    struct experiment e = {.problem = s->problem.problem,
                           .options = choose_options(s, delta_S, atol, tolerances),
                           .times = 1,
                           .t = s->task.exact.t,
                           .y = run.y,
                           .sens = run.sens};
    struct external const how = {delta_S, s->first_step, s->growth};
    for (int external = 0; external < 2; external++) {
        if (external) e.options.rtol_sens = e.options.atol_sens = NULL;
        struct measurement const result =
            external ? external_differences_run(&e, &how, patience) : experiment_run(&e, patience);
        run.failed = result.failed;
        s->error[external][m] = task_error(&s->task, &run);
        s->seconds[external][m] = result.seconds;
        s->evaluations[external][m] = (double)result.stats.rhs_evals;
    }
    run_close(&run);
}

static size_t tolerances_of(const struct study *s)
{
    return s->problem.stiff ? STIFF_TOLERANCES : TOLERANCES;
}

static double delta_of(size_t m)
{
    return pow(10, -largest_digits - digits_step * (double)m);
}

static double ratio(const struct study *s, size_t m)
{
    return s->seconds[1][m] / s->seconds[0][m];
}

static double ratio_of_counts(const struct study *s, size_t m)
{
    return s->evaluations[1][m] / s->evaluations[0][m];
}

/* "Up to": the largest ratio of all tolerances. */
static double most(const struct study *s, double (*of)(const struct study *s, size_t m))
{
    double largest = 0;
    for (size_t m = 0; m < tolerances_of(s); m++) largest = fmax(largest, of(s, m));
    return largest;
}

static double mean_ratio(const struct study *s)
{
    double sum = 0;
    for (size_t m = 0; m < tolerances_of(s); m++) sum += log(ratio(s, m));
    return exp(sum / (double)tolerances_of(s));
}

/* How far the errors are from the tolerance, either way: the mean of |log10(error/delta_S)|. */
static double distance(const struct study *s, int external)
{
    double sum = 0;
    for (size_t m = 0; m < tolerances_of(s); m++)
        sum += fabs(log10(s->error[external][m] / delta_of(m)));
    return sum / (double)tolerances_of(s);
}

static double largest_excess(const struct study *s, int external)
{
    double worst = 0;
    for (size_t m = 0; m < tolerances_of(s); m++)
        worst = fmax(worst, s->error[external][m] / delta_of(m));
    return worst;
}

/* At how many tolerances internal differences are. */
static size_t more_accurate(const struct study *s)
{
    size_t count = 0;
    for (size_t m = 0; m < tolerances_of(s); m++) count += s->error[0][m] < s->error[1][m];
    return count;
}

static void run_study(struct study *s, FILE *file)
{
    printf("\n%s: %zu states\n%8s | %-27s | %-27s | %s\n", s->name, s->task.exact.n, "delta_S",
           "internal: error, /delta_S", "external: error, /delta_S", "times: ratio, of f: ratio");
    for (size_t m = 0; m < tolerances_of(s); m++) {
        double const d = delta_of(m);
        measure(s, m, d);
        printf("%8.1e", d);
        for (int x = 0; x < 2; x++) {
            printf(" | %8.1e %8.2g ", s->error[x][m], s->error[x][m] / d);
            print_seconds(s->seconds[x][m]);
            printf(" ");
        }
        printf(" | %6.2f %9.0f %9.0f %6.2f\n", ratio(s, m), s->evaluations[0][m],
               s->evaluations[1][m], ratio_of_counts(s, m));
        fprintf(file, "%s,%.3e,%.3e,%.3e,%.3e,%.3e,%.3f,%.0f,%.0f,%.3f\n", s->name, d,
                s->error[0][m], s->error[1][m], s->seconds[0][m], s->seconds[1][m], ratio(s, m),
                s->evaluations[0][m], s->evaluations[1][m], ratio_of_counts(s, m));
    }
    printf("distance of log10(error) from log10(delta_S), mean: internal %.2f, external %.2f; "
           "largest error/delta_S: %.2g, %.2g; mean ratio of times %.2f\n",
           distance(s, 0), distance(s, 1), largest_excess(s, 0), largest_excess(s, 1),
           mean_ratio(s));
}

enum { C1, C1_UNLIKE, C5, E3, E3_STRUCTURED, E3_FULL, STUDIES };

/* What 4.1 and 4.2 say of errors. */
static void judge_errors(struct claims *claims, const struct study *s)
{
    claim(claims, largest_excess(&s[C1], 0) <= 1 && distance(&s[C1], 0) < distance(&s[C1], 1),
          "C1 tolerance",
          "C1: internal differences comply with the tolerance, external ones less closely (mean "
          "distance in powers of ten %.1f, external %.1f)",
          distance(&s[C1], 0), distance(&s[C1], 1));
    claim(claims, more_accurate(&s[C1]) == TOLERANCES,
          "C1's external differences are the more accurate ones, as it is linear",
          "C1: internal differences are more accurate (at %zu of %d tolerances). C1 is linear: "
          "differences of whole runs have no truncation error, and as steps depend smoothly on y0 "
          "here the errors of the runs cancel but for their size in y",
          more_accurate(&s[C1]), TOLERANCES);
    claim(
        claims, more_accurate(&s[C1_UNLIKE]) == TOLERANCES,
        "with unlike steps too, at small tolerances, as delta_S^2 is the smaller tolerance",
        "C1: and if no two external runs have the same steps (at %zu of %d tolerances, the large "
        "ones). Nothing cancels then, and external errors are at most 2 c(delta) delta/delta_S = "
        "2 c(delta) delta_S, c(delta) being error/tolerance of a run; c falls with the tolerance, "
        "as the error of y is of order 8 and its estimate of order 7",
        more_accurate(&s[C1_UNLIKE]), TOLERANCES);
    size_t const last = TOLERANCES - 1;
    claim(claims,
          s[C5].error[0][last] < s[C5].error[1][last] &&
              largest_excess(&s[C5], 0) <= largest_excess(&s[C5], 1),
          "C5 errors",
          "C5: internal differences are more accurate at small tolerances (%.1g delta_S, external "
          "%.1g)",
          s[C5].error[0][last] / delta_of(last), s[C5].error[1][last] / delta_of(last));
    claim(claims, fmax(largest_excess(&s[E3], 0), largest_excess(&s[E3], 1)) <= 1, "E3 errors",
          "E3: both keep to the tolerance (largest error %.1g delta_S, external %.1g)",
          largest_excess(&s[E3], 0), largest_excess(&s[E3], 1));
    claim(claims, largest_excess(&s[E3_STRUCTURED], 0) <= 1 && largest_excess(&s[E3_FULL], 0) <= 1,
          "errors of the copies", "E3: the errors of the copies stay the same (%.1g, %.1g, %.1g)",
          largest_excess(&s[E3], 0), largest_excess(&s[E3_STRUCTURED], 0),
          largest_excess(&s[E3_FULL], 0));
}

/* And of computing times: "about one half", "up to a factor three", read from plots. */
static void judge_times(struct claims *claims, const struct study *s)
{
    size_t const last = TOLERANCES - 1;
    claim(claims, ratio(&s[C1], last) >= 2, "C1 saves less",
          "C1: at the smallest tolerance half of the time is saved (ratio of times %.2f, of "
          "evaluations %.2f)",
          ratio(&s[C1], last), ratio_of_counts(&s[C1], last));
    claim(claims, most(&s[C1], ratio) >= 3 || most(&s[C5], ratio) >= 3, "nothing saves three times",
          "C1 and C5: up to a factor of three is saved in time (ratios up to %.2f, %.2f)",
          most(&s[C1], ratio), most(&s[C5], ratio));
    claim(claims, most(&s[C5], ratio_of_counts) >= 3, "C5 saves fewer evaluations",
          "C5: up to a factor of three is saved in evaluations of f (ratio up to %.2f; a sixth of "
          "them are substeps of y and looks at the noise of f)",
          most(&s[C5], ratio_of_counts));
    claim(
        claims, most(&s[C5], ratio) >= 3, "C5 saves less time",
        "C5: and in time (ratio up to %.2f; an evaluation for S costs a little less than one of a "
        "run for y alone: 30 columns share what a step costs beside it)",
        most(&s[C5], ratio));
    claim(claims, mean_ratio(&s[E3]) < mean_ratio(&s[E3_STRUCTURED]), "copies of E3",
          "E3: ten copies save more than one (ratios %.2f, %.2f)", mean_ratio(&s[E3_STRUCTURED]),
          mean_ratio(&s[E3]));
    claim(claims, mean_ratio(&s[E3_STRUCTURED]) < mean_ratio(&s[E3_FULL]), "full matrices of E3",
          "E3: full matrices save more than structured ones (ratios %.2f, %.2f)",
          mean_ratio(&s[E3_FULL]), mean_ratio(&s[E3_STRUCTURED]));
}

int main(void)
{
    static double ones[MOST_STATES];
    static struct e3_copies copies[3];
    static struct study s[STUDIES] = {
        {.name = "C1"},
        {.name = "C1 unlike steps", .first_step = unlike_first_step, .growth = unlike_growth},
        {.name = "C5"},
        {.name = "E3"},
        {.name = "E3 ten times"},
        {.name = "E3 ten times full"}};
    FILE *file = results_open("franz_kiehl");
    struct claims claims = {.name = "franz_kiehl"};
    fprintf(file, "problem,delta_S,internal_error,external_error,internal_seconds,external_seconds,"
                  "ratio,internal_evaluations,external_evaluations,ratio_of_evaluations\n");
    for (size_t i = 0; i < MOST_STATES; i++) ones[i] = 1;
    s[C1].problem = (struct test_problem){.name = "c1",
                                          .problem = decay_chain_make(),
                                          .atol = ones,
                                          .reference = "detest_C1_paper_variant.csv"};
    s[C5].problem = *problem_find("c5");
    s[C5].problem.atol = ones;
    s[C1_UNLIKE].problem = s[C1].problem;
    open_study(&s[C1]);
    open_study(&s[C1_UNLIKE]);
    open_study(&s[C5]);
    for (size_t k = 0; k < 3; k++) {
        s[E3 + k].problem.problem = e3_copies_make(k > 0 ? E3_MOST_COPIES : 1, k != 1, &copies[k]);
        open_copies(&s[E3 + k], ones);
    }
    for (size_t k = 0; k < STUDIES; k++) run_study(&s[k], file);
    fclose(file);
    printf("\n");
    judge_errors(&claims, s);
    judge_times(&claims, s);
    claims_finish(&claims);
    for (size_t k = 0; k < STUDIES; k++) task_close(&s[k].task);
    return 0;
}
