/* SPDX-License-Identifier: Apache-2.0 */
/* How the columns of S are divided into panels: `lanes` is 32 if a panel with its history then fits in the
   cache, else 16 or 8; a panel has as few lanes as hold its columns, and 17 to 24 columns have two, of 16 and 8. */
#ifndef MATRIX_PANELS_H
#define MATRIX_PANELS_H

#include <stddef.h>

struct panel {
    size_t number;
    size_t first;   /* number of its first column */
    size_t columns; /* columns in use; the other lanes are zero */
    size_t lanes;   /* V[i*lanes + k] */
    size_t count;   /* doubles in a vector of the panel: n*lanes rounded up */
};

/* The number of panels for ns columns of n rows whose history has `rows` vectors.  tolerance[ns]: neighbours whose tolerances differ
   by more than a factor of 10 are in different panels, which an extrapolation method may end one by one; NULL: all are alike. */
size_t panels_number(size_t n, size_t ns, size_t rows, const double *tolerance);

/* Fills panel[panels_number]. */
void panels_divide(size_t n, size_t ns, size_t rows, const double *tolerance, struct panel *panel);

/* Makes room for the divisions of the first 1, 2, ... of these columns, where all are not always in use: panel m becomes as wide
   as panel m of any of them, and there may be one more, which panel[panels + 1] has to hold.  Returns their number. */
size_t panels_widen(size_t n, size_t rows, size_t panels, struct panel *panel);

/* Between a panel V[i*lanes + k] and columns S[k*n + i]; S points at the panel's first column. */
void panel_from_columns(const struct panel *panel, size_t n, const double *S, double *V);
void panel_to_columns(const struct panel *panel, size_t n, const double *V, double *S);

#endif
