/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of the benchmarks. */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

/* Seconds of CLOCK_MONOTONIC; only differences mean anything. */
double stopwatch_seconds(void);

struct stopwatch {
    double processor, wall;
};

/* Takes the time between the two: that of CLOCK_MONOTONIC, or where it is longer than a millisecond, which other
   processes may interrupt, that of the processor. */
void stopwatch_start(struct stopwatch *watch);
double stopwatch_stop(const struct stopwatch *watch);

#endif
