/* SPDX-License-Identifier: Apache-2.0 */
/* Inside differentiate_tangent: which rows are kept. */
#ifndef MODEL_TANGENT_ELIMINATE_H
#define MODEL_TANGENT_ELIMINATE_H

#include "model/differentiate_rows.h"

/* A row: term[first .. first + count] of the walk. */
struct span {
    size_t first, count;
};

/* Row `user` has a term with the row this link belongs to; links of one row form a chain, UINT32_MAX ends it. */
struct link {
    uint32_t user, next;
};

/* A term that a long row is to get when all is decided; a chain too. */
struct later {
    struct term_of_row term;
    uint32_t next;
};

struct elimination {
    struct walk *w;
    size_t rows, intermediates; /* of all rows the first `intermediates` are not roots */
    struct span *row;           /* row[rows] */
    bool *gone;                 /* gone[rows]: eliminated */
    uint32_t *users;            /* users[intermediates]: first link */
    uint32_t *seen;             /* seen[rows]: 1 + the row whose users it was last found among */
    uint32_t *later_first;      /* later_first[rows]: first in `later` */
    uint32_t *later_rows;       /* later_rows[rows]: how many of them name rows */
    LIST(struct link) link;
    LIST(struct later) later;
};

/* Takes the rows of the walk, of which the last `roots` are the roots', and eliminates every other row where that does not
   raise the number of terms.  False: no memory.  elimination_free in any case. */
bool eliminate_rows(struct elimination *e, struct walk *w, size_t roots);
void elimination_free(struct elimination *e);

#endif
