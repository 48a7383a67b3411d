/* SPDX-License-Identifier: Apache-2.0 */
/* tansy help. */
#include "help.h"
#include "output_file.h"

#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

enum { WIDTH = 80, INDENT = 26 };

const char help_of_zero[] = "A number that is 0 stands for the default; --rtol must be above 0.";

int help_print(const struct text *text)
{
    struct output out;
    int status = output_open(&out, NULL);
    if (status == DONE) status = output_write(&out, text);
    int const closed = output_close(&out);
    return status == DONE ? closed : status;
}

/* Words broken into lines behind an indent, from which the first line starts. */
static void add_wrapped(struct text *text, const char *words)
{
    size_t at = INDENT;
    while (*words) {
        size_t const length = strcspn(words, " ");
        if (at > INDENT && at + 1 + length > WIDTH) {
            text_add(text, "\n%*s", INDENT, "");
            at = INDENT;
        }
        if (at > INDENT) text_put(text, " ");
        text_bytes(text, length, words);
        at += length + (at > INDENT);
        words += length;
        words += strspn(words, " ");
    }
    text_put(text, "\n");
}

static void add_option(struct text *text, const struct option *option)
{
    size_t const start = text->length;
    text_add(text, "  --%s%s%s", option->name, option->value ? " " : "",
             option->value ? option->value : "");
    size_t at = text->length - start;
    if (at + 1 >= INDENT) {
        text_put(text, "\n");
        at = 0;
    }
    text_add(text, "%*s", (int)(INDENT - at), "");
    struct text words = {0};
    text_put(&words, option->meaning);
    if (options_is_choice(option)) text_add(&words, "; one of: %s", option->words);
    if (option->standard) text_add(&words, " (default: %s)", option->standard);
    add_wrapped(text, words.at);
    text_free(&words);
}

static const struct topic *find_topic(const char *name)
{
    for (size_t k = 0; k < topic_count; k++)
        if (strcmp(topics[k].name, name) == 0) return &topics[k];
    return NULL;
}

static void add_overview(struct text *text)
{
    const struct topic *const overview = find_topic("overview");
    text_put(text, "usage: tansy COMMAND [MODEL] [OPTION]...\n\ncommands\n");
    for (int k = 0; k < COMMANDS; k++)
        text_add(text, "  %-10s %s\n", commands[k].name, commands[k].meaning);
    text_put(text, "\ntopics of tansy help\n");
    for (size_t k = 0; k < topic_count; k++)
        if (*topics[k].title) text_add(text, "  %-14s %s\n", topics[k].name, topics[k].title);
    text_add(text, "\n%s", overview->text);
}

static void add_options(struct text *text, const struct option_table *table, int command)
{
    for (int library = 0; library < 2; library++) {
        bool first = true;
        for (size_t k = 0; k < table->count; k++) {
            const struct option *const option = &table->option[k];
            if (!(option->commands & 1U << command)) continue;
            if ((option->id == OPTION_OF_LIBRARY) != (library == 1)) continue;
            if (first) text_put(text, library ? "\noptions of the solver\n" : "\noptions\n");
            if (first && library) text_add(text, "  %s\n", help_of_zero);
            first = false;
            add_option(text, option);
        }
    }
}

static void add_command(struct text *text, const struct option_table *table, int command)
{
    const struct topic *const topic = find_topic(commands[command].name);
    text_add(text, "usage: tansy %s\n%s\n", commands[command].usage, commands[command].meaning);
    add_options(text, table, command);
    if (topic) text_add(text, "\n%s", topic->text);
}

static int unknown_topic(const char *name)
{
    struct suggestion s;
    suggest_start(&s, name);
    for (int k = 0; k < COMMANDS; k++) suggest_try(&s, commands[k].name);
    for (size_t k = 0; k < topic_count; k++) suggest_try(&s, topics[k].name);
    char hint[96];
    return complain(BAD_USAGE, "there is no help on %s%s (tansy help lists the topics)", name,
                    suggest_text(&s, hint, sizeof hint));
}

int help_command(const struct option_table *table, const char *name)
{
    struct text text = {0};
    int command = 0;
    while (name && command < COMMANDS && strcmp(commands[command].name, name) != 0) command++;
    const struct topic *const topic = name ? find_topic(name) : NULL;
    if (!name || command == HELP)
        add_overview(&text);
    else if (command < COMMANDS && command != METHODS)
        add_command(&text, table, command);
    else if (topic)
        text_put(&text, topic->text);
    else
        return unknown_topic(name);
    if (name && command == HELP) add_options(&text, table, HELP);
    int const status = help_print(&text);
    text_free(&text);
    return status;
}

int help_usage(void)
{
    struct text text = {0};
    add_overview(&text);
    (void)fputs(text.at, stderr);
    text_free(&text);
    return BAD_USAGE;
}

int help_version(void)
{
    struct text text = {0};
    text_add(&text, "tansy %s\n", tansy_version());
    int const status = help_print(&text);
    text_free(&text);
    return status;
}
