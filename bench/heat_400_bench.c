/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation on 400 x 400 inner points, 161,604 equations with the boundary and 2 parameters, by GMRES with a band
   preconditioner: it runs in bounded memory, and these are its iterations. */
#include "support/claims.h"
#include "support/experiment.h"
#include "support/heat.h"
#include "support/task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { M = 400, N = (M + 2) * (M + 2), TIMES = 3 };

int main(void)
{
    static const double t[TIMES] = {0.01, 0.04, 0.16};
    struct claims claims = {.name = "heat_400"};
    double *y = bench_take((size_t)3 * TIMES * N, sizeof *y), *sens = y + (size_t)TIMES * N;
    double *exact = bench_take((size_t)3 * N, sizeof *exact), error = 0;
    struct experiment const e = {.problem = heat_problem(M, HEAT_SPARSE)->problem,
                                 .options = {.method = TANSY_DASSL,
                                             .rtol = 1e-4,
                                             .atol = 1e-4,
                                             .linear_solver = TANSY_GMRES,
                                             .preconditioner = TANSY_BAND_PRECONDITIONER,
                                             .preconditioner_lower = 1,
                                             .preconditioner_upper = 1,
                                             .precondition_side = TANSY_RIGHT,
                                             .krylov_dimension = 10},
                                 .times = TIMES,
                                 .t = t,
                                 .y = y,
                                 .sens = sens};
    struct measurement const m = experiment_run(&e, 0);
    const tansy_stats *s = &m.stats;
    for (size_t k = 0; k < TIMES; k++) {
        heat_exact(M, HEAT_SPARSE, t[k], exact, exact + N);
        for (size_t x = 0; x < (size_t)2 * N; x++)
            error = fmax(error, fabs(sens[k * 2 * N + x] - exact[N + x]));
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "%zu equations, %zu parameters, to t = %g: %zu steps, %.1f s\n"
        "iterations: %zu of the state, %.0f a column of S, %zu of GMRES for %zu solves (average "
        "Krylov "
        "dimension %.2f)\nmemory: solver %.1f MB = %.1f doubles an equation and column, process at "
        "most %.0f MB\nlargest error of S %.1e\n",
        s->n, s->np, t[TIMES - 1], s->steps, m.seconds, s->newton_state,
        (double)s->newton_sens / (double)s->ns, s->linear_iterations, s->solves,
        (double)s->linear_iterations / (double)s->solves, 1e-6 * (double)s->bytes,
        (double)s->bytes / (8.0 * 3 * N), 1e-3 * (double)usage.ru_maxrss, error);
    claim(&claims, !m.failed && error < 1e-2, "S is wrong", "S is right to 100 tolerances: %.1e",
          error);
    claim(&claims, (double)s->bytes < 8.0 * 3 * N * 100, "too much memory",
          "the memory is bounded: history, Krylov vectors, matrix and work below 100 numbers an "
          "equation and column");
    claims_finish(&claims);
    free(y), free(exact);
    return 0;
}
