/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for tests that look random and are the same on every machine. */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stdint.h>

struct random_source {
    uint64_t state; /* any start will do */
};

/* Uniform in [-1, 1), by splitmix64 (Steele, Lea and Flood 2014). */
static inline double random_next(struct random_source *source)
{
    uint64_t z = source->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

#endif
