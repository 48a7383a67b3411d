/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run stopped or cannot begin, and the equations that this is about. */
#include "run.h"

#include "text.h"

#include <stdlib.h>

/* "; WHAT: file:line:column: equation; ...": some equations of the model. */
static void add_equations(struct text *why, const struct study *s, tansy_model_kind kind,
                          const char *what)
{
    enum { SHOWN = 6 };
    size_t const count = tansy_model_count(s->model, kind);
    for (size_t k = 0; k < count && k < SHOWN; k++)
        text_add(why, "; %s%s", k == 0 ? what : "", tansy_model_name(s->model, kind, k));
    if (count > SHOWN) text_add(why, "; ... (%zu in all)", count);
}

char *run_explain(const struct study *s, const char *message, tansy_status status)
{
    struct text why = {0};
    bool const constrained = tansy_model_count(s->model, TANSY_MODEL_CONSTRAINTS) > 0;
    char *const words = study_words(s, message);
    text_put(&why, words);
    free(words);
    if (status == TANSY_INCONSISTENT)
        add_equations(&why, s, constrained ? TANSY_MODEL_CONSTRAINTS : TANSY_MODEL_ALGEBRAIC,
                      constrained ? "the constraints: " : "the algebraic equations: ");
    if (status == TANSY_HIGH_INDEX)
        add_equations(&why, s, TANSY_MODEL_ALGEBRAIC,
                      "do two of the equations without derivatives say the same, or has one to be "
                      "replaced by its derivative in time? ");
    return why.at;
}
