/* SPDX-License-Identifier: Apache-2.0 */
/* What the solver counted, as JSON. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include "run.h"

/* The short name of the method that ran: "bdf", and of the corrector: "staggered". */
const char *stats_method(const struct outcome *outcome);
/* The formula of a one-step method: "rodas5p"; else "none". */
const char *stats_formula(const struct outcome *outcome);
/* Was the method left to be chosen along the way, by stiffness, and how often did it change? */
bool stats_is_automatic(const struct outcome *outcome);
size_t stats_method_changes(const struct outcome *outcome);
const char *stats_sensitivities(const struct outcome *outcome);
/* JSON with the keys of the manual. */
void stats_json(struct text *json, const struct study *s, const struct outcome *outcome);

#endif
