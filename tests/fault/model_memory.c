/* SPDX-License-Identifier: Apache-2.0 */
/* The k-th allocation fails, for every k, from the text of a model to its outputs: a handle in error or NULL, no leak, no
   crash. */
#include <tansy/tansy.h>

#include <stdint.h>
#include <string.h>

#include "model/model.h"
#include "support/allocations.h"
#include "test.h"

static const char ode[] = "parameter k = 1, c = 0.5\n"
                          "control u = {1, 2} piecewise constant at {0, 2*c, 1 + k}\n"
                          "state x = 1 + max(k, c), y = 0 atol 1e-8\n"
                          "x' = if x > c then -k*x else u\n"
                          "y' = exp(-k)*x*sin(time)\n"
                          "integral total = x*y\n"
                          "output z = if y > 1 then x^2*time else k*x\n"
                          "time 0 .. 3\n";
static const char dae[] = "parameter k = 1\nstate x = 1\nalgebraic z = 1\nx' = -z\n0 = z - k*x\n";

static const char index_2[] = "parameter k = 1\nstate x = 1\nalgebraic z = 1, w = 1\n"
                              "x' = if x > 1 then -z else k*z\n0 = x - k*t\nw = x*z\n"
                              "output o = x'\n";
static const char index_3[] = "parameter k = 1\nstate x = 1, v = 0\nalgebraic z = 1\n"
                              "x' = v\nv' = z\n0 = x - k*t\n";

/* Second derivatives for a solver; a problem that cannot have them stays as it was. */
static tansy_status complete(const tansy_model *m)
{
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    int const code = problem.complete(&problem);
    CHECK((code == 0) == (problem.second != NULL));
    return code == 0 ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

/* Everything that asks for memory; whether it all was to be had. */
static tansy_status use(const char *text)
{
    double const y[] = {1, 2, 3}, p[] = {1, 0.5, 1, 2}, sens[3 * 4] = {0}, moves[4] = {1};
    double q[2], dq[2 * 4];
    char words[100];
    struct second_derivatives second = {.work = 0};
    tansy_model *const m = tansy_model_parse(text, strlen(text), "m");
    tansy_status status = tansy_model_error(m);
    if (m && status < 0) CHECK_TEXT_CONTAINS(tansy_model_message(m), "memory");
    tansy_columns const columns = {.ns = 4, .sens = sens, .sensp = sens, .direction_t = moves};
    tansy_point const at = {.t = 1, .side = -1, .y = y, .yp = y, .p = p};
    tansy_model_rank rank;
    tansy_corner corner[2];
    if (status == TANSY_OK) status = tansy_model_outputs_at(m, &at, q);
    if (status == TANSY_OK) status = tansy_model_output_columns_at(m, &at, &columns, dq);
    if (status == TANSY_OK) status = tansy_model_output_corners(m, &at, &columns, corner);
    if (status == TANSY_OK) status = tansy_model_check_times(m, p, words, sizeof words);
    if (status == TANSY_OK && !model_is_explicit(m)) status = tansy_model_find_rank(m, &at, &rank);
    if (status == TANSY_OK) status = model_compile_second(m, &second);
    second_derivatives_free(&second);
    if (status == TANSY_OK && m->solvable && (model_is_explicit(m) || m->has_constant_mass))
        status = complete(m);
    if (status == TANSY_OK && m->solvable && tansy_model_export_c(m, NULL, 0) == 0)
        status = TANSY_OUT_OF_MEMORY;
    tansy_model_free(m);
    return status;
}

static void check_every_allocation(const char *text)
{
    bool touched = true;
    for (size_t k = 1; touched; k += TEST_STRIDE) {
        allocations_begin(k, SIZE_MAX);
        touched = allocations_check(k, 50, use(text));
    }
    allocations_begin(0, 0);
}

TEST(failing_the_kth_allocation_of_a_model_leaks_nothing)
{
    check_every_allocation(ode);
}

TEST(failing_the_kth_allocation_of_an_implicit_model_leaks_nothing)
{
    check_every_allocation(dae);
    check_every_allocation(index_2);
    check_every_allocation(index_3);
}

/* The whole is a model in error, whose memory is asked for all the same. */
TEST(failing_the_kth_allocation_of_a_singular_model_leaks_nothing)
{
    static const char text[] = "state x = 1\nalgebraic w = 1, z = 1\nx' = w + z\n0 = x\n0 = 2*x\n";
    bool touched = true;
    for (size_t k = 1; touched; k++) {
        allocations_begin(k, SIZE_MAX);
        tansy_model *const m = tansy_model_parse(text, sizeof text - 1, "m");
        touched = allocations.calls >= k;
        CHECK_EQUAL(tansy_model_error(m), touched ? TANSY_OUT_OF_MEMORY : TANSY_BAD_MODEL);
        tansy_model_free(m);
        CHECK_EQUAL(allocations.live, 0);
    }
}

TEST(a_missing_file_needs_little_memory_to_say_so)
{
    for (size_t k = 1; k < 5; k++) {
        allocations_begin(k, SIZE_MAX);
        tansy_model *const m = tansy_model_read("no/such/file.tansy");
        CHECK(!m || tansy_model_error(m) == TANSY_NO_FILE);
        tansy_model_free(m);
        CHECK_EQUAL(allocations.live, 0);
    }
    allocations_begin(0, 0);
}

TEST(a_file_that_does_not_fit_in_memory_is_no_model)
{
    for (size_t k = 1; k < 40; k++) {
        allocations_begin(k, SIZE_MAX);
        tansy_model *const m = tansy_model_read("examples/models/gas_oil.tansy");
        CHECK(!m || tansy_model_error(m) < 0);
        tansy_model_free(m);
    }
    allocations_begin(0, 0);
}
