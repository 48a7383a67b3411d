/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes of a panel do not touch each other; breakdowns, failures and numbers that are not finite end a solve. */
#include "krylov_setting.h"

enum { N = 19, LANES = 8, ROOM = 160 };

/* W = I - E with some dozens of entries in E: 5 to 10 directions for 1e-9, one for (1, 0, 0, ...). */
static void fill(double *A)
{
    struct random_source source = {3};
    for (size_t x = 0; x < (size_t)N * N; x++) A[x] = x % 4 ? 0 : 0.4 * random_next(&source);
    for (size_t i = 0; i < N; i++) A[i * N] = A[i] = 0;
}

static void open_plain(struct setting *s, double re, size_t n, const double *A)
{
    *s = (struct setting){.A = {.kind = MATRIX_DENSE, .n = n}, .k = s->k};
    if (!s->k.preconditioner) s->k.preconditioner = &precondition_none;
    setting_open(s, re, A, NULL);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, re, 0), 0);
}

static void ones(size_t count, double *x)
{
    for (size_t i = 0; i < count; i++) x[i] = 1;
}

/* Lane `to` of X from lane `from` of B. */
static void copy_lane(const double *B, size_t from, double *X, size_t to)
{
    for (size_t i = 0; i < N; i++) X[i * LANES + to] = B[i * LANES + from];
}

/* One column alone in the first lane against the same one in lane k of a full panel whose columns take from 0 to many
   iterations and restarts. */
static void is_alone(struct krylov k)
{
    double A[N * N], B[ROOM] = {0}, X[ROOM], winv[ROOM];
    struct setting s = {.k = k};
    struct random_source source = {5};
    fill(A);
    open_plain(&s, 1, N, A);
    ones(ROOM, winv);
    for (size_t x = 0; x < (size_t)N * LANES; x++)
        B[x] = pow(1e-3, (double)(x % LANES) - 3) * random_next(&source);
    for (size_t i = 0; i < N; i++) B[i * LANES + 2] = i == 0; /* breaks down */
    memcpy(X, B, sizeof X);
    CHECK_EQUAL(setting_solve(&s, 0, LANES, LANES, winv, 1e-9, X), 0);
    size_t const together = s.iterations, applied = s.applied;
    CHECK(X[LANES - 1] == 0); /* of a right-hand side within the tolerance */
    s.iterations = 0;
    for (size_t c = 0; c < LANES; c++) {
        double alone[ROOM] = {0};
        copy_lane(B, c, alone, 0);
        s.applied = 0;
        CHECK_EQUAL(setting_solve(&s, 0, LANES, 1, winv, 1e-9, alone), 0);
        for (size_t i = 0; i < N; i++)
            CHECK(memcmp(&alone[i * LANES], &X[i * LANES + c], sizeof(double)) == 0);
        CHECK(s.applied <= applied);
    }
    CHECK_EQUAL(s.iterations, together);
    CHECK(applied < together); /* the lanes shared them */
    setting_close(&s);
}

TEST(results_do_not_depend_on_the_columns_that_share_a_panel)
{
    for (size_t p = 0; preconditioners[p]; p++)
        for (int right = 0; right < 2 && preconditioners[p] != &precondition_user; right++) {
            struct krylov k = {.preconditioner = preconditioners[p], .right = right, .block = 4};
            k.workers = 3;
            k.most_lanes = LANES;
            k.restarts = 100;
            is_alone(k);
            k.dimension = 8;
            k.orthogonal = 2;
            is_alone(k);
        }
}

TEST(a_right_hand_side_of_zero_needs_no_product)
{
    double A[N * N], X[ROOM] = {0}, winv[ROOM];
    struct setting s = {0};
    fill(A);
    open_plain(&s, 1, N, A);
    ones(ROOM, winv);
    CHECK_EQUAL(setting_solve(&s, 0, LANES, LANES, winv, 0, X), 0);
    for (size_t x = 0; x < ROOM; x++) CHECK(X[x] == 0);
    CHECK_EQUAL(s.applied, 0);
    setting_close(&s);
}

/* An exact solution in the Krylov space is found at its dimension, with any tolerance. */
TEST(a_breakdown_is_the_solution)
{
    double A[16] = {0}, x[8] = {1, 2, 3, 4}, winv[8];
    struct setting s = {.k = {.dimension = 4}};
    ones(8, winv);
    open_plain(&s, 4, 4, A); /* W = 4 I */
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 0, x), 0);
    CHECK_EQUAL(s.applied, 1);
    for (size_t i = 0; i < 4; i++) CHECK_CLOSE(x[i], 0.25 * (double)(i + 1), 8 * DBL_EPSILON);
    setting_close(&s);
    A[0] = A[5] = -1; /* W = diag(5, 5, 4, 4): two directions */
    open_plain(&s, 4, 4, A);
    for (size_t i = 0; i < 4; i++) x[i] = 20 * (double)(i + 1);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 0, x), 0);
    CHECK_EQUAL(s.applied, 2);
    for (size_t i = 0; i < 4; i++)
        CHECK_CLOSE(x[i], (i < 2 ? 4 : 5) * (double)(i + 1), 20 * 50 * DBL_EPSILON);
    setting_close(&s);
}

/* W = 0; diag(1, 0) with b outside and inside its range. */
TEST(singular_systems_do_not_converge_unless_the_solution_is_in_reach)
{
    double A[4] = {0}, x[8] = {1, 1}, winv[8];
    struct setting s = {0};
    ones(8, winv);
    open_plain(&s, 0, 2, A);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 1);
    setting_close(&s);
    A[0] = -1;
    open_plain(&s, 0, 2, A);
    x[0] = x[1] = 1;
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 1);
    x[0] = 3;
    x[1] = 0;
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 0);
    CHECK(x[0] == 3 && x[1] == 0);
    CHECK_EQUAL(krylov_total(&s.k).failures, 1);
    setting_close(&s);
}

/* The Laplacian of a ring has no inverse, and only rounding errors tell: b has a part outside of its range. */
TEST(systems_that_are_singular_but_for_rounding_errors_do_not_converge)
{
    for (size_t dimension = 2; dimension <= N; dimension++) {
        double A[N * N] = {0}, x[24] = {0}, winv[24];
        struct setting s = {.k = {.dimension = dimension, .restarts = 50}};
        struct random_source source = {1};
        ones(24, winv);
        for (size_t i = 0; i < N; i++) {
            double const weight = 1 + (double)(i % 3) / 7; /* rows do not cancel exactly */
            A[i * (N + 1)] = -2 * weight;
            A[i * N + (i + 1) % N] = A[i * N + (i + N - 1) % N] = weight;
            x[i] = 1 + random_next(&source);
        }
        open_plain(&s, 0, N, A);
        CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 1);
        setting_close(&s);
    }
}

/* W = Q diag(0, 1, 2, 0, 1, 2, ...) Q, Q = I - 2 u u^T: after three directions nothing is left but rounding errors, on
   the diagonal of R too. */
TEST(a_breakdown_of_a_singular_system_is_not_the_solution)
{
    double A[N * N], u[N], x[24] = {0}, winv[24], length = 0;
    struct random_source source = {8};
    ones(24, winv);
    for (size_t i = 0; i < N; i++) length += pow(u[i] = random_next(&source), 2);
    for (size_t i = 0; i < (size_t)N * N; i++) {
        A[i] = 0;
        for (size_t k = 0; k < N; k++) {
            double const left = (i / N == k) - 2 * u[i / N] * u[k] / length;
            double const right = (i % N == k) - 2 * u[i % N] * u[k] / length;
            A[i] -= left * (double)(k % 3) * right;
        }
    }
    for (size_t i = 0; i < N; i++) x[i] = random_next(&source);
    struct setting s = {.k = {.restarts = 50}};
    open_plain(&s, 0, N, A);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 1);
    CHECK_EQUAL(s.applied, 3);
    setting_close(&s);
}

/* b/W = 1e154/1e-160 */
TEST(solutions_beyond_the_range_of_numbers_are_failures)
{
    double A[1] = {-1e-160}, x[8] = {1e154}, winv[8];
    struct setting s = {0};
    ones(8, winv);
    open_plain(&s, 0, 1, A);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 1);
    CHECK_EQUAL(s.applied, 1);
    setting_close(&s);
}

static size_t products_needed(struct krylov k)
{
    double A[N * N], x[24] = {0}, winv[24];
    struct setting s = {.k = k};
    fill(A);
    ones(24, winv);
    for (size_t i = 0; i < N; i++) x[i] = 0.9e-3;
    open_plain(&s, 1, N, A);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-12, x), 0);
    setting_close(&s);
    return s.applied;
}

TEST(incomplete_orthogonalisation_needs_more_directions)
{
    size_t const all = products_needed((struct krylov){.dimension = N, .restarts = 9});
    size_t const two =
        products_needed((struct krylov){.dimension = N, .orthogonal = 2, .restarts = 9});
    CHECK(all < two);
}

/* The cyclic shift: the residual does not fall before the last direction. */
TEST(a_cycle_without_progress_ends_the_solve)
{
    double A[N * N] = {0}, x[24] = {1}, winv[24];
    struct setting s = {.k = {.dimension = N - 1, .restarts = 1000}};
    ones(24, winv);
    for (size_t i = 0; i < N; i++) A[i * N + (i + 1) % N] = -1;
    open_plain(&s, 0, N, A);
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 1);
    CHECK_EQUAL(s.applied, N - 1);
    setting_close(&s);
    s.k = (struct krylov){.dimension = N};
    open_plain(&s, 0, N, A);
    memset(x, 0, sizeof x);
    x[0] = 1;
    CHECK_EQUAL(setting_solve(&s, 0, 1, 1, winv, 1e-9, x), 0);
    for (size_t i = 0; i < N; i++) CHECK(x[i] == (i == 1));
    setting_close(&s);
}

TEST(restarts_are_limited)
{
    double A[N * N], X[ROOM], winv[ROOM];
    struct setting s = {.k = {.dimension = 2, .restarts = 3}};
    fill(A);
    ones(ROOM, winv);
    ones(ROOM, X);
    open_plain(&s, 1, N, A);
    CHECK_EQUAL(setting_solve(&s, 0, LANES, LANES, winv, 1e-14, X), 1);
    CHECK_EQUAL(s.applied, 2 * (3 + 1));
    CHECK_EQUAL(krylov_total(&s.k).restarts, 3);
    CHECK_EQUAL(krylov_total(&s.k).failures, 1);
    setting_close(&s);
}

/* Whatever the product by W returns, and whenever. */
static void fails_at_every_call(struct krylov k, int code, double value)
{
    double A[N * N], winv[ROOM];
    struct setting s = {.k = k};
    size_t call = 1;
    fill(A);
    ones(ROOM, winv);
    open_plain(&s, 1, N, A);
    for (;; call++) {
        double X[ROOM];
        ones(ROOM, X);
        for (size_t x = 0; x < ROOM; x++) X[x] += (double)(x / LANES % 7); /* all lanes the same */
        s.applied = 0;
        s.fail_call = call;
        s.fail_lane = 5;
        s.fail_code = code;
        s.fail_value = value;
        int const result = setting_solve(&s, 0, LANES, LANES, winv, 1e-9, X);
        if (s.applied < call) break; /* it was done before */
        CHECK_EQUAL(result, code < 0 ? -1 : 1);
    }
    CHECK(call > 4);
    setting_close(&s);
}

TEST(failing_products_end_the_solve)
{
    for (size_t dimension = 3; dimension <= N; dimension += N - 3) {
        struct krylov k = {.dimension = dimension, .restarts = 100};
        fails_at_every_call(k, 7, 0);
        fails_at_every_call(k, -7, 0);
        fails_at_every_call(k, 0, (double)NAN);
        fails_at_every_call(k, 0, (double)INFINITY);
        fails_at_every_call(k, 0, 1e200); /* its square is not finite */
        k.orthogonal = 2;
        fails_at_every_call(k, 0, (double)NAN);
    }
}

/* Lane 0 is done after one product; what comes out of it later is not looked at. */
TEST(lanes_that_are_done_may_hold_anything)
{
    double A[N * N], X[ROOM], winv[ROOM], clean[ROOM];
    struct setting s = {.k = {.dimension = 4, .restarts = 20}};
    fill(A);
    ones(ROOM, winv);
    ones(ROOM, clean);
    for (size_t i = 0; i < N; i++) clean[i * LANES] = i == 0; /* an eigenvector */
    open_plain(&s, 1, N, A);
    memcpy(X, clean, sizeof X);
    CHECK_EQUAL(setting_solve(&s, 0, LANES, LANES, winv, 1e-9, clean), 0);
    CHECK(s.applied > 4);
    s.applied = 0;
    s.fail_call = 3;
    s.fail_value = (double)NAN;
    CHECK_EQUAL(setting_solve(&s, 0, LANES, LANES, winv, 1e-9, X), 0);
    for (size_t x = 0; x < (size_t)N * LANES; x++) CHECK(X[x] == clean[x]);
    setting_close(&s);
}

TEST(right_hand_sides_and_weights_that_are_not_finite_do_not_converge)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, 1e200};
    double A[N * N];
    fill(A);
    for (size_t c = 0; c < 3; c++)
        for (int which = 0; which < 4; which++) {
            struct setting s = {.k = {.preconditioner = &precondition_band, .right = which % 2}};
            double X[ROOM], winv[ROOM];
            ones(ROOM, X);
            ones(ROOM, winv);
            (which < 2 ? X : winv)[3 * LANES + 2] = bad[c];
            open_plain(&s, 1, N, A);
            CHECK_EQUAL(setting_solve(&s, 0, LANES, LANES, winv, 1e-9, X), 1);
            CHECK_EQUAL(s.applied, 0);
            setting_close(&s);
        }
}

TEST(complex_shifts_are_refused)
{
    double A[1] = {0};
    struct setting s = {0};
    open_plain(&s, 1, 1, A);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 1, 1), LINEAR_NOT_SUPPORTED);
    setting_close(&s);
}
