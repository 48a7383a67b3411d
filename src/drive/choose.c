/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses method, corrector and linear solver where the user left it open, on counts only, so that runs repeat
   bit for bit: the cost model of Li, Petzold and Zhu (12)-(21). */
#include "drive/choose.h"

#include "derive/providers.h"
#include "drive/automatic.h"
#include "linear/precondition.h"

static const tansy_sensitivities option_of[] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED, TANSY_DIRECT};

static const struct corrector *corrector_of(tansy_sensitivities option)
{
    if (option == TANSY_DIRECT) return &corrector_direct;
    return option == TANSY_SIMULTANEOUS ? &corrector_simultaneous : &corrector_staggered;
}

void solver_use_variant(struct tansy_solver *s, enum variant v)
{
    s->choice.taken = v;
    s->options.sensitivities = option_of[v / 2];
    s->stepper.corrector = corrector_of(s->options.sensitivities);
    if (s->choice.possible[v ^ 1])
        derive_use_tangent(&s->derive, variant_has_matrix(v) ? SOURCE_MATRIX : SOURCE_GIVEN);
}

/* Both forms of the tangent may be compared: neither is asked for, both are given, the costs of both are known or will be,
   and exchanging them in the run does not call user functions from several threads. */
static bool compares_tangents(const struct tansy_solver *s, bool measured)
{
    bool const known = s->problem.operations[3] > 0, one = s->options.threads <= 1;
    return (measured ? one || s->problem.concurrent : known) &&
           s->options.residual == TANSY_RESIDUAL_AUTO && s->J.kind != MATRIX_NONE &&
           derive_gives_both(&s->problem);
}

/* Direct needs factors of a matrix.  Where the tangent cannot be exchanged, `measured` goes on with that of staggered. */
static void find_candidates(struct tansy_solver *s, bool measured)
{
    struct choice *const choice = &s->choice;
    bool const both = compares_tangents(s, measured);
    bool const factors = s->linear.table->matrix != MATRIX_NONE;
    tansy_options options = s->options;
    for (size_t c = 0; c < VARIANTS / 2; c++) {
        options.sensitivities = measured ? TANSY_STAGGERED : option_of[c];
        bool const matrix = derive_wants_jacobian(&s->problem, &options, s->ns);
        bool const possible = option_of[c] != TANSY_DIRECT || factors;
        choice->possible[2 * c] = possible && (both || !matrix);
        choice->possible[2 * c + 1] = possible && (both || matrix);
        if (option_of[c] == TANSY_STAGGERED)
            choice->taken = matrix ? STAGGERED_MATRIX : STAGGERED_SEED;
    }
}

/* The tangent that was found cheaper is asked for where it can be. */
static void take(struct tansy_solver *s, enum variant v)
{
    s->choice.taken = v;
    s->stepper.corrector = corrector_of(option_of[v / 2]);
    if (s->choice.possible[v ^ 1])
        s->options.residual = variant_has_matrix(v) ? TANSY_MATRIX : TANSY_SEED;
}

static void choose_by_counts(struct tansy_solver *s)
{
    struct choice *const choice = &s->choice;
    choice->by = CHOSEN_BY_COUNTS;
    choice->costs = solver_count_costs(s);
    choice->counts = costs_typical(s->stepper.method->trusts_old_rate);
    take(s, choice_cheapest(choice));
}

/* Staggered, as if that had been asked for, until the costs are clocked, for which factors get a second place. */
static void choose_by_clock(struct tansy_solver *s)
{
    s->choice.by = CHOSEN_BY_CLOCK;
    s->choice.due = FIRST_STEPS;
    s->linear.slots = s->linear.table->iterate ? 1 : 2;
}

/* Directional differences of algebraic equations have a noise that goes into s undivided by c, another one in every iteration, so that none may come to its
   end: direct takes them once a step. */
static bool must_not_iterate(const struct tansy_solver *s)
{
    const tansy_problem *const q = &s->problem;
    size_t differential = 0; /* where no kinds are given any component may be algebraic */
    while (q->kind && differential < q->n && q->kind[differential] == TANSY_DIFFERENTIAL)
        differential++;
    return differential < q->n && s->options.sensitivities == TANSY_SENSITIVITIES_AUTO &&
           s->ns > 0 && s->derive.form != FORM_ODE && s->options.residual == TANSY_DIFFERENCES &&
           s->linear.table->matrix != MATRIX_NONE;
}

static void choose_corrector(struct tansy_solver *s)
{
    if (must_not_iterate(s)) s->options.sensitivities = TANSY_DIRECT;
    tansy_sensitivities const option = s->options.sensitivities;
    bool const measured = option == TANSY_MEASURED;
    s->stepper.corrector = corrector_of(option);
    if (s->ns == 0 || !(measured || option == TANSY_SENSITIVITIES_AUTO)) return;
    find_candidates(s, measured);
    (measured ? choose_by_clock : choose_by_counts)(s);
}

/* Entries of S from which on df/dy times all columns by our kernels is cheaper than a tangent function of the user's. */
enum { WIDE = 256 };

/* Of one-step methods. */
static tansy_status choose_tangents(struct tansy_solver *s)
{
    bool const internal = s->options.sensitivities == TANSY_DIFFERENCE;
    bool const wide = s->n * s->ns >= WIDE && !s->problem.from_model;
    bool const given = s->np == 0 ? s->problem.jacobian != NULL : derive_gives_both(&s->problem);
    if (wide && given && s->options.residual == TANSY_RESIDUAL_AUTO)
        s->options.residual = TANSY_MATRIX;
    s->stepper.corrector = internal ? &corrector_difference : &corrector_tangent;
    if (s->stepper.method->rows) TRY(choose_rows(s));
    s->derive.is_internal = internal && s->ns > 0;
    s->stepper.stages.wants_matrices =
        !internal && derive_wants_jacobian(&s->problem, &s->options, s->ns);
    if (s->stepper.method->tableau) return TANSY_OK;
    tansy_second_derivatives const way = s->options.second_derivatives;
    bool const neglected = way == TANSY_SECOND_NEGLECTED || s->ns == 0;
    s->stepper.stages.has_second = !neglected;
    TRY(derive_need_second(&s->derive, &s->problem, !neglected, &s->message));
    if (way == TANSY_SECOND_DIFFERENCES) s->problem.second = NULL;
    return TANSY_OK;
}

/* Direct solves need a matrix. */
static void reconcile(struct tansy_solver *s)
{
    if (s->linear.table != &linear_diagonal || s->stepper.corrector != &corrector_direct) return;
    s->linear.table = choose_factoring(s);
    s->note = "direct needs a factored matrix: functional iteration was replaced by Newton's";
}

/* gmres calls user functions for every panel: their preconditioner, or whatever W is applied by, unless that is stored matrices
   that are given (derive/apply.c). */
static bool iterates_by_user(const struct tansy_solver *s)
{
    const tansy_problem *const q = &s->problem;
    if (!s->linear.table->iterate) return false;
    bool const given = q->residual ? q->residual_jacobian != NULL
                                   : q->jacobian && (!mass_moves(q) || q->mass_constant);
    bool const matrices = given && s->J.kind != MATRIX_NONE && !derive_gives_tangent(q);
    return s->krylov.preconditioner == &precondition_user || !matrices;
}

/* Panels may be shared among threads when that calls no user function, or these may run concurrently. */
static void choose_workers(struct tansy_solver *s)
{
    bool const calls_user = !derive_wants_jacobian(&s->problem, &s->options, s->ns) ||
                            s->stepper.stages.has_second || s->automatic.exchanges ||
                            s->problem.error_weights || iterates_by_user(s);
    s->derive.workers = s->options.threads > 1 ? (size_t)s->options.threads : 1;
    if (s->derive.workers == 1 || !calls_user || s->problem.concurrent) return;
    s->derive.workers = 1;
    s->note = "one thread: panels call user functions and the problem does not say .concurrent";
}

/* Options that are set but do nothing with the methods chosen; NULL: none. */
static const char *find_idle_option(const struct tansy_solver *s)
{
    const tansy_options *const o = &s->options;
    const struct method *const method = s->stepper.method;
    bool const krylov = o->krylov_dimension > 0 || o->krylov_orthogonal > 0 ||
                        o->krylov_restarts > 0 || o->krylov_tolerance > 0;
    bool const preconditioner = o->preconditioner || o->precondition_side ||
                                o->preconditioner_block > 0 || o->preconditioner_lower > 0 ||
                                o->preconditioner_upper > 0;
    if ((krylov || preconditioner) && !s->linear.table->iterate)
        return "krylov and preconditioner options do nothing without linear_solver = gmres";
    if ((o->full_tableau || o->memory_limit > 0) && !method->rows)
        return "full_tableau and memory_limit do nothing: they are for the method limex";
    if (o->second_derivatives && !(method->rows || method->matrices))
        return "second_derivatives does nothing: it is for the methods rosenbrock and limex";
    return NULL;
}

tansy_status solver_choose(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    bool const automatic = automatic_applies(s);
    TRY(choose_method(s));
    TRY(choose_linear(s));
    choose_matrix(s);
    s->linear.A = &s->J;
    if (method_is_one_step(st->method))
        TRY(choose_tangents(s));
    else
        choose_corrector(s);
    reconcile(s);
    if (s->ns > 0) s->options.sensitivities = s->stepper.corrector->option;
    choose_matrix(s);
    if (automatic) automatic_choose(s);
    choose_workers(s);
    if (!s->note) s->note = find_idle_option(s);
    return TANSY_OK;
}
