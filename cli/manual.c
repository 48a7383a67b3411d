/* SPDX-License-Identifier: Apache-2.0 */
/* The manual page, as roff. */
#include "help.h"

#include <string.h>
#include <tansy/tansy.h>

/* Words with the signs that roff would take for its own. */
static void add_roff(struct text *text, const char *words)
{
    bool line_starts = true;
    for (; *words; words++) {
        if (line_starts && (*words == '.' || *words == '\'')) text_put(text, "\\&");
        if (*words == '\\')
            text_put(text, "\\e");
        else if (*words == '-')
            text_put(text, "\\-");
        else if (*words == '\'')
            text_put(text, "\\(aq");
        else if (*words == '`')
            text_put(text, "\\(ga");
        else if (*words == '^')
            text_put(text, "\\(ha");
        else if (*words == '~')
            text_put(text, "\\(ti");
        else
            text_bytes(text, 1, words);
        line_starts = *words == '\n';
    }
}

static void add_entry(struct text *text, const struct option *option)
{
    text_put(text, ".TP\n.B \\-\\-");
    add_roff(text, option->name);
    if (option->value) {
        text_put(text, " \\fI");
        add_roff(text, option->value);
        text_put(text, "\\fR");
    }
    text_put(text, "\n");
    add_roff(text, option->meaning);
    if (options_is_choice(option)) {
        text_put(text, "; one of: ");
        add_roff(text, option->words);
    }
    if (option->standard) {
        text_put(text, " (default: ");
        add_roff(text, option->standard);
        text_put(text, ")");
    }
    text_put(text, ".\nFor:");
    for (int k = 0; k < COMMANDS; k++)
        if (option->commands & 1U << k && option->id != OPTION_HELP)
            text_add(text, " %s", commands[k].name);
    if (option->id == OPTION_HELP) text_put(text, " all commands");
    text_put(text, ".\n");
}

static void add_topics(struct text *text)
{
    text_put(text, ".SH TOPICS\n");
    for (size_t k = 0; k < topic_count; k++) {
        if (strcmp(topics[k].name, "overview") == 0) continue;
        text_put(text, ".SS ");
        add_roff(text, topics[k].name);
        text_put(text, "\n.nf\n");
        add_roff(text, topics[k].text);
        text_put(text, ".fi\n");
    }
}

int help_manual(const struct option_table *table)
{
    struct text text = {0};
    text_add(&text,
             ".\\\" Made by `tansy help --man`; change cli/options.c and cli/topics.c.\n"
             ".TH TANSY 1 \"\" \"tansy %s\" \"User commands\"\n.SH NAME\n"
             "tansy \\- solves initial value problems together with their parametric "
             "sensitivities\n.SH SYNOPSIS\n",
             tansy_version());
    for (int k = 0; k < COMMANDS; k++) {
        text_put(&text, ".B tansy\n");
        add_roff(&text, commands[k].usage);
        text_put(&text, "\n.br\n");
    }
    text_put(&text, ".SH DESCRIPTION\n");
    for (int k = 0; k < COMMANDS; k++) {
        text_add(&text, ".TP\n.B %s\n", commands[k].name);
        add_roff(&text, commands[k].meaning);
        text_put(&text, ".\n");
    }
    text_put(&text,
             ".SH OPTIONS\nA value follows its option or stands behind a =; of options given "
             "twice the last counts, unless they may be repeated.\n");
    for (size_t k = 0; k < table->count; k++)
        if (table->option[k].id != OPTION_OF_LIBRARY) add_entry(&text, &table->option[k]);
    text_put(&text, ".SS Options of the solver\n");
    add_roff(&text, help_of_zero);
    text_put(&text, "\n");
    for (size_t k = 0; k < table->count; k++)
        if (table->option[k].id == OPTION_OF_LIBRARY) add_entry(&text, &table->option[k]);
    add_topics(&text);
    text_put(&text,
             ".SH EXIT STATUS\n0 done;\n1 the integration stopped or was interrupted, what is "
             "done is kept;\n2 wrong usage or a wrong model;\n3 a file cannot be read or "
             "written;\n4 \\-\\-verify found a state or column worse than promised.\n"
             ".SH ENVIRONMENT\n.TP\n.B TMPDIR\nwhere gnuplot's script is put, /tmp when not "
             "set.\n.SH SEE ALSO\n.BR gnuplot (1)\n");
    int const status = help_print(&text);
    text_free(&text);
    return status;
}
