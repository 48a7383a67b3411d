/* SPDX-License-Identifier: Apache-2.0 */
/* What a paper claims, confirmed or refuted by our numbers, one line each. */
#ifndef BENCH_CLAIMS_H
#define BENCH_CLAIMS_H

#include <stddef.h>

struct claims {
    const char *name; /* of the bench */
    size_t refuted;
    char what[600]; /* was refuted */
};

/* Prints the sentence with "confirmed: " or "refuted: " before it; `brief` is what the last line says if refuted. */
void claim(struct claims *claims, int holds, const char *brief, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The last line of a bench: "NAME: reproduced" or "NAME: differs: what". */
void claims_finish(const struct claims *claims);

#endif
