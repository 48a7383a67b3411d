/* SPDX-License-Identifier: Apache-2.0 */
/* Messages for people. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Characters that end a line or steer a terminal: those of C0 but tabs, DEL, and of C1, U+0080 to U+009F. */
static bool is_control(const char *at)
{
    const unsigned char *const b = (const unsigned char *)at;
    return (b[0] < ' ' && b[0] != '\t') || b[0] == 0x7f || (b[0] == 0xc2 && b[1] < 0xa0);
}

/* A message is one line of UTF-8, whatever the words that it quotes hold: what is not is shown as `?`, as the parser of models does. */
static void make_one_line(char *words)
{
    char *to = words;
    for (const char *from = words; *from;) {
        size_t const length = text_character_length(from);
        bool const shown = length > 0 && !is_control(from);
        if (!shown) *to++ = '?';
        for (size_t k = 0; k < length && shown; k++) *to++ = from[k];
        from += length > 0 ? length : 1;
    }
    *to = '\0';
}

int complain(int status, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    /* NOLINTBEGIN(clang-analyzer-valist.Uninitialized): they have just begun */
    int const length = vsnprintf(NULL, 0, format, arguments);
    char *const words = take(length > 0 ? (size_t)length + 1 : 1, 1);
    if (length > 0) (void)vsnprintf(words, (size_t)length + 1, format, again);
    /* NOLINTEND(clang-analyzer-valist.Uninitialized) */
    va_end(again);
    va_end(arguments);
    make_one_line(words);
    (void)fprintf(stderr, "tansy: %s\n", words);
    free(words);
    return status;
}

void complain_interrupted(void)
{
    static const char words[] = "tansy: interrupted: nothing more is written\n";
    ssize_t const told = write(STDERR_FILENO, words, sizeof words - 1);
    (void)told; /* there is nobody else to tell */
}
