/* SPDX-License-Identifier: Apache-2.0 */
/* The page of --report: one HTML file that needs nothing else. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "job.h"
#include "verify.h"

/* *whole becomes false, which is said, when it has no plots since they cannot be drawn; it is written all the same. */
int report_write(struct job *job, const struct verification *v, bool *whole);

/* Its tables. */
void report_values(struct text *page, const struct job *job);
void report_sensitivities(struct text *page, const struct job *job);
void report_ranking(struct text *page, const struct job *job);
void report_verification(struct text *page, const struct job *job, const struct verification *v);
void report_statistics(struct text *page, const struct job *job);
void report_derivatives(struct text *page, const struct job *job);
void report_options(struct text *page, const struct job *job);

#endif
