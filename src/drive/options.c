/* SPDX-License-Identifier: Apache-2.0 */
/* One table of all options drives setting by name, checks and help. */
#include <tansy/options.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/token_number.h"

enum kind { CHOICE, NUMBER, WHOLE, COUNT };

struct option {
    const char *name;
    size_t offset;
    const char *choices;  /* of a CHOICE: words in the order of their values */
    double least, most;   /* of numbers: allowed range */
    const char *standard; /* the default, for people */
    const char *meaning;
    enum kind kind;
    bool is_atol; /* auto and TANSY_NO_ATOL are allowed, too */
};

#define AT(field) offsetof(tansy_options, field)
#define CHOOSE(field, words, standard, meaning)                                                    \
    {                                                                                              \
#field, AT(field), words, 0, 0, standard, meaning, CHOICE, false                           \
    }

/* clang-format off */
static const struct option table[] = {
    CHOOSE(method, "auto adams bdf dassl rk8 rosenbrock limex", "auto (rk8 or bdf by stiffness; rosenbrock or dassl if implicit)", "integration formulas"),
    CHOOSE(sensitivities, "auto simultaneous staggered direct none measured tangent difference", "auto (by cost)", "how the columns of S are solved for"),
    CHOOSE(error_control, "each state all", "each", "who must pass the error test: the state and each column, the state, all as one vector"),
    CHOOSE(norm, "rms max", "rms", "norm of errors over the components"),
    CHOOSE(linear_solver, "auto dense band diagonal sparse gmres", "auto (by structure)", "how I/(h l0) - df/dy is solved; diagonal is functional iteration"),
    CHOOSE(residual, "auto seed matrix differences", "auto", "how df/dy s + df/dp is computed"),
    CHOOSE(difference, "auto forward central fourth", "auto (by rtol)", "difference formula where a derivative is not given"),
    {"difference_increment", AT(difference_increment), NULL, 0, 0.1, "by formula", "relative increment of differences", NUMBER, false},
    {"rtol", AT(rtol), NULL, 0, 1, "1e-6", "relative tolerance", NUMBER, false},
    {"atol", AT(atol), NULL, 0, DBL_MAX, "auto", "absolute tolerance; auto: 1e-3 rtol of the largest value so far; -1: none", NUMBER, true},
    {"max_order", AT(max_order), NULL, 0, 12, "12 adams, 5 bdf, dassl, 7 limex", "highest order", WHOLE, false},
    {"first_step", AT(first_step), NULL, 0, DBL_MAX, "chosen", "size of the first step", NUMBER, false},
    {"min_step", AT(min_step), NULL, 0, DBL_MAX, "roundoff", "smallest step", NUMBER, false},
    {"max_step", AT(max_step), NULL, 0, DBL_MAX, "no limit", "largest step", NUMBER, false},
    {"max_steps", AT(max_steps), NULL, 0, 9e15, "100000", "steps in one call", COUNT, false},
    {"use_stop_time", AT(use_stop_time), NULL, 0, 1, "0", "1: never evaluate beyond stop_time", WHOLE, false},
    {"stop_time", AT(stop_time), NULL, -DBL_MAX, DBL_MAX, "0", "with use_stop_time", NUMBER, false},
    {"threads", AT(threads), NULL, 0, 1024, "1", "threads over panels of columns", WHOLE, false},
    {"suppress_algebraic", AT(suppress_algebraic), NULL, 0, 1, "0", "1: algebraic variables take no part in error tests", WHOLE, false},
    {"initial_tolerance", AT(initial_tolerance), NULL, 0, 1, "0.01", "of consistent initial values, in units of the error weights", NUMBER, false},
    {"keep_initial", AT(keep_initial), NULL, 0, 1, "0", "1: the given initial values must be consistent", WHOLE, false},
    CHOOSE(preconditioner, "auto none user band ilu block", "auto (by structure)", "of the linear solver gmres"),
    CHOOSE(precondition_side, "auto left right", "auto (right; left if implicit)", "side of the preconditioner"),
    {"krylov_dimension", AT(krylov_dimension), NULL, 0, 1e6, "20", "directions of gmres before a restart (MAXL)", COUNT, false},
    {"krylov_orthogonal", AT(krylov_orthogonal), NULL, 0, 1e6, "all", "directions a new one is made orthogonal to (KMP)", COUNT, false},
    {"krylov_restarts", AT(krylov_restarts), NULL, 0, 1e6, "5", "restarts of gmres", COUNT, false},
    {"krylov_tolerance", AT(krylov_tolerance), NULL, 0, 1, "0.5, 0.05 if left", "linear residual as a share of the corrector's tolerance (EPLI)", NUMBER, false},
    {"preconditioner_lower", AT(preconditioner_lower), NULL, 0, 1e15, "the problem's", "band below the diagonal of the band preconditioner", COUNT, false},
    {"preconditioner_upper", AT(preconditioner_upper), NULL, 0, 1e15, "the problem's", "band above the diagonal", COUNT, false},
    {"preconditioner_block", AT(preconditioner_block), NULL, 0, 1e15, "1", "rows in a block of the block preconditioner", COUNT, false},
    CHOOSE(formula, "auto dop853 dopri8 rodas5p rodas4 grk4a grk4t", "auto (dop853, rodas5p)", "of the methods rk8 and rosenbrock"),
    CHOOSE(second_derivatives, "auto differences neglected", "auto (given or model)", "in the exact tangents of rosenbrock"),
    {"substeps", AT(substeps), NULL, -1, 100, "none", "of the state in a step of rk8 or rosenbrock; -1: by the tolerances of y and S", WHOLE, false},
    {"memory_limit", AT(memory_limit), NULL, 0, 9e15, "no limit", "bytes in which limex may keep its rows for the columns (staggered)", COUNT, false},
    {"sparsing", AT(sparsing), NULL, 0, 1, "0", "what limex may leave out of the rows of h df/dy in sparse factors, such as 0.01", NUMBER, false},
    {"full_tableau", AT(full_tableau), NULL, 0, 1, "0", "1: columns of limex go through all rows of the state", WHOLE, false},
    {"max_newton", AT(max_newton), NULL, 0, 1000, "4, 6 of simultaneous", "corrector iterations of a step, at least 2", WHOLE, false},
    {"newton_tolerance", AT(newton_tolerance), NULL, 0, 1, "0.1", "share of the error tolerance, over order + 2, left to the corrector", NUMBER, false},
    {"max_error_failures", AT(max_error_failures), NULL, 0, 1e6, "30 of both", "error tests failed in one step", WHOLE, false},
    {"time_probes", AT(time_probes), NULL, 0, 1e7, "none", "points of time at which f is probed for pulses, so that no step passes them", COUNT, false},
    {"max_convergence_failures", AT(max_convergence_failures), NULL, 0, 1e6, "30 of both", "corrector failures in one step", WHOLE, false},
};
/* clang-format on */
enum { OPTIONS = sizeof table / sizeof *table };

static tansy_status refuse(char *message, size_t size, const char *format, const char *a,
                           const char *b, const char *c)
{
    if (message) (void)snprintf(message, size, format, a, b, c);
    return TANSY_BAD_OPTION;
}

/* The number of a word in a list, -1 when it is not there. */
static int word_number(const char *words, const char *word)
{
    size_t const length = strlen(word);
    int number = 0;
    for (const char *at = words; length > 0;) {
        size_t const here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0) return number;
        if (at[here] == '\0') break;
        at += here + 1;
        number++;
    }
    return -1;
}

static int words_in(const char *words)
{
    int count = 1;
    for (; *words; words++) count += *words == ' ';
    return count;
}

/* The value of an option as a number. */
static double value_of(const struct option *o, const tansy_options *options)
{
    const char *const field = (const char *)options + o->offset;
    double number = 0;
    int whole = 0;
    size_t count = 0;
    switch (o->kind) {
    case NUMBER:
        memcpy(&number, field, sizeof number);
        return number;
    case COUNT:
        memcpy(&count, field, sizeof count);
        return (double)count;
    default:
        memcpy(&whole, field, sizeof whole);
        return whole;
    }
}

static void store(const struct option *o, tansy_options *options, double value)
{
    char *const field = (char *)options + o->offset;
    int const whole = o->kind == NUMBER || o->kind == COUNT ? 0 : (int)value;
    size_t const count = o->kind == COUNT ? (size_t)value : 0;
    switch (o->kind) {
    case NUMBER:
        memcpy(field, &value, sizeof value);
        break;
    case COUNT:
        memcpy(field, &count, sizeof count);
        break;
    default:
        memcpy(field, &whole, sizeof whole);
    }
}

static bool in_range(const struct option *o, double value)
{
    if (o->kind == CHOICE && value == 0) return true; /* the default, most often */
    if (o->kind == CHOICE) return value > 0 && value < words_in(o->choices);
    if (o->is_atol && (value == TANSY_NO_ATOL || value == TANSY_AUTO_ATOL)) return true;
    if (o->kind != NUMBER && value != floor(value)) return false;
    return value >= o->least && value <= o->most; /* NaN fails */
}

/* "rtol must be a number from 0 to 1". */
static tansy_status out_of_range(const struct option *o, const char *value, char *message,
                                 size_t size)
{
    char range[96];
    if (o->kind == CHOICE)
        return refuse(message, size, "%s = %s: it must be one of: %s", o->name, value, o->choices);
    (void)snprintf(range, sizeof range, "a %s from %g to %g%s",
                   o->kind == NUMBER ? "number" : "whole number", o->least, o->most,
                   o->is_atol ? ", auto, or -1 for none" : "");
    return refuse(message, size, "%s = %s: it must be %s", o->name, value, range);
}

/* The number that the text stands for; false when it is none. */
static bool read_value(const struct option *o, const char *text, double *number)
{
    if (o->kind == CHOICE) {
        *number = word_number(o->choices, text);
        return true;
    }
    if (o->is_atol && strcmp(text, "auto") == 0) {
        *number = TANSY_AUTO_ATOL;
        return true;
    }
    return token_number_read(text, strlen(text), number);
}

tansy_status tansy_option_set(tansy_options *options, const char *name, const char *value,
                              char *message, size_t size)
{
    if (!options || !name || !value)
        return refuse(message, size, "%s%s%s", "options, name and value must not be NULL", "", "");
    for (size_t k = 0; k < OPTIONS; k++) {
        const struct option *const o = &table[k];
        if (strcmp(o->name, name) != 0) continue;
        double number = 0;
        if (!read_value(o, value, &number) || !in_range(o, number))
            return out_of_range(o, value, message, size);
        store(o, options, number);
        return TANSY_OK;
    }
    return refuse(message, size, "there is no option %s%s%s", name, "", "");
}

tansy_status tansy_options_check(const tansy_options *options, char *message, size_t size)
{
    if (!options) return TANSY_OK;
    for (size_t k = 0; k < OPTIONS; k++) {
        double const value = value_of(&table[k], options);
        if (in_range(&table[k], value)) continue;
        char text[32];
        (void)snprintf(text, sizeof text, "%g", value);
        return out_of_range(&table[k], text, message, size);
    }
    bool const crossed = options->max_step > 0 && options->min_step > options->max_step;
    if (crossed) return refuse(message, size, "%s%s%s", "min_step is above max_step", "", "");
    if (options->max_newton == 1)
        return refuse(message, size, "%s%s%s",
                      "max_newton = 1: it takes 2 iterations to see whether they converge", "", "");
    if (options->difference_increment > 0 && options->difference_increment < 4 * DBL_EPSILON)
        return refuse(message, size, "%s%s%s",
                      "difference_increment is below the rounding of what it is added to (8.9e-16 "
                      "of it): no difference can be made",
                      "", "");
    return TANSY_OK;
}

size_t tansy_options_help(char *text, size_t size)
{
    size_t used = 0;
    for (size_t k = 0; k < OPTIONS; k++) {
        const struct option *const o = &table[k];
        bool const room = text && used < size;
        int const length = snprintf(room ? text + used : NULL, room ? size - used : 0,
                                    "%-21s %s (default %s)%s%s\n", o->name, o->meaning, o->standard,
                                    o->choices ? ": " : "", o->choices ? o->choices : "");
        used += (size_t)length;
    }
    return used;
}
