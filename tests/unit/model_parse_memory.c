/* SPDX-License-Identifier: Apache-2.0 */
/* The k-th allocation fails, for every k: the parser says "out of memory" and leaks nothing. */
#include "model/syntax.h"
#include "support/allocations.h"
#include "test.h"

#include <stdint.h>
#include <string.h>

/* Every list grows more than once: at 8, at 12, at 18 items. */
static const char model[] =
    "model all \"everything\"\n"
    "parameter k[1..3] [1/s] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, p = 1 in 0 .. 2 scale 3\n"
    "state x = ((((((((((((1)))))))))))), a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5 atol 6, a6 = 1\n"
    "let s = sum(i in 1..2, j in 1..2, l in 1..2: sum(m in 1..2, n in 1..2: sum(o in 1..2, q in "
    "1..2: "
    "sum(r in 1..2, t in 1..2: sum(u in 1..2: u))))) + product(i in 1..2: sum(j in 1..2: j)*"
    "sum(i in 1..2: sum(j in 1..2: 3)))\n"
    "let b = sum(i in 1..2: 1) + sum(i in 1..2: 1) + sum(i in 1..2: 1)\n"
    "r1: A + 2 B + (3 + 1) C[i] + D + E -> F + G + H + I[1, 2] + J, k for i in 1..3\n"
    "control c = 3 piecewise linear at {0, 1, 2}\n"
    "input d from \"f.csv\"\n"
    "x[i]' = a + b*(c - d) for i in 1..2, j in 1..2\n"
    "time 0 .. 4\n";

static tansy_status use(void)
{
    struct syntax syntax = {0};
    tansy_status const status = syntax_parse(&syntax, (struct source){"m", model, strlen(model)});
    CHECK_EQUAL(syntax.diagnosis.status, status);
    if (status != TANSY_OK) CHECK_TEXT_CONTAINS(syntax.diagnosis.text, "out of memory");
    syntax_free(&syntax);
    return status;
}

TEST(failing_the_kth_allocation_leaks_nothing)
{
    for (int once = 0; once < 2; once++) {
        bool touched = true;
        for (size_t k = 1; touched; k++) {
            allocations_begin(k, once ? k : SIZE_MAX);
            touched = allocations_check(k, 20, use());
        }
    }
    allocations_begin(0, 0);
}
