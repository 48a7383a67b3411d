/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot on a script, in a folder of its own that is removed afterwards. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include "text.h"

/* Runs the script, which writes the file `picture` in its folder, and adds that file's bytes to result.  false with one
   line in why[size]: gnuplot is not there, or what it said. */
bool gnuplot_run(const struct text *script, struct text *result, char *why, size_t size);

#endif
