/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about NaN in what the user gives for an implicit problem name the row and the column that he knows. */
#include <tansy/tansy.h>

#include <math.h>
#include <stddef.h>

#include "test.h"

enum { NP = 40, MARKED = 35 };

/* x' = u, 0 = x - p sin t of index 2, p the parameter MARKED of many; NaN in its column of d/dt of the constraint. */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)context;
    F[0] = yp[0] - y[1];
    F[1] = y[0] - p[MARKED] * sin(t);
    return 0;
}

static int constraint_rate(double t, const double *y, const double *yp, const double *p, double *R,
                           void *context)
{
    (void)y;
    (void)context;
    R[1] = yp[0] - p[MARKED] * cos(t);
    return 0;
}

static int constraint_tangent(double t, const double *y, const double *yp, const double *p,
                              size_t columns, size_t ld, const double *V, const double *V_rate,
                              const double *U, double *R, void *context)
{
    (void)t;
    (void)y;
    (void)yp;
    (void)p;
    (void)V;
    (void)context;
    for (size_t k = 0; k < columns; k++)
        R[ld + k] = U[MARKED * ld + k] != 0 ? (double)NAN : V_rate[k];
    return 0;
}

TEST(a_column_of_the_rate_of_constraints_has_its_number)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    double const y0[] = {0, 1};
    double p[NP], y[2], S[NP][2];
    for (int k = 0; k < NP; k++) p[k] = 1;
    tansy_solver *const s =
        tansy_create(&(tansy_problem){.n = 2,
                                      .np = NP,
                                      .y0 = y0,
                                      .p = p,
                                      .residual = residual,
                                      .constraint_rate = constraint_rate,
                                      .constraint_rate_tangent = constraint_tangent,
                                      .kind = kind},
                     &(tansy_options){.rtol = 1e-4});
    CHECK_EQUAL(tansy_solve(s, 1, y, *S), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "constraint_rate_tangent gave NaN in row 1, column 35");
    tansy_free(s);
}

/* B y' = f with B = 1, of which one thing is NaN after t = 1/2. */
struct broken {
    int entry, parameter; /* of B as it is laid out; whose column of d(B u)/dp; -1: none */
    size_t first;         /* where B_00 is */
};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = -p[0] * y[0];
    f[1] = y[0] - y[1];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    (void)context;
    for (size_t k = 0; k < columns; k++) {
        R[k] = -p[0] * V[k] - U[k] * y[0];
        R[ld + k] = V[k] - V[ld + k];
    }
    return 0;
}

/* B_00, B_10, B_11 are the entries 0, 2, 3 of a dense matrix, 1, 2, 3 of a band with one diagonal below, 0, 1, 2 of a list. */
static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    const struct broken *const broken = context;
    (void)y;
    (void)p;
    B[broken->first] = 1;
    B[broken->first == 2 ? 0 : 3] = 1;
    if (t > 0.5 && broken->entry >= 0) B[broken->entry] = (double)NAN;
    return 0;
}

static int mass_tangent(double t, const double *y, const double *p, const double *u, size_t columns,
                        size_t ld, const double *V, const double *U, double *R, void *context)
{
    const struct broken *const broken = context;
    (void)y;
    (void)p;
    (void)u;
    (void)V;
    for (size_t k = 0; k < columns && t > 0.5; k++)
        if (U[(size_t)broken->parameter * ld + k] != 0) R[ld + k] = (double)NAN;
    return 0;
}

static void check_words(tansy_problem q, const char *words)
{
    double const y0[] = {1, 0.5};
    double p[NP], y[2], S[NP][2];
    for (int k = 0; k < NP; k++) p[k] = 1;
    q.n = 2;
    q.y0 = y0;
    q.p = p;
    q.rhs = rhs;
    q.mass = mass;
    q.mass_varies = 1;
    tansy_solver *const s = tansy_create(&q, &(tansy_options){.method = TANSY_DASSL});
    CHECK_EQUAL(tansy_solve(s, 2, y, *S), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(s), words);
    tansy_free(s);
}

TEST(an_entry_of_the_mass_matrix_has_its_row_and_column)
{
    static const size_t row[] = {1, 1, 0}, column[] = {1, 0, 0};
    struct broken dense = {.entry = 3}, band = {.entry = 2, .first = 1}, list = {.first = 2};
    check_words((tansy_problem){.np = 1, .context = &dense}, "mass gave NaN in row 1, column 1");
    check_words((tansy_problem){.np = 1, .structure = TANSY_BANDED, .lower = 1, .context = &band},
                "mass gave NaN in row 1, column 0");
    check_words((tansy_problem){.np = 1,
                                .structure = TANSY_SPARSE,
                                .jacobian_pattern = {3, row, column},
                                .context = &list},
                "mass gave NaN in row 1, column 1");
}

TEST(a_column_of_the_tangent_of_the_mass_matrix_has_its_number)
{
    struct broken broken = {.entry = -1, .parameter = MARKED};
    check_words(
        (tansy_problem){
            .np = NP, .tangent = tangent, .mass_tangent = mass_tangent, .context = &broken},
        "mass_tangent gave NaN in row 1, column 35");
}
