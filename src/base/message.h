/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence for the person that goes with a status, and TRY, which passes a status on. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include <tansy/status.h>

enum { MESSAGE_SIZE = 1024 };

struct message {
    tansy_status status;
    char text[MESSAGE_SIZE];
};

/* Sets both and returns the status, so that a caller writes `return message_set(...);`. */
tansy_status message_set(struct message *m, tansy_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* There is none: TANSY_OK. */
static inline tansy_status message_clear(struct message *m)
{
    m->text[0] = 0;
    return m->status = TANSY_OK;
}

/* Takes away what a cut has left of a character (UTF-8) at the end. */
void message_trim(char *text);

/* Of a text that was cut: the same, and what is left of the last word; " ..." in its place tells it. */
void message_cut(char *text);

#define TRY(call)                                                                                  \
    do {                                                                                           \
        tansy_status const try_status = (call);                                                    \
        if (try_status < 0) return try_status;                                                     \
    } while (0)

#endif
