/* SPDX-License-Identifier: Apache-2.0 */
/* Li, Petzold and Zhu (12)-(16) as they are for this library:
     simultaneous    (C_eval + C_fac)/N_1 + N_it0 (C_lin + C_fun + n_p C_lin + R)           (12), whose C_fun is missing there
     direct          C_eval + C_fac + N_it1 (C_lin + C_fun) + n_p C_lin + R                 (13), (14)
     staggered       (C_eval + C_fac)/N_1 + N_it2 (C_lin + C_fun) + N_it3 (n_p C_lin + R)   (15), (16)
   where R are the right-hand sides of all columns: C_seed with C_par in it (a tangent gives J s + f_p as one), or C_mvp.  Matrices
   cost C_par besides wherever columns are linearised, once a step or, simultaneous, at every iteration, and there C_eval too,
   unless direct has J: the factors of staggered are made at the predictor. */
#include "drive/costs.h"

/* Means over the test problems of tests/support at rtol = 1e-4, 1e-6, 1e-8 with bdf (which trusts) and dassl (which does
   not, and else differs by less than 2 %): the table of bench/iteration_counts_bench.c.  The steps differ by less than 3 %. */
struct iterations costs_typical(bool trusting)
{
    return (struct iterations){.together = 2.15,
                               .direct = trusting ? 1.02 : 2.02,
                               .state = 2.02,
                               .columns = 1.5,
                               .steps = 8.7};
}

/* Early steps still renew factors more often than later ones: what is counted there has the weight of as many typical
   steps.  Those iterations that staggered cannot show keep their typical ratio to those that it does. */
struct iterations costs_observed(bool trusting, double steps, double factorizations,
                                 double state_iterations, double column_iterations)
{
    struct iterations const usual = costs_typical(trusting);
    struct iterations it = usual;
    it.state = (state_iterations / steps + usual.state) / 2;
    it.columns = (column_iterations / steps + usual.columns) / 2;
    it.steps = 2 / (factorizations / steps + 1 / usual.steps);
    double const slow = it.state > it.columns ? it.state : it.columns;
    it.together = slow * usual.together / usual.state;
    it.direct = it.state * usual.direct / usual.state;
    return it;
}

double costs_of_step(const struct costs *c, const struct iterations *it, enum variant v)
{
    bool const matrix = variant_has_matrix(v);
    double const right = matrix ? c->mvp : c->seed, par = matrix ? c->par : 0;
    double const linearise = matrix ? c->eval + c->par : 0;
    double const factors = (c->eval + c->fac) / it->steps, state = c->lin + c->fun;
    switch (v) {
    case SIMULTANEOUS_SEED:
    case SIMULTANEOUS_MATRIX:
        return factors + it->together * (state + c->panels + right + linearise);
    case STAGGERED_SEED:
    case STAGGERED_MATRIX:
        return factors + it->state * state + it->columns * (c->panels + right) + linearise;
    default:
        return c->eval + c->fac + it->direct * state + c->panels + right + par;
    }
}

enum variant choice_cheapest(struct choice *choice)
{
    for (int v = 0; v < VARIANTS; v++)
        choice->cost[v] = costs_of_step(&choice->costs, &choice->counts, (enum variant)v);
    enum variant best = choice->taken;
    double least = (1 - CHANGE_PAYS) * choice->cost[best];
    for (int v = 0; v < VARIANTS; v++) {
        if (!choice->possible[v] || !(choice->cost[v] < least)) continue;
        best = (enum variant)v;
        least = choice->cost[v];
    }
    return best;
}
