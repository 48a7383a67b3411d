/* SPDX-License-Identifier: Apache-2.0 */
/* The index-2 pendulum to t = 10 with its sensitivity to the length, where IDAS returns success with S wrong by 1 to 8e6 for tolerances
   from 1e-7 to 3e-10.  Here every run is right to a multiple of rtol, at every tolerance from 1e-4 to 3e-11, in all correctors and all
   error controls.  An oscillation keeps the error of every step, so that the multiple grows with their number, which is 1,600 at
   the smallest tolerance: y stays within 100 rtol; S within 500 rtol where it is controlled, and within 3,000 rtol where only
   the state is. */
#include "support/accuracy.h"
#include "support/promise.h"
#include "test.h"

#include <stdio.h>

static size_t broken(tansy_error_control control)
{
    static const double multiple[] = {
        [TANSY_EACH_COLUMN] = 500, [TANSY_STATE_ONLY] = 3000, [TANSY_ALL_AS_ONE] = 500};
    static const double start[] = {1e-4, 3e-5};
    struct oracle o;
    size_t count = 0;
    oracle_open("pendulum_slow", &o);
    for (size_t c = 0; c < CORRECTORS; c++)
        for (int decade = 0; decade <= 6; decade++)
            for (int half = 0; half < 2; half++) {
                double rtol = start[half];
                for (int k = 0; k < decade; k++) rtol /= 10;
                tansy_options const options = {.method = TANSY_DASSL,
                                               .sensitivities = all_correctors[c],
                                               .error_control = control,
                                               .rtol = rtol};
                struct accuracy const a = oracle_measure(&o, GIVEN, &options);
                if (a.status == TANSY_OK && a.state <= 100 * rtol &&
                    a.columns <= multiple[control] * rtol)
                    continue;
                count++;
                fprintf(stderr,
                        "%s, control %d, rtol %.0e: %s, y %.2e = %.1f rtol, S %.2e = %.1f rtol, "
                        "%zu steps\n",
                        sensitivities_name(all_correctors[c]), (int)control, rtol, a.message,
                        a.state, a.state / rtol, a.columns, a.columns / rtol, a.steps);
            }
    oracle_close(&o);
    return count;
}

TEST(each_column_controlled)
{
    CHECK_EQUAL(broken(TANSY_EACH_COLUMN), 0);
}

TEST(state_controlled)
{
    CHECK_EQUAL(broken(TANSY_STATE_ONLY), 0);
}

TEST(all_as_one)
{
    CHECK_EQUAL(broken(TANSY_ALL_AS_ONE), 0);
}
