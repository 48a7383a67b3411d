/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of the benchmarks. */
#include "stopwatch.h"

#include <math.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double stopwatch_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

void stopwatch_start(struct stopwatch *watch)
{
    watch->processor =
        seconds_of(CLOCK_THREAD_CPUTIME_ID); /* a microsecond to read, hence not for short runs */
    watch->wall = seconds_of(CLOCK_MONOTONIC);
}

double stopwatch_stop(const struct stopwatch *watch)
{
    double const wall = seconds_of(CLOCK_MONOTONIC) - watch->wall;
    if (wall < 1e-3) return wall;
    return fmin(wall, seconds_of(CLOCK_THREAD_CPUTIME_ID) - watch->processor);
}
