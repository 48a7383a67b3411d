/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands and options. */
#include "options.h"

#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

enum {
    BIT_SOLVE = 1 << SOLVE,
    BIT_RANK = 1 << RANK,
    BIT_CHECK = 1 << CHECK,
    BIT_EXPORT = 1 << EXPORT,
    BIT_HELP = 1 << HELP,
    RUNS = BIT_SOLVE | BIT_RANK,
    ALL = (1 << COMMANDS) - 1
};

/* clang-format off */
const struct command_line commands[COMMANDS] = {
    [SOLVE] = {"solve", "solve MODEL [OPTION]...", "integrates a model with its sensitivities and writes them as CSV", true},
    [RANK] = {"rank", "rank MODEL [OPTION]...", "tells which parameters matter", true},
    [CHECK] = {"check", "check MODEL [OPTION]...", "reads a model, checks its derivatives, prints its size and structure", true},
    [EXPORT] = {"export", "export MODEL --c FILE", "writes the model as C", true},
    [METHODS] = {"methods", "methods", "lists the methods and what they are for", false},
    [HELP] = {"help", "help [TOPIC]", "explains a command or a topic", false},
    [VERSION] = {"version", "version", "prints the version", false},
};

static const struct option own[] = {
    {"at", "LIST", RUNS, OPTION_AT, NULL, "a grid",
     "times of the output: numbers and grids a:b:n or a:b:n:log, with commas between; they must rise from the start of the model's time, or all fall below it"},
    {"to", "T", RUNS | BIT_CHECK, OPTION_TO, NULL, "the model's time span", "end of the time grid"},
    {"points", "N", RUNS, OPTION_POINTS, NULL, "201", "points of the time grid, both ends included"},
    {"sens", "LIST", RUNS, OPTION_SENS, "all none", "all", "columns of S: all parameters, none, or names with commas between; 'x(0)' is the initial value of x, 'all,x(0)' has it beside all parameters"},
    {"set", "NAME=VALUE", RUNS | BIT_CHECK, OPTION_SET, NULL, NULL, "another value for a parameter; @FILE reads lines `name = value`; may be repeated"},
    {"scan", "NAME=A:B:N", BIT_SOLVE, OPTION_SCAN, NULL, NULL, "one run for each of N values from A to B (A:B:N:log: equal ratios); repeated: all combinations; @FILE.csv: one run for each line of a table whose header names the parameters"},
    {"atol", "A", RUNS | BIT_CHECK, OPTION_ATOL, NULL, "the model's, else auto: 1e-3 R of the largest value so far", "absolute tolerance, 0 for none; NAME=VALUE sets that of one state; may be repeated"},
    {"scale", "HOW", BIT_SOLVE, OPTION_SCALE, "none log p", "none", "sensitivities as they are, as dln(x)/dln(p) (nan where x = 0), or as p*d(x)/d(p)"},
    {"of", "LIST", BIT_RANK, OPTION_OF, NULL, "all states", "states and outputs whose sensitivities are ranked"},
    {"each", NULL, BIT_RANK, OPTION_EACH, NULL, NULL, "one ranking for each state or output as well"},
    {"out", "FILE.csv", RUNS, OPTION_OUT, "FILE", "standard output", "file of the results"},
    {"stats", "FILE.json", RUNS, OPTION_STATS, "FILE", NULL, "writes what the solver counted"},
    {"plot", "FILE.svg|png|pdf", RUNS, OPTION_PLOT, "FILE", NULL, "draws the results by gnuplot; may be repeated"},
    {"panels", "LIST", BIT_SOLVE, OPTION_PANELS, "all trajectories sensitivities normalised ranking", "all", "what --plot draws: all, or some of trajectories,sensitivities,normalised,ranking"},
    {"report", "FILE.html", BIT_SOLVE, OPTION_REPORT, "FILE", NULL, "writes one page with plots, tables, statistics and the model"},
    {"verify", NULL, BIT_SOLVE, OPTION_VERIFY, NULL, NULL, "solves again in another way and tells how many digits of each state, output and column agree"},
    {"once", NULL, RUNS, OPTION_ONCE, NULL, NULL, "runs with sensitivities, or with outputs that are small rests of large terms, are not computed once more, to see that they are as exact as promised"},
    {"c", "FILE.c", BIT_EXPORT, OPTION_C, "FILE", NULL, "file of the C source; - is the standard output"},
    {"quiet", NULL, RUNS | BIT_CHECK | BIT_EXPORT, OPTION_QUIET, NULL, NULL, "no summary, warnings or progress, only errors and the verdict of --verify"},
    {"man", NULL, BIT_HELP, OPTION_MAN, NULL, NULL, "the manual page as roff"},
    {"completion", "SHELL", BIT_HELP, OPTION_COMPLETION, "bash zsh fish", NULL, "the completion script of a shell"},
    {"help", NULL, ALL, OPTION_HELP, NULL, NULL, "explains the command"},
};
/* clang-format on */
enum { OWN = sizeof own / sizeof *own };

static bool same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char const left = *a == '_' ? '-' : *a, right = *b == '_' ? '-' : *b;
        if (left != right) return false;
    }
    return *a == *b;
}

static const char *value_word(const char *words, const char *name)
{
    if (words) return "WORD";
    return strstr(name, "steps") || strstr(name, "order") || strstr(name, "threads") ? "N"
                                                                                     : "NUMBER";
}

/* Of no use where every run ends at the last time of output, and f may be called behind it. */
static bool has_no_place_here(const char *name)
{
    return same_name(name, "use-stop-time") || same_name(name, "stop-time");
}

/* One line of tansy_options_help(): "name   meaning (default D): words", cut in place. */
static bool read_line(char *line, struct option *option)
{
    char *const name_end = strchr(line, ' ');
    char *const standard = strstr(line, " (default ");
    if (!name_end || !standard) return false;
    char *meaning = name_end + strspn(name_end, " ");
    *name_end = '\0';
    *standard = '\0';
    char *words = strstr(standard + 1, "): ");
    char *const close = words ? words : strrchr(standard + 1, ')');
    if (!close || meaning > standard) return false;
    *close = '\0';
    for (char *at = line; *at; at++)
        if (*at == '_') *at = '-';
    *option = (struct option){.name = line,
                              .words = words ? words + strlen("): ") : NULL,
                              .commands = RUNS | BIT_CHECK,
                              .id = OPTION_OF_LIBRARY,
                              .standard = standard + strlen(" (default "),
                              .meaning = meaning};
    option->value = value_word(option->words, option->name);
    /* which is for programs that bring one of their own */
    char *const user =
        words && same_name(line, "preconditioner") ? strstr(words + strlen("): "), " user") : NULL;
    if (user) memmove(user, user + strlen(" user"), strlen(user + strlen(" user")) + 1);
    return true;
}

void options_make(struct option_table *table)
{
    size_t const length = tansy_options_help(NULL, 0);
    *table = (struct option_table){.library_text = take(length + 1, 1)};
    (void)tansy_options_help(table->library_text, length + 1);
    size_t lines = 0;
    for (const char *at = table->library_text; *at; at++) lines += *at == '\n';
    table->option = take(OWN + lines, sizeof *table->option);
    memcpy(table->option, own, sizeof own);
    table->count = OWN;
    for (char *at = table->library_text; *at;) {
        char *const end = at + strcspn(at, "\n");
        bool const last = *end == '\0';
        *end = '\0';
        struct option option;
        if (read_line(at, &option) && !has_no_place_here(option.name) &&
            !options_find(table, option.name))
            table->option[table->count++] = option;
        at = last ? end : end + 1;
    }
}

void options_free(struct option_table *table)
{
    free(table->option);
    free(table->library_text);
    *table = (struct option_table){0};
}

const struct option *options_find(const struct option_table *table, const char *name)
{
    for (size_t k = 0; k < table->count; k++)
        if (same_name(table->option[k].name, name)) return &table->option[k];
    return NULL;
}

bool options_is_choice(const struct option *option)
{
    return option->words && strcmp(option->words, "FILE") != 0 &&
           strcmp(option->value, "LIST") != 0;
}
