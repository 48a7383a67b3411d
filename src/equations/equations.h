/* SPDX-License-Identifier: Apache-2.0 */
/* Residuals of the parts of y' = f and s' = J s + f_p u (or of B y' = f, F(t, y, y', p) = 0, see derive.h), and the
   iteration matrix W = c M - J with its factors.  When to evaluate J and when to factor is decided here, not in the methods. */
#ifndef EQUATIONS_EQUATIONS_H
#define EQUATIONS_EQUATIONS_H

#include "equations/norms.h"
#include "equations/part.h"
#include "linear/linear.h"

struct equations {
    struct derive *derive;
    struct linear *linear;
    struct norms *norms;
    const struct kernels *kernels;
    size_t n;
    const double *y, *yp; /* the state around which panels are linearised: y[n], y'[n] at time t */
    double t;
    double *f;             /* r(t, y, y'), where a provider needs it */
    struct point prepared; /* where the factors, or the preconditioner, were made, */
    double *kept; /* kept[2*n rounded]: y and y' there, for the user's; NULL: he has none */
    bool exact_c; /* factors made for another c are no use: index 2 */

    double c;              /* of the factors; 0: nothing is factored */
    size_t age;            /* accepted steps since the Jacobian of the factors */
    bool fresh;            /* the factors belong to the step at work */
    ptrdiff_t singular;    /* the pivot that failed, + 1 */
    size_t factorizations; /* so far */
};

/* True when W = c I: functional iteration. */
static inline bool equations_functional(const struct equations *q)
{
    return q->linear->table == &linear_diagonal;
}

/* True when W is not factored but multiplied by: then it is always that of the step at work. */
static inline bool equations_iterative(const struct equations *q)
{
    return q->linear->table->iterate != NULL;
}

/* Places f and, where the point of the factors is `kept`, room for it. */
void equations_layout(struct equations *q, struct arena *arena, size_t n, bool kept);

/* r = f(t, y) for the state, or J y + f_p u around the linearised state for a panel; of an implicit problem
   r(t, y, yp), or J y - M yp + r_p u.  yp may be overwritten.  Codes as in derive.h. */
int equations_evaluate(struct equations *q, size_t worker, const struct part *part, double t,
                       const double *y, double *yp, double *r);

/* x <- W^-1 x for a part, whose weights are winv.  An iterative solver takes W at the point with leading coefficient c, to the
   accuracy `tolerance` of the norm.  0; 1 when it did not converge; -1: stop. */
struct solve_task {
    size_t worker;
    struct point at;
    double c, tolerance;
    const double *winv;
    size_t slot; /* of the factors, of a direct solver */
};
int equations_solve(struct equations *q, struct part *part, const struct solve_task *task,
                    double *x);

/* What corrects a solution with factors made for another c: 2/(1 + c/c_factored) (Brenan, Campbell and
   Petzold 5.2.2: right on average if the eigenvalues of J are either small or large against c). */
double equations_rescale(const struct equations *q, double c);

/* Evaluates J and M at the point (t, y, y') and factors W with them.  0; the code of the user function; or 1 with
   .singular. */
int equations_factor(struct equations *q, const struct point *at, double c);

/* J has been evaluated at y: direct solvers compare entries of W in units of the errors that y may have. */
void equations_set_units(struct equations *q, const double *y);

/* Factors W for another c with the J and M evaluated last, into a slot of its own.  0, or 1 with .singular, or -1. */
int equations_factor_slot(struct equations *q, size_t slot, double c);

/* The same, when linear->table->factor() has been called already, by another thread, and returned `code`; worker 0 must then have no
   failure left. */
int equations_note_factors(struct equations *q, double c, ptrdiff_t code);

static inline int equations_factor_again(struct equations *q, double c)
{
    return equations_factor_slot(q, 0, c);
}

/* Makes (t, y, y') the point around which panels are linearised, and evaluates what their right-hand side
   needs there: J and M unless have_jacobian, r_p. */
int equations_linearise(struct equations *q, const struct point *at, bool have_jacobian);

/* True when the factors should be renewed before the state's iteration with leading coefficient c.  `passing`: they are made
   anew after it anyway, so that more iterations cost less than they. */
bool equations_stale(const struct equations *q, double c, bool passing);

#endif
