/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: expressions scheduled into groups of equal operations, which a SIMD interpreter runs (AVX-512, AVX2,
   plain C, chosen at run time).  Programs are read-only and shared by threads; each run gets its own work space. */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include <tansy/status.h>

#include "model/differentiate.h"
#include "model/expression.h"

/* A table in time, (t[i], value[i]), i < count, t rising; beyond its ends the end values hold. */
struct table {
    const double *t, *value;
    size_t count;
    bool is_linear; /* else constant from t[i] to t[i+1] */
    const double
        *break_time; /* all break times of the model, rising; OP_PIECE counts those passed */
    size_t breaks;
};

/* The values of the leaves.  p[np], then the switches, then the piece, as the solver passes them. */
struct leaves {
    double t;
    const double *y, *rate, *vector, *p;
    const double *hoisted; /* what hoist_run() wrote for this p */
    const struct table *table;
    size_t np, switches;
};

/* Expressions that depend on p, switches and piece alone, used by others, and parameters: computed once per p. */
struct hoist {
    size_t count;
    uint32_t *node;          /* node[count] */
    uint32_t *slot;          /* slot[nodes of the graph]: place in hoisted[], or UINT32_MAX */
    size_t nodes;            /* of the graph when the plan was made */
    struct program *program; /* computes them all */
};

/* All that the expressions `root` (of all programs to be made) need of p alone: what is no leaf, and parameters that
   something which moves uses. */
tansy_status hoist_plan(const struct graph *g, const uint32_t *root, size_t roots,
                        struct hoist *plan);
void hoist_free(struct hoist *plan);

/* out[i] = value of root[i].  plan may be NULL. */
tansy_status program_create(const struct graph *g, const struct hoist *plan, const uint32_t *root,
                            size_t roots, struct program **program);
void program_free(struct program *p); /* NULL is allowed */

/* Doubles of work space for a run, on a cache line. */
size_t program_work(const struct program *p);
void program_run(const struct program *p, const struct leaves *at, double *work, double *out);

/* The same for results that go to given places of out: root[i] to out[place[i]]. */
tansy_status program_create_scattered(const struct graph *g, const struct hoist *plan,
                                      const uint32_t *root, const size_t *place, size_t roots,
                                      struct program **program);

/* The same for results that stay where they are computed: root[i] is work[slot[i]] after a run, and nothing goes to out. */
tansy_status program_create_kept(const struct graph *g, const struct hoist *plan,
                                 const uint32_t *root, size_t roots, uint32_t *slot,
                                 struct program **program);

/* Tangents in lanes: R[i*ld + k] = sum_j V[j*ld + k] d root_i/dy_j + sum_l U[l*ld + k] d root_i/dp_l, k < columns; when the
   tangent has rates, also sum_j V_rate[j*ld + k] d root_i/dy'_j. */
struct lane_program;
tansy_status lane_program_create(const struct graph *g, const struct hoist *plan,
                                 const struct tangent *tangent, struct lane_program **program);
/* The same where J = d root/dy takes the place of the tangent's rows in runs without U if it has fewer terms; NULL: it does not. */
tansy_status lane_program_create_either(const struct graph *g, const struct hoist *plan,
                                        const struct tangent *tangent, const struct derivative *J,
                                        struct lane_program **program);
/* The same from the matrices J and P = d root/dp (NULL: no parameter part; U must be NULL), one row a root: better
   where it has fewer terms, entries of J and P against terms of the tangent. */
tansy_status lane_program_create_direct(const struct graph *g, const struct hoist *plan,
                                        const struct derivative *J, const struct derivative *P,
                                        struct lane_program **program);
void lane_program_free(struct lane_program *p);
size_t lane_program_work(const struct lane_program *p, size_t columns);
/* The panels, as tansy_tangent has them; only lanes k < columns are touched.  U may be NULL: no parameter part;
   and so may V_rate.  moving_row[moving]: all rows of U that are not 0 are among these; NULL: any may be. */
struct lane_panels {
    size_t columns, ld;
    const double *V, *U;
    double *R;
    const double *V_rate;
    size_t moving;
    const size_t *moving_row;
};
void lane_program_run(const struct lane_program *p, const struct leaves *at,
                      const struct lane_panels *panels, double *work);

#endif
