/* SPDX-License-Identifier: Apache-2.0 */
/* A method advances a part of the solution (the state, one panel, or everything together) over a step from
   t to t + h and reports error candidates.  Methods never call the controller and the controller never
   calls methods: the driver asks one, then the other.  All that a method remembers is in the parts and in
   `struct stepper`, plain memory inside the solver's block, which may be copied and put back. */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/threads.h"
#include "equations/equations.h"
#include "method/formula.h"
#include "method/stages.h"

enum verdict {
    VERDICT_OK,
    VERDICT_NOT_CONVERGED, /* fresh factors or a smaller step help */
    VERDICT_SINGULAR,      /* the iteration matrix; a smaller step helps */
    VERDICT_FAILED, /* a user function said "not here", or gave NaN; a smaller step may help */
    VERDICT_STOP    /* a user function wants to stop */
};

/* Candidates for the next step.  A slot means the same order in every part of a step. */
enum { LOWER, SAME, HIGHER, CANDIDATES };

struct candidate {
    int order; /* 0: not offered */
    int limit; /* errors that are too large fall as with this order at most; 0: as with its own */
    double error; /* in units of the tolerance: the largest over columns, or of all as one */
    double cost;  /* work of a step of this order, relative */
    double bias;  /* the next step aims at an error of 1/bias */
};

/* What a part says about its errors. */
struct estimates {
    struct candidate candidate[CANDIDATES];
    double square_sum[CANDIDATES]; /* of the columns' norms, with TANSY_ALL_AS_ONE (4.14) */
    size_t column;                 /* with the largest error at the order of the step */
};

struct stepper {
    const struct method *method;
    const struct corrector *corrector;
    struct equations *equations;
    struct pool *pool; /* NULL: one thread */
    double t, h;       /* the step at work goes from t to t + h */
    double t_low;      /* what was rounded off t: the true time is t + t_low */
    double end;        /* t + h, rounded once */
    double c, gamma;   /* its leading coefficient, 1/(h l0), and h l0 */
    double reciprocal; /* 1/h */
    int order, max_order;
    double past[PAST_POINTS]; /* past[i], i >= 1: sizes of the accepted steps, the last one first */
    bool begun;  /* a step was accepted; those before the first are taken as equal to it */
    double down; /* error constant of the order below, once the state has looked at it */
    double xi[PAST_POINTS]; /* past points seen from the end of the step at work */
    struct formula formula; /* of the step at work */
    int equal;              /* accepted steps since h last changed */
    struct formula last; /* of the last accepted step, whose correction may be pending in parts */
    int last_order;
    double last_h;
    double raise[PAST_POINTS];   /* l of the last step for parts whose order is being raised, */
    double lower[PAST_POINTS];   /* or m for those whose order is being lowered */
    tansy_error_control control; /* which parts pass an error test of their own */
    double linear_share; /* of the corrector's tolerance, left to an iterative solver (EPLI) */
    int most_iterations; /* of the corrector; 0: as each has it */
    double
        share; /* of the error tolerance over order + 2, left to the iteration of the state; 0: 0.1 */
    double
        care; /* what any iteration may leave is multiplied by this: 1, or less where columns need more accuracy */
    bool other_orders;   /* candidates of other orders are wanted */
    bool wants_inside;   /* output inside the step at work is wanted, or may be asked for */
    bool may_ask_inside; /* by tansy_at(): steps are made by tansy_step() */
    bool
        may_end_there; /* f need not have a value at the end of the step: nothing is wanted beyond, or a condition may turn before it */
    const int *sign;   /* sign[n] of tansy_problem; NULL: any */
    struct part state;
    struct part *panel;
    size_t panels;
    struct work state_work;
    struct work *panel_work; /* panel_work[workers] */
    enum verdict *verdict;   /* verdict[panels] of the simultaneous iteration */
    double *size;            /* size[panels] of its corrections */
    struct stages stages;    /* of a one-step method */
    int failures;   /* successive steps in which old factors did not do for the state of direct, */
    int distrust;   /* and steps to come that do not try them */
    int closer;     /* attempts to come that solve closer for the state, as columns fail often: */
    double failing; /* so many of late, */
    size_t failed_at; /* the last one after so many steps */
};

struct method {
    const char *name, *title;
    tansy_method option;               /* by which the user asks for it */
    const struct family *family;       /* of formulas; NULL if not multistep */
    const struct runge_kutta *tableau; /* of an explicit one-step method, */
    const struct rosenbrock *matrices; /* or of a linearly implicit one, */
    bool rows; /* or an extrapolation method of so many rows as the order needs */
    int max_order;
    int lowest_order; /* at the start, and when the history is not believed any more */
    int gain; /* the order of the solution is so much above that of the error estimate, which counts as `order` */
    int extra_rows; /* a part's history has max_order + extra_rows rows; of the option max_order, but for `rows` */
    double dead_band;        /* a growth of h below this is not worth the change */
    double bias[CANDIDATES]; /* the next step aims at an error of 1/bias, for each candidate */
    /* steady_growth[order]: h may grow so much at step after step, by more only after order + 1 equal steps;
       NULL: as it likes. */
    const double *steady_growth;
    double first_step; /* share of LSODE's first step, whose error is near 1 for typical problems */
    double first_power;   /* one-step methods: 1/(order + 1) of the error estimate */
    bool raises_at_once;  /* the second step has order 2 even where the first may not grow */
    bool starts_warm;     /* starts anew with order 4, see starter.h: its order rises slowly */
    bool trusts_old_rate; /* the state of the direct corrector may stop after one iteration */
    bool ends_at_output;  /* no dense output of its own order: steps end where output is wanted */
    bool iterates_longer; /* the state of direct with old factors, before it asks for new ones */
    int patience;         /* after a change of order, steps to wait before the next */

    /* Places what the method keeps besides the parts; NULL: nothing. */
    void (*layout)(struct stepper *s, struct arena *arena, struct derive *derive);

    /* Starts the history of a part at s->t from its value and derivative (shape.count doubles each). */
    void (*start)(struct stepper *s, struct part *part, const double *y, const double *yp);

    /* Predicts and corrects one part.  Panels come after the state and after corrector->prepare, perhaps
       on several workers at once. */
    enum verdict (*advance)(struct stepper *s, struct part *part, size_t worker);

    /* Predicts and corrects everything in one iteration. */
    enum verdict (*advance_together)(struct stepper *s);

    /* Error candidates of a part that has just been advanced by this worker. */
    void (*estimate)(struct stepper *s, struct part *part, size_t worker, struct estimates *out);

    /* The step is accepted. Parts are brought to a new order and h when they are next advanced. */
    void (*accept)(struct stepper *s);

    /* Brings all histories to order and h of the step at work, so that the parts are alike again after an
       attempt that did not reach all of them. */
    void (*settle)(struct stepper *s);

    /* The value (derivative 0) or the derivative (1) at t within the last step: shape.count doubles. */
    void (*interpolate)(struct stepper *s, struct part *part, double t, int derivative,
                        double *out);
};

/* signs.c: what lies beyond a border of .sign is an error of y: 0 is nearer to the solution, or where that is not allowed a tenth of the value that is in the
   history. */
void stepper_clip_signs(const struct stepper *s, double *y);

/* Rows of history that a part needs. */
static inline size_t stepper_rows(const struct stepper *s)
{
    int const order = s->method->rows ? s->method->max_order : s->max_order;
    return (size_t)order + (size_t)s->method->extra_rows;
}

extern const struct method method_adams, method_bdf, method_dassl;
extern const struct method *const method_tables[]; /* multistep; NULL at the end */
extern const struct method method_dop853, method_dopri8;
extern const struct method method_rodas5p, method_rodas4, method_grk4a, method_grk4t;
extern const struct method method_limex;
extern const struct method *const one_step_tables[]; /* NULL at the end */

/* gaps.c: the longest time between two looks at f, in a step of length 1, that its error estimate knows of; 1: it looks at the end alone. */
double method_widest_gap(const struct method *method, int order);

static inline bool method_is_one_step(const struct method *method)
{
    return !method->family;
}

#endif
