/* SPDX-License-Identifier: Apache-2.0 */
/* A block of detest.txt or stiff_detest.txt as the text of a model. */
#ifndef TEST_DETEST_MODEL_H
#define TEST_DETEST_MODEL_H

#include <stddef.h>

enum { DETEST_MODEL_LENGTH = 8192, DETEST_MOST_STATES = 51 };

struct detest_model {
    char text[DETEST_MODEL_LENGTH];
    size_t length, n;
    double t0, t_end;
    double y_end[DETEST_MOST_STATES];
};

/* Reads problem `name` ("C5") from tests/reference/`file`; ends the program with a message when it is not there. */
void detest_model_read(const char *file, const char *name, struct detest_model *model);

#endif
