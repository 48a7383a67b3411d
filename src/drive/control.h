/* SPDX-License-Identifier: Apache-2.0 */
/* The controller: from error candidates to the next order and step size, and what to do after a failure.
   It knows nothing of the method but its candidates, its dead band and its patience. */
#ifndef DRIVE_CONTROL_H
#define DRIVE_CONTROL_H

#include "method/method.h"

struct control {
    double growth; /* h may grow by this factor at most at the next change */
    bool starting; /* the order still rises at every step */
    int max_order;
    int wait;     /* steps until the next change is considered */
    int equal;    /* steps since h last changed */
    int errors;   /* error tests failed in this step */
    int failures; /* other failures in this step */
    double last_error,
        last_h; /* of the last accepted step of a one-step method; 0: there is none */
    double min_step, max_step; /* abs(h); max_step may be infinite */
    double piece; /* after the step at work one of this length begins; 0: the run goes on */
};

/* What to do next. */
struct decision {
    int order;
    double ratio; /* of the new step to the one at work; 1: no change */
};

void control_start(struct control *c, const struct method *method, int max_order);

/* The step about to be made is the one after which other orders are considered. */
bool control_considers(const struct control *c);

/* After an accepted step. */
struct decision control_accept(struct control *c, const struct method *method, double h, int order,
                               const struct candidate *candidate);

/* After a failed error test, and after a corrector or user function that failed. */
struct decision control_reject(struct control *c, const struct method *method, double h, int order,
                               const struct candidate *candidate);
struct decision control_retreat(struct control *c, const struct method *method, double h,
                                int order);

/* The step was cut short to end at a given time. */
void control_cut(struct control *c, const struct method *method);

#endif
