/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of --verify share. */
#ifndef CLI_VERIFY_PARTS_H
#define CLI_VERIFY_PARTS_H

#include "verify.h"

/* error/size; 0 without an error, infinite when it is not finite. */
double verify_relative(double error, double size);
/* Some number from 0.5 to 1.5 with either sign, the same in every run. */
double verify_mixed(size_t i, size_t m);
/* Is an output at time t within the uncertainty of a switching point? */
bool verify_at_switch(const struct verification *v, double t);
/* v->floor and v->control. */
void verify_floors(const struct study *s, const struct series *series, struct verification *v);
/* All counts of v, after a comparison. */
void verify_judge(struct verification *v);
/* Columns that did not pass and are behind a surface where f is 0/0. */
size_t verify_count_lost(const struct verification *v);
/* Is there an output that is a small rest of large terms, as the rate of what is stiff: by more than the promise, when y is another within
   its tolerance?  What it is then the error tests, which hold y, do not say. */
bool verify_amplifies(const struct study *s, const struct series *series);
/* A way to solve again. */
struct partner {
    tansy_method method;
    bool limited;     /* within the work of the run, times some factor */
    bool independent; /* of the formulas that the run was by */
};
enum { MOST_PARTNERS = 3 };
/* Of these the first that comes to the end counts; how many. */
size_t verify_partners(const struct study *s, const struct outcome *outcome,
                       struct partner partner[MOST_PARTNERS]);
/* The same, the one first that is expected to cost the least. */
size_t verify_cheap_partners(const struct study *s, const struct outcome *outcome,
                             struct partner partner[MOST_PARTNERS]);
/* One run, of the study w, against the kept rows of s, into the errors of v, v->most and v->how; false when it did not reach the end.  When conditions turn it finds on the way, unless
   verify_base has. */
bool verify_compare(const struct study *s, const struct series *series, struct study *w,
                    struct verification *v);
/* v with nothing compared yet. */
void verify_begin(const struct study *s, const struct series *series, const struct outcome *outcome,
                  struct verification *v);
/* How thoroughly a run is repeated. */
struct repetition {
    double tighter; /* its tolerances are so many times smaller */
    size_t
        explicit_calls; /* it has so many times the calls of f, by a method for what is not stiff, */
    size_t calls, spare; /* or by another; and these */
    bool all_limited;    /* also where nothing else is left */
    bool cheapest_first; /* else the most different first */
    double deadline;     /* by run_clock(); 0: none */
    size_t from;         /* the first of the partners that is tried */
    /* a short pulse that both pass over, f being 0 on either side, would be right to all digits; 0: any number */
    double least_steps;
};
/* By one partner after the other, until one comes to the end; *independent: the formulas are others. */
bool verify_repeat(const struct study *s, const struct series *series,
                   const struct outcome *outcome, const struct repetition *how,
                   struct verification *v, bool *independent);
/* v->moved_state and ->moved_column, by two more runs. */
void verify_condition(const struct study *s, const struct series *series, struct verification *v);
/* A copy of the study with its own small arrays, the times of the kept rows and tolerances `tighter` times smaller. */
struct study verify_shadow(const struct study *s, const struct series *series, double tighter);
void verify_shadow_free(struct study *w);
/* The run itself at the tolerance of the differences, without columns, into v->base and v->turned. */
void verify_base(const struct study *s, const struct series *series, struct verification *v);
/* Columns against differences of whole runs, into v->by_difference and what goes with it; after verify_base. */
void verify_by_differences(const struct study *s, const struct series *series,
                           struct verification *v);

#endif
