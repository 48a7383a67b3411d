/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the command line by the table of options. */
#include "command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_command(const char *word, enum command *command)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) word = "help";
    if (strcmp(word, "--version") == 0) word = "version";
    struct suggestion s;
    suggest_start(&s, word);
    for (int k = 0; k < COMMANDS; k++) {
        suggest_try(&s, commands[k].name);
        if (strcmp(word, commands[k].name) != 0) continue;
        *command = (enum command)k;
        return DONE;
    }
    char hint[96];
    return complain(BAD_USAGE, "there is no command %s%s (tansy help lists them)", word,
                    suggest_text(&s, hint, sizeof hint));
}

static int wrong_value(const struct option *option, const char *value, const char *right)
{
    return complain(BAD_USAGE, "--%s %s: it must be %s", option->name, value, right);
}

/* One of the words of a list as its number, from 0; -1: none. */
static int word_number(const char *words, const char *word)
{
    size_t const length = strlen(word);
    int number = 0;
    for (const char *at = words; length > 0 && *at; number++) {
        size_t const here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0) return number;
        at += here + (at[here] == ' ');
    }
    return -1;
}

static int read_word(const struct option *option, const char *value, int *number)
{
    *number = word_number(option->words, value);
    if (*number >= 0) return DONE;
    return complain(BAD_USAGE, "--%s %s: it must be one of: %s", option->name, value,
                    option->words);
}

static int read_panels(const struct option *option, const char *value, unsigned *panels)
{
    static const unsigned bits[] = {PANELS_ALL, PANEL_TRAJECTORIES, PANEL_SENSITIVITIES,
                                    PANEL_NORMALISED, PANEL_RANKING};
    char *const copy = copy_of(value);
    struct words items = {0};
    int status = DONE;
    split_list(copy, &items);
    *panels = 0;
    for (size_t k = 0; k < items.count && status == DONE; k++) {
        int number = 0;
        status = read_word(option, items.word[k], &number);
        if (status == DONE) *panels |= bits[number];
    }
    free(items.word);
    free(copy);
    return status;
}

static int add_plot(const struct option *option, const char *value, struct words *plots)
{
    const char *const dot = strrchr(value, '.');
    bool const known = dot && dot > value && word_number("svg png pdf", dot + 1) >= 0;
    if (!known) return wrong_value(option, value, "a file name that ends with .svg, .png or .pdf");
    if (plots->count == 16) return complain(BAD_USAGE, "--plot: at most 16 files are drawn");
    words_add(plots, value);
    return DONE;
}

/* An option of the library; zero, which means "default" there, is refused where a person would mean zero. */
static int set_library(const struct option *option, const char *value, tansy_options *options)
{
    char name[64], message[256] = "";
    (void)snprintf(name, sizeof name, "%s", option->name);
    for (char *at = name; *at; at++)
        if (*at == '-') *at = '_';
    double number = 1;
    if (strcmp(name, "rtol") == 0 &&
        !(read_number(value, &number) && number >= 1e-15 && number <= 1))
        return wrong_value(option, value,
                           "a number from 1e-15 to 1: doubles have no more than 16 digits");
    /* the library has one word more, for programs that bring a preconditioner of their own */
    int word = 0;
    if (strcmp(name, "preconditioner") == 0 && read_word(option, value, &word) != DONE)
        return BAD_USAGE;
    if (tansy_option_set(options, name, value, message, sizeof message) == TANSY_OK) return DONE;
    const char *const right = strstr(message, "it must be");
    return complain(BAD_USAGE, "--%s %s: %s", option->name, value, right ? right : message);
}

static int set_flag(const struct option *option, struct request *r)
{
    switch (option->id) {
    case OPTION_VERIFY:
        r->verify = true;
        break;
    case OPTION_ONCE:
        r->once = true;
        break;
    case OPTION_QUIET:
        r->quiet = true;
        break;
    case OPTION_EACH:
        r->each = true;
        break;
    case OPTION_MAN:
        r->man = true;
        break;
    default:
        r->wants_help = true;
    }
    return DONE;
}

static int set_file(const struct option *option, const char *value, struct request *r)
{
    const char *const dot = strrchr(value, '.');
    if (option->id == OPTION_REPORT &&
        !(dot && dot > value && word_number("html htm", dot + 1) >= 0))
        return wrong_value(option, value, "a file name that ends with .html or .htm");
    switch (option->id) {
    case OPTION_OUT:
        r->out = value;
        break;
    case OPTION_STATS:
        r->stats = value;
        break;
    case OPTION_REPORT:
        r->report = value;
        break;
    default:
        r->c = value;
    }
    return DONE;
}

static int set_option(const struct option *option, const char *value, struct request *r)
{
    int number = 0, status = DONE;
    switch (option->id) {
    case OPTION_AT:
        r->at = value;
        break;
    case OPTION_SENS:
        r->sens = value;
        break;
    case OPTION_OF:
        r->of = value;
        break;
    case OPTION_SET:
        words_add(&r->set, value);
        break;
    case OPTION_SCAN:
        words_add(&r->scan, value);
        break;
    case OPTION_ATOL:
        words_add(&r->atol, value);
        break;
    case OPTION_TO:
        r->has_to = true;
        if (!read_number(value, &r->to)) return wrong_value(option, value, "a number");
        break;
    case OPTION_POINTS:
        if (!read_count(value, 2, MOST_POINTS, &r->points))
            return wrong_value(option, value, "a whole number from 2 to 100000000");
        break;
    case OPTION_SCALE:
        status = read_word(option, value, &number);
        r->scaling = (enum scaling)number;
        break;
    case OPTION_COMPLETION:
        r->completion = value;
        status = read_word(option, value, &number);
        break;
    case OPTION_PANELS:
        r->has_panels = true;
        return read_panels(option, value, &r->panels);
    case OPTION_PLOT:
        return add_plot(option, value, &r->plot);
    case OPTION_OF_LIBRARY:
        return set_library(option, value, &r->options);
    default:
        return set_file(option, value, r);
    }
    return status;
}

static int unknown_option(const struct option_table *table, const char *name, enum command command)
{
    struct suggestion s;
    suggest_start(&s, name);
    for (size_t k = 0; k < table->count; k++)
        if (table->option[k].commands & 1U << command) suggest_try(&s, table->option[k].name);
    char hint[96], dashed[128] = "";
    if (*suggest_text(&s, hint, sizeof hint))
        (void)snprintf(dashed, sizeof dashed, "; did you mean --%s?", s.best);
    return complain(BAD_USAGE, "there is no option --%s%s (tansy help %s lists them)", name, dashed,
                    commands[command].name);
}

static int not_of_this(const struct option *option, enum command command)
{
    struct text owners = {0};
    for (int k = 0; k < COMMANDS; k++)
        if (option->commands & 1U << k)
            text_add(&owners, "%s%s", owners.length ? ", " : "", commands[k].name);
    int const status = complain(BAD_USAGE, "--%s is not an option of %s; it belongs to: %s",
                                option->name, commands[command].name, owners.at);
    text_free(&owners);
    return status;
}

/* The option at argv[*k], which starts with --; *k moves over its value. */
static int read_option(const struct option_table *table, int argc, char **argv, int *k,
                       struct request *r)
{
    char name[64];
    const char *const word = argv[*k] + 2;
    const char *const sign = strchr(word, '=');
    size_t const length = sign ? (size_t)(sign - word) : strlen(word);
    (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    const struct option *const option = options_find(table, name);
    if (!option) return unknown_option(table, name, r->command);
    if (!(option->commands & 1U << r->command)) return not_of_this(option, r->command);
    if (!option->value) {
        if (sign)
            return complain(BAD_USAGE, "--%s takes no value; write --%s alone", name, option->name);
        return set_flag(option, r);
    }
    const char *value = sign ? sign + 1 : NULL;
    if (!sign && *k + 1 < argc && strncmp(argv[*k + 1], "--", 2) != 0) value = argv[++*k];
    if (!value || !*value)
        return complain(BAD_USAGE, "--%s needs a value: --%s %s", option->name, option->name,
                        option->value);
    return set_option(option, value, r);
}

static int set_operand(const char *word, struct request *r)
{
    if (r->operand || r->command == METHODS || r->command == VERSION)
        return complain(BAD_USAGE, "%s is one word too many; right is: tansy %s", word,
                        commands[r->command].usage);
    if (commands[r->command].needs_model && !*word)
        return complain(BAD_USAGE, "the name of the model's file is empty; right is: tansy %s",
                        commands[r->command].usage);
    if (commands[r->command].needs_model && strcmp(word, "-") == 0)
        return complain(BAD_USAGE, "the model is a file, - is none: for the standard input give "
                                   "/dev/stdin");
    r->operand = word;
    return DONE;
}

/* What is wrong with the whole, though each option is right. */
static int check_together(const struct option_table *table, const struct request *r)
{
    if (r->wants_help) return DONE;
    if (commands[r->command].needs_model && !r->operand)
        return complain(BAD_USAGE, "%s needs a model file: tansy %s", commands[r->command].name,
                        commands[r->command].usage);
    if (r->man && r->completion)
        return complain(BAD_USAGE, "--man and --completion are two things: ask for one of them");
    if (r->operand && (r->man || r->completion))
        return complain(BAD_USAGE, "%s is one word too many; right is: tansy help %s", r->operand,
                        r->man ? "--man" : "--completion bash|zsh|fish");
    if (r->at && (r->has_to || r->points))
        return complain(BAD_USAGE, "--at gives the times: leave out --to and --points");
    if (r->command == EXPORT && !r->c)
        return complain(BAD_USAGE, "export needs the file to write: tansy export MODEL --c FILE");
    if (r->scan.count > 0 && (r->plot.count > 0 || r->report || r->verify))
        return complain(BAD_USAGE, "--scan writes a table of many runs: leave out --plot, --report "
                                   "and --verify, which show one");
    char message[256] = "";
    if (tansy_options_check(&r->options, message, sizeof message) == TANSY_OK) return DONE;
    char *const words = options_spell(table, message, NULL, NULL);
    int const status = complain(BAD_USAGE, "%s", words);
    free(words);
    return status;
}

int command_line_read(const struct option_table *table, int argc, char **argv,
                      struct request *request)
{
    *request = (struct request){.command = HELP, .panels = PANELS_ALL};
    if (argc < 2) return DONE;
    int status = find_command(argv[1], &request->command);
    bool only_words = false;
    for (int k = 2; k < argc && status == DONE; k++) {
        const char *const word = argv[k];
        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && strcmp(word, "-h") == 0)
            request->wants_help = true;
        else if (!only_words && strncmp(word, "--", 2) == 0)
            status = read_option(table, argc, argv, &k, request);
        else if (!only_words && word[0] == '-' && word[1])
            status = complain(
                BAD_USAGE,
                "there is no option %s; options start with two dashes (tansy help %s lists them)",
                word, commands[request->command].name);
        else
            status = set_operand(word, request);
    }
    return status == DONE ? check_together(table, request) : status;
}

void command_line_free(struct request *request)
{
    free(request->set.word);
    free(request->scan.word);
    free(request->atol.word);
    free(request->plot.word);
}
