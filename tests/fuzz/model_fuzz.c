/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a model, the whole way: parsed, bound, differentiated, compiled and, when small, solved for a few steps.  It works
   or is refused with a message, nothing else. */
#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

enum { MAX_STATES = 50, STEPS = 10 };

/* Vectors of a hundred entries and more cost time and memory and find nothing new. */
static int has_large_number(const uint8_t *data, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = data[i] >= '0' && data[i] <= '9' ? digits + 1 : 0;
        if (digits > 2 || data[i] == 'e' || data[i] == 'E') {
            if (digits > 2) return 1;
            if (i > 0 && data[i - 1] >= '0' && data[i - 1] <= '9') return 1;
        }
    }
    return 0;
}

static void solve(const tansy_model *model)
{
    tansy_problem problem = {0};
    if (tansy_model_problem(model, &problem) != TANSY_OK || problem.n > MAX_STATES) return;
    tansy_options const options = {.max_steps = STEPS};
    tansy_solver *const solver = tansy_create(&problem, &options);
    tansy_status const status = tansy_solve(solver, problem.t0 + 1, NULL, NULL);
    if (status < 0 && tansy_message(solver)[0] == '\0') abort();
    tansy_free(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (has_large_number(data, size)) return 0;
    char *const text = malloc(size + 1);
    if (!text) abort();
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    tansy_model *const model = tansy_model_parse(text, size, "m");
    tansy_status const status = tansy_model_error(model);
    int const message = tansy_model_message(model)[0] != '\0';
    if (message != (status != TANSY_OK)) abort();
    if (status == TANSY_OK) solve(model);
    tansy_model_free(model);
    free(text);
    return 0;
}
