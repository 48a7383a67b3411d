/* SPDX-License-Identifier: Apache-2.0 */
/* The k-th allocation fails, for every k: the parser says "out of memory" and leaks nothing.  The linker sends malloc and
   free through the functions below (tests/CMakeLists.txt). */
#include "model/syntax.h"
#include "test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names that --wrap asks for */
void *__real_malloc(size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void __wrap_free(void *block);

static struct {
    size_t calls, first, last; /* requests first .. last fail, counted from 1 */
    size_t live;               /* blocks taken and not yet returned */
} heap;

void *__wrap_malloc(size_t size)
{
    heap.calls++;
    if (heap.calls >= heap.first && heap.calls <= heap.last) return NULL;
    heap.live++;
    return __real_malloc(size);
}

void __wrap_free(void *block)
{
    heap.live -= block != NULL;
    __real_free(block);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

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

static tansy_status use(size_t first, size_t last)
{
    struct syntax syntax = {0};
    heap.calls = heap.live = 0;
    heap.first = first;
    heap.last = last;
    tansy_status const status = syntax_parse(&syntax, (struct source){"m", model, strlen(model)});
    CHECK_EQUAL(syntax.diagnosis.status, status);
    if (status != TANSY_OK) CHECK_TEXT_CONTAINS(syntax.diagnosis.text, "out of memory");
    syntax_free(&syntax);
    return status;
}

TEST(failing_the_kth_allocation_leaks_nothing)
{
    for (int once = 0; once < 2; once++)
        for (size_t k = 1;; k++) {
            tansy_status const status = use(k, once ? k : SIZE_MAX);
            bool const touched = heap.calls >= k;
            CHECK(touched || k > 20);
            CHECK_EQUAL(heap.live, 0);
            CHECK_EQUAL(status, touched ? TANSY_OUT_OF_MEMORY : TANSY_OK);
            if (!touched) break;
        }
    heap.first = heap.last = 0;
}
