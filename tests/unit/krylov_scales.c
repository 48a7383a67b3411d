/* SPDX-License-Identifier: Apache-2.0 */
/* In which scales GMRES works: residuals and unknowns in units of the error test. */
#include "krylov_setting.h"

enum { N = 19 };

/* Every entry of b is 0.9 tolerances: enough for x = 0 in the mean, not if the sum of squares counts whole. */
TEST(the_norm_is_the_mean_unless_the_share_says_otherwise)
{
    for (int whole = 0; whole < 2; whole++) {
        double A[N * N] = {0}, x[24] = {0}, winv[24] = {0};
        struct setting s = {.A = {.kind = MATRIX_DENSE, .n = N}};
        s.k = (struct krylov){.preconditioner = &precondition_none, .share = whole};
        for (size_t i = 0; i < N; i++) x[i] = 0.9e-3 * (winv[i] = 1);
        setting_open(&s, 1, A, NULL);
        CHECK_EQUAL(s.l.table->factor(&s.l, 0, 1, 0), 0);
        CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-3, x), 0);
        CHECK_EQUAL(s.applied, whole);
        setting_close(&s);
    }
}

/* 0 = 2 - 3 x_1 beside x_0' = ...: what is left of the second row counts as it is, however short the step. */
TEST(residuals_of_algebraic_rows_are_not_divided_by_the_shift)
{
    static const bool algebraic[] = {false, true};
    double const A[4] = {-1, 2, 0.5, -3}, M[4] = {1, 0, 0, 0};
    for (int right = 0; right < 2; right++) {
        double x[8] = {1, 2}, winv[8] = {1, 1};
        struct setting s = {.A = {.kind = MATRIX_DENSE, .n = 2}};
        s.k = (struct krylov){.preconditioner = right ? &precondition_band : &precondition_none,
                              .right = true,
                              .algebraic = algebraic};
        setting_open(&s, 1e9, A, M);
        CHECK_EQUAL(s.l.table->factor(&s.l, 0, 1e9, 0), 0);
        CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-6, x), 0);
        CHECK_CLOSE(x[1], 2.0 / 3, 1e-6 * sqrt(2)); /* |3 x_1 - x_0/2 - 2| <= sqrt(n) 1e-6 */
        setting_close(&s);
    }
}

/* A component that stays zero may have the largest weight there is (purely relative tolerances). */
TEST(huge_weights_of_components_that_are_zero_do_no_harm)
{
    double A[9] = {-1, 0.5, 0, 0.5, -2, 0, 0, 0, -1};
    for (int right = 0; right < 2; right++) {
        double x[8] = {1, 1, 0}, winv[8] = {1, 1, 1 / DBL_MIN};
        struct setting s = {.A = {.kind = MATRIX_DENSE, .n = 3}};
        s.k = (struct krylov){.preconditioner = &precondition_band, .right = right};
        setting_open(&s, 1e-3, A, NULL);
        CHECK_EQUAL(s.l.table->factor(&s.l, 0, 1e-3, 0), 0);
        CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-12, x), 0);
        CHECK(x[2] == 0);
        /* The inverse of {{1 + c, -1/2}, {-1/2, 2 + c}} times (1, 1), to what the tolerance leaves. */
        CHECK_CLOSE(x[0], 2.501 / (1.001 * 2.001 - 0.25), 1e-11);
        CHECK_CLOSE(x[1], 1.501 / (1.001 * 2.001 - 0.25), 1e-11);
        setting_close(&s);
    }
}

/* y' = f + G z, 0 = c G^T y (index 2) with c = re: z has no weight.  Rows over re, z over re, W is near {{1, 0, 1}, {0, 1,
   1/2}, {1, 1/2, 0}} with the eigenvalues 1, 1.72, -0.72, so |W^-1| <= 2 and errors are at most 2 sqrt(n) tolerances. */
static void solves_for_multiplier(size_t lanes, size_t columns, const struct preconditioner *p,
                                  bool right)
{
    double const re = 1e3, tolerance = 1e-8;
    double const A[9] = {-1, 0.5, -1, 0.25, -2, -0.5, -re, -0.5 * re, 0};
    double const M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    double *const X = setting_panel(3, lanes), *const winv = setting_panel(3, lanes);
    struct setting s = {.A = {.kind = MATRIX_DENSE, .n = 3}};
    s.k = (struct krylov){.preconditioner = p, .right = right, .lower = 2, .upper = 2, .block = 3};
    setting_open(&s, re, A, M);
    for (size_t k = 0; k < columns; k++) {
        double const x[3] = {1, -0.5 + (double)k, 2 * re}; /* of which b is made */
        for (size_t i = 0; i < 3; i++) {
            winv[i * lanes + k] = i < 2;
            for (size_t j = 0; j < 3; j++) X[i * lanes + k] += s.W.value[i * 3 + j] * x[j];
        }
    }
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, re, 0), 0);
    CHECK_EQUAL(setting_solve(&s, 0, lanes, columns, winv, tolerance, X), 0);
    for (size_t k = 0; k < columns; k++) {
        CHECK_CLOSE(X[k], 1, 2 * sqrt(3) * tolerance);
        CHECK_CLOSE(X[lanes + k], -0.5 + (double)k, 2 * sqrt(3) * tolerance);
        CHECK_CLOSE(X[2 * lanes + k], 2 * re, 2 * sqrt(3) * tolerance * re);
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t k = columns; k < lanes; k++) CHECK(X[i * lanes + k] == 0);
    setting_close(&s);
    heap_return(winv);
    heap_return(X);
}

TEST(components_without_a_weight_are_solved_for)
{
    for (size_t lanes = 1; lanes <= 8; lanes *= 2)
        for (int right = 0; right < 2; right++) {
            size_t const columns = lanes > 2 ? lanes - 1 : lanes;
            solves_for_multiplier(lanes, columns, &precondition_none, right);
            solves_for_multiplier(lanes, columns, &precondition_band, right);
            solves_for_multiplier(lanes, columns, &precondition_block, right);
        }
}

/* With a shift of zero nothing is divided. */
TEST(a_shift_of_zero_leaves_residuals_as_they_are)
{
    double A[4] = {-2, 1, 0, -4}, x[8] = {3, 8}, winv[8] = {1, 0};
    struct setting s = {.A = {.kind = MATRIX_DENSE, .n = 2}};
    s.k.preconditioner = &precondition_none;
    setting_open(&s, 0, A, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 0, 0), 0);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-12, x), 0);
    CHECK_CLOSE(x[0], 2.5, 1e-11);
    CHECK_CLOSE(x[1], 2, 1e-11);
    setting_close(&s);
}

/* A solve may go without the preconditioner that was placed. */
TEST(none_can_stand_in_for_any_preconditioner)
{
    double A[4] = {-2, 1, 0.5, -4}, x[8] = {3, 8}, y[8] = {3, 8}, winv[8] = {1, 1};
    struct setting s = {.A = {.kind = MATRIX_DENSE, .n = 2}};
    s.k.preconditioner = &precondition_ilu;
    setting_open(&s, 1, A, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 1, 0), 0);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-12, x), 0);
    s.k.preconditioner = &precondition_none;
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 1, 0), 0);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-12, y), 0);
    for (size_t i = 0; i < 2; i++) CHECK_CLOSE(y[i], x[i], 1e-11);
    setting_close(&s);
}

/* One equation, P = re: R_00 = W/re.  The state's is remembered, at once when it is weaker, by half the way on a logarithmic scale
   when it is better; columns have no say. */
TEST(only_the_state_tells_how_weak_the_preconditioner_is)
{
    static const struct {
        double share, weakest;
        bool is_state;
    } solves[] = {{0.1, 0.1, true}, {0.4, 0.2, true}, {0.01, 0.2, false}, {0.8, 0.4, true}};
    double const re = 2, zero = 0, winv[8] = {1};
    struct setting s = {.A = {.kind = MATRIX_NONE, .n = 1}};
    s.k = (struct krylov){.preconditioner = &precondition_block};
    setting_open(&s, re, &zero, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, re, 0), 0);
    for (size_t k = 0; k < sizeof solves / sizeof *solves; k++) {
        double *const X = setting_panel(1, 1);
        struct linear_task const task = {.lanes = 1,
                                         .columns = 1,
                                         .is_state = solves[k].is_state,
                                         .winv = winv,
                                         .tolerance = 1e-3,
                                         .apply = setting_apply,
                                         .context = &s,
                                         .iterations = &s.iterations};
        s.W.value[0] = solves[k].share * re;
        X[0] = 1;
        CHECK_EQUAL(s.l.table->iterate(&s.l, 0, &task, X), 0);
        CHECK_CLOSE(X[0], 1 / s.W.value[0], 1e-12);
        CHECK_CLOSE(s.k.weakest, solves[k].weakest, 1e-14);
        heap_return(X);
    }
    setting_close(&s);
}
