/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the export: what is data, not code. */
#ifndef MODEL_EXPORT_C_DATA_H
#define MODEL_EXPORT_C_DATA_H

#include "model/export_c_text.h"
#include "model/system.h"

/* The comment at the top with all names, and the includes. */
void write_head(struct writer *w, const struct system *system);

/* Break times, tables and the function that looks them up. */
void write_inputs(struct writer *w, const struct system *system, const char *model);

/* p, scale, bound, active_from, control, atol. */
void write_parameters(struct writer *w, const struct system *system, const char *model);

/* Has any parameter a scale, any a bound, is any the level of a control? */
bool has_scale(const struct system *system);
bool has_bound(const struct system *system);
bool has_levels(const struct system *system);

#endif
