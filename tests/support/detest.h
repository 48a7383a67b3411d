/* SPDX-License-Identifier: Apache-2.0 */
/* The problems of DETEST (Hull, Enright, Fellen and Sedgwick 1972) and STIFF DETEST (Enright, Hull and Lindberg 1975) as
   tests/reference/detest.txt and stiff_detest.txt define them, each made a model, so that f and all derivatives
   come from the model engine.  The columns are all initial values, in their order. */
#ifndef TEST_DETEST_H
#define TEST_DETEST_H

#include "accuracy.h"

#include <stddef.h>
#include <tansy/model.h>

enum detest_set { DETEST, STIFF_DETEST };

struct detest {
    struct oracle oracle; /* y and S at the end, from detest_end_sensitivities.csv, and the norm */
    struct test_problem problem; /* .name: "detest_C5", "stiff_E3" */
    tansy_model *model;
    char name[16];
    double *numbers; /* y0[n], atol[n] */
    int *columns;
};

/* How many problems the set has: 25 and 30. */
size_t detest_count(enum detest_set set);

/* "A1", "A2", ...; NULL behind the last. */
const char *detest_name(enum detest_set set, size_t k);

/* Ends the program with a message when there is no such problem or a file is broken.  *d must stay where it is. */
void detest_open(enum detest_set set, const char *name, struct detest *d);

void detest_close(struct detest *d);

#endif
