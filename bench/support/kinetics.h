/* SPDX-License-Identifier: Apache-2.0 */
/* Generated kinetic models: reactions of one or two species with Arrhenius rates, k = A exp(-E/(R T)), p = (A_1, E_1,
   A_2, E_2, ..), at a fixed temperature or with T as the last state.  As expressions, and as C by hand. */
#ifndef BENCH_KINETICS_H
#define BENCH_KINETICS_H

#include <stddef.h>

#include "model/differentiate.h"
#include "model/expression.h"

enum { MOST_PRODUCTS = 3 };

struct reaction {
    int reactants, reactant[2];
    int products, product[MOST_PRODUCTS];
    double A, E, heat;
};

struct kinetics {
    int n, species, reactions, hot; /* hot: T is state n - 1 */
    struct reaction *reaction;
    double *y, *p; /* where the functions are evaluated */
};

#define GAS_CONSTANT 8.314
#define FIXED_T      1100.0
#define COOLING      0.25
#define AMBIENT      300.0

void kinetics_make(struct kinetics *k, int n, int reactions, int hot);
void kinetics_free(struct kinetics *k);

/* f as expressions. */
void kinetics_rhs(const struct kinetics *k, struct graph *g, uint32_t *rhs);

/* What the C by hand computes: f, the entries of J and of df/dp in the order of the patterns. */
struct by_hand {
    void *library;
    void (*f)(const double *y, const double *p, double *out);
    void (*J)(const double *y, const double *p, double *out);
    void (*fp)(const double *y, const double *p, double *out);
};

/* Writes it, compiles it with cc -O3 -march=native and loads it; ends the program when that fails. */
void by_hand_open(struct by_hand *hand, const struct kinetics *k, const struct derivative *J,
                  const struct derivative *fp);
void by_hand_close(struct by_hand *hand);

#endif
