/* SPDX-License-Identifier: Apache-2.0 */
/* A model at a point: its functions as a solver would call them, and the same by the plain evaluator in complex
   arithmetic, whose imaginary parts are derivatives without rounding (complex step, h = 1e-30). */
#ifndef TEST_MODEL_POINT_H
#define TEST_MODEL_POINT_H

#include <tansy/tansy.h>

#include <complex.h>

#include "model/model.h"

struct model_point {
    tansy_model *model;
    tansy_problem problem;
    tansy_local local;
    size_t n, np;
    double t;
    double *y, *p; /* p with the conditions and the piece behind it */
    double complex *cy, *cp, *value;
    const double *vector;    /* OP_VECTOR, n + 1 of them, or NULL */
    double *rate;            /* y' of an implicit model; else NULL */
    const double *rate_step; /* the direction in y' that model_point_step takes too; NULL: none */
};

/* Reads examples/models/NAME.tansy and stands at a random point near its initial values, all of them moved off zero.
   Ends the test when the model has an error. */
void model_point_open(const char *name, unsigned seed, struct model_point *at);
/* The same for a model that is read already; it is freed when the point is closed. */
void model_point_stand(tansy_model *model, unsigned seed, struct model_point *at);
void model_point_close(struct model_point *at);

/* derivative[i] = d root_i / d direction at the point, by a complex step along dy[n], dp[np] and dt. */
void model_point_step(struct model_point *at, const uint32_t *root, size_t roots, const double *dy,
                      const double *dp, double dt, double *derivative);

/* F[entries], the entries of df/dp (or of dF/dp) row by row, equals complex steps to 1e-10, and none of them is 0. */
void model_point_check_parameters(struct model_point *at, const double *F);

/* Where programs are to be run: the point and, in hoisted[], what the plan computes of p alone. */
struct leaves model_point_leaves(const struct model_point *at, const struct hoist *plan,
                                 double *work, double *hoisted);

/* How many doubles a matrix of the problem's structure has, and the one at (i, j), 0 outside. */
size_t model_point_places(const struct model_point *at);
double model_point_entry(const struct model_point *at, const double *J, size_t i, size_t j);

/* Names of the model files in examples/models that hold ODEs, but for heat_400, which needs other ways; and those that are
   implicit.  Both end with NULL. */
extern const char *const model_names[], *const implicit_names[];

#endif
