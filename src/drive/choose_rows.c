/* SPDX-License-Identifier: Apache-2.0 */
/* What extrapolation keeps of its rows: points and factors of all of them (staggered), as long as they fit into the memory allowed, or
   those of one row after the other (simultaneous). */
#include <stdint.h>

#include "base/heap.h"
#include "drive/choose.h"
#include "linear/sparse_lu.h"

static void keep_one_row(struct tansy_solver *s)
{
    s->stepper.stages.keeps_rows = false;
    s->linear.slots = 1;
}

/* Nanoseconds of a step of the state that are worth sharing among threads, which takes some ten thousand to arrange. */
static const double worth_sharing = 1e5;

/* The rows of the state may be made by several threads: f may, nothing is iterated, and a step of usual length takes long enough. */
static bool pays_in_threads(const struct tansy_solver *s)
{
    enum { USUAL_ROWS = 5 };
    struct costs const c = solver_count_costs(s);
    double const steps = USUAL_ROWS * (USUAL_ROWS + 1) / 2.0;
    return s->options.threads > 1 && s->problem.concurrent && !s->stepper.stages.mass_varies &&
           USUAL_ROWS * c.fac + steps * (c.fun + c.lin) >= worth_sharing;
}

tansy_status choose_rows(struct tansy_solver *s)
{
    tansy_sensitivities const way = s->options.sensitivities;
    struct stepper *const st = &s->stepper;
    st->corrector = way == TANSY_DIFFERENCE     ? &corrector_rows_difference
                    : way == TANSY_SIMULTANEOUS ? &corrector_rows_simultaneous
                                                : &corrector_rows_staggered;
    st->stages.takes_all_rows = s->options.full_tableau;
    st->stages.keeps_rows = true;
    s->linear.slots = (size_t)st->method->max_order + 1;
    st->stages.makes_ahead = pays_in_threads(s) && way != TANSY_SIMULTANEOUS;
    if ((s->ns == 0 && !st->stages.makes_ahead) || way == TANSY_SIMULTANEOUS) keep_one_row(s);
    st->stages.thin.sigma = s->options.sparsing;
    s->linear.thin = s->options.sparsing > 0;
    if (s->linear.thin && s->linear.table != linear_sparse)
        return message_set(&s->message, TANSY_BAD_OPTION,
                           linear_sparse
                               ? "the option sparsing is for problems with .structure = "
                                 "TANSY_SPARSE and the linear solver sparse"
                               : "the option sparsing is for the linear solver sparse, but this "
                                 "library was built without SuiteSparse's KLU");
    return TANSY_OK;
}

/* Bytes of the factors of one row that the sparse solver will take besides the block: values and columns of L and U, by KLU's analysis;
   0: no memory for that. */
static double sparse_bytes(const struct tansy_solver *s)
{
    struct matrix pattern = s->J;
    struct linear probe = s->linear;
    struct arena count = {.block = NULL};
    pattern.rows.start = s->pattern.start;
    pattern.rows.column = s->pattern.column;
    probe.A = &pattern;
    probe.slots = 1;
    probe.table->layout(&probe, &count);
    struct arena block = {.block = heap_take(count.used)};
    if (!block.block) return 0;
    probe.table->layout(&probe, &block);
    double const entries = 0.5 * (probe.table->solve_cost(&probe) + 3 * (double)s->n);
    bool const analysed = ((const struct sparse_lu *)probe.factors)->klu.now != NULL;
    probe.table->release(&probe);
    heap_return(block.block);
    return analysed ? entries * (sizeof(double) + sizeof(uint32_t)) : 0;
}

static double block_bytes(struct tansy_solver *s, const struct panel *shape)
{
    struct arena count = {.block = NULL};
    solver_layout(s, &count, shape);
    return (double)count.used;
}

tansy_status choose_storage(struct tansy_solver *s, const struct panel *shape)
{
    struct stages *const stages = &s->stepper.stages;
    size_t const slots = s->linear.slots;
    if (!stages->keeps_rows || s->options.memory_limit == 0) return TANSY_OK;
    bool const sparse = s->linear.table == linear_sparse;
    double const all = block_bytes(s, shape), factors = sparse ? sparse_bytes(s) : 0;
    if (sparse && factors == 0)
        return message_set(&s->message, TANSY_OUT_OF_MEMORY,
                           "no memory for the analysis of %zu equations", s->n);
    keep_one_row(s);
    double const rows = all - block_bytes(s, shape) + (double)(slots - 1) * factors;
    if (rows > (double)s->options.memory_limit) {
        if (s->stepper.corrector == &corrector_rows_staggered)
            s->stepper.corrector = &corrector_rows_simultaneous;
        s->options.sensitivities = s->stepper.corrector->option;
        stages->makes_ahead = false;
        s->note = "factors and states of all rows do not fit into memory_limit: the columns go row "
                  "by row with the state (simultaneous)";
        return TANSY_OK;
    }
    stages->keeps_rows = true;
    s->linear.slots = slots;
    return TANSY_OK;
}
