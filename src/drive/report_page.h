/* SPDX-License-Identifier: Apache-2.0 */
/* The page that tells of a run, tansy_report, as it is written. */
#ifndef DRIVE_REPORT_PAGE_H
#define DRIVE_REPORT_PAGE_H

#include <stddef.h>

struct tansy_solver;

/* A text that grows as snprintf lets it. */
struct page {
    char *text;
    size_t size, used;
};

void page_line(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* report_events.c: initial values in a corner; spikes of S; switching points, and what they did to S. */
void report_initial_corners(struct page *page, const struct tansy_solver *s);
void report_spikes(struct page *page, const struct tansy_solver *s);
void report_events(struct page *page, const struct tansy_solver *s);

#endif
