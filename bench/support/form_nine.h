/* SPDX-License-Identifier: Apache-2.0 */
/* Why staggered direct solves for the change of S.  With W = dF/dy + c dF/dy', c = 1/h, a step of Euler's method gives
   s from  W s = c dF/dy' s_n - dF/dp        (9) of Li, Petzold and Zhu 2000, or
           W d = -(dF/dy s_n + dF/dp), s = s_n + d    (10);
   in exact arithmetic the same. */
#ifndef BENCH_FORM_NINE_H
#define BENCH_FORM_NINE_H

#include "task.h"

/* The largest roundoff of s at any reference time of a task with dense matrices, for a step h, in units of rtol (|s| + atol/rtol/scale), by
   the form 9 or 10; measured against the same linear system solved in extended precision. */
double form_noise(const struct task *task, int form, double h, double rtol);

#endif
