/* SPDX-License-Identifier: Apache-2.0 */
/* What came out of one run, or of all runs of a scan. */
#include "run.h"

#include "counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool outcome_is_empty(const struct outcome *outcome)
{
    return outcome->no_memory && outcome->rows == 0;
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->why);
    free(outcome->report);
    free(outcome->repeated);
    *outcome = (struct outcome){0};
}

void outcome_add(struct outcome *sum, const struct outcome *one, size_t ns)
{
    for (const struct count *c = counts; c->key; c++)
        *count_in(&sum->stats, c) += count_of(&one->stats, c);
    sum->stats.order_last = one->stats.order_last;
    sum->stats.h_last = one->stats.h_last;
    for (size_t k = 0; k <= ns; k++) sum->repeated[k] += one->repeated[k];
    sum->seconds += one->seconds;
    sum->runs += one->runs;
    sum->interrupted = sum->interrupted || one->interrupted;
    sum->no_memory = sum->no_memory || one->no_memory;
    sum->rows += one->rows;
    char method[8];
    if (!*outcome_line(sum, "method", method, sizeof method)) {
        free(sum->report);
        sum->report = copy_of(one->report);
        sum->stats.bytes = one->stats.bytes;
    }
    if (sum->why || !one->why) return;
    sum->why = copy_of(one->why);
    sum->t = one->t;
}

const char *outcome_line(const struct outcome *outcome, const char *label, char *answer,
                         size_t size)
{
    size_t const length = strlen(label);
    (void)snprintf(answer, size, "%s", "");
    for (const char *line = outcome->report; line && *line;) {
        size_t const end = strcspn(line, "\n");
        if (strncmp(line, label, length) == 0 && strncmp(line + length, "  ", 2) == 0) {
            const char *const words = line + length + strspn(line + length, " ");
            (void)snprintf(answer, size, "%.*s", (int)(line + end - words), words);
            return answer;
        }
        line += end + (line[end] == '\n');
    }
    return answer;
}
