/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of papers, see claims.h. */
#include "claims.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void claim(struct claims *claims, int holds, const char *brief, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s", holds ? "confirmed: " : "refuted:   ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    if (holds) return;
    size_t const used = strlen(claims->what);
    snprintf(claims->what + used, sizeof claims->what - used, "%s%s",
             claims->refuted++ > 0 ? "; " : "", brief);
}

void claims_finish(const struct claims *claims)
{
    if (claims->refuted == 0)
        printf("%s: reproduced\n", claims->name);
    else
        printf("%s: differs: %s\n", claims->name, claims->what);
}
