/* SPDX-License-Identifier: Apache-2.0 */
/* tansy check, implicit models: index, algebraic variables, constraints and multipliers. */
#include "job.h"

#include <math.h>
#include <string.h>

enum { MOST_SHOWN = 12 };

/* "name, name, ... (20 in all)": the states of a kind, or of any but differential ones. */
static void add_kind(struct text *text, const struct study *s, const char *label, tansy_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->summary.kind[i] != kind || ++count > MOST_SHOWN) continue;
        text_add(text, "%s%s", count == 1 ? label : ", ",
                 tansy_model_name(s->model, TANSY_MODEL_STATES, i));
    }
    if (count > MOST_SHOWN) text_add(text, ", ... (%zu in all)", count);
    if (count > 0) text_put(text, "\n");
}

/* Those of a line with `for` have one name, and are listed once. */
static void add_constraints(struct text *text, const struct study *s)
{
    size_t const count = tansy_model_count(s->model, TANSY_MODEL_CONSTRAINTS);
    size_t shown = 0;
    const char *last = "";
    for (size_t k = 0; k < count && shown < MOST_SHOWN; k++) {
        const char *const name = tansy_model_name(s->model, TANSY_MODEL_CONSTRAINTS, k);
        if (strcmp(name, last) == 0) continue;
        text_add(text, "%s%s\n", shown++ == 0 ? "constraints     " : "                ", name);
        last = name;
    }
    if (count > shown) text_add(text, "                ... (%zu in all)\n", count);
}

/* Structural and numerical index, and whether they agree; at_rest: y' is not known, and 0 is taken. */
static void add_index(struct text *text, const struct study *s, const tansy_model_rank *rank,
                      bool at_rest)
{
    size_t const index = s->summary.index;
    text_add(text, "index           %zu by structure", index);
    if (!rank->found) {
        text_put(text, s->n > 400 ? "; not confirmed by numbers: more than 400 equations\n"
                                  : "; not confirmed by numbers: derivatives at the start are not "
                                    "finite\n");
        return;
    }
    bool const agree = rank->is_at_least ? index >= rank->index : index == rank->index;
    text_add(text, "%s dF/dy' has rank %zu of %zu at the start", agree ? ", confirmed:" : ", but",
             rank->rank, s->n);
    if (!agree)
        text_add(text, "%s, and the index is %zu%s there", at_rest ? " with y' = 0" : "",
                 rank->index, rank->is_at_least ? " or higher" : "");
    text_put(text, "\n");
}

void check_index(struct text *text, const struct study *s, const double *y, const double *yp)
{
    tansy_model_rank rank = {0};
    tansy_point const at = {
        .t = isnan(s->summary.t0) ? 0 : s->summary.t0, .side = 1, .y = y, .yp = yp, .p = s->p};
    (void)tansy_model_find_rank(s->model, &at, &rank);
    add_index(text, s, &rank, !yp);
    add_kind(text, s, "algebraic       ", TANSY_ALGEBRAIC);
    add_kind(text, s, "multipliers     ", TANSY_INDEX_2);
    add_constraints(text, s);
}
