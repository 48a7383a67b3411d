/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests of one program through cmocka, and the checks of test.h.  A run without a test is a failure. */
#include "test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct test {
    const char *name;
    void (*run)(void);
};

enum { MAX_TESTS = 256 }; /* in one file of at most 400 lines */
static struct test tests[MAX_TESTS];
static size_t test_count;

void test_register(const char *name, void (*run)(void))
{
    if (test_count == MAX_TESTS) {
        fprintf(stderr, "more than %d tests in one file\n", MAX_TESTS);
        exit(EXIT_FAILURE);
    }
    tests[test_count++] = (struct test){name, run};
}

/* Says what was seen and leaves the running test. */
__attribute__((format(printf, 2, 3))) static void fail_at(struct test_place here,
                                                          const char *format, ...)
{
    char message[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    print_error("%s:%d: %s\n", here.file, here.line, message);
    _fail(here.file, here.line);
}

void test_skip(struct test_place here, const char *why)
{
    print_message("%s:%d: not run: %s\n", here.file, here.line, why);
    _skip(here.file, here.line);
}

void check_true(struct test_place here, int holds, const char *what)
{
    if (!holds) fail_at(here, "%s does not hold", what);
}

void check_equal(struct test_place here, long long a, long long b, const char *what)
{
    if (a != b) fail_at(here, "%s does not hold: %lld and %lld", what, a, b);
}

void check_close(struct test_place here, double actual, double expected, double tolerance,
                 const char *what)
{
    double const difference = fabs(actual - expected);
    if (!(difference <= tolerance))
        fail_at(here, "%s is %.17g, expected %.17g: differs by %.3g, tolerance %.3g", what, actual,
                expected, difference, tolerance);
}

void check_at_most(struct test_place here, double actual, double bound, const char *what)
{
    if (!(actual <= bound))
        fail_at(here, "%s is %.17g, at most %.17g allowed", what, actual, bound);
}

void check_text_contains(struct test_place here, const char *text, const char *part,
                         const char *what)
{
    if (!text || !strstr(text, part))
        fail_at(here, "%s is \"%s\", without \"%s\"", what, text ? text : "(null)", part);
}

static void run_one(void **state)
{
    const struct test *test = *state;
    test->run();
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "";
    struct CMUnitTest selected[MAX_TESTS];
    size_t count = 0;
    for (size_t i = 0; i < test_count; i++)
        if (strstr(tests[i].name, wanted))
            selected[count++] = (struct CMUnitTest){
                .name = tests[i].name, .test_func = run_one, .initial_state = &tests[i]};
    if (count == 0) {
        fprintf(stderr, "%s: no test has \"%s\" in its name\n", argv[0], wanted);
        return EXIT_FAILURE;
    }
    return _cmocka_run_group_tests(argv[0], selected, count, NULL, NULL) ? EXIT_FAILURE
                                                                         : EXIT_SUCCESS;
}
