/* SPDX-License-Identifier: Apache-2.0 */
/* number_write against printf("%.17g"): random bit patterns, random decimals, ties, powers of two and ten, the ends. */
#include "../../cli/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t wrong;

static void check(const struct number_powers *powers, double x)
{
    char expected[64], got[NUMBER_LENGTH];
    (void)snprintf(expected, sizeof expected, "%.17g", x);
    size_t const length = number_write(powers, x, got);
    if (strcmp(expected, got) == 0 && length == strlen(got)) return;
    if (wrong++ < 10) printf("%s is written %s\n", expected, got);
}

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int main(void)
{
    uint64_t state = 1;
    struct number_powers *const powers = number_powers_make();
    for (int k = 0; k < 1000000; k++) {
        uint64_t const bits = next(&state);
        double x = 0;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) check(powers, x);
        check(powers, (double)(bits >> 40) / 1000);
        check(powers, ldexp((double)(int64_t)bits, (int)(bits % 90) - 80)); /* ties among them */
    }
    for (int k = -1074; k < 1024; k++) check(powers, ldexp(1, k));
    for (int k = -323; k < 309; k++) {
        double x = 0;
        char text[16];
        (void)snprintf(text, sizeof text, "1e%d", k);
        (void)sscanf(text, "%lf", &x);
        check(powers, x);
        check(powers, -nextafter(x, 0));
    }
    double const ends[] = {0,
                           1,
                           -1,
                           DBL_MAX,
                           DBL_MIN,
                           -DBL_MIN / 4,
                           HUGE_VAL,
                           -HUGE_VAL,
                           0.1,
                           1e17,
                           123456789012345680.0};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        check(powers, ends[k]);
        check(NULL, ends[k]);
    }
    check(powers, fabs((double)NAN));
    number_powers_free(powers);
    printf("%zu numbers are written otherwise than by printf\n", wrong);
    return wrong > 0;
}
