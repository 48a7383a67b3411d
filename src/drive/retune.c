/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of options between two calls: tolerances and the largest step. */
#include "drive/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/names.h"

/* The weights where the solver stands: none may vanish or be below roundoff. */
static tansy_status check_weights(struct tansy_solver *s)
{
    double *const y = s->stepper.state_work.y0;
    double norm = 0;
    if (s->started)
        solver_output(s, solver_now(s), 0, y, NULL);
    else
        memcpy(y, s->y0, s->n * sizeof *y);
    for (size_t i = 0; i < s->n; i++) {
        double const w = tolerances_allow(&s->tolerances, i, y[i]);
        struct name name;
        if (!(w > 0) && !s->tolerances.follows[i])
            return message_set(&s->message, TANSY_ZERO_WEIGHT,
                               "%s is zero at t = %.10g and its tolerance would be purely "
                               "relative: give it an atol, `auto` or a number",
                               name_state(&s->problem, i, &name), solver_now(s));
        if (w > 0) norm = fmax(norm, fabs(y[i]) / w);
    }
    if (norm * DBL_EPSILON * 4 < 1) return TANSY_OK;
    return message_set(&s->message, TANSY_TOO_MUCH_ACCURACY,
                       "the tolerances would be below the roundoff of y at t = %.10g: multiply "
                       "them by %g at least",
                       solver_now(s), norm * DBL_EPSILON * 8);
}

/* Everything that follows from the tolerances in the options. */
static tansy_status follow(struct tansy_solver *s)
{
    struct tolerances *const t = &s->tolerances;
    TRY(tolerances_state(t, &s->options, &s->message));
    t->checked = false; /* and the tightest is found anew */
    TRY(tolerances_columns(t, &s->problem, &s->options, NULL, &s->message));
    tolerances_panels(t, &s->options, s->shape, s->stepper.panels);
    s->derive.y0_tolerance = t->tightest;
    TRY(derive_retune(&s->derive, &s->options, &s->message));
    return check_weights(s);
}

tansy_status tansy_set_tolerances(tansy_solver *s, double rtol, double atol)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (!s->usable) return s->error;
    tansy_options *const o = &s->options;
    tansy_options const before = *o;
    o->rtol = rtol;
    o->atol = atol;
    o->rtol_state = o->atol_state = NULL;
    char text[MESSAGE_SIZE];
    tansy_status status = tansy_options_check(o, text, sizeof text);
    if (status < 0) {
        *o = before;
        return message_set(&s->message, status, "%s", text);
    }
    status = follow(s);
    if (status == TANSY_OK) return TANSY_OK;
    struct message const why = s->message;
    *o = before;
    (void)follow(s); /* as they were */
    s->message = why;
    return status;
}

void tansy_get_atol(const tansy_solver *s, double *atol)
{
    if (s && atol && s->usable) memcpy(atol, s->tolerances.atol, s->n * sizeof *atol);
}

tansy_status tansy_set_max_step(tansy_solver *s, double max_step)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (!s->usable) return s->error;
    struct stepper *const st = &s->stepper;
    if (!(max_step >= 0 && isfinite(max_step)) || (max_step > 0 && max_step < s->options.min_step))
        return message_set(&s->message, TANSY_BAD_OPTION,
                           "max_step = %g: it must be 0 for no limit, or finite and not below "
                           "min_step = %g",
                           max_step, s->options.min_step);
    s->options.max_step = max_step;
    s->control.max_step = max_step > 0 ? max_step : HUGE_VAL;
    if (!s->started || fabs(st->h) <= s->control.max_step) return TANSY_OK;
    control_cut(&s->control, st->method);
    st->h = copysign(max_step, st->h);
    return TANSY_OK;
}
