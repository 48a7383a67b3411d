/* SPDX-License-Identifier: Apache-2.0 */
/* Internal differences at the edge of where f is defined: y' = -p y from y = 1, above which f has no value. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <tansy/tansy.h>

#include "test.h"

/* *context: 1: NaN, 0: a positive code, above the edge; 2: NaN below it too, so that no side is left. */
static int edged(double t, const double *y, const double *p, double *f, void *context)
{
    int const kind = *(const int *)context;
    bool const above = y[0] > 1 || (kind == 2 && y[0] < 1);
    (void)t;
    f[0] = above ? (double)NAN : -p[0] * y[0];
    f[1] = -y[1];
    return above && kind == 0 ? 1 : 0;
}

static tansy_status run(int *kind, double *sens, char *message, size_t size)
{
    static const double y0[] = {1, 1}, p[] = {1};
    static const int columns[] = {TANSY_INITIAL(0), TANSY_INITIAL(1)};
    tansy_problem const problem = {.n = 2,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .rhs = edged,
                                   .ns = 2,
                                   .columns = columns,
                                   .context = kind};
    tansy_options const o = {.method = TANSY_RK8,
                             .sensitivities = TANSY_DIFFERENCE,
                             .difference = TANSY_FORWARD,
                             .rtol = 1e-4,
                             .atol = 1e-6};
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, 1, NULL, sens);
    (void)snprintf(message, size, "%s", tansy_message(s));
    tansy_free(s);
    return status;
}

TEST(differences_are_taken_on_the_side_where_f_is_defined)
{
    for (int kind = 0; kind < 2; kind++) {
        double sens[4];
        char message[300];
        CHECK_EQUAL(run(&kind, sens, message, sizeof message), TANSY_OK);
        CHECK_CLOSE(sens[0], exp(-1), 100 * 1e-4);
        CHECK_CLOSE(sens[1], 0, 0);
        CHECK_CLOSE(sens[2], 0, 0);
        CHECK_CLOSE(sens[3], exp(-1), 100 * 1e-4);
    }
}

TEST(f_without_a_value_on_either_side_is_told)
{
    double sens[4];
    char message[300];
    int kind = 2;
    CHECK_EQUAL(run(&kind, sens, message, sizeof message), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(message, "rhs");
}
