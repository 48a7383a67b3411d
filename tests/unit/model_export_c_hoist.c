/* SPDX-License-Identifier: Apache-2.0 */
/* Exported C computes what depends on p alone once for a version of p, in the memory of each thread. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "base/heap.h"
#include "support/shared_object.h"
#include "test.h"

/* k = A exp(-E/T) is of p alone; it is doubled where the condition x >= 1/2 fails, and tripled past the break at t = 1. */
static const char text[] =
    "model decay\n"
    "parameter A = 2, E = 3, T = 4\n"
    "state x = 1, z = A\n"
    "let k = A*exp(-E/T)*(if x < 0.5 then 2 else 1)*(if time < 1 then 1 else 3)\n"
    "x' = -k*x\n"
    "z' = k*x - z\n"
    "output total = x + z*k\n";

enum { N = 2, NP = 3, ROOM = 8 };

struct exported {
    tansy_model *model, *loaded;
    tansy_problem problem;
};

static struct exported open_text(const char *source)
{
    struct exported e = {.model = tansy_model_parse(source, strlen(source), "test")};
    CHECK_EQUAL(tansy_model_error(e.model), TANSY_OK);
    e.loaded = shared_object_of(e.model);
    CHECK_EQUAL(tansy_model_problem(e.loaded, &e.problem), TANSY_OK);
    return e;
}

static void close_text(struct exported *e)
{
    tansy_model_free(e->loaded);
    tansy_model_free(e->model);
}

static double rate(const double *p)
{
    return p[0] * exp(-p[1] / p[2]) * (p[NP] > 0 ? 1 : 2) * (p[NP + 1] > 0 ? 3 : 1);
}

/* exp and a handful of products, each to an ulp or two, of numbers about 1 */
static double const close = 16 * DBL_EPSILON;

TEST(values_of_p_are_computed_again_when_the_version_changes_and_only_then)
{
    struct exported e = open_text(text);
    CHECK_EQUAL(e.problem.from_model, 0);
    CHECK_EQUAL(e.problem.switches, 1);
    CHECK_EQUAL(e.problem.breaks, 1);
    double p[] = {2, 3, 4, 1, 0};
    double const y[] = {0.75, 0.25};
    tansy_local local = {.scratch = heap_take(e.problem.scratch), .version = 7};
    double f[N];
    CHECK_EQUAL(e.problem.rhs(0, y, p, f, &local), 0);
    double const before = f[0];
    CHECK_CLOSE(before, -rate(p) * y[0], close);
    p[0] = 5;
    p[NP + 1] = 1; /* past the break */
    CHECK_EQUAL(e.problem.rhs(0, y, p, f, &local), 0);
    CHECK_CLOSE(f[0], before, 0); /* the version is the same: nothing was computed */
    local.version = 8;
    CHECK_EQUAL(e.problem.rhs(0, y, p, f, &local), 0);
    CHECK_CLOSE(f[0], -rate(p) * y[0], 8 * close);
    p[NP] = 0; /* the other branch */
    local.version = 9;
    double J[N * N] = {0};
    CHECK_EQUAL(e.problem.jacobian(0, y, p, J, &local), 0);
    CHECK_CLOSE(J[0], -rate(p), 16 * close);
    CHECK_CLOSE(J[3], -1, 0);
    heap_return(local.scratch);
    close_text(&e);
}

struct thread {
    const tansy_problem *problem;
    double p[ROOM];
    int wrong;
};

/* Calls all functions with p of its own, changed again and again. */
static void *run(void *argument)
{
    struct thread *const t = argument;
    tansy_local local = {.scratch = heap_take(t->problem->scratch)};
    double const y[] = {0.75, 0.25};
    for (int k = 0; k < 2000; k++) {
        double F[ROOM], f[N];
        if (k % 2 == 0) t->p[0] += 0.25, local.version++;
        t->problem->rhs(0, y, t->p, f, &local);
        t->problem->parameter_jacobian(0, y, t->p, F, &local);
        t->wrong += !(fabs(f[0] + rate(t->p) * y[0]) <= close * fabs(f[0]));
        t->wrong += !(fabs(F[0] * t->p[0] - f[0]) <= close * fabs(f[0])); /* f is linear in A */
    }
    heap_return(local.scratch);
    return NULL;
}

TEST(two_threads_have_values_of_their_own)
{
    struct exported e = open_text(text);
    struct thread thread[2] = {{&e.problem, {2, 3, 4, 1}, 0}, {&e.problem, {700, 5, 2, 0}, 0}};
    pthread_t id[2];
    for (int k = 0; k < 2; k++) CHECK_EQUAL(pthread_create(&id[k], NULL, run, &thread[k]), 0);
    for (int k = 0; k < 2; k++) CHECK_EQUAL(pthread_join(id[k], NULL), 0);
    CHECK_EQUAL(thread[0].wrong, 0);
    CHECK_EQUAL(thread[1].wrong, 0);
    close_text(&e);
}

/* The solver's steps do not depend on who evaluates f, up to roundings of exp: S at t = 2, past break and switch. */
TEST(a_solver_gets_the_same_from_exported_c_as_from_the_model)
{
    struct exported e = open_text(text);
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(e.model, &problem), TANSY_OK);
    CHECK_EQUAL(e.problem.prefer_matrix, problem.prefer_matrix);
    double y[2][N], S[2][N * NP];
    for (int k = 0; k < 2; k++) {
        tansy_solver *const s =
            tansy_create(k ? &e.problem : &problem, &(tansy_options){.rtol = 1e-10, .atol = 1e-12});
        CHECK_EQUAL(tansy_solve(s, 2, y[k], S[k]), TANSY_OK);
        tansy_free(s);
    }
    for (int i = 0; i < N; i++) CHECK_CLOSE(y[1][i], y[0][i], 1e-9); /* 10 times the tolerance */
    for (int i = 0; i < N * NP; i++) CHECK_CLOSE(S[1][i], S[0][i], 1e-8);
    close_text(&e);
}

TEST(without_values_of_p_there_is_no_scratch)
{
    struct exported e = open_text("model plain\nparameter a = 2\nstate x = 1\nx' = a*x\n");
    double const x = 3, a = 2;
    double f;
    CHECK_EQUAL(e.problem.scratch, 0);
    CHECK_EQUAL(e.problem.rhs(0, &x, &a, &f, NULL), 0);
    CHECK_CLOSE(f, 6, 0);
    close_text(&e);
}

/* 1 - 2 + 3 - .. of terms sin(j x), 40 of them: the sum is a tree, the sign of each term stays. */
TEST(long_sums_become_trees_with_the_same_terms)
{
    char source[4000] =
        "model sums\nstate x = 1, z = 0\nz' = -cos(x) - cos(2*x) - cos(3*x) - cos(4*x) - "
        "cos(5*x) - cos(6*x) - cos(7*x) - cos(8*x) - cos(9*x) - cos(10*x)\nx' = -sin(1*x)";
    size_t used = strlen(source);
    for (int j = 2; j <= 40; j++)
        used += (size_t)snprintf(source + used, sizeof source - used, " %c %d*sin(%d*x)",
                                 j % 3 ? '-' : '+', j, j);
    (void)snprintf(source + used, sizeof source - used, "\n");
    struct exported e = open_text(source);
    double const y[] = {0.3, 0};
    double f[N], J[N * N] = {0}, expected = 0, slope = 0, size = 0;
    for (int j = 1; j <= 40; j++) {
        int const sign = j % 3 ? -1 : 1;
        expected += sign * j * sin(j * 0.3);
        slope += sign * j * j * cos(j * 0.3);
        size += j * j;
    }
    double all_minus = 0;
    for (int j = 1; j <= 10; j++) all_minus -= cos(j * 0.3);
    CHECK_EQUAL(e.problem.rhs(0, y, NULL, f, NULL), 0);
    CHECK_EQUAL(e.problem.jacobian(0, y, NULL, J, NULL), 0);
    CHECK_CLOSE(f[1], all_minus, 100 * DBL_EPSILON);      /* 10 roundings of sums up to 10 */
    CHECK_CLOSE(f[0], expected, 40 * DBL_EPSILON * size); /* 40 roundings, each of at most all */
    CHECK_CLOSE(J[0], slope, 40 * DBL_EPSILON * size);
    close_text(&e);
}
