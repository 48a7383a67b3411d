/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses method, corrector and linear solver where the user left it open, on counts only, so that runs repeat
   bit for bit: the cost model of Li, Petzold and Zhu (12)-(21). */
#include "drive/choose.h"

/* Steps between factorisations and iterations of the staggered corrector, as measured on the test problems. */
static const double steps_per_factor = 10, iterations_each = 1.5;

/* (19): factors at every step against more iterations for every column. */
static bool direct_pays(const struct tansy_solver *s)
{
    const struct linear *const l = &s->linear;
    double const n = (double)s->n, columns = (double)s->ns;
    double const entries = s->J.kind == MATRIX_BAND     ? n * (double)s->J.width
                           : s->J.kind == MATRIX_SPARSE ? (double)s->J.entries
                                                        : n * n;
    double const product = 2 * entries;
    bool const sparse =
        s->J.kind == MATRIX_SPARSE; /* its factors are not known yet: fill of thrice the entries */
    double const factor = sparse ? 18 * entries * entries / n : l->table->factor_cost(l);
    double const solve = sparse ? 6 * entries : l->table->solve_cost(l);
    double const factors = (1 - 1 / steps_per_factor) * factor;
    double const iterations = (iterations_each - 1) * columns * (solve + product);
    return factors < iterations;
}

static void choose_corrector(struct tansy_solver *s)
{
    switch (s->options.sensitivities) {
    case TANSY_SIMULTANEOUS:
        s->stepper.corrector = &corrector_simultaneous;
        break;
    case TANSY_STAGGERED:
        s->stepper.corrector = &corrector_staggered;
        break;
    case TANSY_DIRECT:
        s->stepper.corrector = &corrector_direct;
        break;
    default:
        s->stepper.corrector = direct_pays(s) ? &corrector_direct : &corrector_staggered;
    }
}

/* Direct solves need a matrix. */
static void reconcile(struct tansy_solver *s)
{
    if (s->linear.table != &linear_diagonal || s->stepper.corrector != &corrector_direct) return;
    if (s->options.sensitivities == TANSY_DIRECT) {
        s->linear.table = choose_factoring(s);
        s->note = "direct needs a factored matrix: functional iteration was replaced by Newton's";
    } else
        s->stepper.corrector = &corrector_staggered;
}

/* Panels may be shared among threads when that calls no user function, or these may run concurrently. */
static void choose_workers(struct tansy_solver *s)
{
    bool const calls_user = !derive_wants_jacobian(&s->problem, &s->options, s->ns);
    s->derive.workers = s->options.threads > 1 ? (size_t)s->options.threads : 1;
    if (s->derive.workers == 1 || !calls_user || s->problem.concurrent) return;
    s->derive.workers = 1;
    s->note = "one thread: panels call user functions and the problem does not say .concurrent";
}

static tansy_status choose_method(struct tansy_solver *s)
{
    static const struct method *const methods[] = {
        [TANSY_ADAMS] = &method_adams, [TANSY_BDF] = &method_bdf, [TANSY_DASSL] = &method_dassl};
    bool const implicit = s->derive.form != FORM_ODE;
    tansy_method method = s->options.method;
    if (method == TANSY_METHOD_AUTO) method = implicit ? TANSY_DASSL : TANSY_BDF;
    s->stepper.method = methods[method];
    if (implicit && method == TANSY_ADAMS)
        return message_set(&s->message, TANSY_BAD_OPTION,
                           "adams is for y' = f only: choose dassl for an implicit problem");
    return TANSY_OK;
}

tansy_status solver_choose(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    TRY(choose_method(s));
    st->max_order = s->options.max_order ? s->options.max_order : st->method->max_order;
    if (st->max_order > st->method->max_order)
        return message_set(&s->message, TANSY_BAD_OPTION, "max_order = %d: %s goes up to order %d",
                           st->max_order, st->method->name, st->method->max_order);
    TRY(choose_linear(s));
    choose_matrix(s);
    s->linear.A = &s->J;
    choose_corrector(s);
    reconcile(s);
    if (s->ns > 0) s->options.sensitivities = s->stepper.corrector->option;
    choose_matrix(s);
    choose_workers(s);
    return TANSY_OK;
}
