/* SPDX-License-Identifier: Apache-2.0 */
/* Solves a model by CVODES with the words of `tansy solve`, so that trials can have it in the place of the program (cvodes_side.py):
       cvodes_model solve MODEL --at T,.. --out CSV --stats JSON --rtol R [--atol A] [--atol NAME=A].. [--repeats N] [--by tansy]
   BDF with Newton's iteration, dense factors, staggered corrector, error test of S, tolerances of S estimated with pbar = |p_k| (1 of
   what is 0); f, df/dy and tangents are exact, by the model's engine; atol = 1e-9 where nothing is said.  With --repeats the corrector
   and factorisation that are fastest here take part, and "seconds" is the least of N runs in this process; so is that of Tansy's default
   with --by tansy.  Exit status: 0; 1 stopped; 2 refused: not y' = f, conditions or break times, no parameters.  Other words are
   passed over. */
#include "support/contender.h"
#include "support/stopwatch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

enum { STOPPED = 1, REFUSED = 2, CACHE_LINE = 64 };

/* A model as a task of the benchmarks.  All its memory lasts as long as the process. */
struct job {
    tansy_model *model;
    tansy_problem own; /* for Tansy; CVODES has test.problem, with memory for the functions */
    tansy_local local;
    struct test_problem test;
    struct task task;
    struct opponent peer;
    struct run run;
    double seconds;
};

/* The value of the last option of that name. */
static const char *value_of(char *const *word, const char *name, const char *otherwise)
{
    for (; *word && word[1]; word++)
        if (strcmp(*word, name) == 0) otherwise = word[1];
    return otherwise;
}

static void take_scratch(tansy_problem *p, tansy_local *local)
{
    size_t const size = (p->scratch / CACHE_LINE + 1) * CACHE_LINE;
    *local = (tansy_local){.context = p->context, .version = 1}; /* p stays as it is */
    local->scratch = aligned_alloc(CACHE_LINE, size);
    if (!local->scratch) abort();
    memset(local->scratch, 0, size);
    p->context = local;
}

static void read_times(const char *text, struct reference *at)
{
    at->times = 1;
    for (const char *c = text; *c; c++) at->times += *c == ',';
    at->t = bench_take(at->times, sizeof *at->t);
    for (size_t m = 0; m < at->times; m++) {
        char *end = NULL;
        at->t[m] = strtod(text, &end);
        text = *end ? end + 1 : end;
    }
}

/* The state that `NAME=..` is about. */
static int is_about(const tansy_model *model, size_t i, const char *word, const char *equals)
{
    const char *const name = tansy_model_name(model, TANSY_MODEL_STATES, i);
    size_t const length = (size_t)(equals - word);
    return strlen(name) == length && strncmp(name, word, length) == 0;
}

/* atol[n]/rtol. */
static double *read_atol(const struct job *it, char *const *word)
{
    size_t const n = it->test.problem.n;
    double *const atol = bench_take(n, sizeof *atol);
    for (size_t i = 0; i < n; i++) atol[i] = 1e-9 / it->run.rtol;
    for (; *word && word[1]; word++) {
        if (strcmp(*word, "--atol") != 0) continue;
        const char *const equals = strrchr(word[1], '=');
        double const value = strtod(equals ? equals + 1 : word[1], NULL);
        for (size_t i = 0; i < n; i++)
            if (!equals || is_about(it->model, i, word[1], equals)) atol[i] = value / it->run.rtol;
    }
    return atol;
}

static int open_job(struct job *it, char *const *word)
{
    tansy_problem *const p = &it->test.problem;
    it->model = tansy_model_read(word[2]);
    if (tansy_model_problem(it->model, p) != TANSY_OK || !p->rhs || p->mass) return REFUSED;
    if (p->switches > 0 || p->breaks > 0 || p->np == 0) return REFUSED;
    it->own = *p;
    take_scratch(p, &it->local);
    double *const y0 = bench_take(p->n, sizeof *y0);
    if (p->initial(p->t0, p->p, y0, p->context) != 0) return STOPPED;
    p->y0 = y0;
    struct reference times = {.n = p->n, .ns = p->np};
    read_times(value_of(word, "--at", ""), &times);
    it->task = (struct task){.problem = &it->test, .name = word[2], .exact = times};
    it->task.norm.scale = bench_take(p->np, sizeof(double));
    for (size_t k = 0; k < p->np; k++) it->task.norm.scale[k] = p->p[k] != 0 ? fabs(p->p[k]) : 1;
    run_open(&it->task, &it->run);
    it->run.rtol = strtod(value_of(word, "--rtol", "1e-6"), NULL);
    it->test.atol = read_atol(it, word);
    return 0;
}

/* With its own atol, which contenders do not have. */
static void solve_by_tansy(struct job *it)
{
    struct run *const run = &it->run;
    const struct reference *const at = &it->task.exact;
    tansy_solver *const solver = tansy_create(&it->own, &(tansy_options){.rtol = run->rtol});
    run->failed = tansy_solve_grid(solver, at->times, at->t, run->y, run->sens, NULL) != TANSY_OK;
    tansy_stats stats = {.steps = 0};
    if (solver) tansy_get_stats(solver, &stats);
    run->steps = stats.steps;
    run->evaluations = stats.rhs_evals;
    run->tangents = stats.tangent_evals;
    run->jacobians = stats.jacobian_evals;
    run->factorisations = stats.factorizations;
    tansy_free(solver);
}

/* The least time of so many runs. */
static double clocked(struct job *it, const struct contender *who, int repeats)
{
    double least = HUGE_VAL;
    for (int r = 0; r < repeats; r++) {
        struct stopwatch watch;
        stopwatch_start(&watch);
        if (who->code == BEST_PEER)
            contender_solve(who, &it->task, &it->peer, &it->run);
        else
            solve_by_tansy(it);
        least = fmin(least, stopwatch_stop(&watch));
    }
    return it->run.failed ? HUGE_VAL : least;
}

/* Who takes part: one way of CVODES, or where time counts all of them. */
static size_t list_ways(struct job *it, int by_tansy, int repeats, struct contender *list)
{
    struct peer_variant const usual = {CV_BDF, CV_STAGGERED, PEER_DENSE};
    list[0] = (struct contender){.code = by_tansy ? DEFAULT_TANSY : BEST_PEER, .variant = usual};
    if (by_tansy) return 1;
    peer_open(&it->peer.cvodes, &it->task);
    if (repeats <= 1) return 1;
    peer_tune(&it->peer.cvodes);
    return contenders_chosen(&it->task, &(struct entrants){.bdf = 1}, list);
}

/* By the fastest way, whose run is the last. */
static void solve(struct job *it, int by_tansy, int repeats)
{
    struct contender list[MAX_CONTENDERS];
    size_t const count = list_ways(it, by_tansy, repeats, list);
    size_t best = 0;
    it->seconds = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        double const seconds = clocked(it, &list[k], repeats);
        if (seconds < it->seconds) best = k;
        it->seconds = fmin(it->seconds, seconds);
    }
    if (best + 1 < count) (void)clocked(it, &list[best], 1);
}

static void write_head(const struct job *it, FILE *file)
{
    static const tansy_model_kind kinds[] = {TANSY_MODEL_STATES, TANSY_MODEL_OUTPUTS};
    const tansy_model *const m = it->model;
    size_t const parameters = tansy_model_count(m, TANSY_MODEL_PARAMETERS);
    (void)fprintf(file, "t");
    for (size_t a = 0; a < 2; a++)
        for (size_t i = 0; i < tansy_model_count(m, kinds[a]); i++) {
            const char *const name = tansy_model_name(m, kinds[a], i);
            (void)fprintf(file, ",\"%s\"", name);
            for (size_t k = 0; k < parameters; k++)
                (void)fprintf(file, ",\"d(%s)/d(%s)\"", name,
                              tansy_model_name(m, TANSY_MODEL_PARAMETERS, k));
        }
    (void)fprintf(file, "\n");
}

/* Values with their columns, count of both. */
static void write_values(FILE *file, size_t count, size_t columns, const double *value,
                         const double *column)
{
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(file, ",%.17g", value[i]);
        for (size_t k = 0; k < columns; k++) (void)fprintf(file, ",%.17g", column[k * count + i]);
    }
}

static void write_table(const struct job *it, FILE *file)
{
    const tansy_problem *const p = &it->test.problem;
    const struct reference *const at = &it->task.exact;
    size_t const n = p->n, np = p->np, outputs = tansy_model_count(it->model, TANSY_MODEL_OUTPUTS);
    double *const unit = bench_take(np * np, sizeof *unit);
    double *const q = bench_take(outputs * (np + 1), sizeof *q), *const dq = q + outputs;
    for (size_t k = 0; k < np; k++) unit[k * np + k] = 1;
    write_head(it, file);
    for (size_t m = 0; m < at->times; m++) {
        const double *const y = it->run.y + m * n, *const sens = it->run.sens + m * np * n;
        tansy_columns const columns = {.ns = np, .sens = sens, .direction_p = unit};
        tansy_model_outputs(it->model, at->t[m], 0, y, p->p, q);
        tansy_model_output_columns(it->model, at->t[m], 0, y, p->p, &columns, dq);
        (void)fprintf(file, "%.17g", at->t[m]);
        write_values(file, n, np, y, sens);
        write_values(file, outputs, np, q, dq);
        (void)fprintf(file, "\n");
    }
}

static void write_counts(const struct job *it, FILE *file)
{
    const struct run *const run = &it->run;
    (void)fprintf(file,
                  "{\"n\": %zu, \"steps\": %zu, \"rhs_evals\": %zu, \"tangent_evals\": %zu, "
                  "\"jacobian_evals\": %zu, \"factorizations\": %zu, \"seconds\": %.6g}\n",
                  it->test.problem.n, run->steps, run->evaluations, run->tangents, run->jacobians,
                  run->factorisations, it->seconds);
}

static void write_file(const struct job *it, char *const *word, const char *option,
                       void (*write)(const struct job *it, FILE *file))
{
    FILE *const file = fopen(value_of(word, option, "/dev/null"), "w");
    if (!file) abort();
    write(it, file);
    if (fclose(file) != 0) abort();
}

int main(int argc, char **argv)
{
    struct job it = {.model = NULL};
    if (argc < 3) return REFUSED;
    int const status = open_job(&it, argv);
    if (status != 0) return status;
    int const by_tansy = strcmp(value_of(argv, "--by", "cvodes"), "tansy") == 0;
    solve(&it, by_tansy, (int)strtol(value_of(argv, "--repeats", "1"), NULL, 10));
    if (it.run.failed) return STOPPED;
    write_file(&it, argv, "--stats", write_counts);
    write_file(&it, argv, "--out", write_table);
    return 0;
}
