/* SPDX-License-Identifier: Apache-2.0 */
/* The points inside a step of a one-step method: the state there, and the matrices that panels are multiplied by where tangents
   are matrix times panel.  They are kept for the whole step, so that panel after panel goes through all its stages
   while it is in the cache. */
#ifndef METHOD_STAGES_H
#define METHOD_STAGES_H

#include <stdatomic.h>

#include "derive/derive.h"

struct part;

enum { MOST_STAGES = 36 };

/* Dynamic sparsing, see limex_sparsing.c: A with entries left out. */
struct thin {
    double sigma;      /* what these may amount to, in a row; 0: none is left out */
    struct matrix A;   /* with the pattern of J */
    bool *kept;        /* kept[entries] */
    size_t *in_column; /* in_column[n]: entries of B, 1: one that is alone in its row too */
    size_t entries;    /* that are kept */
    size_t patterns;   /* how often they were chosen */
};

/* Extrapolation: the value at the end of the last step looked at, for the next one, and what was seen of rows; see limex_end.c. */
struct end_of_step {
    bool is_known; /* f belongs to (t, y) */
    double t;
    double *y, *f; /* y[n]; f[n]: f, where B varies f - B y', */
    double *rate;  /* rate[n]: of that y' */
    int least;     /* rows below this are not believed; 0: all are */
    int trial;     /* rows of the step at work, at least; 0: as many as it takes */
    bool asked;    /* the last attempt made a row more as f at the end was far from y', */
    double doubt;  /* times the ratio to its estimate that takes */
    int twists, calm,
        steps; /* errors of rows beyond their estimates; steps since the last; steps with `least` since the last trial */
};

/* The state's own steps in the step at work. */
struct refinement {
    bool adapts;  /* fewer than `substeps` of struct stages, where they do; set before the layout */
    int substeps; /* of this step */
    double error, h; /* of the last step so tested; h = 0: there was none */
    size_t made, in; /* substeps of all steps accepted, and these */
    bool is_last;    /* the last of them is at work, which ends where the step does, */
    double end;      /* here: no rounding error later */
};

struct stages {
    size_t stride; /* doubles from stage to stage */
    double *y;     /* y + i*stride: the state of stage i, where it is not a row of history */
    double t[MOST_STAGES];
    const double *at[MOST_STAGES]; /* the states: y + i*stride or a row of history */
    const double *f[MOST_STAGES];  /* f there */
    double *delta;          /* delta + i*stride: increments of the short steps of extrapolation */
    double *rate;           /* rate + i*stride: y' at stage i, of an implicit problem; else NULL */
    const tansy_kind *kind; /* kind[n] of the components of an implicit problem; else NULL */
    bool has_algebraic;     /* B is singular: there are algebraic equations, coupled or not */
    const bool *flat; /* flat[n]: equation i of an implicit problem has no derivative in it, */
    double *
        rest; /* and rest[n] is its residual at the beginning of the step, else 0; of extrapolation, where B varies, all of the residual there */
    double *slope;      /* slope + i*stride: room for f of linearly implicit methods, */
    double *time_slope; /* and df/dt, of extrapolation f, at the beginning of the step */
    struct matrix *J;   /* J[points]; NULL: tangents need no matrices */
    struct matrix *M;   /* M[points], where B varies, else NULL */
    double *fp;         /* fp + i*fp_count */
    size_t fp_count;
    struct end_of_step at_end;
    struct thin thin;    /* sigma: set before the layout */
    bool makes_ahead;    /* rows of extrapolation in several threads; set before the layout */
    struct ahead *ahead; /* the same, limex_ahead.h; NULL: not so */
    int substeps;        /* of the state in every step, at most; set before the layout */
    int looks; /* points behind the stages of Rosenbrock formulas where dense output is tested */
    struct refinement refinement;
    double *refined;     /* what refine.c keeps */
    bool wants_matrices; /* set before the layout */
    bool mass_varies;    /* B depends on t or y; set before the layout */
    bool
        keeps_rows; /* extrapolation keeps points and factors of all its rows; set before the layout */
    bool takes_all_rows; /* no panel leaves the tableau before the state */
    bool has_second;     /* panels get the terms with second derivatives */
    bool has_value;      /* f, df/dt and J belong to the beginning of the step at work */
    bool has_first;      /* the matrices of stage 0 belong to the beginning of the step at work */
    bool knows_dense_matrices; /* those of the stages after the step, for dense output */
    struct part *stops;        /* the part whose function wanted to stop there; NULL: none */
    bool
        is_rough; /* some of these could not be evaluated: dense output was of lower order somewhere */
    bool was_rough;    /* since this was last cleared */
    bool was_doubtful; /* the same: dense output was worse than the ends of the steps */
    int pressed; /* accepted steps whose dense output was worse than their ends, in this run */
    double
        last_term; /* the same: the largest last term of dense output of rk8, in units of the error test */
    size_t steps;            /* accepted so far */
    atomic_bool moves;       /* some part moved by more than a little in the step looked at */
    bool was_looked_at;      /* the last step */
    int still;               /* looks in a row at which nothing moved */
    atomic_bool lacks_value; /* an attempt of this run met a point without f or its derivatives */
    atomic_bool looks_stiff; /* some part saw that its last step was at the border of stability */
    double reach; /* of the state in the last look: h rho(J) over the border of stability */
    int stiff,
        calm; /* steps in a row, nearly, at the border of stability; looks since the last such */
    bool is_stiff; /* the problem is stiff here */
};

/* Places the arrays for `points` points, with room for f there where `slopes`. */
void stages_layout(struct stages *s, struct arena *arena, struct derive *derive, size_t points,
                   bool slopes);

/* Places what the state's own steps need; refine.c. */
void refine_layout(struct stages *s, struct arena *arena, size_t stride);

/* The point of stage i. */
struct point stages_point(const struct stages *s, int i);

/* The residual of an implicit problem at stage i, into the room for f there, if the tangents there start from it. */
int stages_value(const struct stages *s, struct derive *d, size_t worker, int i);

/* The step at work is looked at for stiffness: one in eight, and all as long as there is suspicion. */
static inline bool stages_looks(const struct stages *s)
{
    return s->steps % 8 == 0 || s->stiff > 0;
}

/* A new run begins: nothing of the stiffness seen so far counts. */
void stages_forget(struct stages *s);

/* A step begins after one that was accepted: takes note of what was seen in the step before that. */
void stages_note_step(struct stages *s);

/* Evaluates J and f_p at stages first .. last - 1, where they are needed.  Codes as in derive.h. */
int stages_linearise(struct stages *s, struct derive *d, int first, int last);

#endif
