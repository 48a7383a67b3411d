/* SPDX-License-Identifier: Apache-2.0 */
/* --verify and the second look: by which methods a run is repeated. */
#include "verify_parts.h"

#include "stats.h"

#include <string.h>

/* B x' = f: of rosenbrock and limex each is compared with the other, as far as it takes the B at hand: over long oscillations errors of dassl at rtol/100 add up to the promise itself.  dassl
   is compared with these, and comes last: of index 2 it is all there is. */
static size_t choose_implicit(const struct study *s, const char *ran, struct partner *out)
{
    bool const rosenbrock = strcmp(ran, "rosenbrock") == 0;
    bool const dassl = !rosenbrock && strcmp(ran, "limex") != 0;
    size_t count = 0;
    if (!rosenbrock && s->problem.mass_constant)
        out[count++] = (struct partner){TANSY_ROSENBROCK, true, true};
    else if (rosenbrock || (dassl && s->problem.rate_linear))
        out[count++] = (struct partner){TANSY_LIMEX, true, true};
    out[count++] = (struct partner){TANSY_DASSL, false, !dassl};
    return count;
}

/* Multistep methods are compared with one-step methods, and these with multistep methods: rk8 and adams for what is not stiff,
   rosenbrock, limex and bdf for the rest.  Last comes the method itself, of which the tighter tolerance is all that is new. */
size_t verify_partners(const struct study *s, const struct outcome *outcome,
                       struct partner partner[MOST_PARTNERS])
{
    const char *const ran = stats_method(outcome);
    bool const linear = strcmp(ran, "rosenbrock") == 0 || strcmp(ran, "limex") == 0;
    bool const one_step = linear || strcmp(ran, "rk8") == 0;
    tansy_method const same = strcmp(ran, "adams") == 0 ? TANSY_ADAMS : TANSY_BDF;
    size_t count = 0;
    if (s->problem.residual) return choose_implicit(s, ran, partner);
    if (stats_method_changes(outcome) > 0) { /* both rk8 and bdf took part */
        partner[count++] = (struct partner){TANSY_ROSENBROCK, true, true};
        partner[count++] = (struct partner){TANSY_BDF, false, false};
        return count;
    }
    partner[count++] = (struct partner){one_step ? TANSY_ADAMS : TANSY_RK8, true, true};
    if (!one_step) partner[count++] = (struct partner){TANSY_ROSENBROCK, true, true};
    partner[count++] = (struct partner){same, false, one_step};
    if (one_step) /* which starts where f has no derivative, and the others do not */
        partner[count++] = (struct partner){linear ? TANSY_RK8 : TANSY_ROSENBROCK, true, true};
    return count;
}

/* What a run by this method is expected to cost, as a rank.  A method of the kind that ran, explicit
   or for what is stiff, takes about as long as the run did.  Where a multistep method for stiff
   problems solves with the factors that it has, a one-step method takes a factorisation and several
   stages in each step, with derivatives of the Jacobian for columns: in the median 1.2 times as long
   for a few states, 30 times for 53 states and 325 columns.  What an explicit method takes where
   the run was by another, stiffness decides: there is no bound. */
static int cost_rank(tansy_method method, bool ran_explicit)
{
    enum { AS_THE_RUN, FACTORS_KEPT, FACTORS_EACH_STEP, NO_BOUND };
    if (method == TANSY_RK8 || method == TANSY_ADAMS) return ran_explicit ? AS_THE_RUN : NO_BOUND;
    return method == TANSY_BDF || method == TANSY_DASSL ? FACTORS_KEPT : FACTORS_EACH_STEP;
}

/* Did stability rule the steps of the explicit method that ran? */
static bool was_stiff(const struct outcome *outcome)
{
    return outcome->report && strstr(outcome->report, "warning: the problem is stiff");
}

size_t verify_cheap_partners(const struct study *s, const struct outcome *outcome,
                             struct partner partner[MOST_PARTNERS])
{
    const char *const ran = stats_method(outcome);
    bool const stiff = stats_method_changes(outcome) > 0 || was_stiff(outcome);
    bool const explicit = !stiff && (strcmp(ran, "rk8") == 0 || strcmp(ran, "adams") == 0);
    size_t const count = verify_partners(s, outcome, partner);
    for (size_t a = 1; a < count; a++) /* equal ranks stay in their order */
        for (size_t b = a; b > 0; b--) {
            struct partner const one = partner[b];
            int const rank = cost_rank(one.method, explicit);
            if (cost_rank(partner[b - 1].method, explicit) <= rank) break;
            partner[b] = partner[b - 1];
            partner[b - 1] = one;
        }
    return count;
}
