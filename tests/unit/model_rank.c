/* SPDX-License-Identifier: Apache-2.0 */
/* The index of implicit models from numbers, against what is known of them by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/structure_rank.h"
#include "test.h"

static tansy_model_rank rank_at(tansy_model *m, const tansy_point *at)
{
    tansy_model_rank rank;
    if (tansy_model_error(m) != TANSY_OK) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_find_rank(m, at, &rank), TANSY_OK);
    tansy_model_free(m);
    return rank;
}

/* At the model's initial values and parameters, y' = 0. */
static tansy_model_rank rank_of(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "m");
    return rank_at(m, &(tansy_point){.side = 1, .p = m->p});
}

static tansy_model_rank rank_of_example(const char *name)
{
    char path[200];
    (void)snprintf(path, sizeof path, "examples/models/%s.tansy", name);
    tansy_model *const m = tansy_model_read(path);
    return rank_at(m, &(tansy_point){.side = 1, .p = m->p});
}

static void is_rank(tansy_model_rank got, size_t rank, size_t index, int is_at_least)
{
    CHECK_EQUAL(got.found, 1);
    CHECK_EQUAL(got.rank, rank);
    CHECK_EQUAL(got.index, index);
    CHECK_EQUAL(got.is_at_least, is_at_least);
}

TEST(the_examples_have_the_index_that_is_known)
{
    is_rank(rank_of_example("batch_reactor"), 6, 1, 0); /* equations over 13 orders of magnitude */
    is_rank(rank_of_example("pendulum"), 4, 2, 0);
    is_rank(rank_of_example("robertson_dae"), 2, 1, 0);
    is_rank(rank_of_example("transistor_amplifier"), 5, 1, 0); /* singular without a zero row */
    is_rank(rank_of_example("akzo_nobel"), 5, 1, 0);
}

TEST(regular_rates_are_an_ode)
{
    is_rank(rank_of("state x = 1, y = 1\nx' + y' = x\nx' - y' = y"), 2, 0, 0);
    is_rank(rank_of("state x = 1, y = 1\nx' + y' = x\n2*x' + 2*y' = y"), 1, 1, 0);
}

TEST(a_higher_index_is_at_least_that)
{
    is_rank(rank_of("state x = 1, y = 0, u = 0, v = 0\nalgebraic l = 0\nx' = u; y' = v\nu' = -l*x\n"
                    "v' = -l*y - 9.81\n0 = x^2 + y^2 - 1"),
            4, 2, 1);
    /* g_y f_z = 0 at the start although the structure says index 2 */
    is_rank(rank_of("parameter a = 0\nstate x = 0\nalgebraic z = 0\nx' = a*z\n0 = x - t^2"), 1, 3,
            1);
    /* the same by terms that cancel, 1 - 1, for all y */
    is_rank(rank_of("parameter a = 1\nstate x = 1, y = 1\nalgebraic z = 0\nx' = -x + z\n"
                    "y' = -a*y - z\n0 = x + y - 2"),
            2, 3, 1);
    /* index 1 by structure, but w + z is determined twice */
    is_rank(
        rank_of("state x = 0\nalgebraic w = 0, z = 0\nx' = w\n0 = w + z - x\n0 = 2*w + 2*z - t"), 1,
        2, 1);
}

/* The index of z*z = ... is 1 but where z = 0. */
TEST(the_index_is_that_at_the_point)
{
    static const char text[] = "parameter k = 3\nstate x = 1\nalgebraic z = 2\n"
                               "x' = if x > 2 then -z else k\nz^2 = k*x + x'\n";
    double const y[] = {1, 0}, yp[] = {3, 0}, p[] = {3};
    is_rank(rank_of(text), 1, 1, 0);
    tansy_model *const m = tansy_model_parse(text, sizeof text - 1, "m");
    tansy_point const at = {.side = 1, .y = y, .yp = yp, .p = p};
    is_rank(rank_at(m, &at), 1, 2, 1);
}

TEST(all_storages_are_read)
{
    is_rank(rank_of("state u[i in 1..70] = 1 + i/70\nalgebraic w = 2\n"
                    "2*u[i]' + (if i < 70 then u[i+1]' else 0) = -u[i]^2 for i in 1..70\n"
                    "w*u[70] = 1"),
            70, 1, 0); /* band */
    is_rank(rank_of("state u[i in 1..80] = 1 + i/80\nalgebraic w[1..80] = 2\n"
                    "u[i]' = w[81 - i] for i in 1..80\n"
                    "exp(w[i]) = u[81 - i] for i in 1..80"),
            80, 1, 0); /* sparse */
}

TEST(what_cannot_be_told_is_not)
{
    CHECK_EQUAL(rank_of("state x = 0\nalgebraic z = 1\nx' = z\nz = sqrt(x)").found, 0);
    CHECK_EQUAL(
        rank_of("state x = 0\nalgebraic z[1..400] = 1\nx' = z[1]\nz[i] = x for i in 1..400").found,
        0);
    tansy_model *const ode = tansy_model_parse("state x = 1\nx' = 1", 18, "m");
    tansy_model *const wrong = tansy_model_parse("state", 5, "m");
    tansy_model_rank rank;
    tansy_point const at = {.side = 1};
    CHECK_EQUAL(tansy_model_find_rank(ode, &at, &rank), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_model_find_rank(wrong, &at, &rank), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_model_find_rank(NULL, &at, &rank), TANSY_BAD_CALL);
    tansy_model_free(ode);
    tansy_model_free(wrong);
}

/* y1' = y2, y2' = y3, 0 = y1 scaled by 1e12 and 1e-9, row by row and column by column. */
TEST(scales_do_not_change_the_index)
{
    double const M[] = {1e12, 0, 0, 0, 1e-9, 0, 0, 0, 0};
    double const A[] = {0, -1e12, 0, 0, 0, -1e-9, 1e3, 0, 0};
    double const B[] = {1e-3, 2e9, 0, 2e-15, 4e-3, 0, 0, 0, 0}; /* rank 1 but for rounding */
    struct pencil_index index;
    CHECK_EQUAL(pencil_find_index(3, M, A, &index), TANSY_OK);
    CHECK(index.rank == 2 && index.index == 2 && index.is_at_least);
    CHECK_EQUAL(pencil_find_index(3, B, A, &index), TANSY_OK);
    CHECK_EQUAL(index.rank, 1);
}
