/* SPDX-License-Identifier: Apache-2.0 */
/* What a test file needs: TEST(property) { ... } defines and registers a test, CHECK... ends it with a message when
   something does not hold.  The runner is support/test_main.c; `PROGRAM word` runs the tests with that word in their name.
   Checks are for the thread the test runs on; other threads hand their findings over. */
#ifndef TEST_H
#define TEST_H

#define TEST(name)                                                                                 \
    static void test_##name(void);                                                                 \
    __attribute__((constructor)) static void register_##name(void)                                 \
    {                                                                                              \
        test_register(#name, test_##name);                                                         \
    }                                                                                              \
    static void test_##name(void)

/* The condition holds. */
#define CHECK(condition) check_true(TEST_HERE, (condition) ? 1 : 0, #condition)
/* Two integers are equal. */
#define CHECK_EQUAL(a, b) check_equal(TEST_HERE, (long long)(a), (long long)(b), #a " == " #b)
/* |actual - expected| <= tolerance; NaN fails. */
#define CHECK_CLOSE(actual, expected, tolerance)                                                   \
    check_close(TEST_HERE, actual, expected, tolerance, #actual)
/* actual <= bound; NaN fails. */
#define CHECK_AT_MOST(actual, bound) check_at_most(TEST_HERE, actual, bound, #actual)
/* The string holds the part; NULL fails. */
#define CHECK_TEXT_CONTAINS(text, part) check_text_contains(TEST_HERE, text, part, #text)

/* Ends the test, which is told of as skipped and not as passed: this build lacks what it is about. */
#define SKIP(why) test_skip(TEST_HERE, why)

/* Every how many-th of a long row of like cases is run: all of them, but under sanitizers, which are many times slower. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { TEST_STRIDE = 4 };
#else
enum { TEST_STRIDE = 1 };
#endif

/* The rest is what the macros call. */
struct test_place {
    const char *file;
    int line;
};
#define TEST_HERE ((struct test_place){__FILE__, __LINE__})

void test_register(const char *name, void (*run)(void));
void test_skip(struct test_place here, const char *why);
void check_true(struct test_place here, int holds, const char *what);
void check_equal(struct test_place here, long long a, long long b, const char *what);
void check_close(struct test_place here, double actual, double expected, double tolerance,
                 const char *what);
void check_at_most(struct test_place here, double actual, double bound, const char *what);
void check_text_contains(struct test_place here, const char *text, const char *part,
                         const char *what);

#endif
