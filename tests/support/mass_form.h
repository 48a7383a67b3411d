/* SPDX-License-Identifier: Apache-2.0 */
/* One problem in two forms: B(p) y' = f(t, y, p) with the derivatives of f given, and
     F(t, y, y', p) = B y' - f,  dF/dy = -df/dy,  dF/dy' = B,  dF/dp = d(B y')/dp - df/dp,
   where every entry of B is a number, or a number times a parameter. */
#ifndef TEST_MASS_FORM_H
#define TEST_MASS_FORM_H

#include <stddef.h>
#include <tansy/problem.h>

enum { MASS_FORM_CONSTANT = -1 };

/* B = sum over e of value[e] p[parameter[e]] at (row[e], column[e]). */
struct mass_form {
    tansy_problem inner; /* f and its derivatives, structure, y0, p, kind, ..., without B */
    size_t entries;
    const size_t *row, *column;
    const double *value;
    const int *parameter; /* parameter[entries], or MASS_FORM_CONSTANT; NULL: all are numbers */

    /* The rest is filled by mass_form_make(). */
    size_t *place;  /* place[e]: where entry e stands in the storage of the matrices */
    size_t *slot;   /* slot[e]: which entry of dF/dp it adds to, where it has a parameter */
    size_t storage; /* numbers in a matrix */
    size_t *fp_row, *fp_column; /* the pattern of dF/dp: that of df/dp, then what d(B y')/dp adds */
    size_t fp_entries;
    tansy_problem mass, implicit; /* the two forms; they point into this struct */
};

/* Makes both forms once; the memory it takes stays until the program ends.  df/dp needs a pattern. */
void mass_form_make(struct mass_form *m);

#endif
