/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a model: what they stand for, and what is said of those that stand for nothing, or for something else. */
#include "study.h"

#include <string.h>

const char *study_name(const struct study *s, size_t i)
{
    if (i < s->n) return tansy_model_name(s->model, TANSY_MODEL_STATES, i);
    return tansy_model_name(s->model, TANSY_MODEL_OUTPUTS, s->output[i - s->n]);
}

ptrdiff_t study_quantity(const struct study *s, const char *name)
{
    ptrdiff_t const state = tansy_model_index(s->model, TANSY_MODEL_STATES, name);
    if (state >= 0) return state;
    for (size_t i = s->n; i < s->nx; i++)
        if (strcmp(study_name(s, i), name) == 0) return (ptrdiff_t)i;
    return -1;
}

/* `known` is name, or name[...]. */
static bool is_named(const char *known, const char *name)
{
    size_t const length = strlen(name);
    return strncmp(known, name, length) == 0 && (known[length] == '\0' || known[length] == '[');
}

/* What a name is, of a value or of a vector, that is not of the kind asked for, and the first of its values; NULL: nothing. */
static const char *other_kind(const struct study *s, const char *name, enum named kind,
                              const char **first)
{
    for (size_t k = 0; k < s->np && kind != NAMED_PARAMETER; k++) {
        *first = tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, k);
        if (is_named(*first, name)) return "a parameter";
    }
    for (size_t i = 0; i < s->nx && kind != NAMED_ANY; i++) {
        *first = study_name(s, i);
        if (is_named(*first, name) && !(kind == NAMED_STATE && i < s->n))
            return i < s->n ? "a state" : "an output";
    }
    return NULL;
}

int study_unknown(const struct study *s, const char *where, const char *name, enum named kind)
{
    static const char *const words[] = {
        [NAMED_PARAMETER] = "parameter", [NAMED_STATE] = "state", [NAMED_ANY] = "state or output"};
    if (!*name)
        return complain(BAD_USAGE, "%s: a name is missing before, between or behind the commas",
                        where);
    const char *value = NULL;
    const char *const other = other_kind(s, name, kind, &value);
    if (other && strcmp(other, "a state") == 0 && strcmp(where, "--sens") == 0)
        return complain(BAD_USAGE,
                        "--sens: %s is a state; the column of its initial value is %s(0)", name,
                        value);
    if (other)
        return complain(BAD_USAGE, "%s: %s is %s; it takes a %s (tansy check lists them)", where,
                        name, other, words[kind]);
    struct suggestion best;
    const char *first = NULL, *last = NULL; /* of name[1], name[2], ... */
    suggest_start(&best, name);
    size_t const length = strlen(name), count = kind == NAMED_PARAMETER ? s->np
                                                : kind == NAMED_STATE   ? s->n
                                                                        : s->nx;
    for (size_t i = 0; i < count; i++) {
        const char *const known = kind == NAMED_PARAMETER
                                      ? tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, i)
                                      : study_name(s, i);
        suggest_try(&best, known);
        if (strncmp(known, name, length) != 0 || known[length] != '[') continue;
        first = first ? first : known;
        last = known;
    }
    if (first)
        return complain(BAD_USAGE, "%s: %s is not one value: write %s%s%s", where, name, first,
                        last == first ? "" : ", ..., ", last == first ? "" : last);
    char hint[96];
    return complain(BAD_USAGE, "%s: the model has no %s %s%s (tansy check lists what it has)",
                    where, words[kind], name, suggest_text(&best, hint, sizeof hint));
}

ptrdiff_t study_parameter(const struct study *s, const char *where, const char *name)
{
    ptrdiff_t const k = tansy_model_index(s->model, TANSY_MODEL_PARAMETERS, name);
    if (k < 0) (void)study_unknown(s, where, name, NAMED_PARAMETER);
    return k;
}

/* A name of the model's own. */
static bool is_named_here(const void *by, const char *word)
{
    const struct study *const s = by;
    return tansy_model_index(s->model, TANSY_MODEL_PARAMETERS, word) >= 0 ||
           study_quantity(s, word) >= 0;
}

char *study_words(const struct study *s, const char *message)
{
    struct option_table table;
    options_make(&table);
    char *const words = options_spell(&table, message, is_named_here, s);
    options_free(&table);
    return words;
}
