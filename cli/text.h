/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and growing texts of the program.  Both end the program with a message when there is no memory, after removing
   unfinished files, so that no caller needs a check. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "number.h"

/* What the program returns to the shell. */
enum exit_status {
    DONE = 0,
    STOPPED = 1,      /* the integration ended early, or was interrupted; what is done is kept */
    BAD_USAGE = 2,    /* the command line or the model */
    IO_FAILED = 3,    /* a file cannot be read or written */
    NOT_VERIFIED = 4, /* --verify found a column worse than promised */
};

/* count * size zeroed bytes, never NULL. */
void *take(size_t count, size_t size);
/* The same block with another size. */
void *take_more(void *block, size_t count, size_t size);
char *copy_of(const char *text);

/* Writes "tansy: ..." and a newline to stderr, in one line of UTF-8; returns status. */
__attribute__((format(printf, 2, 3))) int complain(int status, const char *format, ...);

/* The same of an interrupt that ends the program, in a handler of signals. */
void complain_interrupted(void);

/* Text that grows; {0} is empty.  `at` ends with NUL once something has been added. */
struct text {
    char *at;
    size_t length, room;
    struct number_powers *powers; /* makes text_number fast, see text_prepare_numbers; or NULL */
};
/* What one line says of many: how many they are, and the names of some but the first. */
struct alike {
    size_t count;
    struct text names;
};
/* Is it the first of them, which the line names itself? */
bool alike_add(struct alike *a, const char *name);
/* "; so it is with 43 others: b, c, d, ..." and the end of the line; frees a. */
void alike_tell(struct text *text, struct alike *a);
/* For texts with many numbers. */
void text_prepare_numbers(struct text *text);
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);
void text_bytes(struct text *text, size_t length, const char *bytes);
void text_put(struct text *text, const char *words);
void text_character(struct text *text, char character);
/* Characters of words in UTF-8; words and as many spaces as fill up to width characters. */
size_t text_width(const char *words);
void text_padded(struct text *text, const char *words, size_t width);
/* The bytes of the character at `at`, 1 to 4; 0: it is no UTF-8 (RFC 3629). */
size_t text_character_length(const char *at);
/* Adds words escaped for HTML; as a JSON string with its quotes; as a field of RFC 4180, quoted where needed.
   Bytes that are no UTF-8 become U+FFFD in HTML and JSON. */
void text_html(struct text *text, const char *words);
void text_json(struct text *text, const char *words);
void text_csv(struct text *text, const char *words);
/* A number with 17 digits, as %.17g has it; nan and inf in words, 0 without a sign. */
void text_number(struct text *text, double value);
/* A number for JSON, which has no nan: null. */
void text_json_number(struct text *text, double value);
void text_free(struct text *text);
/* The whole file; false with errno when it cannot be read. */
bool text_read(struct text *text, const char *path);
bool text_read_bytes(struct text *text, const char *path);

/* What was read, behind a byte order mark. */
char *text_start(const struct text *text);

/* The line of the first NUL byte, from 1; 0: there is none. */
size_t text_nul_line(const struct text *text);

/* The names that look most like a misspelt one: ", did you mean X?" in answer[size], or "". */
struct suggestion {
    const char *word;
    char best[64];
    size_t distance;
};
void suggest_start(struct suggestion *s, const char *word);
void suggest_try(struct suggestion *s, const char *candidate);
const char *suggest_text(const struct suggestion *s, char *answer, size_t size);

#endif
