/* SPDX-License-Identifier: Apache-2.0 */
/* method = auto for y' = f: rk8 while the problem is not stiff, bdf where it is.  rk8 sees stiffness in its stages (Hairer and Wanner
   IV.2); bdf sees that it is over when h |J| stays small, |J| being the row-sum norm of J in the units of the error weights,
   which bounds every eigenvalue.  A change of method is a start anew at the point reached. */
#include "drive/automatic.h"

#include <math.h>

#include "drive/foresee.h"

enum {
    LOOK_EVERY = 10, /* steps of bdf between two looks at |J| */
    GENTLE = 3,      /* looks in a row that must find h |J| small */
    FIRST_REST =
        30, /* steps of bdf before the first look, doubled with every change, so that the methods do not take turns */
    MOST_REST = 10000,
    STILL = 25 /* looks of rk8, one in eight steps */
};

/* With h |J| below this rk8 could take steps a dozen times as long. */
static const double gentle_limit = 0.5;

/* The smaller problems, whose panels with all stages stay in the cache: large grids and networks are stiff as a rule. */
enum { LARGE = 200 };

bool automatic_applies(const struct tansy_solver *s)
{
    const tansy_options *const o = &s->options;
    bool const plain =
        o->sensitivities == TANSY_SENSITIVITIES_AUTO || o->sensitivities == TANSY_NONE;
    bool const small = s->problem.structure == TANSY_DENSE || s->n < LARGE;
    return o->method == TANSY_METHOD_AUTO && s->derive.form == FORM_ODE && plain && small &&
           o->max_order == 0 && o->linear_solver != TANSY_GMRES;
}

void automatic_choose(struct tansy_solver *s)
{
    struct automatic *const a = &s->automatic;
    struct stepper *const st = &s->stepper;
    a->is_on = true;
    a->stiff = (struct way){st->method, st->corrector, SOURCE_NONE};
    a->calm = (struct way){&method_dop853, &corrector_tangent, SOURCE_NONE};
    a->rest = FIRST_REST;
    bool const seed = s->ns > 0 && derive_gives_tangent(&s->problem) &&
                      !(s->problem.prefer_matrix && derive_gives_both(&s->problem));
    bool const matrices = derive_wants_jacobian(&s->problem, &s->options, s->ns);
    st->stages.wants_matrices = matrices && !seed;
    a->exchanges = matrices && seed;
    automatic_take(s, &a->calm);
}

void automatic_complete(struct tansy_solver *s)
{
    struct automatic *const a = &s->automatic;
    if (!a->is_on || s->ns == 0) return;
    a->stiff.tangent = s->derive.tangent_source;
    a->calm.tangent = a->exchanges ? SOURCE_GIVEN : a->stiff.tangent;
    automatic_take(s, &a->calm);
}

void automatic_take(struct tansy_solver *s, const struct way *way)
{
    struct stepper *const st = &s->stepper;
    st->method = way->method;
    st->corrector = way->corrector;
    st->max_order = way->method->max_order;
    if (way->tangent != SOURCE_NONE) derive_use_tangent(&s->derive, way->tangent);
    s->automatic.gentle = 0;
    s->automatic.since = s->stats.steps;
    stages_forget(&st->stages);
}

void automatic_begin(struct tansy_solver *s)
{
    struct automatic *const a = &s->automatic;
    a->rest = FIRST_REST;
    a->only_stiff = false;
    automatic_take(s, &a->calm);
    foresee_begin(s);
}

/* The run has come to where no step is short enough, or f has no value, which may be of its own making. */
static bool is_at_a_wall(const struct tansy_solver *s)
{
    return s->error == TANSY_STEP_TOO_SMALL || s->error == TANSY_NOT_FINITE ||
           s->error == TANSY_USER_FAILED;
}

bool automatic_start_over(struct tansy_solver *s)
{
    struct automatic *const a = &s->automatic;
    bool const by_calm = s->stepper.method == a->calm.method || a->changes > 0;
    if (!a->is_on || a->only_stiff || !by_calm || !is_at_a_wall(s) || !s->started ||
        s->columns_given)
        return false;
    size_t const changes = a->changes + 1;
    struct message const why = s->message;
    tansy_status const error = s->error;
    if (tansy_restart(s, s->t0, NULL, NULL, NULL) < 0) {
        s->message = why;
        s->error = error;
        return false;
    }
    a->only_stiff = true;
    a->foresight.is_on = false;
    a->changes = changes;
    automatic_take(s, &a->stiff);
    return true;
}

/* The largest row sum of |J_ij| w_j/w_i, w the error weights. */
static double row_sum_norm(const struct tansy_solver *s)
{
    const struct matrix *const J = &s->J;
    const double *const winv = s->stepper.state_work.winv;
    double largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0;
        if (J->kind == MATRIX_SPARSE)
            for (size_t e = J->rows.start[i]; e < J->rows.start[i + 1]; e++)
                sum += fabs(J->value[e]) / winv[J->rows.column[e]];
        else {
            size_t const from = i > J->lower ? i - J->lower : 0;
            size_t const end = J->n - i > J->upper ? i + J->upper + 1 : J->n;
            for (size_t j = from; j < end; j++) sum += fabs(*matrix_entry(J, i, j)) / winv[j];
        }
        largest = fmax(largest, sum * winv[i]);
    }
    return largest;
}

/* A condition is held: the other branch is as stiff as before, sqrt(d) at d = 0, and J does not show it. */
static bool is_held(const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    bool any = false;
    for (size_t j = 0; j < e->switches; j++) any = any || fabs(e->sample[j]) < e->band[j];
    return any;
}

/* True when bdf has not needed its stability for a while. */
static bool is_over(struct tansy_solver *s)
{
    struct automatic *const a = &s->automatic;
    size_t const steps = s->stats.steps - a->since;
    if (a->only_stiff || steps < a->rest || steps % LOOK_EVERY != 0) return false;
    bool const gentle = fabs(s->stepper.h) * row_sum_norm(s) < gentle_limit && !is_held(s);
    a->gentle = gentle ? a->gentle + 1 : 0;
    return a->gentle >= GENTLE;
}

/* At the border of stability, or at rest with steps that nothing but stiffness can hold so short. */
static bool is_stiff(const struct tansy_solver *s)
{
    const struct stages *const stages = &s->stepper.stages;
    return stages->is_stiff || (stages->still >= STILL && isinf(s->control.max_step));
}

tansy_status automatic_consider(struct tansy_solver *s)
{
    struct automatic *const a = &s->automatic;
    bool const calm = s->stepper.method == a->calm.method;
    bool const begins = calm && s->stats.steps == a->since;
    if (calm ? !is_stiff(s) && !foresee_stiffness(s) : !is_over(s)) return TANSY_OK;
    double const h = fabs(s->stepper.h);
    if (!begins) solver_output(s, s->stepper.t, 0, s->y0, s->sens0);
    automatic_take(s, calm ? &a->stiff : &a->calm);
    if (a->rest < MOST_REST) a->rest *= 2;
    a->changes++;
    return solver_change_over(s, h);
}
