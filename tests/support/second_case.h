/* SPDX-License-Identifier: Apache-2.0 */
/* A right-hand side with time and parameters whose derivatives of first and second order are exact, by arithmetic with
   numbers a + b e1 + c e2 + d e1 e2, e1^2 = e2^2 = 0; a provider of derivatives set up for it; and what its second derivatives
   have to be.  The functions count their calls and fail where the test wants it (struct derive_user). */
#ifndef TEST_SECOND_CASE_H
#define TEST_SECOND_CASE_H

#include "support/derive_cases.h"

enum { SECOND_N = 3, SECOND_NP = 3 };

/* What the problem gives, with those of derive_cases.h. */
enum { GIVE_SECOND = 32, GIVE_TIME = 64, GIVE_SPARSE = 128, GIVE_MASS = 256, GIVE_RESIDUAL = 512 };

/* Values of user.wrong: B of F = 0 is not constant. */
enum { SECOND_B_OF_STATE = -1, SECOND_B_OF_RATE = -2 };

struct second_setup {
    struct derive_setup of;
    struct motion along;
    double v[SECOND_N];
};

/* Prepares the problem, ns = 3 columns: p_2, y_1(t0), p_0; what was prepared (and changed by the test) is built. */
void second_prepare(struct second_setup *s, int gives);
void second_build(struct second_setup *s);

/* V of the panel at work, of the size of y; done once by second_build. */
void second_fill(struct second_setup *s);

/* R of the panel at work, by the last worker. */
int second_evaluate(struct second_setup *s);

/* The largest error of R, in units of the sum of the terms of f_i times the relative sizes of the motion and of the column. */
double second_error(const struct second_setup *s);

/* The exact df/dt. */
void second_time(const struct second_setup *s, double *ft);

#endif
