/* SPDX-License-Identifier: Apache-2.0 */
/* What the library says of its options, max_order = 9, in the words of the command line, --max-order 9. */
#include "options.h"

#include <ctype.h>
#include <string.h>

/* What the library says to programs, and what is left of it here. */
static const char advice[] = "call again to go on, or ";

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    return length;
}

/* Whether the text before `at` ends with `words`. */
static bool follows(const char *start, const char *at, const char *words)
{
    size_t const length = strlen(words);
    return (size_t)(at - start) >= length && strncmp(at - length, words, length) == 0;
}

/* Does `at` begin with one of the words that the option takes? */
static bool is_choice_of(const struct option *option, const char *at)
{
    size_t const length = word_length(at);
    for (const char *word = options_is_choice(option) ? option->words : ""; *word;) {
        size_t const here = strcspn(word, " ");
        if (here == length && strncmp(word, at, length) == 0) return true;
        word += here + (word[here] == ' ');
    }
    return false;
}

/* Is the option's name, from `at` to `end`, meant as such?  Names of one word are words of the language too: they count behind `option`, and
   before a value of theirs, but for `the formula dop853`. */
static bool is_meant(const struct option *option, const char *start, const char *at,
                     const char *end)
{
    if (memchr(at, '_', (size_t)(end - at))) return true;
    if (follows(start, at, "option ")) return true;
    if (strncmp(end, " = ", 3) == 0) return is_choice_of(option, end + 3);
    return *end == ' ' && !follows(start, at, "the ") && is_choice_of(option, end + 1);
}

char *options_spell(const struct option_table *table, const char *message,
                    bool (*is_taken)(const void *by, const char *word), const void *by)
{
    struct text words = {0};
    text_put(&words, "");
    for (const char *at = message; *at;) {
        if (strncmp(at, advice, sizeof advice - 1) == 0) at += sizeof advice - 1;
        size_t const length = word_length(at);
        bool const inside = at > message && (at[-1] == '.' || at[-1] == '-'); /* a field; -- */
        char name[64] = "";
        if (length > 0 && length < sizeof name && !inside) memcpy(name, at, length);
        const struct option *const option = *name ? options_find(table, name) : NULL;
        if (option && option->id == OPTION_OF_LIBRARY &&
            is_meant(option, message, at, at + length) && !(is_taken && is_taken(by, name))) {
            text_add(&words, "--%s", option->name);
            at += length;
            if (strncmp(at, " = ", 3) == 0) at += 2;
            continue;
        }
        text_bytes(&words, length > 0 ? length : 1, at);
        at += length > 0 ? length : 1;
    }
    return words.at;
}
