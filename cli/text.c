/* SPDX-License-Identifier: Apache-2.0 */
/* Growing texts with the escapes of HTML, JSON and CSV. */
#include "text.h"
#include "output_file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(void)
{
    output_remove_unfinished();
    (void)fputs("tansy: out of memory\n", stderr);
    exit(IO_FAILED);
}

void *take(size_t count, size_t size)
{
    void *const block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (!block) out_of_memory();
    return block;
}

void *take_more(void *block, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size) out_of_memory();
    void *const more = realloc(block, count * size > 0 ? count * size : 1);
    if (!more) out_of_memory();
    return more;
}

char *copy_of(const char *text)
{
    size_t const size = strlen(text) + 1;
    char *const copy = take(size, 1);
    memcpy(copy, text, size);
    return copy;
}

static inline void make_room(struct text *text, size_t more)
{
    if (text->room - text->length > more) return;
    if (more > SIZE_MAX / 2 - text->length) out_of_memory();
    text->room = 2 * (text->length + more) + 64;
    text->at = take_more(text->at, text->room, 1);
}

void text_bytes(struct text *text, size_t length, const char *bytes)
{
    make_room(text, length);
    memcpy(text->at + text->length, bytes, length);
    text->length += length;
    text->at[text->length] = '\0';
}

void text_put(struct text *text, const char *words)
{
    text_bytes(text, strlen(words), words);
}

void text_character(struct text *text, char character)
{
    make_room(text, 1);
    text->at[text->length++] = character;
    text->at[text->length] = '\0';
}

void text_add(struct text *text, const char *format, ...)
{
    make_room(text, 120);
    va_list arguments;
    va_start(arguments, format);
    int const length =
        vsnprintf(text->at + text->length, text->room - text->length, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    if ((size_t)length >= text->room - text->length) {
        make_room(text, (size_t)length);
        va_start(arguments, format);
        (void)vsnprintf(text->at + text->length, text->room - text->length, format, arguments);
        va_end(arguments);
    }
    text->length += (size_t)length;
}

size_t text_width(const char *words)
{
    size_t width = 0;
    for (; *words; words++) width += ((unsigned char)*words & 0xc0) != 0x80; /* not within one */
    return width;
}

void text_padded(struct text *text, const char *words, size_t width)
{
    text_put(text, words);
    for (size_t at = text_width(words); at < width; at++) text_put(text, " ");
}

size_t text_character_length(const char *at)
{
    /* lead bytes from, to; the second byte from, to; how many bytes */
    static const unsigned char kinds[][5] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const unsigned char *const b = (const unsigned char *)at;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t const length = kinds[k][4];
        if (b[0] < kinds[k][0] || b[0] > kinds[k][1]) continue;
        if (length > 1 && (b[1] < kinds[k][2] || b[1] > kinds[k][3])) return 0;
        for (size_t j = 2; j < length; j++)
            if ((b[j] & 0xc0) != 0x80) return 0;
        return length;
    }
    return 0;
}

void text_html(struct text *text, const char *words)
{
    for (size_t length = 1; *words; words += length > 0 ? length : 1) {
        unsigned char const c = (unsigned char)*words;
        length = text_character_length(words);
        if (c == '&')
            text_put(text, "&amp;");
        else if (c == '<')
            text_put(text, "&lt;");
        else if (c == '>')
            text_put(text, "&gt;");
        else if (c == '"')
            text_put(text, "&quot;");
        else if (c == '\'')
            text_put(text, "&#39;");
        else if (length == 0 || (c < ' ' && c != '\n' && c != '\t'))
            text_put(text, "&#xfffd;");
        else
            text_bytes(text, length, words);
    }
}

void text_json(struct text *text, const char *words)
{
    text_put(text, "\"");
    for (size_t length = 1; *words; words += length > 0 ? length : 1) {
        unsigned char const c = (unsigned char)*words;
        length = text_character_length(words);
        if (c == '"' || c == '\\')
            text_add(text, "\\%c", c);
        else if (c < ' ')
            text_add(text, "\\u%04x", c);
        else if (length == 0)
            text_put(text, "\\ufffd");
        else
            text_bytes(text, length, words);
    }
    text_put(text, "\"");
}

void text_csv(struct text *text, const char *words)
{
    if (!strpbrk(words, ",\"\r\n")) {
        text_put(text, words);
        return;
    }
    text_put(text, "\"");
    for (; *words; words++) {
        if (*words == '"') text_put(text, "\"");
        text_bytes(text, 1, words);
    }
    text_put(text, "\"");
}

void text_prepare_numbers(struct text *text)
{
    if (!text->powers) text->powers = number_powers_make();
}

void text_number(struct text *text, double value)
{
    make_room(text, NUMBER_LENGTH);
    text->length +=
        number_write(text->powers, value + 0.0, text->at + text->length); /* -0 becomes 0 */
}

/* As few digits as give back the same bits. */
void text_json_number(struct text *text, double value)
{
    char digits[32];
    for (int precision = 15; precision <= 17; precision++) {
        (void)snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    text_put(text, isfinite(value) ? digits : "null");
}

void text_free(struct text *text)
{
    free(text->at);
    number_powers_free(text->powers);
    *text = (struct text){0};
}

/* The whole file or, of a text, up to where a NUL byte says that it is none; of both no more than MOST_BYTES, since a device may have no end. */
static bool read_file(struct text *text, const char *path, bool is_text)
{
    enum { MOST_BYTES = 1 << 30 };
    FILE *const file = fopen(path, "rb");
    if (!file) return false;
    text_put(text, "");
    for (size_t got = 1; got > 0;) {
        make_room(text, 65536);
        got = fread(text->at + text->length, 1, 65536, file);
        text->length += got;
        if (text->length > MOST_BYTES) break;
        if (is_text && memchr(text->at + text->length - got, 0, got)) break;
    }
    text->at[text->length] = '\0';
    int const wrong = ferror(file) ? errno : text->length > MOST_BYTES ? EFBIG : 0;
    (void)fclose(file);
    errno = wrong;
    return wrong == 0;
}

bool text_read(struct text *text, const char *path)
{
    return read_file(text, path, true);
}

bool text_read_bytes(struct text *text, const char *path)
{
    return read_file(text, path, false);
}

char *text_start(const struct text *text)
{
    return text->at + (strncmp(text->at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

size_t text_nul_line(const struct text *text)
{
    size_t const end = strlen(text->at);
    size_t line = 1;
    if (end == text->length) return 0;
    for (size_t a = 0; a < end; a++) line += text->at[a] == '\n';
    return line;
}

enum { LONGEST = 63 };

void suggest_start(struct suggestion *s, const char *word)
{
    *s = (struct suggestion){.word = word, .distance = SIZE_MAX};
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Levenshtein's distance, for words of at most LONGEST letters; capitals are no other letters. */
static size_t distance(const char *a, const char *b)
{
    size_t const na = strlen(a), nb = strlen(b);
    size_t row[LONGEST + 1];
    if (na > LONGEST || nb > LONGEST) return SIZE_MAX;
    for (size_t j = 0; j <= nb; j++) row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t const above = row[j];
            size_t best = corner + !same_letter(a[i - 1], b[j - 1]);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            corner = above;
            row[j] = best;
        }
    }
    return row[nb];
}

void suggest_try(struct suggestion *s, const char *candidate)
{
    size_t const length = strlen(s->word);
    /* a word that is begun and not ended is nearer than one with a slip */
    bool const begun = length > 1 && strncmp(s->word, candidate, length) == 0;
    size_t const d = begun ? 1 : distance(s->word, candidate);
    if (d >= s->distance) return;
    s->distance = d;
    (void)snprintf(s->best, sizeof s->best, "%s", candidate);
}

const char *suggest_text(const struct suggestion *s, char *answer, size_t size)
{
    /* one slip in three letters is a slip, more is another word */
    bool const close = s->distance <= 1 + strlen(s->word) / 3 && s->distance < strlen(s->best);
    (void)snprintf(answer, size, "%s%s%s", close ? "; did you mean " : "", close ? s->best : "",
                   close ? "?" : "");
    return answer;
}

bool alike_add(struct alike *a, const char *name)
{
    enum { NAMED = 3 };
    if (a->count > 0 && a->count <= NAMED)
        text_add(&a->names, "%s%s", a->count > 1 ? ", " : "", name);
    if (a->count == NAMED + 1) text_put(&a->names, ", ...");
    return a->count++ == 0;
}

void alike_tell(struct text *text, struct alike *a)
{
    if (a->count > 1)
        text_add(text, "; so it is with %zu other%s: %s", a->count - 1, a->count > 2 ? "s" : "",
                 a->names.at);
    text_put(text, "\n");
    text_free(&a->names);
}
