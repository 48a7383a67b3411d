/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: panels, one by one and together with the state. */
#ifndef METHOD_LIMEX_COLUMNS_H
#define METHOD_LIMEX_COLUMNS_H

#include "method/limex.h"

/* Rows from .. to of a panel, of which those of the state are known; fewer if it leaves.  Codes as in derive.h. */
int limex_panel_rows(struct stepper *s, struct part *part, size_t worker, int from, int to);

/* Errors of a panel that left at row r as they would be at the last row of the step and the one before it, each row going on to
   multiply them by as much as its last one did: candidates then mean the same order in all parts. */
void limex_predict_errors(const struct stepper *s, struct part *part);

/* limex_columns_together.c: advance_together of the method table. */
enum verdict limex_advance_together(struct stepper *s);

#endif
