/* SPDX-License-Identifier: Apache-2.0 */
/* Consistent values move y0, y' and S(t0) from where the user had them: to find them and go back, these are put aside.  Where nothing moves them, as in
   y' = f without conditions, there is no room, and nothing is done. */
#ifndef DRIVE_START_KEPT_H
#define DRIVE_START_KEPT_H

struct tansy_solver;

void start_keep(struct tansy_solver *s);
void start_put_back(struct tansy_solver *s);

/* A run begins.  It knows its length, and with that sizes of components: it finds consistent values from what the user gave, not from
   what was found without these. */
void start_as_given(struct tansy_solver *s);

#endif
