/* SPDX-License-Identifier: Apache-2.0 */
/* Tables 4 to 6 and Figure 4 of Schlegel, Marquardt, Ehrig and Nowak 2002: the container crane with 8, 16 and 32 intervals of both
   controls, restarted at every grid point with two more columns.  Their optimal controls are not published: we run the profile of
   tests/reference/crane_8.csv, once, and show the paper's counts of one of its 6, 7 and 8 passes.  RTOL = ATOL = tol for y and S.
   The claim is that one-step extrapolation wins as the grid is refined. */
#include "support/claims.h"
#include "support/crane.h"
#include "support/experiment.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

enum { GRIDS = 3, TOLERANCES = 3, N = CRANE_STATES, MOST = 2 * CRANE_MOST };
static const size_t grid[GRIDS] = {8, 16, 32};
static const double passes[GRIDS] = {6, 7, 8};
static const double tolerance[TOLERANCES] = {1e-5, 1e-6, 1e-7};

/* A line of the tables: ours, and what the paper has for it; 0: nothing. */
struct entry {
    const char *name, *papers;
    tansy_method method;
    tansy_sensitivities sensitivities;
    struct {
        double f, sens, jacobians, seconds;
    } paper[GRIDS][TOLERANCES];
};

enum {
    LIMEX,
    DASSL_SIMULTANEOUS,
    DASSL_STAGGERED,
    DASSL_DIRECT,
    BDF_FIRST,
    BDF_LAST = 6,
    RK8,
    ENTRIES
};

/* clang-format off */
static const struct entry entries[ENTRIES] = {
    {"limex", "LSIM", TANSY_LIMEX, TANSY_SENSITIVITIES_AUTO,
     {{{1510, 1510, 96, 0.81}, {2408, 2408, 125, 1.29}, {4408, 4408, 221, 2.18}},
      {{2292, 2292, 224, 1.45}, {3154, 3254, 224, 1.96}, {3782, 3782, 224, 2.44}},
      {{3527, 3527, 512, 2.87}, {4728, 4728, 512, 3.72}, {5747, 5747, 512, 4.30}}}},
    {"dassl simultaneous", "DSIC", TANSY_DASSL, TANSY_SIMULTANEOUS,
     {{{1845, 1845, 683, 1.39}, {2285, 2285, 835, 1.64}, {2935, 2935, 954, 2.12}},
      {{3404, 3404, 1568, 2.20}, {4470, 4470, 1904, 3.83}, {5337, 5337, 2194, 4.62}},
      {{6444, 6444, 3501, 7.47}, {8548, 8548, 4126, 9.22}, {10322, 10322, 4940, 11.31}}}},
    {"dassl staggered", "DSTC", TANSY_DASSL, TANSY_STAGGERED,
     {{{1715, 1654, 680, 1.73}, {2286, 2142, 812, 2.54}, {2818, 2676, 943, 2.89}}}},
    {"dassl direct", "DSTD", TANSY_DASSL, TANSY_DIRECT,
     {{{1694, 1412, 1369, 1.89}, {2097, 1768, 1720, 2.43}, {2635, 2241, 2193, 3.03}}}},
    {.name = "bdf simultaneous", .method = TANSY_BDF, .sensitivities = TANSY_SIMULTANEOUS},
    {.name = "bdf staggered", .method = TANSY_BDF, .sensitivities = TANSY_STAGGERED},
    {.name = "bdf direct", .method = TANSY_BDF, .sensitivities = TANSY_DIRECT},
    {.name = "rk8", .method = TANSY_RK8},
};
/* clang-format on */

struct tables {
    double seconds[GRIDS][TOLERANCES][ENTRIES];
    double f[GRIDS][TOLERANCES][ENTRIES];
    double error[GRIDS][TOLERANCES][ENTRIES]; /* of S */
    FILE *file;
};

struct outcome {
    struct measurement m;
    double y[N], sens[MOST * N];
};

static void run(size_t intervals, const struct entry *entry, double tol, double patience,
                struct outcome *o)
{
    static const double end[] = {9};
    double rtol_sens[MOST * N], atol_sens[MOST * N];
    for (size_t x = 0; x < MOST * N; x++) rtol_sens[x] = atol_sens[x] = tol;
    struct experiment const e = {.problem = crane_problem(intervals)->problem,
                                 .options = {.method = entry->method,
                                             .sensitivities = entry->sensitivities,
                                             .rtol = tol,
                                             .atol = tol,
                                             .rtol_sens = rtol_sens,
                                             .atol_sens = atol_sens},
                                 .times = 1,
                                 .t = end,
                                 .y = o->y,
                                 .sens = o->sens};
    o->m = experiment_run(&e, patience);
}

/* The largest |difference|/(|exact| + 1), of S. */
static double error_of(size_t intervals, const struct outcome *o, const struct outcome *exact)
{
    double worst = o->m.failed ? HUGE_VAL : 0;
    for (size_t x = 0; x < 2 * intervals * N; x++)
        worst = fmax(worst, fabs(o->sens[x] - exact->sens[x]) / (fabs(exact->sens[x]) + 1));
    return worst;
}

static void print_line(struct tables *t, int g, int x, int k, const struct outcome *exact)
{
    const struct entry *const entry = &entries[k];
    struct outcome o;
    run(grid[g], entry, tolerance[x], 0.1, &o);
    const tansy_stats *const s = &o.m.stats;
    double const error = error_of(grid[g], &o, exact);
    t->seconds[g][x][k] = o.m.seconds;
    t->f[g][x][k] = (double)s->rhs_evals;
    t->error[g][x][k] = error;
    printf("  %-19s %5zu %6zu %8zu %5zu %5zu %8zu %8.3f %8.1e", entry->name, s->steps, s->rhs_evals,
           s->tangent_evals, s->jacobian_evals, s->factorizations, s->solves, 1e3 * o.m.seconds,
           error);
    fprintf(t->file, "%zu,%g,%s,%zu,%zu,%zu,%zu,%zu,%zu,%.4g,%.3g\n", grid[g], tolerance[x],
            entry->name, s->steps, s->rhs_evals, s->tangent_evals, s->jacobian_evals,
            s->factorizations, s->solves, o.m.seconds, error);
    if (entry->paper[g][x].f > 0)
        printf("   %s: %5.0f f %5.0f sens %4.0f Jac %6.3f s", entry->papers,
               entry->paper[g][x].f / passes[g], entry->paper[g][x].sens / passes[g],
               entry->paper[g][x].jacobians / passes[g], entry->paper[g][x].seconds / passes[g]);
    printf("\n");
}

static void print_tables(struct tables *t)
{
    static const struct entry tight = {.method = TANSY_RK8};
    for (int g = 0; g < GRIDS; g++) {
        static struct outcome exact;
        run(grid[g], &tight, 1e-13, 0, &exact);
        printf("Table %d: %zu intervals; sens in columns, solves in right-hand sides; the paper's "
               "of one "
               "pass\n",
               4 + g, grid[g]);
        printf("  %-19s %5s %6s %8s %5s %5s %8s %8s %8s\n", "", "steps", "f", "sens", "Jac", "LU",
               "solves", "ms", "error");
        for (int x = 0; x < TOLERANCES; x++) {
            printf(" tolerance %.0e\n", tolerance[x]);
            for (int k = 0; k < ENTRIES; k++) print_line(t, g, x, k, &exact);
        }
    }
}

/* What entry k takes at this error of S: on the line between two tolerances in logarithms, the nearest ones. */
static double at_error(double value[TOLERANCES][ENTRIES], double error[TOLERANCES][ENTRIES], int k,
                       double wanted)
{
    int x = 0;
    while (x + 2 < TOLERANCES && error[x + 1][k] > wanted) x++;
    double const span = log(error[x + 1][k] / error[x][k]);
    double const part = span < 0 ? log(wanted / error[x][k]) / span : 0;
    return value[x][k] * pow(value[x + 1][k] / value[x][k], part);
}

/* The fastest of DASSL's and our own BDF at the error of S that limex has at tolerance x. */
static double best_bdf(struct tables *t, int g, int x)
{
    double best = HUGE_VAL;
    for (int k = DASSL_SIMULTANEOUS; k <= BDF_LAST; k++)
        best = fmin(best, at_error(t->seconds[g], t->error[g], k, t->error[g][x][LIMEX]));
    return best;
}

static void judge(struct tables *t, struct claims *claims)
{
    int falls = 1, wins = 1, simultaneous = 1, counts = 1;
    printf("at the error of S that limex has: limex against the fastest BDF, time; against dassl "
           "simultaneous, time and f; the paper's LSIM against DSIC, at equal tolerance, time and "
           "f\n");
    for (int x = 0; x < TOLERANCES; x++)
        for (int g = 0; g < GRIDS; g++) {
            double const limex = t->seconds[g][x][LIMEX], ratio = limex / best_bdf(t, g, x);
            double const error = t->error[g][x][LIMEX];
            double const other =
                limex / at_error(t->seconds[g], t->error[g], DASSL_SIMULTANEOUS, error);
            double const f =
                t->f[g][x][LIMEX] / at_error(t->f[g], t->error[g], DASSL_SIMULTANEOUS, error);
            printf("  tolerance %.0e, %2zu intervals: %5.2f; %5.2f %5.2f; %5.2f %5.2f\n",
                   tolerance[x], grid[g], ratio, other, f,
                   entries[LIMEX].paper[g][x].seconds / entries[1].paper[g][x].seconds,
                   entries[LIMEX].paper[g][x].f / entries[1].paper[g][x].f);
            if (g + 1 < GRIDS) continue;
            falls = falls && ratio < t->seconds[0][x][LIMEX] / best_bdf(t, 0, x);
            wins = wins && ratio < 1;
            simultaneous = simultaneous && other < 1;
            counts = counts && f < 1;
        }
    claim(claims, falls, "limex does not gain on BDF as the grid is refined",
          "limex gains on BDF as the grid is refined from 8 to 32 intervals");
    claim(claims, simultaneous,
          "limex is not faster than the simultaneous corrector at 32 intervals",
          "limex is faster than the simultaneous corrector at 32 intervals");
    claim(claims, counts, "limex needs more evaluations of f at 32 intervals",
          "limex needs fewer evaluations of f than the simultaneous corrector at 32 intervals");
    claim(claims, wins, "BDF restarted well is faster than limex at 32 intervals",
          "limex is faster than the fastest BDF at 32 intervals");
}

int main(void)
{
    static struct tables t;
    struct claims claims = {.name = "crane_tables"};
    t.file = results_open("crane_tables");
    fprintf(t.file, "intervals,tolerance,method,steps,rhs,tangents,jacobians,factorizations,solves,"
                    "seconds,error\n");
    print_tables(&t);
    judge(&t, &claims);
    fclose(t.file);
    claims_finish(&claims);
    return 0;
}
