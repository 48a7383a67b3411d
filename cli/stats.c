/* SPDX-License-Identifier: Apache-2.0 */
/* What the solver counted, as JSON: flat scalars, and the objects repeated_steps and derivatives. */
#include "stats.h"

#include "counts.h"

#include <stdlib.h>
#include <string.h>

/* The option's word for a title of the solver's report. */
struct title {
    const char *part, *word;
};

static const char *word_for(const struct title *titles, const struct outcome *outcome,
                            const char *label)
{
    char line[128];
    (void)outcome_line(outcome, label, line, sizeof line);
    for (; titles->part; titles++)
        if (strstr(line, titles->part)) return titles->word;
    return "none";
}

bool stats_is_automatic(const struct outcome *outcome)
{
    return outcome->report && strstr(outcome->report, " chosen by stiffness: ");
}

size_t stats_method_changes(const struct outcome *outcome)
{
    static const char mark[] = "rk8 or bdf, changed ";
    const char *const at = outcome->report ? strstr(outcome->report, mark) : NULL;
    return at ? (size_t)strtoull(at + strlen(mark), NULL, 10) : 0;
}

const char *stats_method(const struct outcome *outcome)
{
    static const struct title titles[] = {{"explicit Runge-Kutta", "rk8"},
                                          {"Rosenbrock", "rosenbrock"},
                                          {"extrapolated linearly implicit Euler", "limex"},
                                          {"Adams", "adams"},
                                          {"fixed leading coefficient", "dassl"},
                                          {"backward differentiation", "bdf"},
                                          {NULL, NULL}};
    return word_for(titles, outcome, "method");
}

const char *stats_formula(const struct outcome *outcome)
{
    static const struct title titles[] = {
        {"DOP853", "dop853"}, {"8(7)13", "dopri8"}, {"RODAS5P", "rodas5p"},
        {"RODAS4", "rodas4"}, {"GRK4A", "grk4a"},   {"GRK4T", "grk4t"},
        {NULL, NULL}};
    return word_for(titles, outcome, "method");
}

const char *stats_sensitivities(const struct outcome *outcome)
{
    static const struct title titles[] = {{"internal numerical differentiation", "difference"},
                                          {"direct", "direct"},
                                          {"simultaneous", "simultaneous"},
                                          {"staggered", "staggered"},
                                          {"exact tangents", "tangent"},
                                          {NULL, NULL}};
    return word_for(titles, outcome, "sensitivities");
}

/* The first word of a line of the solver's report, "sparse" of "sparse_lu, ..." as the option has it. */
static const char *first_word(const struct outcome *outcome, const char *label, char *word,
                              size_t size)
{
    (void)outcome_line(outcome, label, word, size);
    word[strcspn(word, ",_")] = '\0';
    return *word ? word : "none";
}

static void add_key(struct text *json, const char *key)
{
    text_add(json, "%s  \"%s\": ", json->length > 2 ? ",\n" : "", key);
}

static void add_word(struct text *json, const char *key, const char *word)
{
    add_key(json, key);
    text_json(json, word);
}

static void add_count(struct text *json, const char *key, size_t count)
{
    add_key(json, key);
    text_add(json, "%zu", count);
}

static void add_real(struct text *json, const char *key, double value)
{
    add_key(json, key);
    text_json_number(json, value);
}

static void add_derivatives(struct text *json, const struct outcome *o)
{
    static const char *const labels[] = {"df/dy", "df/dp", "df/dy s + df/dp", "second derivatives"};
    bool first = true;
    add_key(json, "derivatives");
    text_put(json, "{");
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        char source[64];
        if (!*outcome_line(o, labels[k], source, sizeof source)) continue;
        text_put(json, first ? "" : ", ");
        text_json(json, labels[k]);
        text_put(json, ": ");
        text_json(json, source);
        first = false;
    }
    text_put(json, "}");
}

/* Linear solver, preconditioner ("none" without one) and structure of df/dy. */
static void add_linear(struct text *json, const struct outcome *o)
{
    static const char mark[] = "preconditioner ";
    char line[128];
    add_word(json, "linear_solver", first_word(o, "linear solver", line, sizeof line));
    (void)outcome_line(o, "linear solver", line, sizeof line);
    char *const name = strstr(line, mark) ? strstr(line, mark) + strlen(mark) : NULL;
    if (name) name[strcspn(name, " ")] = '\0';
    add_word(json, "preconditioner", name ? name : "none");
    add_word(json, "structure", first_word(o, "structure", line, sizeof line));
}

static void add_repeated(struct text *json, const struct study *s, const struct outcome *o)
{
    add_count(json, "repeated_steps_state", o->repeated[0]);
    add_key(json, "repeated_steps");
    text_put(json, "{");
    for (size_t k = 0; k < s->ns; k++) {
        text_put(json, k > 0 ? ", " : "");
        text_json(json, s->column_name[k]);
        text_add(json, ": %zu", o->repeated[k + 1]);
    }
    text_put(json, "}");
}

void stats_json(struct text *json, const struct study *s, const struct outcome *o)
{
    const tansy_stats *const st = &o->stats;
    json->length = 0;
    text_put(json, "{\n");
    add_word(json, "version", tansy_version());
    add_word(json, "model", s->summary.name);
    add_word(json, "method", stats_method(o));
    add_word(json, "formula", stats_formula(o));
    add_count(json, "method_changes", stats_method_changes(o));
    add_word(json, "sensitivities", stats_sensitivities(o));
    add_linear(json, o);
    add_count(json, "n", s->n);
    add_count(json, "np", s->np);
    add_count(json, "ns", s->ns);
    add_real(json, "rtol", study_rtol(s));
    add_count(json, "runs", o->runs);
    for (const struct count *c = counts; c->key; c++) add_count(json, c->key, count_of(st, c));
    add_count(json, "order_last", (size_t)st->order_last);
    add_real(json, "h_last", st->h_last);
    add_repeated(json, s, o);
    add_count(json, "bytes", st->bytes);
    add_real(json, "seconds", o->seconds);
    add_real(json, "t_end", o->t);
    add_word(json, "stopped", o->why ? o->why : "");
    add_derivatives(json, o);
    text_put(json, "\n}\n");
}
