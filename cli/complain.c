/* SPDX-License-Identifier: Apache-2.0 */
/* Messages for people. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

int complain(int status, const char *format, ...)
{
    va_list arguments;
    (void)fputs("tansy: ", stderr);
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line before */
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return status;
}
