/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a model and what is wrong with it: every part of a model remembers the byte where it stands, and an
   error shows file, line, column, the line and a caret. */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <tansy/status.h>

struct source {
    const char *name; /* of the file, for messages */
    const char *text; /* text[length + 1], ends with NUL; may contain NUL before (an error) */
    size_t length;
};

/* A stretch of the text. */
struct place {
    uint32_t offset, length; /* in bytes */
};

enum { DIAGNOSIS_SIZE = 4096 };

/* The first error and all warnings, each
   "name:line:column: what\n    the line\n    ^~~~\n"; warnings have "warning: " before what. */
struct diagnosis {
    tansy_status status; /* TANSY_OK, TANSY_BAD_MODEL, TANSY_OUT_OF_MEMORY or TANSY_NO_FILE */
    char text[DIAGNOSIS_SIZE];
    size_t warnings; /* counted even where the text has no more room */
    char warning[DIAGNOSIS_SIZE];
};

/* Records the error (only the first counts) and returns TANSY_BAD_MODEL.  Long lines are cut around the caret; bytes that
   are not printable UTF-8, and in the line characters that are not seen, are shown as '?'. */
tansy_status source_error(const struct source *source, struct diagnosis *d, struct place at,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
void source_warn(const struct source *source, struct diagnosis *d, struct place at,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A further place to the error that has just been recorded: "name:line:column: what" and the line, as above. */
void source_note(const struct source *source, struct diagnosis *d, struct place at,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Records that there is no memory (unless an error came first) and returns the status. */
tansy_status source_no_memory(struct diagnosis *d);

/* Is it text: at most MAX_SOURCE bytes of UTF-8 without control characters but tab and line ends? */
enum { MAX_SOURCE = 2000000000 };
tansy_status source_check(const struct source *source, struct diagnosis *d);

/* The character at text[0 .. left), left > 0: its code point and its bytes; 1 byte and -1 where it is not UTF-8. */
int32_t source_character(const char *text, size_t left, size_t *bytes);

/* What a character is called that takes no room on the screen; NULL: it takes some. */
const char *source_invisible(int32_t code);

/* Line and column of an offset, both from 1; columns count UTF-8 characters. */
void source_locate(const struct source *source, size_t offset, size_t *line, size_t *column);

/* The same for many offsets: a cursor, {0} at first, goes on to an offset from where it is, so that rising offsets read the
   text once.  An offset before it begins at the start of the text again. */
struct cursor {
    size_t offset, line, column; /* line 0: not begun */
    size_t read;                 /* bytes that it has gone over */
};
void source_go_to(const struct source *source, struct cursor *cursor, size_t offset);

#endif
