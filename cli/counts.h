/* SPDX-License-Identifier: Apache-2.0 */
/* The counts among a solver's statistics that add up over runs: one list for the sums, the JSON and the report. */
#ifndef CLI_COUNTS_H
#define CLI_COUNTS_H

#include <tansy/tansy.h>

struct count {
    const char *key, *words; /* in JSON; in the report */
    size_t offset;           /* in tansy_stats */
};

/* Ends with a key NULL. */
extern const struct count counts[];

static inline size_t *count_in(tansy_stats *stats, const struct count *count)
{
    return (size_t *)((char *)stats + count->offset);
}

static inline size_t count_of(const tansy_stats *stats, const struct count *count)
{
    return *(const size_t *)((const char *)stats + count->offset);
}

#endif
