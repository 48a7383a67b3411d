/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that --wrap puts in place of the system's. */
#include "allocations.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>

#include "test.h"

struct allocations allocations;

static const size_t machine = (size_t)1 << 46; /* bytes: the sanitizers would end the program */

void allocations_begin(size_t first, size_t last)
{
    allocations = (struct allocations){.first = first, .last = last};
}

void allocations_fail(size_t k)
{
    allocations.calls = 0;
    allocations.first = allocations.last = k;
}

bool allocations_refuse(size_t size)
{
    size_t const call = ++allocations.calls;
    return (call >= allocations.first && call <= allocations.last) || size > machine;
}

static void *note(void *block)
{
    allocations.live += block != NULL;
    allocations.bytes += (ptrdiff_t)malloc_usable_size(block);
    if (allocations.bytes > allocations.most) allocations.most = allocations.bytes;
    return block;
}

static void forget(void *block)
{
    allocations.live -= block != NULL;
    allocations.bytes -= (ptrdiff_t)malloc_usable_size(block);
}

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): names that --wrap asks for */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
    return allocations_refuse(size) ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    bool const large = size > 0 && count > machine / size;
    if (allocations_refuse(large ? SIZE_MAX : count * size)) return NULL;
    return note(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (allocations_refuse(size)) return NULL;
    forget(block);
    void *const moved = __real_realloc(block, size);
    note(moved ? moved : block);
    return moved;
}

void __wrap_free(void *block)
{
    forget(block);
    __real_free(block);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */

bool allocations_check(size_t k, size_t least, tansy_status status)
{
    bool const touched = allocations.calls >= k;
    CHECK(touched || k > least);
    if (allocations.live != 0)
        printf("%td leaked when allocation %zu failed\n", allocations.live, k);
    CHECK_EQUAL(allocations.live, 0);
    CHECK_EQUAL(status, touched ? TANSY_OUT_OF_MEMORY : TANSY_OK);
    return touched;
}

/* The status of the whole. */
static tansy_status use(const tansy_problem *problem, const tansy_options *options, double t,
                        bool for_good)
{
    tansy_solver *const s = tansy_create(problem, options);
    tansy_status const status = tansy_solve(s, t, NULL, NULL);
    if (status < 0) {
        CHECK_EQUAL(tansy_error(s), status);
        CHECK(tansy_message(s)[0] != '\0');
        CHECK(tansy_report(s, NULL, 0) > 0);
        CHECK(tansy_repeated_steps(s, -1) == 0);
        if (for_good) CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), status);
    }
    tansy_free(s);
    return status;
}

void allocations_fail_solver(const tansy_problem *problem, const tansy_options *options, double t,
                             bool for_good)
{
    for (int once = 0; once < 2; once++) {
        bool touched = true;
        for (size_t k = 1; touched; k++) {
            allocations_begin(k, once ? k : SIZE_MAX);
            touched = allocations_check(k, 1, use(problem, options, t, for_good));
        }
    }
    allocations_begin(0, 0);
}
