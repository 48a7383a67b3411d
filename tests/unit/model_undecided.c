/* SPDX-License-Identifier: Apache-2.0 */
/* Random compounds of conditions of which some have no value: outputs, their columns and initial values have one exactly where three-valued
   logic (Kleene 1938: false and unknown = false, true or unknown = true) says so, in the library, as derived quantities and in exported C. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/random.h"
#include "support/shared_object.h"
#include "test.h"

enum { OUTPUTS = 24, TERMS = 9, POINTS = 150, PARAMETERS = 3, TEXT = 40000 };
enum truth { NO, YES, UNKNOWN };
enum { AND = -1, OR = -2, NOT = -3 }; /* else an atom */

/* A compound in postfix order; an output is a choice between numbers, or, if `nested`, a choice by a choice. */
struct compound {
    int term[TERMS];
    size_t count;
};
struct output {
    struct compound first, second;
    bool nested;
};

static const char *const atoms[] = {
    "a > 0.5",    "log(b) > 0.5",  "sqrt(c) >= 1", "log(a) < 0.1",  "b <= 0.3",
    "1/c >= 0.7", "asin(b) > 0.2", "c/a < 1",      "b*c - a < 0.4", "a^0.5 > log(c)"};
enum { ATOMS = sizeof atoms / sizeof *atoms };

static enum truth compare(double left, double right, bool holds)
{
    return isnan(left - right) ? UNKNOWN : holds ? YES : NO;
}

static enum truth atom_truth(int k, const double p[PARAMETERS])
{
    double const a = p[0], b = p[1], c = p[2];
    switch (k) {
    case 0:
        return a > 0.5 ? YES : NO;
    case 1:
        return compare(log(b), 0.5, log(b) > 0.5);
    case 2:
        return compare(sqrt(c), 1, sqrt(c) >= 1);
    case 3:
        return compare(log(a), 0.1, log(a) < 0.1);
    case 4:
        return b <= 0.3 ? YES : NO;
    case 5:
        return compare(1 / c, 0.7, 1 / c >= 0.7);
    case 6:
        return compare(asin(b), 0.2, asin(b) > 0.2);
    case 7:
        return compare(c / a, 1, c / a < 1);
    case 8:
        return b * c - a < 0.4 ? YES : NO;
    default:
        return compare(sqrt(a), log(c), sqrt(a) > log(c));
    }
}

static int pick(struct random_source *random, int count)
{
    return (int)((random_next(random) + 1) / 2 * count);
}

static struct compound compound_make(struct random_source *random)
{
    struct compound c = {.count = 0};
    int const size = 1 + pick(random, 4); /* atoms */
    for (int k = 0; k < size; k++) {
        c.term[c.count++] = pick(random, ATOMS);
        if (k > 0) c.term[c.count++] = pick(random, 2) ? AND : OR;
        if (k == size / 2 && pick(random, 2)) c.term[c.count++] = NOT;
    }
    return c;
}

static enum truth compound_truth(const struct compound *c, const double p[PARAMETERS])
{
    enum truth stack[TERMS] = {UNKNOWN};
    size_t top = 0;
    for (size_t k = 0; k < c->count; k++) {
        int const term = c->term[k];
        if (term >= 0) {
            stack[top++] = atom_truth(term, p);
        } else if (term == NOT) {
            if (stack[top - 1] != UNKNOWN) stack[top - 1] = stack[top - 1] == NO ? YES : NO;
        } else {
            enum truth const deciding = term == AND ? NO : YES;
            enum truth const x = stack[top - 2], y = stack[top - 1];
            bool const decided = x == deciding || y == deciding;
            stack[--top - 1] = decided ? deciding : x == UNKNOWN ? x : y;
        }
    }
    return stack[0];
}

static void add(char text[TEXT], const char *more)
{
    size_t const length = strlen(text);
    (void)snprintf(text + length, TEXT - length, "%s", more);
}

/* left and right of `and` in brackets. */
static void compound_write(const struct compound *c, char text[TEXT])
{
    static char stack[TERMS][TEXT / 32], joined[2 * sizeof *stack + sizeof "( and )"];
    size_t top = 0;
    for (size_t k = 0; k < c->count; k++) {
        int const term = c->term[k];
        if (term >= 0)
            (void)snprintf(stack[top++], sizeof *stack, "(%s)", atoms[term]);
        else if (term == NOT)
            (void)snprintf(joined, sizeof joined, "(not %s)", stack[top - 1]);
        else
            (void)snprintf(joined, sizeof joined, "(%s %s %s)", stack[top - 2],
                           term == AND ? "and" : "or", stack[top - 1]);
        if (term == AND || term == OR) top--;
        if (term >= 0) continue;
        size_t const length = strlen(joined);
        CHECK(length < sizeof *stack);
        if (length < sizeof *stack) memcpy(stack[top - 1], joined, length + 1);
    }
    add(text, stack[0]);
}

static double output_value(const struct output *o, const double p[PARAMETERS])
{
    enum truth const first = compound_truth(&o->first, p), second = compound_truth(&o->second, p);
    double const chosen[] = {p[1], p[0], (double)NAN}, two[] = {3, 1, (double)NAN};
    if (!o->nested) return two[first];
    double const inner = chosen[first];
    return isnan(inner) ? inner : inner > 0.2 ? two[second] : 2;
}

static void output_write(const struct output *o, char text[TEXT])
{
    add(text, o->nested ? "if (if " : "if ");
    compound_write(&o->first, text);
    add(text, " then ");
    if (!o->nested) {
        add(text, "1 else 3\n");
        return;
    }
    add(text, "a else b) > 0.2 then (if ");
    compound_write(&o->second, text);
    add(text, " then 1 else 3) else 2\n");
}

static void model_write(const struct output output[OUTPUTS], char text[TEXT])
{
    (void)snprintf(text, TEXT, "parameter a = 1, b = 1, c = 1\n");
    for (size_t k = 0; k < OUTPUTS; k++) {
        (void)snprintf(text + strlen(text), 40, "state x%zu = ", k);
        output_write(&output[k], text);
        (void)snprintf(text + strlen(text), 60, "x%zu' = 0\noutput q%zu = ", k, k);
        output_write(&output[k], text);
    }
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_values(const struct output output[OUTPUTS], const double *p, const char *who,
                         const double q[OUTPUTS])
{
    static char text[TEXT];
    for (size_t k = 0; k < OUTPUTS; k++) {
        double const expected = output_value(&output[k], p);
        text[0] = '\0';
        output_write(&output[k], text);
        if (!is_same(q[k], expected))
            (void)printf("%s, a = %g, b = %g, c = %g: %g, not %g: %s", who, p[0], p[1], p[2], q[k],
                         expected, text);
        CHECK(is_same(q[k], expected));
    }
}

/* All that gives outputs and initial values. */
static void check_point(const struct output output[OUTPUTS], const tansy_model *m,
                        const double p[PARAMETERS])
{
    double x[PARAMETERS + 2] = {p[0], p[1], p[2]}, y[OUTPUTS] = {0}, q[OUTPUTS], dq[OUTPUTS];
    double const u[PARAMETERS] = {1, 1, 1};
    double R[OUTPUTS];
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    void *const scratch = calloc(1, problem.scratch + 1);
    tansy_local local = {.context = problem.context, .scratch = scratch, .version = 1};
    void *const context = problem.scratch > 0 ? (void *)&local : problem.context;
    CHECK_EQUAL(tansy_model_outputs(m, 0, 1, y, p, q), TANSY_OK);
    check_values(output, p, "outputs", q);
    tansy_columns const columns = {.ns = 1, .sens = y, .direction_p = u};
    CHECK_EQUAL(tansy_model_output_columns(m, 0, 1, y, p, &columns, dq), TANSY_OK);
    CHECK_EQUAL(problem.derived(0, y, y, x, q, context), 0);
    check_values(output, p, "derived", q);
    CHECK_EQUAL(problem.derived_tangent(0, y, y, x, 1, 1, y, y, u, R, context), 0);
    for (size_t k = 0; k < OUTPUTS; k++) {
        CHECK_EQUAL(isnan(dq[k]), isnan(q[k]));
        CHECK_EQUAL(isnan(R[k]), isnan(q[k]));
    }
    CHECK_EQUAL(problem.initial(0, x, q, context), 0);
    check_values(output, p, "initial", q);
    free(scratch);
}

static void check_model(uint64_t seed)
{
    static char text[TEXT];
    static const double values[] = {-1.5, 0, 0.25, 0.75, 1.8, 4};
    struct random_source random = {seed};
    struct output output[OUTPUTS];
    for (size_t k = 0; k < OUTPUTS; k++)
        output[k] =
            (struct output){compound_make(&random), compound_make(&random), pick(&random, 2)};
    model_write(output, text);
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test.tansy");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    tansy_model *const loaded = shared_object_of(m);
    CHECK_EQUAL(tansy_model_error(loaded), TANSY_OK);
    for (size_t x = 0; x < POINTS; x++) {
        double p[PARAMETERS];
        for (size_t k = 0; k < PARAMETERS; k++)
            p[k] = values[pick(&random, sizeof values / sizeof *values)];
        check_point(output, m, p);
        check_point(output, loaded, p);
    }
    tansy_model_free(loaded);
    tansy_model_free(m);
}

TEST(compounds_of_conditions_without_a_value_are_three_valued)
{
    check_model(1);
}
TEST(so_are_other_compounds)
{
    check_model(7);
}
