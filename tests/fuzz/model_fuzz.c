/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a model, the whole way: parsed, bound and, when small, differentiated and compiled; when very small, also solved
   for a few steps.  It works or is refused with a message, nothing else.  A grid of 99 x 99 points is ready in 0.2 s, but takes
   25 times as long with sanitizers and coverage, and beside other work as long as a hang: so of larger models only what comes
   before the limit is seen here. */
#include "base/heap.h"
#include "model/bind.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

enum { MAX_TERMS = 20000, MAX_STATES = 50, STEPS = 10 };

/* Vectors of a hundred entries and more a side cost time and memory and find nothing new. */
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

/* Does binding evaluate at most MAX_TERMS terms before it ends, well or not? */
static int is_small(const char *text, size_t size)
{
    struct syntax *const syntax = heap_take(sizeof *syntax);
    struct system *const system = heap_take(sizeof *system);
    if (!syntax || !system) abort();
    tansy_status status = syntax_parse(syntax, (struct source){"m", text, size});
    if (status == TANSY_OK) status = bind_within(system, syntax, MAX_TERMS);
    int const small = status == TANSY_OK || !strstr(syntax->diagnosis.text, "model is too large");
    if (status < 0 && strncmp(syntax->diagnosis.text, "m:", 2) != 0) abort();
    system_free(system);
    syntax_free(syntax);
    heap_return(system);
    heap_return(syntax);
    return small;
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

static void compile(const char *text, size_t size)
{
    tansy_model *const model = tansy_model_parse(text, size, "m");
    tansy_status const status = tansy_model_error(model);
    int const message = tansy_model_message(model)[0] != '\0';
    if (message != (status != TANSY_OK)) abort();
    if (status == TANSY_OK) solve(model);
    tansy_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (has_large_number(data, size)) return 0;
    char *const text = malloc(size + 1);
    if (!text) abort();
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    if (is_small(text, size)) compile(text, size);
    free(text);
    return 0;
}
