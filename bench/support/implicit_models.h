/* SPDX-License-Identifier: Apache-2.0 */
/* 25 small models with algebraic equations or coupled derivatives, B y' = f of index 1 with constant B: circuits, machines, reactors, cells and tanks, from t = 0 to `end`. */
#ifndef BENCH_IMPLICIT_MODELS_H
#define BENCH_IMPLICIT_MODELS_H

struct implicit_model {
    const char *name;
    double end;
    const char *text;
};

extern const struct implicit_model implicit_models[]; /* up to a name that is NULL */

#endif
