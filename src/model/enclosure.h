/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of expressions over a box in t and y, and of their derivatives along a curve in it. */
#ifndef MODEL_ENCLOSURE_H
#define MODEL_ENCLOSURE_H

#include <tansy/problem.h>
#include <tansy/status.h>

#include "model/program.h"

struct enclosure; /* read-only once made */

tansy_status enclosure_create(const struct graph *g, const uint32_t *root, size_t roots,
                              struct enclosure **enclosure);

/* The same for each root by itself, each[roots], NULL where it is not made: with a cost of what that root needs. */
tansy_status enclosure_create_each(const struct graph *g, const uint32_t *root, size_t roots,
                                   struct enclosure **each);
void enclosure_free(struct enclosure *e); /* NULL is allowed */

/* Doubles of work space for a run. */
size_t enclosure_work(const struct enclosure *e);

/* t and y of `at` are not looked at: those of the box count. */
void enclosure_run(const struct enclosure *e, const struct leaves *at, const tansy_box *box,
                   double *work, const tansy_bounds *bounds);

#endif
