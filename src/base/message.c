/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and the names of statuses. */
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void message_trim(char *text)
{
    size_t const length = strlen(text);
    size_t at = length;
    while (at > 0 && length - at < 3 && ((unsigned char)text[at - 1] & 0xc0) == 0x80) at--;
    unsigned char const lead = at > 0 ? (unsigned char)text[at - 1] : 0;
    size_t const bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (bytes > length - at + 1) text[at - 1] = '\0';
}

void message_cut(char *text)
{
    enum { LONG_WORD = 100 }; /* such a word is cut */
    static const char sign[] = " ...";
    message_trim(text);
    size_t const length = strlen(text), room = sizeof sign - 1;
    if (length < 2 * room) return;
    size_t at = length - room;
    while (at > room && length - at < LONG_WORD && text[at] != ' ') at--;
    if (text[at] != ' ') at = length - room;
    text[at] = '\0';
    message_trim(text);
    memcpy(text + strlen(text), sign, sizeof sign);
}

tansy_status message_set(struct message *m, tansy_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int const length = vsnprintf(m->text, sizeof m->text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof m->text) message_cut(m->text);
    m->status = status;
    return status;
}

const char *tansy_status_text(tansy_status status)
{
    switch (status) {
    case TANSY_OK:
        return "done";
    case TANSY_STOPPED_AT_EVENT:
        return "stopped at an event";
    case TANSY_OUT_OF_MEMORY:
        return "out of memory";
    case TANSY_BAD_PROBLEM:
        return "the problem makes no sense";
    case TANSY_BAD_OPTION:
        return "an option makes no sense";
    case TANSY_BAD_CALL:
        return "an argument makes no sense";
    case TANSY_TOO_MANY_STEPS:
        return "too many steps";
    case TANSY_STEP_TOO_SMALL:
        return "the error test failed down to the smallest step";
    case TANSY_NOT_CONVERGED:
        return "the corrector did not converge";
    case TANSY_TOO_MUCH_ACCURACY:
        return "too much accuracy asked for";
    case TANSY_SINGULAR:
        return "the iteration matrix is singular";
    case TANSY_NOT_FINITE:
        return "a function gave a value that is not finite";
    case TANSY_USER_FAILED:
        return "a user function could not be evaluated";
    case TANSY_USER_STOPPED:
        return "a user function asked to stop";
    case TANSY_ZERO_WEIGHT:
        return "an error weight is zero";
    case TANSY_WRONG_DERIVATIVE:
        return "a given derivative is wrong";
    case TANSY_BAD_MODEL:
        return "the model has an error";
    case TANSY_NO_FILE:
        return "a file cannot be read or written";
    case TANSY_SLIDING:
        return "both sides of a switch point at it";
    case TANSY_GRAZING:
        return "a switch is only touched";
    case TANSY_INCONSISTENT:
        return "the initial values are inconsistent";
    case TANSY_HIGH_INDEX:
        return "the index is too high";
    }
    return "unknown status";
}

const char *tansy_version(void)
{
    return "0.1.0";
}
