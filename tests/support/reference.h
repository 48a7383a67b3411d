/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the high-precision solutions of tests/reference, which say in their headers how they were made. */
#ifndef TEST_REFERENCE_H
#define TEST_REFERENCE_H

#include "problems.h"

#include <stddef.h>

struct reference {
    size_t times, n, ns;
    double *t; /* t[times], increasing */
    double *y; /* y[m*n + i] at t[m] */
    double *
        sens; /* sens[(m*ns + k)*n + i] = dy_i/dp_k at t[m], the columns of the problem in their order */
};

/* Reads the reference of a problem that has one.  Ends the program with a message when the file is missing
   or does not fit the problem. */
void reference_read(const struct test_problem *problem, struct reference *r);

void reference_free(struct reference *r);

#endif
