/* SPDX-License-Identifier: Apache-2.0 */
/* Steps over times where f is but rounding. */
#ifndef DRIVE_NOISE_LEAP_H
#define DRIVE_NOISE_LEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "drive/control.h"

struct noise_leap {
    double *y, *slope, *at, *f; /* room: y, y' and a point beside it, five f; NULL: not y' = f */
    double *size, *least, *second_least, *most; /* of f_i; and its noise, from place to place */
    double stride;                              /* the longest step of late */
    size_t crawl;                               /* steps in a row that are far shorter */
    size_t rest, pause; /* the step before which nothing is looked at; steps until then */
    size_t rough;       /* the component that is noise, */
    bool is_rough;      /* and in which steps have been short for long, */
    double rough_from;  /* from here on */
    double error;       /* of the last step */
    double low;      /* limex: the sum of errors of steps of low order, in units of the tolerance */
    bool was_made;   /* the last step is a jump */
    bool is_at_work; /* the next attempt is a jump, */
    double failed;   /* and this length was none, */
    int tried;       /* so many were */
    int order;       /* its order */
    struct control control; /* as they are to go on without: */
    double h;
    int order_without;
};

#endif
