/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target defines; libFuzzer or replay.c calls it. */
#ifndef FUZZ_REPLAY_H
#define FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* Feeds the bytes to what is tested; aborts when something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
