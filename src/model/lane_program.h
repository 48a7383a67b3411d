/* SPDX-License-Identifier: Apache-2.0 */
/* What a lane program is made of. */
#ifndef MODEL_LANE_PROGRAM_H
#define MODEL_LANE_PROGRAM_H

#include "model/lane_few.h"
#include "model/lane_map.h"

struct lane_program {
    struct lane_map all;    /* with U */
    struct lane_map states; /* without; its program is NULL where `all` is as good */
    struct lane_few few;    /* with U of which few rows are not 0; so is its program */
    const struct engine *engine;
};

/* The coefficients with U as lane_program_run() leaves them in work where all rows are run, and the rows then. */
struct lane_rows lane_program_rows(const struct lane_program *p, const double *work);
void lane_program_coefficients(const struct lane_program *p, const struct leaves *at, double *work);

#endif
