/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that point at the text of a model, and the check that it is text at all. */
#include "model/source.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    MESSAGE_LENGTH = 1200,                /* bytes of what is said, in front of the line */
    LINE_BEFORE = 60,                     /* characters of a long line shown before the caret */
    LINE_AFTER = 40,                      /* and from it on */
    LINE_LONG = LINE_BEFORE + LINE_AFTER, /* lines up to here are shown whole */
    DOTS = 3,                             /* characters of `...`: no fewer are cut */
    BYTES = 4 * (LINE_LONG + 1)           /* that are looked at on either side */
};

int32_t source_character(const char *text, size_t left, size_t *bytes)
{
    const unsigned char *const s = (const unsigned char *)text;
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *bytes = 1;
    if (s[0] < 0x80) return s[0];
    size_t const length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length > left) return -1;
    int32_t code = s[0] & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return -1;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return -1;
    *bytes = length;
    return code;
}

/* To the last beginning of a line up to the offset, if there is one behind the cursor. */
static void skip_lines(const struct source *source, struct cursor *c, size_t offset)
{
    for (const char *at = source->text + c->offset;
         (at = memchr(at, '\n', offset - (size_t)(at - source->text))) != NULL;) {
        at++;
        c->line++;
        c->column = 1;
        c->offset = (size_t)(at - source->text);
    }
}

void source_go_to(const struct source *source, struct cursor *c, size_t offset)
{
    if (offset > source->length) offset = source->length;
    if (c->line == 0 || offset < c->offset)
        *c = (struct cursor){.line = 1, .column = 1, .read = c->read};
    c->read += offset - c->offset;
    skip_lines(source, c, offset);
    if (c->offset == 0 && offset >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
        c->offset = 3;
    for (size_t bytes = 1; c->offset < offset; c->offset += bytes) {
        (void)source_character(source->text + c->offset, source->length - c->offset, &bytes);
        c->column += 1;
    }
}

void source_locate(const struct source *source, size_t offset, size_t *line, size_t *column)
{
    struct cursor c = {0};
    source_go_to(source, &c, offset);
    *line = c.line;
    *column = c.column;
}

/* Text that is appended to; what has no room is left out. */
struct writer {
    char *text;
    size_t used, size;
};

static void write_bytes(struct writer *w, const char *bytes, size_t count)
{
    if (count >= w->size - w->used) return;
    memcpy(w->text + w->used, bytes, count);
    w->used += count;
    w->text[w->used] = '\0';
}

const char *source_invisible(int32_t code)
{
    switch (code) {
    case 0xad:
        return "soft hyphen";
    case 0x200b:
        return "zero-width space";
    case 0x200c:
        return "zero-width non-joiner";
    case 0x200d:
        return "zero-width joiner";
    case 0x2060:
        return "word joiner";
    case 0xfeff:
        return "byte order mark";
    default:
        return NULL;
    }
}

/* Characters as they are; what is not a printable character as '?', and so is what is not seen where a caret
   follows. */
static void write_printable(struct writer *w, const char *text, size_t length, bool is_line)
{
    for (size_t i = 0, bytes = 1; i < length; i += bytes) {
        int32_t const code = source_character(text + i, length - i, &bytes);
        bool const is_seen = !is_line || !source_invisible(code);
        bool const printable =
            code == '\t' || (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && is_seen);
        write_bytes(w, printable ? text + i : "?", printable ? bytes : 1);
    }
}

/* The byte `characters` characters before `from`, not before `begin`. */
static size_t step_back(const char *text, size_t begin, size_t from, size_t characters)
{
    while (from > begin && characters-- > 0) {
        from--;
        while (from > begin && ((unsigned char)text[from] & 0xc0) == 0x80) from--;
    }
    return from;
}

/* The byte `characters` characters after `from`, not after `end`. */
static size_t step_on(const char *text, size_t from, size_t end, size_t characters)
{
    for (size_t bytes = 1; from < end && characters-- > 0; from += bytes)
        (void)source_character(text + from, end - from, &bytes);
    return from;
}

/* Part of a line around an offset: what is shown of it. */
struct excerpt {
    size_t from, to;
    bool cut_before, cut_after;
};

/* All of a line that has at most LINE_LONG characters; of a longer one some around the offset, but no end is cut that is
   no longer than the dots in its place. */
static struct excerpt excerpt_of(const struct source *source, size_t offset)
{
    const char *const text = source->text;
    size_t begin = offset, end = offset;
    while (begin > 0 && text[begin - 1] != '\n' && offset - begin <= BYTES) begin--;
    bool const begins = begin == 0 || text[begin - 1] == '\n';
    if (begin == 0 && offset >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) begin = 3;
    while (end < source->length && text[end] != '\n' && end - offset <= BYTES) end++;
    bool const ends = end == source->length || text[end] == '\n';
    if (ends && end > offset && text[end - 1] == '\r') end--;
    struct excerpt const whole = {.from = begin, .to = end};
    if (begins && ends && step_on(text, begin, end, LINE_LONG) == end) return whole;
    struct excerpt e = {.from = step_back(text, begin, offset, LINE_BEFORE),
                        .to = step_on(text, offset, end, LINE_AFTER)};
    e.cut_before = !begins || step_back(text, begin, e.from, DOTS) > begin;
    e.cut_after = !ends || step_on(text, e.to, end, DOTS) < end;
    if (!e.cut_before) e.from = begin;
    if (!e.cut_after) e.to = end;
    return e;
}

/* The columns of a terminal that a character takes, roughly those of Unicode's East Asian Width: 2 where it is wide, 0 where it is
   drawn upon the one before. */
static size_t width_of(int32_t code)
{
    static const struct {
        int32_t first, last;
        size_t width;
    } others[] = {
        {0x300, 0x36f, 0},     {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x20d0, 0x20ff, 0},
        {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
        {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},   {0xff01, 0xff60, 2},   {0xffe0, 0xffe6, 2},
        {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others && code >= others[k].first; k++)
        if (code <= others[k].last) return others[k].width;
    return 1;
}

/* The line of a place, cut to some 100 characters around it, and the caret under it. */
static void write_line(struct writer *w, const struct source *source, struct place at)
{
    const char *const text = source->text;
    size_t const offset = at.offset < source->length ? at.offset : source->length;
    struct excerpt const e = excerpt_of(source, offset);
    write_bytes(w, "    ", 4);
    if (e.cut_before) write_bytes(w, "...", DOTS);
    write_printable(w, text + e.from, e.to - e.from, true);
    if (e.cut_after) write_bytes(w, "...", DOTS);
    write_bytes(w, "\n    ", 5);
    if (e.cut_before) write_bytes(w, "   ", DOTS);
    for (size_t i = e.from, bytes = 1; i < offset; i += bytes) {
        int32_t const code = source_character(text + i, offset - i, &bytes);
        write_bytes(w, code == '\t' ? "\t" : "  ", code == '\t' ? 1 : width_of(code));
    }
    size_t const last = offset + at.length < e.to ? offset + at.length : e.to;
    size_t marks = 0;
    for (size_t i = offset, bytes = 1; i < last; i += bytes)
        marks += width_of(source_character(text + i, last - i, &bytes));
    write_bytes(w, "^", 1);
    for (size_t k = 1; k < marks; k++) write_bytes(w, "~", 1);
    write_bytes(w, "\n", 1);
}

static void write_report(struct writer *w, const struct source *source, struct place at,
                         const char *kind, const char *message)
{
    size_t line = 0, column = 0;
    source_locate(source, at.offset, &line, &column);
    char where[64];
    (void)snprintf(where, sizeof where, ":%zu:%zu: %s", line, column, kind);
    const char *const name = source->name ? source->name : "model";
    size_t const length = strlen(name);
    write_printable(w, name, length < 1000 ? length : 1000, false);
    write_bytes(w, where, strlen(where));
    write_printable(w, message, strlen(message), false);
    write_bytes(w, "\n", 1);
    write_line(w, source, at);
}

#define FORMAT_MESSAGE(message, format)                                                            \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        (void)vsnprintf(message, sizeof(message), format, arguments);                              \
        va_end(arguments);                                                                         \
    } while (0)

tansy_status source_error(const struct source *source, struct diagnosis *d, struct place at,
                          const char *format, ...)
{
    if (d->status != TANSY_OK) return d->status;
    char message[MESSAGE_LENGTH];
    FORMAT_MESSAGE(message, format);
    d->status = TANSY_BAD_MODEL;
    struct writer w = {.text = d->text, .size = sizeof d->text};
    write_report(&w, source, at, "", message);
    return d->status;
}

void source_note(const struct source *source, struct diagnosis *d, struct place at,
                 const char *format, ...)
{
    char message[MESSAGE_LENGTH];
    FORMAT_MESSAGE(message, format);
    struct writer w = {.text = d->text, .used = strlen(d->text), .size = sizeof d->text};
    write_report(&w, source, at, "", message);
}

void source_warn(const struct source *source, struct diagnosis *d, struct place at,
                 const char *format, ...)
{
    d->warnings++;
    size_t const used = strlen(d->warning);
    if (sizeof d->warning - used < 512) return; /* half a warning would mislead */
    char message[MESSAGE_LENGTH];
    FORMAT_MESSAGE(message, format);
    struct writer w = {.text = d->warning, .used = used, .size = sizeof d->warning};
    write_report(&w, source, at, "warning: ", message);
}

tansy_status source_no_memory(struct diagnosis *d)
{
    if (d->status != TANSY_OK) return d->status;
    d->status = TANSY_OUT_OF_MEMORY;
    (void)snprintf(d->text, sizeof d->text, "out of memory\n");
    return d->status;
}

/* Names what is wrong with the byte at an offset. */
static tansy_status refuse_byte(const struct source *source, struct diagnosis *d, size_t offset,
                                int32_t code)
{
    struct place const at = {(uint32_t)offset, 1};
    unsigned const byte = (unsigned char)source->text[offset];
    if (offset == 0 && (byte == 0xff || byte == 0xfe))
        return source_error(source, d, at, "this looks like UTF-16: save the file as UTF-8");
    if (byte == 0)
        return source_error(source, d, at, "a NUL byte: a model is text, this file is not");
    if (byte == '\r')
        return source_error(source, d, at,
                            "a carriage return without line feed: save the file with the line "
                            "ends of Unix or Windows");
    if (code >= 0)
        return source_error(source, d, at, "a control character (U+%04X)", (unsigned)code);
    return source_error(source, d, at, "the byte 0x%02x is not UTF-8: save the file as UTF-8",
                        byte);
}

tansy_status source_check(const struct source *source, struct diagnosis *d)
{
    if (source->length > MAX_SOURCE)
        return source_error(source, d, (struct place){0, 1},
                            "the model has %zu bytes, at most %d can be read", source->length,
                            MAX_SOURCE);
    const char *const text = source->text;
    for (size_t i = 0, bytes = 1; i < source->length; i += bytes) {
        bytes = 1;
        if (text[i] >= 0x20 && text[i] < 0x7f) continue;
        if (text[i] == '\n' || text[i] == '\t') continue;
        if (text[i] == '\r' && i + 1 < source->length && text[i + 1] == '\n') continue;
        int32_t const code = source_character(text + i, source->length - i, &bytes);
        if (code < 0xa0) return refuse_byte(source, d, i, code);
    }
    return TANSY_OK;
}
