/* SPDX-License-Identifier: Apache-2.0 */
/* The promise, docs/design.md section 12: with given derivatives the error of y and of every column at every
   reference time is at most 100 rtol; on problems that amplify errors, at most that of CVODES at the same
   tolerances (tests/reference/cvodes_errors.csv).  Every method and corrector, rtol from 1e-4 to 1e-10. */
#include "support/promise.h"
#include "test.h"

/* Adams for problems that are not stiff only. */
#define PROMISE(method, METHOD, problem)                                                           \
    TEST(method##_keeps_its_promise_on_##problem)                                                  \
    {                                                                                              \
        CHECK_EQUAL(promises_broken(#problem, METHOD, GIVEN, 1e-10), 0);                           \
    }

PROMISE(bdf, TANSY_BDF, decay)
PROMISE(bdf, TANSY_BDF, gas_oil)
PROMISE(bdf, TANSY_BDF, c1)
PROMISE(bdf, TANSY_BDF, c5)
PROMISE(bdf, TANSY_BDF, lotka_volterra)
PROMISE(bdf, TANSY_BDF, robertson)
PROMISE(bdf, TANSY_BDF, e3)
PROMISE(bdf, TANSY_BDF, hires)
PROMISE(bdf, TANSY_BDF, ethane)
PROMISE(bdf, TANSY_BDF, pollution)
PROMISE(bdf, TANSY_BDF, co_oxidation)
PROMISE(bdf, TANSY_BDF, van_der_pol)
PROMISE(adams, TANSY_ADAMS, decay)
PROMISE(adams, TANSY_ADAMS, gas_oil)
PROMISE(adams, TANSY_ADAMS, c1)
PROMISE(adams, TANSY_ADAMS, c5)
PROMISE(adams, TANSY_ADAMS, lotka_volterra)
