/* SPDX-License-Identifier: Apache-2.0 */
/* Preconditioners: exact where their pattern holds all of W or of its factors, the same from every kind of matrix, and
   clear about what fails. */
#include "krylov_setting.h"

enum { N = 21, ROOM = 24 };

/* Tridiagonal, far from dominant, so that the band's LU has to exchange; blocks = rows of the blocks W consists of. */
static void fill(double *A, size_t blocks)
{
    struct random_source source = {7};
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double const entry = random_next(&source);
            bool const near = i <= j + 1 && j <= i + 1;
            bool const in = blocks ? i / blocks == j / blocks : near;
            A[i * N + j] = in ? entry : 0;
        }
}

static void start(struct setting *s, enum matrix_kind kind, size_t width, const struct krylov *k)
{
    *s = (struct setting){.A = {.kind = kind, .n = N, .lower = width, .upper = width}, .k = *k};
}

/* |x - x'| <= |W^-1| |residual|: the residual itself is tested, of the order of the growth in LU without good pivots. */
static void is_exact(struct setting *s, double re)
{
    double b[ROOM], x[ROOM] = {0}, r[ROOM], winv[ROOM], size = 0;
    struct linear_task const task = {.lanes = 1, .columns = 1};
    for (size_t i = 0; i < ROOM; i++) winv[i] = 1;
    for (size_t i = 0; i < N; i++) b[i] = x[i] = 1 + (double)(i % 5);
    s->l.table->factor(&s->l, 1, 0.01, 0); /* leaves other exchanges and fill behind */
    CHECK_EQUAL(s->l.table->factor(&s->l, 1, re, 0), 0);
    CHECK_EQUAL(s->k.preconditioner->solve(&s->l, 1, &task, x), 0);
    setting_residual(s, 1, b, x, r);
    for (size_t i = 0; i < N; i++) size = fmax(size, fabs(x[i]));
    for (size_t i = 0; i < N; i++)
        CHECK_CLOSE(r[i], 0, 100 * N * DBL_EPSILON * size * (1 + fabs(re)));
    memcpy(x, b, sizeof x);
    x[N] = x[N + 1] = x[N + 2] = 0;
    double const tolerance = 1e-8;
    CHECK_EQUAL(setting_solve(s, 1, 1, 1, winv, tolerance, x), 0);
    CHECK_EQUAL(s->applied, 1);
}

static void is_exact_for_all_kinds(const struct krylov *k, size_t blocks, double re, bool mass)
{
    double A[N * N], M[N * N] = {0};
    fill(A, blocks);
    for (size_t i = 0; i < N; i++) M[i * (N + 1)] = 0.5 + (double)(i % 2);
    for (size_t i = 1; i < N; i++) M[i * N + i - 1] = A[i * N + i - 1] != 0 ? 0.25 : 0;
    for (int kind = MATRIX_DENSE; kind <= MATRIX_SPARSE; kind++) {
        struct setting s;
        start(&s, (enum matrix_kind)kind, blocks ? blocks : 1, k);
        setting_open(&s, re, A, mass ? M : NULL);
        if (mass && kind == MATRIX_SPARSE) { /* an entry of M where A has none is dropped */
            CHECK(s.M.entries <= s.A.entries);
        }
        is_exact(&s, re);
        setting_close(&s);
    }
}

TEST(preconditioners_that_hold_all_of_w_solve_at_once)
{
    for (int mass = 0; mass < 2; mass++) {
        is_exact_for_all_kinds(
            &(struct krylov){.preconditioner = &precondition_band, .lower = 1, .upper = 1}, 0, 0.3,
            mass);
        is_exact_for_all_kinds(
            &(struct krylov){.preconditioner = &precondition_band, .lower = 99, .upper = 3}, 0, 0.3,
            mass);
        is_exact_for_all_kinds(&(struct krylov){.preconditioner = &precondition_ilu}, 0, 5, mass);
        is_exact_for_all_kinds(&(struct krylov){.preconditioner = &precondition_block, .block = 99},
                               0, 0.3, mass);
        is_exact_for_all_kinds(&(struct krylov){.preconditioner = &precondition_block, .block = 4},
                               4, 0.3, mass);
    }
    is_exact_for_all_kinds(&(struct krylov){.preconditioner = &precondition_block}, 1, 5, false);
    is_exact_for_all_kinds(&(struct krylov){.preconditioner = &precondition_ilu}, 3, 5, false);
}

/* X <- P^-1 B for a tridiagonal W with the diagonal 2 + re beside neighbours up to 1; |W^-1| <= 1/re. */
static void solves_tridiagonal(const struct kernels *kernels, size_t n, size_t lanes, double re)
{
    double A[81] = {0}, *const X = setting_panel(n, lanes), *const B = setting_panel(n, lanes);
    struct setting s = {.l = {.kernels = kernels}, .A = {.kind = MATRIX_SPARSE, .n = n}};
    struct linear_task const task = {.lanes = lanes, .columns = lanes};
    struct random_source source = {n};
    for (size_t i = 0; i < n; i++) {
        A[i * (n + 1)] = -2;
        if (i > 0) A[i * n + i - 1] = random_next(&source);
        if (i + 1 < n) A[i * n + i + 1] = random_next(&source);
    }
    for (size_t x = 0; x < n * lanes; x++) X[x] = B[x] = random_next(&source);
    s.k = (struct krylov){.preconditioner = &precondition_band, .lower = 1, .upper = 1};
    setting_open(&s, re, A, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, re, 0), 0);
    CHECK_EQUAL(s.k.preconditioner->solve(&s.l, 0, &task, X), 0);
    setting_residual(&s, lanes, B, X, B);
    for (size_t x = 0; x < n * lanes; x++)
        CHECK_CLOSE(B[x], 0, 10 * DBL_EPSILON * (4 + re) / re); /* some roundings a row */
    setting_close(&s);
    heap_return(B);
    heap_return(X);
}

TEST(tridiagonal_preconditioners_are_solved_from_both_ends)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t n = 1; n <= 9; n++)
            for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2)
                solves_tridiagonal(list[m], n, lanes, 0.25);
}

/* Zeros on the diagonal: W exchanges neighbours, x = (b_1, b_0, b_3, b_2). */
TEST(tridiagonal_preconditioners_exchange_where_the_diagonal_is_small)
{
    double const A[16] = {0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0};
    double x[8] = {1, 2, 3, 4};
    struct setting s = {.A = {.kind = MATRIX_DENSE, .n = 4}};
    struct linear_task const task = {.lanes = 1, .columns = 1};
    s.k = (struct krylov){.preconditioner = &precondition_band, .lower = 1, .upper = 1};
    setting_open(&s, 0, A, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 0, 0), 0);
    CHECK_EQUAL(s.k.preconditioner->solve(&s.l, 0, &task, x), 0);
    CHECK(x[0] == 2 && x[1] == 1 && x[2] == 4 && x[3] == 3);
    setting_close(&s);
}

/* The diagonal, from a matrix of which nothing is kept. */
TEST(without_entries_the_built_in_preconditioners_are_the_shift)
{
    static const struct preconditioner *const built_in[] = {&precondition_band, &precondition_ilu,
                                                            &precondition_block};
    for (size_t p = 0; p < 3; p++) {
        struct setting s;
        double A[N * N] = {0};
        start(&s, MATRIX_NONE, 0, &(struct krylov){.preconditioner = built_in[p], .block = 2});
        setting_open(&s, 4, A, NULL);
        is_exact(&s, 4);
        setting_close(&s);
    }
}

/* L U agrees with W on its pattern: that is what defines ILU(0). */
TEST(incomplete_factors_agree_with_w_on_its_pattern)
{
    double A[N * N], x[ROOM] = {0};
    struct setting s;
    struct linear_task const task = {.lanes = 1, .columns = 1};
    fill(A, 0);
    for (size_t i = 0; i < N; i++) A[i * N + (i + 5) % N] = A[((i + 5) % N) * N + i] = 1;
    start(&s, MATRIX_SPARSE, 0, &(struct krylov){.preconditioner = &precondition_ilu});
    setting_open(&s, 9, A, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 9, 0), 0);
    double P[N * N], column[ROOM], inverse[N * N];
    for (size_t j = 0; j < N; j++) {
        memset(column, 0, sizeof column);
        column[j] = 1;
        CHECK_EQUAL(s.k.preconditioner->solve(&s.l, 0, &task, column), 0);
        for (size_t i = 0; i < N; i++) inverse[i * N + j] = column[i];
    }
    /* P from P^-1 by the dense preconditioner: blocks of all rows. */
    struct setting whole;
    for (size_t i = 0; i < (size_t)N * N; i++) inverse[i] = -inverse[i];
    start(&whole, MATRIX_DENSE, 0,
          &(struct krylov){.preconditioner = &precondition_block, .block = N});
    setting_open(&whole, 0, inverse, NULL);
    CHECK_EQUAL(whole.l.table->factor(&whole.l, 0, 0, 0), 0);
    for (size_t j = 0; j < N; j++) {
        memset(x, 0, sizeof x);
        x[j] = 1;
        CHECK_EQUAL(whole.k.preconditioner->solve(&whole.l, 0, &task, x), 0);
        for (size_t i = 0; i < N; i++) P[i * N + j] = x[i];
    }
    /* Diagonal dominance (9 against at most 6): |P| <= 17, |P^-1| <= 1/3, errors of two inversions of N rows. */
    for (size_t i = 0; i < (size_t)N * N; i++)
        if (A[i] != 0 || i % (N + 1) == 0)
            CHECK_CLOSE(P[i], s.W.value[i], 17 * 17 / 3.0 * 10 * N * DBL_EPSILON);
    setting_close(&whole);
    setting_close(&s);
}

/* Entry (row, row) of W is bad, with nothing beside it; then it is mended. */
static void reports_row(size_t row, double bad, enum matrix_kind kind, const struct krylov *k)
{
    double A[N * N];
    struct setting s;
    fill(A, 0);
    A[row * N + row - 1] = A[row * N + row + 1] = 0;
    A[row * (N + 1)] = bad == 0 ? 5 : bad;
    start(&s, kind, 1, k);
    setting_open(&s, 5, A, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 5, 0), row + 1);
    *(kind == MATRIX_SPARSE ? &s.A.rows.value[s.A.rows.start[row]] : matrix_entry(&s.A, row, row)) =
        1;
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 5, 0), 0); /* nothing is left of the failure */
    CHECK_EQUAL(s.k.prepared, 2);
    setting_close(&s);
}

TEST(pivots_that_are_zero_or_not_finite_are_reported)
{
    static const struct krylov built_in[] = {
        {.preconditioner = &precondition_band},
        {.preconditioner = &precondition_band, .lower = 1, .upper = 1},
        {.preconditioner = &precondition_band, .lower = 2, .upper = 1},
        {.preconditioner = &precondition_ilu},
        {.preconditioner = &precondition_block, .block = 3}};
    static const double bad[] = {0, (double)NAN, (double)INFINITY};
    static const size_t rows[] = {4, N / 2, 13};
    for (size_t p = 0; p < 5; p++)
        for (size_t c = 0; c < 3; c++)
            for (size_t r = 0; r < 3; r++)
                for (int kind = MATRIX_DENSE; kind <= MATRIX_SPARSE; kind++)
                    reports_row(rows[r], bad[c], (enum matrix_kind)kind, &built_in[p]);
}

TEST(every_preconditioner_refuses_a_shift_that_is_not_finite)
{
    for (size_t p = 0; preconditioners[p]; p++) {
        double A[N * N];
        struct setting s;
        fill(A, 0);
        start(&s, MATRIX_DENSE, 0, &(struct krylov){.preconditioner = preconditioners[p]});
        setting_open(&s, 1, A, NULL);
        CHECK_EQUAL(s.l.table->factor(&s.l, 0, (double)INFINITY, 0), 1);
        setting_close(&s);
    }
}

/* A preconditioner of the user that fails at some call. */
struct user {
    int prepare_code, solve_code;
    size_t calls, fail_call;
    double value;
};

static int prepare_user(void *context, double re)
{
    (void)re;
    return ((struct user *)context)->prepare_code;
}

static int solve_user(void *context, size_t worker, size_t lanes, size_t columns, double *X)
{
    struct user *const u = context;
    (void)worker;
    (void)lanes;
    (void)columns;
    if (++u->calls != u->fail_call) return 0;
    X[0] = u->value;
    return u->solve_code;
}

TEST(codes_of_the_users_preparation_are_passed_on)
{
    double A[N * N];
    struct user u = {0};
    struct setting s;
    fill(A, 0);
    start(&s, MATRIX_NONE, 0,
          &(struct krylov){.preconditioner = &precondition_user,
                           .user = {&u, prepare_user, solve_user}});
    setting_open(&s, 5, A, NULL);
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 5, 0), 0);
    u.prepare_code = 9;
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 5, 0), 1);
    u.prepare_code = -9;
    CHECK_EQUAL(s.l.table->factor(&s.l, 0, 5, 0), LINEAR_STOPPED);
    setting_close(&s);
}

/* At every call in turn, on both sides: a positive code and NaN fail, a negative code stops. */
TEST(codes_of_the_users_preconditioner_end_the_solve)
{
    static const int codes[] = {3, -3, 0};
    double A[N * N], winv[ROOM];
    fill(A, 0);
    for (size_t i = 0; i < ROOM; i++) winv[i] = 1;
    for (int right = 0; right < 2; right++)
        for (size_t c = 0; c < 3; c++) {
            struct user u = {.solve_code = codes[c], .value = (double)NAN};
            struct setting s;
            start(&s, MATRIX_NONE, 0,
                  &(struct krylov){.preconditioner = &precondition_user,
                                   .right = right,
                                   .dimension = 3,
                                   .restarts = 50,
                                   .user = {&u, prepare_user, solve_user}});
            setting_open(&s, 5, A, NULL);
            CHECK_EQUAL(s.l.table->factor(&s.l, 0, 5, 0), 0);
            for (u.fail_call = 1;; u.fail_call++) {
                double x[ROOM] = {0};
                for (size_t i = 0; i < N; i++) x[i] = 1;
                u.calls = 0;
                int const result = setting_solve(&s, 0, 1, 1, winv, 1e-9, x);
                if (u.calls < u.fail_call) break;
                CHECK_EQUAL(result, codes[c] < 0 ? -1 : 1);
            }
            CHECK(u.fail_call > 5);
            CHECK_EQUAL(krylov_total(&s.k).failures, codes[c] < 0 ? 0 : u.fail_call - 1);
            setting_close(&s);
        }
}

TEST(costs_grow_with_what_a_preconditioner_keeps)
{
    double before = -1;
    const struct preconditioner *const by_cost[] = {&precondition_none, &precondition_band,
                                                    &precondition_user, &precondition_ilu,
                                                    &precondition_block};
    for (size_t p = 0; p < 5; p++) {
        double A[N * N];
        struct setting s;
        fill(A, 0);
        start(&s, p == 3 ? MATRIX_SPARSE : MATRIX_DENSE, 0,
              &(struct krylov){.preconditioner = by_cost[p], .block = 8});
        setting_open(&s, 1, A, NULL);
        CHECK(s.l.table->solve_cost(&s.l) > before);
        before = s.l.table->solve_cost(&s.l);
        CHECK(s.l.table->factor_cost(&s.l) >= 0);
        CHECK(s.l.table->factor_cost(&s.l) <= 2.0 / 3.0 * N * N * N);
        setting_close(&s);
    }
}

/* P of slot 0 is what it was after slot 1 has been prepared with another shift. */
TEST(slots_of_preconditioners_do_not_touch_each_other)
{
    static const struct preconditioner *const all[] = {&precondition_block, &precondition_band,
                                                       &precondition_ilu};
    enum { BLOCK = 3 };
    struct linear_task const task = {.lanes = 1, .columns = 1};
    struct random_source source = {3};
    double A[N * N], B[N];
    for (size_t x = 0; x < N * N; x++) A[x] = random_next(&source);
    for (size_t i = 0; i < N; i++) B[i] = random_next(&source);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct setting s = {.A = {.kind = MATRIX_DENSE, .n = N}};
        double *const X = setting_panel(N, 1), *const again = setting_panel(N, 1);
        s.k = (struct krylov){.preconditioner = all[k], .block = BLOCK, .lower = 1, .upper = 2};
        setting_open(&s, 3, A, NULL);
        CHECK_EQUAL(s.l.table->factor(&s.l, 0, 3, 0), 0);
        memcpy(X, B, sizeof B);
        CHECK_EQUAL(all[k]->solve(&s.l, 0, &task, X), 0);
        CHECK_EQUAL(s.l.table->factor(&s.l, 1, 5, 0), 0);
        memcpy(again, B, sizeof B);
        CHECK_EQUAL(all[k]->solve(&s.l, 0, &task, again), 0);
        CHECK(memcmp(again, X, sizeof B) == 0);
        setting_close(&s);
        heap_return(again);
        heap_return(X);
    }
}
