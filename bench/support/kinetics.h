/* SPDX-License-Identifier: Apache-2.0 */
/* Generated kinetic models: reactions of one or two species with Arrhenius rates, k = A T^b exp(-E/(R T)) or without T^b.
   p = (A_1, b_1, E_1, A_2, ..), or without b, then T; or T is the last state.  As expressions, and as C by hand. */
#ifndef BENCH_KINETICS_H
#define BENCH_KINETICS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/differentiate.h"
#include "model/expression.h"

enum { MOST_PRODUCTS = 3 };

struct reaction {
    int reactants, reactant[2];
    int products, product[MOST_PRODUCTS];
    double A, b, E, heat;
};

struct kinetics_kind {
    int n, reactions;
    bool hot;       /* T is state n - 1, else parameter np - 1 */
    bool has_power; /* rates have T^b */
};

struct kinetics {
    int n, species, reactions, np;
    bool hot;
    int each; /* parameters of a reaction, 2 or 3 */
    struct reaction *reaction;
    double *y, *p; /* where the functions are evaluated */
};

#define GAS_CONSTANT 8.314
#define TEMPERATURE  1100.0
#define COOLING      0.25
#define AMBIENT      300.0

void kinetics_make(struct kinetics *k, struct kinetics_kind kind);
void kinetics_free(struct kinetics *k);

/* Which parameter is A, b (where each is 3), E of a reaction. */
static inline int index_A(const struct kinetics *k, int r)
{
    return k->each * r;
}

static inline int index_b(const struct kinetics *k, int r)
{
    return k->each * r + 1;
}

static inline int index_E(const struct kinetics *k, int r)
{
    return k->each * (r + 1) - 1;
}

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
