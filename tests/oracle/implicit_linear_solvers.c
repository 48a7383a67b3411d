/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation on 10 x 10 and 20 x 20 points by every linear solver and every preconditioner on either side: an error of y
   and S of at most 100 rtol against the exact solution of the differences (support/heat.h). */
#include "support/accuracy.h"
#include "support/heat.h"
#include "support/promise.h"
#include "support/sparse_solver.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tansy/tansy.h>

/* The reference, from the closed form, at a few times. */
static void make_oracle(size_t M, enum heat_form form, struct oracle *o)
{
    static const double times[] = {0.04, 0.32, 1.28};
    o->problem = heat_problem(M, form);
    size_t const n = o->problem->problem.n, count = sizeof times / sizeof *times;
    struct reference *const r = &o->exact;
    *r = (struct reference){.times = count, .n = n, .ns = 2};
    r->t = calloc(count * (1 + 3 * n), sizeof(double)); /* one block: reference_free() */
    CHECK(r->t != NULL);
    r->y = r->t + count;
    r->sens = r->y + count * n;
    for (size_t m = 0; m < count; m++) {
        r->t[m] = times[m];
        heat_exact(M, form, times[m], r->y + m * n, r->sens + 2 * m * n);
    }
    error_norm_make(o->problem, r, &o->norm);
}

/* What preconditions the user's way: the tridiagonal part in x, which is made when it is asked for. */
struct choice {
    const char *name;
    enum heat_form form;
    tansy_options options;
};

static size_t broken(size_t M, enum derivatives derivatives, const struct choice *it)
{
    struct oracle o;
    size_t count = 0;
    make_oracle(M, it->form, &o);
    for (size_t c = 0; c < CORRECTORS; c++)
        for (int digits = 4; digits <= 6; digits += TEST_STRIDE) {
            double const rtol = pow(10, -digits);
            tansy_options options = it->options;
            options.method = TANSY_DASSL;
            options.sensitivities = all_correctors[c];
            options.rtol = rtol;
            struct accuracy const a = oracle_measure(&o, derivatives, &options);
            if (fmax(a.state, a.columns) <= 100 * rtol) continue;
            count++;
            fprintf(stderr,
                    "heat_%zu, form %d, %s, %s, rtol %.0e: error %.2e of y, %.2e of S: %s\n", M,
                    (int)it->form, it->name, sensitivities_name(all_correctors[c]), rtol, a.state,
                    a.columns, a.message);
        }
    oracle_close(&o);
    return count;
}

TEST(direct_solvers_are_right_in_every_form)
{
    static const struct choice all[] = {
        {"band", HEAT_BAND, {.linear_solver = TANSY_BAND_LU}},
        {"band", HEAT_MASS, {.linear_solver = TANSY_BAND_LU}},
        {"band", HEAT_ODE, {.linear_solver = TANSY_BAND_LU}},
        {"dense", HEAT_BAND, {.linear_solver = TANSY_DENSE_LU}},
        {"dense", HEAT_MASS, {.linear_solver = TANSY_DENSE_LU}},
        {"dense", HEAT_SPARSE, {.linear_solver = TANSY_DENSE_LU}},
        {"sparse", HEAT_SPARSE, {.linear_solver = TANSY_SPARSE_LU}},
    };
    size_t const last = sizeof all / sizeof *all - 1;
    size_t const end = sparse_solver_is_there("heat equation by sparse factors") ? last + 1 : last;
    for (size_t k = 0; k < end; k++) {
        CHECK_EQUAL(broken(10, GIVEN, &all[k]), 0);
        CHECK_EQUAL(broken(10, BY_DIFFERENCES, &all[k]), 0);
    }
    CHECK_EQUAL(broken(20, GIVEN, &all[0]), 0);
    if (end > last) CHECK_EQUAL(broken(20, GIVEN, &all[last]), 0);
}

static size_t krylov_broken(size_t M, enum heat_form form, enum derivatives derivatives)
{
    static const struct {
        const char *name;
        tansy_preconditioner which;
        size_t block, width;
    } all[] = {{"auto", TANSY_PRECONDITIONER_AUTO, 0, 0},
               {"none", TANSY_NO_PRECONDITIONER, 0, 0},
               {"band", TANSY_BAND_PRECONDITIONER, 0, 1},
               {"ilu", TANSY_ILU_PRECONDITIONER, 0, 0},
               {"block", TANSY_BLOCK_PRECONDITIONER, 4, 0}};
    size_t count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int side = 0; side < 2; side++) {
            char name[64];
            if (all[k].which == TANSY_NO_PRECONDITIONER && form != HEAT_ODE) continue;
            snprintf(name, sizeof name, "gmres, %s, %s", all[k].name, side ? "right" : "left");
            struct choice const it = {name,
                                      form,
                                      {.linear_solver = TANSY_GMRES,
                                       .preconditioner = all[k].which,
                                       .precondition_side = side ? TANSY_RIGHT : TANSY_LEFT,
                                       .krylov_dimension = 20,
                                       .preconditioner_block = all[k].block,
                                       .preconditioner_lower = all[k].width,
                                       .preconditioner_upper = all[k].width}};
            count += broken(M, derivatives, &it);
        }
    return count;
}

TEST(gmres_without_a_preconditioner_is_refused_for_implicit_problems)
{
    tansy_solver *const s = tansy_create(
        &heat_problem(10, HEAT_BAND)->problem,
        &(tansy_options){.linear_solver = TANSY_GMRES, .preconditioner = TANSY_NO_PRECONDITIONER});
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), "without a preconditioner");
    tansy_free(s);
}

TEST(gmres_is_right_with_every_preconditioner_on_a_banded_implicit_problem)
{
    CHECK_EQUAL(krylov_broken(10, HEAT_BAND, GIVEN), 0);
}

TEST(gmres_is_right_with_every_preconditioner_on_a_sparse_implicit_problem)
{
    CHECK_EQUAL(krylov_broken(10, HEAT_SPARSE, GIVEN), 0);
}

TEST(gmres_is_right_with_every_preconditioner_on_a_problem_with_mass_matrix)
{
    CHECK_EQUAL(krylov_broken(10, HEAT_MASS, GIVEN), 0);
}

TEST(gmres_is_right_with_every_preconditioner_on_an_explicit_problem)
{
    CHECK_EQUAL(krylov_broken(10, HEAT_ODE, GIVEN), 0);
}

TEST(gmres_is_right_without_any_derivative)
{
    CHECK_EQUAL(krylov_broken(10, HEAT_BAND, BY_DIFFERENCES), 0);
    CHECK_EQUAL(krylov_broken(10, HEAT_SPARSE, BY_DIFFERENCES), 0);
}

TEST(gmres_is_right_on_400_points)
{
    CHECK_EQUAL(krylov_broken(20, HEAT_SPARSE, GIVEN), 0);
}
