/* SPDX-License-Identifier: Apache-2.0 */
/* The k-th allocation fails, for every k, while a shared object is loaded and used: a handle in error or NULL, no leak, no
   crash. */
#include <tansy/tansy.h>

#include <stdint.h>
#include <string.h>

#include "support/allocations.h"
#include "support/shared_object.h"
#include "test.h"

/* Everything that a loaded model asks for memory for. */
static tansy_status use(const char *path)
{
    double const y[] = {1, 2, 3}, p[] = {1, 1, 2}, sens[3] = {0}, moves[] = {1};
    double q[1], dq[1];
    char words[100];
    tansy_columns const columns = {.ns = 1, .sens = sens, .sensp = sens, .direction_t = moves};
    tansy_point const at = {.t = 1, .side = -1, .y = y, .yp = y, .p = p};
    tansy_model_rank rank;
    tansy_model *const m = tansy_model_load(path);
    tansy_status status = tansy_model_error(m);
    if (m && status < 0) CHECK_TEXT_CONTAINS(tansy_model_message(m), "memory");
    if (status == TANSY_OK) status = tansy_model_outputs_at(m, &at, q);
    if (status == TANSY_OK) status = tansy_model_output_columns_at(m, &at, &columns, dq);
    if (status == TANSY_OK) status = tansy_model_check_times(m, p, words, sizeof words);
    if (status == TANSY_OK) status = tansy_model_find_rank(m, &at, &rank);
    tansy_model_free(m);
    return status;
}

TEST(failing_the_kth_allocation_of_a_loaded_model_leaks_nothing)
{
    static const char text[] =
        "parameter k = 1\ncontrol u = {1, 2} piecewise constant at {0, k, 2*k}\n"
        "state x = 1\nalgebraic z = 1, w = 1\n"
        "x' = if x > 1 then -z else k*z\n0 = x - k*t*u\nw = x*z\n"
        "output o = x'*time\n";
    static char code[200000];
    char path[SHARED_OBJECT_PATH];
    tansy_model *const m = tansy_model_parse(text, strlen(text), "m");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    CHECK(tansy_model_export_c(m, code, sizeof code) < sizeof code);
    tansy_model_free(m);
    CHECK(shared_object_write(code, "cc", path));
    bool touched = true;
    for (size_t k = 1; touched; k++) {
        allocations_begin(k, SIZE_MAX);
        touched = allocations_check(k, 15, use(path));
    }
    allocations_begin(0, 0);
    shared_object_remove(path);
}
