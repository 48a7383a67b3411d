/* SPDX-License-Identifier: Apache-2.0 */
/* The work space of derive_check. */
#ifndef DERIVE_CHECK_H
#define DERIVE_CHECK_H

#include "derive/derive.h"

/* Places d->check if a derivative is given; lanes is that of the widest panel. */
void check_layout(struct derive *d, struct arena *arena, size_t lanes);

#endif
