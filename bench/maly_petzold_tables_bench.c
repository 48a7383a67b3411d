/* SPDX-License-Identifier: Apache-2.0 */
/* The two tables of Maly and Petzold 1996, section 5.1: DASPKSO on the heat equation with M = 10 to t = 10.24, outputs at
   0.01*2^n, RTOL = ATOL = 1e-4, GMRES with the defaults of DASPK and a band preconditioner with ML = MU = 2, the simultaneous
   corrector, and S by forward and central differences.  Our counts are in columns: a residual or a
   preconditioner solve of the whole system counts 1 + 2, those of the paper's preconditioner solves 1. */
#include "support/claims.h"
#include "support/experiment.h"
#include "support/heat.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

enum { START = 2 }; /* preconditioners for consistent initial values, which DASPK was given */
enum { M = 10, N = (M + 2) * (M + 2), TIMES = 11 };

/* A column of the tables. */
struct row {
    const char *name;
    int columns; /* 0: the state only */
    tansy_difference difference;
    tansy_error_control control;
    int paper
        [6]; /* steps, residuals, preconditioners prepared and solved, nonlinear and linear iterations */
    int daspk[6]; /* DASPK 3.1 here */
    double microseconds;
};

/* clang-format off */
static const struct row rows[] = {
    {"state only", 0, TANSY_FORWARD, TANSY_EACH_COLUMN, {71, 430, 19, 335, 144, 194}, {71, 400, 19, 305, 100, 205}, 1300},
    {"forward, all tested", 2, TANSY_FORWARD, TANSY_EACH_COLUMN, {76, 1307, 19, 404, 151, 253}, {77, 1103, 19, 931, 108, 214}, 4000},
    {"central, all tested", 2, TANSY_CENTRAL, TANSY_EACH_COLUMN, {74, 2080, 19, 397, 148, 249}, {77, 1242, 19, 914, 107, 205}, 3900},
    {"forward, state tested", 2, TANSY_FORWARD, TANSY_STATE_ONLY, {66, 1253, 19, 386, 131, 255}, {71, 1056, 19, 890, 100, 205}, 3700},
    {"central, state tested", 2, TANSY_CENTRAL, TANSY_STATE_ONLY, {66, 2155, 19, 412, 132, 280}, {71, 1200, 19, 892, 100, 205}, 3700},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof *rows };

struct outcome {
    struct measurement m;
    double error_y, error_s; /* largest absolute ones */
};

static struct outcome run(const struct row *row)
{
    static double y[TIMES * N], sens[2 * TIMES * N], exact[N], exact_sens[2 * N];
    static double atol[N], atol_sens[2 * N];
    double t[TIMES];
    struct outcome o = {.error_y = 0};
    for (size_t k = 0; k < TIMES; k++) t[k] = 0.01 * (double)(1u << k);
    for (size_t i = 0; i < N; i++) atol[i] = atol_sens[i] = atol_sens[N + i] = 1e-4;
    struct experiment e = {.problem = heat_problem(M, HEAT_BAND)->problem,
                           .options = {.method = TANSY_DASSL,
                                       .sensitivities = TANSY_SIMULTANEOUS,
                                       .error_control = row->control,
                                       .rtol = 1e-4,
                                       .atol_state = atol,
                                       .atol_sens = atol_sens,
                                       .residual = TANSY_DIFFERENCES,
                                       .difference = row->difference,
                                       .linear_solver = TANSY_GMRES,
                                       .preconditioner = TANSY_BAND_PRECONDITIONER,
                                       .preconditioner_lower = 2,
                                       .preconditioner_upper = 2,
                                       .precondition_side = TANSY_LEFT,
                                       .krylov_dimension = 5},
                           .times = TIMES,
                           .t = t,
                           .y = y,
                           .sens = sens};
    if (row->columns == 0) {
        e.options.sensitivities = TANSY_NONE;
        e.options.atol_sens = NULL;
        e.options.residual = TANSY_RESIDUAL_AUTO;
        e.sens = NULL;
    }
    o.m = experiment_run(&e, 0.1);
    for (size_t k = 0; k < TIMES; k++) {
        heat_exact(M, HEAT_BAND, t[k], exact, exact_sens);
        for (size_t i = 0; i < N; i++) o.error_y = fmax(o.error_y, fabs(y[k * N + i] - exact[i]));
        for (size_t x = 0; x < 2 * N && e.sens; x++)
            o.error_s = fmax(o.error_s, fabs(sens[2 * k * N + x] - exact_sens[x]));
    }
    return o;
}

static void print_six(const char *who, const int *count)
{
    printf("  %-22s", who);
    for (int k = 0; k < 6; k++) printf(" %9d", count[k]);
}

static void show(const struct row *row, const struct outcome *o, struct claims *claims, FILE *file)
{
    const tansy_stats *s = &o->m.stats;
    int const ours[6] = {(int)s->steps,           (int)(s->rhs_evals),
                         (int)s->preconditioners, (int)(s->linear_iterations + s->solves),
                         (int)s->newton_state,    (int)s->linear_iterations};
    double const dimension = (double)s->linear_iterations / (double)s->solves;
    printf("%s\n", row->name);
    print_six("paper", row->paper);
    printf("\n");
    print_six("DASPK 3.1", row->daspk);
    printf("  %8.0f us\n", row->microseconds);
    print_six("Tansy", ours);
    printf("  %8.0f us; Krylov dimension %.2f, error y %.1e, S %.1e\n", 1e6 * o->m.seconds,
           dimension, o->error_y, o->error_s);
    fprintf(file, "%s,%d,%d,%d,%d,%d,%d,%.3f,%.1f,%.2e,%.2e\n", row->name, ours[0], ours[1],
            ours[2], ours[3], ours[4], ours[5], dimension, 1e6 * o->m.seconds, o->error_y,
            o->error_s);
    claim(claims, !o->m.failed && ours[0] <= 1.1 * fmax(row->paper[0], row->daspk[0]), "more steps",
          "%s: %d steps, no more than 1.1 times the paper's %d or DASPK's %d", row->name, ours[0],
          row->paper[0], row->daspk[0]);
    claim(claims, ours[2] > 0 && ours[2] <= 1.1 * row->paper[2] + START, "more preconditioners",
          "%s: the preconditioner is prepared %d times (%d and 2 at the start)", row->name, ours[2],
          row->paper[2]);
    claim(claims, 1e6 * o->m.seconds <= row->microseconds, "slower than DASPK",
          "%s: faster than DASPK", row->name);
}

int main(void)
{
    struct claims claims = {.name = "maly_petzold_tables"};
    struct outcome o[ROWS];
    FILE *file = results_open("maly_petzold_tables");
    fprintf(file,
            "run,steps,residuals,prepared,solved,nonlinear,linear,krylov,us,error_y,error_s\n");
    printf("%-24s %9s %9s %9s %9s %9s %9s\n", "heat, M = 10", "steps", "RES", "prepared", "solved",
           "nonlinear", "linear");
    for (int k = 0; k < ROWS; k++) {
        o[k] = run(&rows[k]);
        show(&rows[k], &o[k], &claims, file);
    }
    fclose(file);
    claim(&claims, (double)o[1].m.stats.steps <= 1.2 * (double)o[0].m.stats.steps,
          "S needs many more steps",
          "S with two parameters needs few more steps than the state alone: %zu, %zu",
          o[1].m.stats.steps, o[0].m.stats.steps);
    claims_finish(&claims);
    return 0;
}
