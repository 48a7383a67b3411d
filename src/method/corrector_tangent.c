/* SPDX-License-Identifier: Apache-2.0 */
/* Sensitivities of the one-step methods: the derivative of the discrete step, panel after panel through its stages, by exact
   tangents or by internal numerical differentiation (Franz and Kiehl), where only the tangents differ (derive.h). */
#include "method/corrector.h"
#include "method/rosenbrock.h"
#include "method/runge_kutta.h"

static enum verdict prepare(struct stepper *s)
{
    struct stages *const stages = &s->stages;
    int const count = s->method->tableau ? s->method->tableau->stages : s->method->matrices->stages;
    int const looks = s->control == TANSY_STATE_ONLY ? 0 : stages->looks;
    int const code =
        stages_linearise(stages, s->equations->derive, stages->has_first, count + looks);
    stages->has_first = stages->has_first || code == 0;
    return corrector_verdict(s, &s->state, 0, code);
}

const struct corrector corrector_tangent = {.name = "tangent",
                                            .option = TANSY_TANGENT,
                                            .title = "exact tangents of the discrete step",
                                            .prepare = prepare};

const struct corrector corrector_difference = {
    .name = "difference",
    .option = TANSY_DIFFERENCE,
    .title = "internal numerical differentiation of the discrete step",
    .prepare = prepare};
