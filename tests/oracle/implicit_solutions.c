/* SPDX-License-Identifier: Apache-2.0 */
/* The promise, docs/design.md section 12, for the method dassl: with given derivatives the error of y and of every column at
   every reference time is at most 100 rtol, for y' = f, B y' = f and F(t, y, y', p) = 0, every corrector, rtol from 1e-4
   to 1e-10. */
#include "support/promise.h"
#include "test.h"

#define PROMISE(problem)                                                                           \
    TEST(dassl_keeps_its_promise_on_##problem)                                                     \
    {                                                                                              \
        CHECK_EQUAL(promises_broken(#problem, TANSY_DASSL, GIVEN, 1e-10), 0);                      \
    }

PROMISE(gas_oil)
PROMISE(c1)
PROMISE(robertson)
PROMISE(e3)
PROMISE(hires)
PROMISE(ethane)
PROMISE(pollution)
PROMISE(batch_reactor)
PROMISE(batch_reactor_mass)
PROMISE(pendulum)
PROMISE(pendulum_mass)
PROMISE(robertson_dae)
PROMISE(robertson_dae_mass)
PROMISE(akzo_nobel)
PROMISE(akzo_nobel_mass)
PROMISE(heat_10)
PROMISE(heat_10_mass)
PROMISE(heat_10_sparse)
PROMISE(heat_10_ode)

/* Its columns are up to 100 times y/p and cross zero, where their tolerance falls below the rounding of the rest: to 1e-8. */
TEST(dassl_keeps_its_promise_on_transistor)
{
    CHECK_EQUAL(promises_broken("transistor", TANSY_DASSL, GIVEN, 1e-8), 0);
}
