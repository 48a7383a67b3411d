/* SPDX-License-Identifier: Apache-2.0 */
/* Example models solved through the public interface keep the promise of docs/design.md section 12, with all
   derivatives from the model: error of y and every column at most 100 rtol at the reference times. */
#include <tansy/tansy.h>

#include <stdio.h>

#include "support/accuracy.h"
#include "test.h"

/* The hand-written problem's reference, columns and tolerances, the model's functions. */
static void check_model(const char *name)
{
    char path[256];
    struct oracle o;
    (void)snprintf(path, sizeof path, "examples/models/%s.tansy", name);
    tansy_model *const m = tansy_model_read(path);
    oracle_open(name, &o);
    struct test_problem by_model = *o.problem;
    CHECK_EQUAL(tansy_model_problem(m, &by_model.problem), TANSY_OK);
    by_model.problem.ns = o.problem->problem.ns;
    by_model.problem.columns = o.problem->problem.columns;
    by_model.problem.scale = o.problem->problem.scale;
    CHECK_EQUAL(by_model.problem.n, o.problem->problem.n);
    CHECK_EQUAL(by_model.problem.np, o.problem->problem.np);
    o.problem = &by_model;
    for (double rtol = 1e-4; rtol > 0.9e-8; rtol *= 1e-2) {
        tansy_options const options = {.method = TANSY_BDF, .rtol = rtol};
        struct accuracy const a = oracle_measure(&o, GIVEN, &options);
        CHECK_EQUAL(a.status, TANSY_OK);
        CHECK_AT_MOST(a.state, 100 * rtol);
        CHECK_AT_MOST(a.columns, 100 * rtol);
    }
    oracle_close(&o);
    tansy_model_free(m);
}

TEST(gas_oil_from_text_keeps_the_promise)
{
    check_model("gas_oil");
}

TEST(robertson_from_text_keeps_the_promise)
{
    check_model("robertson");
}

TEST(hires_from_text_keeps_the_promise)
{
    check_model("hires");
}

TEST(pollution_from_text_keeps_the_promise)
{
    check_model("pollution");
}

TEST(ethane_from_text_keeps_the_promise)
{
    check_model("ethane");
}
