/* SPDX-License-Identifier: Apache-2.0 */
/* The cost model of Li, Petzold and Zhu (2000), Table 1 and (12)-(16): what a step with sensitivities costs by each
   corrector, with J s + f_p by tangents (seed) or as matrix times panel. */
#ifndef DRIVE_COSTS_H
#define DRIVE_COSTS_H

#include <stdbool.h>
#include <stddef.h>

/* Costs of single pieces of work, all in one unit: seconds, or counted operations weighted by their speed. */
struct costs {
    double fun;  /* C_fun: r(t, y, y') */
    double eval; /* C_eval: J, and M of an implicit problem */
    double fac;  /* C_fac: factors of W */
    double lin;  /* C_lin: a solve for the state */
    double
        panels; /* n_p C_lin: the solves for all columns, which panels make cheaper than n_p single ones */
    double par;  /* C_par: df/dp */
    double mvp;  /* C_mvp: J times all columns, the entries of df/dp added */
    double seed; /* C_seed + C_par: the tangents of all columns, which contain df/dp */
};

/* Iterations of a step. */
struct iterations {
    double together; /* N_it0: simultaneous */
    double direct;   /* N_it1: of the state, direct */
    double state;    /* N_it2: of the state, staggered */
    double columns;  /* N_it3: of the columns, staggered */
    double steps;    /* N_1: steps for one factorisation, but of direct */
};

/* A corrector and a form of the tangent; those of the paper's Table 2, and SICM. */
enum variant {
    SIMULTANEOUS_SEED,   /* SICS */
    SIMULTANEOUS_MATRIX, /* the paper calls it no good choice, but there may be no tangent */
    STAGGERED_SEED,      /* STCS */
    STAGGERED_MATRIX,    /* STCM */
    DIRECT_SEED,         /* SDS */
    DIRECT_MATRIX,       /* SDM */
    VARIANTS
};

static inline bool variant_has_matrix(enum variant v)
{
    return v % 2 == 1;
}

/* Iterations typical of a step; `trusting`: the state of the direct corrector may stop after one iteration. */
struct iterations costs_typical(bool trusting);

/* What was counted in so many steps of the staggered corrector, mixed with what is typical. */
struct iterations costs_observed(bool trusting, double steps, double factorizations,
                                 double state_iterations, double column_iterations);

/* The cost of a step. */
double costs_of_step(const struct costs *c, const struct iterations *it, enum variant v);

/* Steps of a new run, whose size still grows from a cautious one: nothing is observed in them; then so many are. */
enum { FIRST_STEPS = 10, OBSERVED_STEPS = 20 };

/* Counts at some step. */
struct observation {
    size_t steps, factorizations, state_iterations, column_iterations;
};

/* What was compared, who won and why. */
struct choice {
    enum { CHOSEN_BY_USER, CHOSEN_BY_COUNTS, CHOSEN_BY_CLOCK } by;
    bool possible[VARIANTS];
    double cost[VARIANTS]; /* of a step */
    enum variant taken;    /* unless chosen by the user */
    size_t
        due; /* after so many steps counting begins, then the costs are clocked; 0: never, or done */
    struct observation from;  /* when counting began */
    struct iterations counts; /* that the costs were made with */
    struct costs costs;
};

/* Fills the costs; the cheapest possible variant, if it saves more than CHANGE_PAYS of the cost of the one that is taken: less
   is lost in what the model and the clock do not see.  `staggered` is taken at first, which is right whatever the factors are. */
#define CHANGE_PAYS 0.05
enum variant choice_cheapest(struct choice *choice);

#endif
