/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that are exactly zero until their parameters act (control levels of later intervals, Schlegel et al. 5.3).  Inside the
   solver the columns are sorted by the time from which they act, so that those in use are the first ones: the panels are
   divided over them alone, and anew at every break time where some are added.  Where panels are grouped by tolerance, those that begin to act on
   the same piece are sorted by that, so that columns of one tolerance share a panel.  The user sees the user's order. */
#ifndef DRIVE_ACTIVATION_H
#define DRIVE_ACTIVATION_H

#include <stddef.h>

#include <tansy/status.h>

struct tansy_solver;

struct activation {
    const size_t *order; /* order[ns]: the user's number of column k; NULL: the same */
    const double *from;  /* from[ns], rising: column k is zero until then; NULL: none is */
    size_t active;       /* columns in use */
    size_t rows;         /* of history, by which panels are divided */
};

/* Before the layout: sorts the columns of the draft, and all that is given column by column, into a block of memory, which the
   caller returns; NULL where no column has to wait, nor tolerances group them.  TANSY_OUT_OF_MEMORY. */
tansy_status activation_sort(struct tansy_solver *draft, void **block);

/* The columns that act on the piece at work, and all that have been in use in this run; direction as in events_begin().  begin:
   those of a new run; where a column is not zero though it does not act, all. */
void activation_begin(struct tansy_solver *s, double direction);
void activation_grow(struct tansy_solver *s);

/* Between the user's columns[ns*n] and the solver's own. */
void activation_take(const struct tansy_solver *s, const double *users, double *own);
void activation_give(const struct tansy_solver *s, const double *own, double *users);

/* The user's number of column k. */
size_t activation_number(const struct tansy_solver *s, size_t k);

/* Column k, or -1, as name_column() wants it. */
ptrdiff_t activation_name(const struct tansy_solver *s, ptrdiff_t k);

#endif
