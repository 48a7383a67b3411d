/* SPDX-License-Identifier: Apache-2.0 */
/* Completion scripts of bash, zsh and fish, from the table of options. */
#include "help.h"

#include <string.h>

static bool is_file(const struct option *option)
{
    return option->words && strcmp(option->words, "FILE") == 0;
}

static void add_command_names(struct text *text)
{
    for (int k = 0; k < COMMANDS; k++) text_add(text, "%s%s", k > 0 ? " " : "", commands[k].name);
}

static void add_topic_names(struct text *text)
{
    for (int k = 0; k < COMMANDS; k++) text_add(text, "%s ", commands[k].name);
    for (size_t k = 0; k < topic_count; k++)
        if (*topics[k].title) text_add(text, "%s ", topics[k].name);
    text->length--;
}

static void add_bash(struct text *text, const struct option_table *table)
{
    text_put(text,
             "# Completion of tansy for bash; made by `tansy help --completion bash`.\n"
             "_tansy()\n{\n"
             "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
             "    local prefix=\n"
             "    COMPREPLY=()\n"
             "    if [[ $word == --*=* ]]; then # bash takes --name=value apart, unless it was "
             "told not to\n"
             "        before=${word%%=*}\n        prefix=$before=\n        word=${word#*=}\n"
             "    elif [ \"$word\" = = ]; then\n        word=\n"
             "    elif [ \"$before\" = = ]; then\n"
             "        before=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
             "        COMPREPLY=($(compgen -W \"");
    add_command_names(text);
    text_put(text, "\" -- \"$word\"))\n        return\n    fi\n    case $before in\n");
    for (size_t k = 0; k < table->count; k++) {
        const struct option *const o = &table->option[k];
        if (!o->value) continue;
        if (o->words && !is_file(o))
            text_add(text,
                     "    --%s) COMPREPLY=($(compgen -P \"$prefix\" -W \"%s\" -- \"$word\")); "
                     "return ;;\n",
                     o->name, o->words);
        else if (is_file(o))
            text_add(text,
                     "    --%s) COMPREPLY=($(compgen -P \"$prefix\" -f -- \"$word\")); return ;;\n",
                     o->name);
        else
            text_add(text, "    --%s) return ;;\n", o->name);
    }
    text_put(text, "    esac\n    case ${COMP_WORDS[1]} in\n");
    for (int c = 0; c < COMMANDS; c++) {
        text_add(text, "    %s) words=\"", commands[c].name);
        for (size_t k = 0; k < table->count; k++)
            if (table->option[k].commands & 1U << c) text_add(text, "--%s ", table->option[k].name);
        if (c == HELP) {
            add_topic_names(text);
            text_put(text, " ");
        }
        text->length--;
        text_put(text, "\" ;;\n");
    }
    text_put(text, "    esac\n    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then\n"
                   "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n    else\n"
                   "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
                   "complete -o filenames -F _tansy tansy\n");
}

/* Words for a shell's single quotes; brackets and colons are signs of zsh's _arguments. */
static void add_quoted(struct text *text, const char *words, bool zsh)
{
    for (; *words; words++) {
        if (*words == '\'')
            text_put(text, "'\\''");
        else if (zsh && strchr("[]:\\", *words))
            text_add(text, "\\%c", *words);
        else
            text_bytes(text, 1, words);
    }
}

static void add_zsh_option(struct text *text, const struct option *o)
{
    bool const repeats = strstr(o->meaning, "repeated") != NULL;
    text_add(text, "        '%s--%s%s[", repeats ? "*" : "", o->name, o->value ? "=" : "");
    add_quoted(text, o->meaning, true);
    text_put(text, "]");
    if (o->value) {
        text_put(text, ":");
        add_quoted(text, o->value, true);
        text_put(text, is_file(o) ? ":_files" : ":");
        if (o->words && !is_file(o)) text_add(text, "(%s)", o->words);
    }
    text_put(text, "' \\\n");
}

static void add_zsh(struct text *text, const struct option_table *table)
{
    text_put(text, "#compdef tansy\n"
                   "# Completion of tansy for zsh; made by `tansy help --completion zsh`.\n"
                   "_tansy() {\n    local -a commands\n    commands=(\n");
    for (int c = 0; c < COMMANDS; c++) {
        text_add(text, "        '%s:", commands[c].name);
        add_quoted(text, commands[c].meaning, true);
        text_put(text, "'\n");
    }
    text_put(text, "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
                   "        return\n    fi\n    local command=$words[2]\n    shift words\n"
                   "    (( CURRENT-- ))\n    case $command in\n");
    for (int c = 0; c < COMMANDS; c++) {
        text_add(text, "    %s)\n        _arguments \\\n", commands[c].name);
        for (size_t k = 0; k < table->count; k++)
            if (table->option[k].commands & 1U << c) add_zsh_option(text, &table->option[k]);
        if (commands[c].needs_model)
            text_put(text, "        '1:model:_files'\n");
        else if (c == HELP) {
            text_put(text, "        '1:topic:(");
            add_topic_names(text);
            text_put(text, ")'\n");
        } else {
            text_put(text, "        && return\n");
        }
        text_put(text, "        ;;\n");
    }
    text_put(text, "    esac\n}\n_tansy \"$@\"\n");
}

static void add_fish(struct text *text, const struct option_table *table)
{
    text_put(text, "# Completion of tansy for fish; made by `tansy help --completion fish`.\n"
                   "set -l commands ");
    add_command_names(text);
    text_put(text, "\n");
    for (int c = 0; c < COMMANDS; c++) {
        text_add(text,
                 "complete -c tansy -f -n \"not __fish_seen_subcommand_from $commands\" -a %s -d '",
                 commands[c].name);
        add_quoted(text, commands[c].meaning, false);
        text_put(text, "'\n");
        if (commands[c].needs_model)
            text_add(text, "complete -c tansy -F -n '__fish_seen_subcommand_from %s'\n",
                     commands[c].name);
    }
    text_put(text, "complete -c tansy -f -n '__fish_seen_subcommand_from help' -a '");
    add_topic_names(text);
    text_put(text, "'\n");
    for (size_t k = 0; k < table->count; k++) {
        const struct option *const o = &table->option[k];
        text_put(text, "complete -c tansy -n '__fish_seen_subcommand_from");
        for (int c = 0; c < COMMANDS; c++)
            if (o->commands & 1U << c) text_add(text, " %s", commands[c].name);
        text_add(text, "' -l %s%s", o->name, o->value ? is_file(o) ? " -r -F" : " -x" : "");
        if (o->words && !is_file(o)) text_add(text, " -a '%s'", o->words);
        text_put(text, " -d '");
        add_quoted(text, o->meaning, false);
        text_put(text, "'\n");
    }
}

int help_completion(const struct option_table *table, const char *shell)
{
    struct text text = {0};
    if (strcmp(shell, "bash") == 0)
        add_bash(&text, table);
    else if (strcmp(shell, "zsh") == 0)
        add_zsh(&text, table);
    else
        add_fish(&text, table);
    int const status = help_print(&text);
    text_free(&text);
    return status;
}
