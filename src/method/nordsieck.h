/* SPDX-License-Identifier: Apache-2.0 */
/* Histories as Nordsieck arrays z[j] = h^j y^(j)/j!, j <= order (ODESSA 4.1).  They are updated lazily: the
   correction of an accepted step, a new order and a new h are applied in one pass when the part is next
   predicted, while it is in the cache; a failed attempt leaves nothing to undo. */
#ifndef METHOD_NORDSIECK_H
#define METHOD_NORDSIECK_H

#include "method/method.h"

/* Brings the part to the step at work, predicts into w->y0, w->d0 and weighs at the last value. */
void nordsieck_predict(struct stepper *s, struct part *part, struct work *w);

#endif
