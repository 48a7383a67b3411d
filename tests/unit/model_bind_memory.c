/* SPDX-License-Identifier: Apache-2.0 */
/* The k-th allocation fails, for every k: binding says so and leaves nothing behind. */
#include "test.h"

#include <stdio.h>
#include <unistd.h>

#include "support/allocations.h"
#include "support/bound_model.h"
#include "support/temporary.h"

/* Fails every allocation of parsing and binding in turn until all succeed with the status expected. */
static void survives(const char *text, tansy_status expected)
{
    tansy_status status = TANSY_OUT_OF_MEMORY;
    size_t failed = 0;
    for (size_t k = 1; k < 100000; k++) {
        struct bound_model m;
        allocations_begin(k, k);
        bound_parse(&m, text);
        status = m.status;
        if (status != expected && status != TANSY_OUT_OF_MEMORY)
            fprintf(stderr, "%s\n", m.syntax.diagnosis.text);
        CHECK(status == expected || status == TANSY_OUT_OF_MEMORY);
        CHECK_EQUAL(m.syntax.diagnosis.status, status);
        failed += status == TANSY_OUT_OF_MEMORY;
        bound_free(&m);
        CHECK_EQUAL(allocations.live, 0);
        if (allocations.calls < k) break;
    }
    allocations_begin(0, 0);
    CHECK_EQUAL(status, expected);
    CHECK(failed > 10);
}

TEST(a_failing_allocation_of_any_part_is_said_and_leaks_nothing)
{
    survives("model m \"title\"\nconstant N = 12, w[1..2] = {1, 2}\nparameter k[1..N] [1/s] = 1 in "
             "0 .. 2 scale 1, p = 3\n"
             "state u[i in 1..N] [m] = 2 [m]*i*w[1] atol 1e-3, A = p, B = A(0)\nalgebraic z = 1\n"
             "let v[i in 1..N] = if i > 1 then u[i] - u[i-1] else u[1], far = sum(i in 1..N: "
             "v[i]*v[i])\n"
             "u[i]' = -k[i]*v[i] for i in 1..N\nr: A + 2 B -> B, p*A*B\ns: 0 <-> A, 1, far\n0 = z "
             "- max(A, B) + abs(A)\n"
             "output far\noutput o [m] = u[1]\nintegral I = A*c\ncontrol c = 1 piecewise linear on "
             "0 .. 10 by 12\n"
             "output late = if time > 3 then z else A\ntime 0 .. 10 [s]\n",
             TANSY_OK);
}

TEST(explicit_systems_and_solved_equations_survive_too)
{
    survives("parameter p = 1\nstate x = 1, y = 2, z = 3\np*x' + y = x\ny' = x' + z'\n2*z' = if x "
             "> y then 1 else if z > p then 2 else 3\n"
             "output o = x'\nintegral I = y'\nlet a = b, b = c, c = 1\n",
             TANSY_OK);
}

TEST(models_with_errors_survive_too)
{
    survives("state x = 1\nx' = unknwon\nparameter unknown = 1", TANSY_BAD_MODEL);
    survives("let a = b, b = a\nstate x = 1\nx' = a", TANSY_BAD_MODEL);
    survives("let a = if time > 2 then 1 else 2\nstate x = 1, y = a\nx' = 1; y' = 1",
             TANSY_BAD_MODEL);
    survives("state u[1..3] = 1\nu[i]' = u[i+1] for i in 1..3", TANSY_BAD_MODEL);
}

TEST(tables_survive_too)
{
    char path[TEMPORARY_PATH], text[TEMPORARY_PATH + 100];
    static const char table[] =
        "t,a,b\n0,1,2\n1,2,3\n2,3,4\n3,4,5\n4,5,6\n5,6,7\n6,7,8\n7,8,9\n8,9,10\n9,10,11\n";
    CHECK(temporary_file(path, "memory", table, sizeof table - 1));
    snprintf(text, sizeof text, "state x = 1\ninput q from \"%s\" column \"b\"\nx' = q", path);
    survives(text, TANSY_OK);
    snprintf(text, sizeof text, "state x = 1\ninput q from \"%s\" column \"B\"\nx' = q", path);
    survives(text, TANSY_BAD_MODEL); /* a name is suggested */
    unlink(path);
}

TEST(guards_and_ranges_that_follow_others_survive_it_too)
{
    survives(
        "parameter k = 1, q = 1.5\nconstant N = 40\nstate x[i in 1..N] = i\n"
        "let r[i in 1..N] = sqrt(x[i])\n"
        "x[i]' = -k*abs(x[i])^q + (if x[i] > 0 then r[i]*x[i] + log(k*x[i]) else 0) for i in 1..N\n"
        "output o = sum(i in 1..4, j in 1..i: x[j])\n",
        TANSY_OK);
    survives("state x[i in 1..40, j in 1..40] = i\n"
             "x[i, j]' = -x[i, j] for i in 1..40, j in 1..i\n"
             "x[i, j]' = x[i, j] for i in 1..40, j in i+1..40\n",
             TANSY_OK);
}

TEST(conditions_on_explicit_variables_survive_it_too)
{
    survives("parameter h = 1\nstate x = 1\nalgebraic w = 0, v = 0\nx' = if v >= x then 1 else w\n"
             "0 = w - 2*v\nv = if x < h then (if x < 2*h then h else 0) else x\n",
             TANSY_OK);
}
