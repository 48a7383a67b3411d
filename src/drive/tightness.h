/* SPDX-License-Identifier: Apache-2.0 */
/* How accurate the columns of a multistep run need state and iterations to be.  Errors that state and columns keep within their own tolerances
   enter columns by way of f_p, J s and algebraic equations.  Where a column, or one component of it, is small, its tolerance may be a thousand
   times tighter than what these errors leave in it: its error test then sees what no h removes, remainders of iterations, and truncation errors
   that jump with every change of h and order.  Steps and order get small without need; see docs/multistep.md. */
#ifndef DRIVE_TIGHTNESS_H
#define DRIVE_TIGHTNESS_H

#include <stdbool.h>
#include <stddef.h>

struct tightness {
    double rho;      /* the state's rtol is multiplied by this */
    int level;       /* 0: all as the user asked; 1 and above: iterations leave less */
    double score;    /* of steps that columns shorten or make repeated; suspicious when high */
    bool by_columns; /* the last such step: the state would have passed with 2h */
    double room;     /* share of its tolerance that it would have needed there; a mean */
    size_t wait;     /* accepted steps to come that do not count */

    bool trying;                       /* more accuracy is on trial: */
    int level_before;                  /* as it was before, */
    double rho_before, advance_before; /* with this advance an attempt */
    double advance;                    /* the same of late */
    size_t rest;                       /* wait after the next trial that is in vain */

    size_t since; /* accepted steps since the last change; */
    size_t calm;  /* after so many accuracy is eased, */
    bool eased;   /* as it was last */
};

#endif
