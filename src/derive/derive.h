/* SPDX-License-Identifier: Apache-2.0 */
/* The equations in one form, r(t, y, y', p) = 0, and their derivatives:
     y' = f              r = f, from which the caller takes y'     J = df/dy                M = 1
     B y' = f            r = f - B y'                              J = df/dy - d(B y')/dy   M = B
     F(t, y, y', p) = 0  r = -F                                    J = -dF/dy               M = dF/dy'
   so that W = c M - J in all three.  They are completed once at creation, entry by entry: given by the user or a
   model, else differences.  After derive_complete no function is NULL, and the report says
   where each came from.  Functions return 0, a positive value (not here: a smaller step may help; NaN and
   Inf count so) or a negative one (stop), and leave in `failure` what happened. */
#ifndef DERIVE_DERIVE_H
#define DERIVE_DERIVE_H

#include <tansy/options.h>
#include <tansy/problem.h>

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"
#include "matrix/kernels.h"
#include "matrix/matrix.h"
#include "matrix/panels.h"

/* Why a function failed, indices from 0; part of the message when a smaller step does not help. */
struct failure {
    enum {
        FAILURE_NONE,
        FAILURE_POSITIVE,
        FAILURE_NEGATIVE,
        FAILURE_NOT_FINITE,
        FAILURE_SIGN,
        FAILURE_WEIGHT,
        FAILURE_SLOW, /* of no function: an iteration that does not converge */
        FAILURE_NO_MEMORY
    } kind;
    const char *function; /* "rhs", "jacobian", ... */
    size_t row, column;   /* the entry that is not finite; column is SIZE_MAX when it is a vector */
    int code;             /* what the user function returned */
    double value, t;      /* the value that is not finite; where */
    size_t own;           /* that column's number in the solver, which may have sorted them */
};

/* SOURCE_TANGENT: of second derivatives only, which are then differences of the tangent. */
enum source { SOURCE_NONE, SOURCE_GIVEN, SOURCE_MATRIX, SOURCE_DIFFERENCES, SOURCE_TANGENT };

/* Counts kept apart for each worker, so that they do not depend on the number of threads. */
struct derive_counts {
    size_t rhs, tangent, jacobian, parameter, second; /* tangent and second in columns */
};

/* What second derivatives by differences need of each thread; see second.h. */
struct second_part;
struct second_room {
    double *T, *sum;      /* room for panels */
    double *y, *f, *base; /* [n] each, where f itself is differenced, else NULL */
    double *J, *J_sum, *F,
        *F_sum; /* df/dy and df/dp as the user gives them, and their differences */
    const struct second_part *part; /* at work */
};

/* Columns whose internal differences are found together: two fours, see internal_tangent.c. */
enum { INTERNAL_COLUMNS = 2 * FOUR };

/* Rows of U that are told: those of the columns of a panel, and some more for directions of several parameters. */
enum { DERIVE_MOVING = 64 };

/* What one thread needs of its own: a copy of p that differences may change, vectors, its failure. */
struct derive_worker {
    const struct kernels *kernels;
    double *p;              /* p[length] */
    double *y, *f, *g;      /* y[n], f[m], g[m], m = max(n, switches): perturbed point, sum of
                          differences, value there */
    double *step;           /* step[n]: the increments of y */
    double *yp, *rate_step; /* the same for y', of an implicit problem */
    double *
        some; /* some[2*INTERNAL_COLUMNS*n]: points and values of columns, of internal differences */
    double *V_rate;  /* room for a panel, for derive_apply */
    double *B, *T;   /* of B y' = f: B as the user gives it, and room for a panel */
    bool knows_mass; /* B is constant and known */
    struct second_room second;
    double *U; /* U[np*lanes]: the directions of the panel `placed`, else zero */
    const struct panel *placed;
    size_t *moving_row; /* moving_row[DERIVE_MOVING]: those that have, if they are not more */
    void *context;      /* what the user's functions get: the problem's, or &local with .scratch */
    tansy_local local;  /* its version goes up whenever p changes */
    struct failure failure;
    struct derive_counts counts;
    size_t neglected;               /* how often derive_second() left terms out, */
    struct failure first_neglected; /* and which first */
};

/* Where panels are linearised: y[n] at time t, f[n] = r(t, y, y', p) where differences start from it, and y'[n] of an
   implicit problem.  J, M and fp: matrices evaluated there and kept, instead of those evaluated last. */
struct point {
    double t;
    const double *y, *f, *yp;
    const struct matrix *J, *M;
    const double *fp;
};

/* (t, y) moves along (tau, v[n]).  span is a length of time ahead, with its sign, over which f is smooth in t, such as the
   step; 0: |t| is taken.  Only differences need it. */
struct motion {
    double tau;
    const double *v;
    double span;
    bool
        is_fine; /* the method multiplies errors of the result: 9 digits of it are worth twice the work */
};

/* Internal numerical differentiation: increment and formula of every column in the step at work. */
struct internal {
    double *eps;
    double *eps_p;   /* of p alone; 0: the same */
    double *largest; /* what y and p move by along the column, of their sizes, at most */
    tansy_difference *formula;
    double narrow;   /* the relative increment where rounding of f is not seen by far */
    double h;        /* of the step at work */
    double *noise;   /* of f in S, for a unit of time, in units of the error test, times eps; */
    double *still;   /* that in algebraic components, for a step however short, as measured, */
    double *rounded; /* and by the rounding of these components alone, in the step at work */
    const tansy_kind *kind; /* kind[n] of the components, where some are algebraic; else NULL */
    double *loss;           /* its sum over the steps so far */
    double *lost_at;        /* where that became too much */
    double *unit;           /* unit[workers*4*n]: room for a look */
    size_t *since;          /* steps since it was measured, all columns of a panel, of its first, */
    size_t *looks;          /* and how often */
    bool *looked;           /* looked[ns]: in this step, at this column */
    double *
        noise_kept; /* noise, still, since and looks before an attempt, of several threads; else NULL */
    double *still_kept;
    size_t *since_kept, *looks_kept;
    double
        bend; /* in second derivatives by values of f, over that in differences with increment 1 */
    double
        multiple; /* of the noise of a difference that a step adds to S, in extrapolation; else 1 */
};

/* Units of y' of an implicit problem (rates.c). */
struct rates {
    double *worth;    /* worth[n]: y'_j that makes its terms as large as the others; 0: unknown */
    double *seen;     /* seen[n]: |y'_j| as it was a little before */
    double *terms;    /* terms[n] of r, without signs */
    double *step;     /* step[n]: room */
    bool *bends;      /* bends[n]: F is not linear in y'_j */
    bool *shows;      /* shows[n]: y'_j is in M */
    bool *was_long;   /* was_long[n]: a first step was too long: M is not the same over it */
    bool knows_bends; /* else it may be so */
    bool begins;      /* y' is sought where histories begin: sizes of before do not count */
    bool is_bounded;  /* F fails at steps as long as .worth has them */
};

enum form { FORM_ODE, FORM_MASS, FORM_RESIDUAL };

struct derive {
    const tansy_problem *problem; /* the solver's own copy, arrays included */
    const double *p;              /* the solver's copy of p; never written here */
    const double *scale;          /* scale[np] of the parameters, never 0 */
    const double *rtol, *atol;    /* rtol[n], atol[n] of the state: what is negligible in y */
    const struct kernels *kernels;
    size_t n, np, ns;
    enum form form;
    size_t length; /* of p as functions see it: np, then modes of the switches and the piece */
    size_t switches;
    size_t workers;
    struct derive_worker *worker; /* worker[workers]; worker 0 serves the state */

    tansy_difference difference;       /* never AUTO after completion */
    double increment;                  /* relative increment of that formula */
    double noise;                      /* relative, of f, where that is above rounding; else 0 */
    bool knows_noise;                  /* it has been looked for in this run */
    tansy_difference plain_difference; /* what was chosen before that, */
    double plain_increment;            /* where noise > 0 */
    double rate_share;   /* of its size, by which y'_j may move in directional differences */
    bool rate_is_curved; /* F is not linear in y', as derive_rate_matrix found */
    struct rates rates;
    double y0_tolerance; /* smallest rtol of any column: what differences must reach */

    struct matrix *J; /* evaluated by jacobian() */
    struct matrix *M; /* the same of an implicit problem, else NULL */
    double *given; /* a matrix as the user gives it, where it is stored in another way; else NULL */
    size_t *color; /* color[n] of the columns of a sparse J without .jacobian, for differences */
    size_t colors;
    size_t *place; /* place[e]: of entry e of a sparse pattern in the storage of J and M */
    tansy_pattern fp_pattern;    /* row == NULL: dense */
    size_t *fp_start, *fp_entry; /* entries of the pattern sorted by column */
    double *fp;          /* df/dp at the last parameter(): n*np, or entries of the pattern */
    bool *touched;       /* touched[np]: some direction has an entry there */
    bool *acts;          /* acts[np]: one of a column in the panels; others are not differenced */
    const size_t *order; /* order[ns]: what messages call column k; NULL: k */
    /* The p part of the directions, column by column: entries start[k] .. start[k+1] of (row, value). */
    size_t *direction_start, *direction_row;
    double *direction_value;
    size_t
        *scatter_start; /* sparse fp, for each panel: (place in the panel, entry of fp, factor) */
    size_t *scatter_place, *scatter_entry;
    double *scatter_factor;
    /* For each panel: its first parameter, when fp is dense and the columns are consecutive parameters, so
       that rows are copied instead of scattered; else SIZE_MAX. */
    size_t *consecutive;
    double *
        initial_jacobian; /* n*np, when the problem gives it: for the moment, in fp if that is dense */
    double *check, *check_direction; /* work space of derive_check, when a derivative is given */
    double *no_direction;            /* no_direction[np]: zeros, for the switches' tangents */
    double *
        no_rate; /* no_rate[n*lanes]: zeros for y' and V_rate, where .mass_constant or .rate_linear */
    double *no_panel;   /* no_panel[np*lanes]: zeros, for derive_apply */
    double *gt, *along; /* gt[switches], along[switches]: dg/dt, (dg/dy) f */

    /* Switch functions without a value: g_j that is not finite is taken as NO_SWITCH, which does not hold, with derivatives 0, if
       blind[j] or, while lenient, any; missing[j]: the last derive_switch() has done so; doubted[j]: so has one before, though
       it is not blind. */
    bool *blind, *missing, *doubted;
    bool *unknown; /* unknown[switches]: a derivative that is not finite is 0 */
    double *
        far; /* far[switches]: |g| above which it needs no slope while lenient; of what was blind */
    const double *midst; /* midst[switches]: g where differences are taken */

    /* The completed entries; worker is the number of the calling thread. f = f(t, y, p) is known.
       jacobian() compresses J when tangent_needs_matrices, and does nothing when J keeps no entries. */
    int (*jacobian)(struct derive *d, const struct point *at);
    int (*parameter)(struct derive *d, const struct point *at);
    /* R = J V - M V_rate + r_p U of a panel, without V_rate for y' = f; reads J, M (compressed) and fp if
       tangent_needs_matrices.  V_rate may be overwritten. */
    int (*tangent)(struct derive *d, size_t worker, const struct point *at,
                   const struct panel *panel, const double *V, double *V_rate, double *R);
    /* r = J^T v + r and r = f_p^T v + r with the matrices last evaluated (adjoints). */
    void (*jacobian_transposed)(struct derive *d, const double *v, double *r);
    void (*parameter_transposed)(struct derive *d, const double *v, double *r);
    /* R = d/dy(J v + tau f_t) V + d/dp(J v + tau f_t) U of a panel, of f alone where the problem is B y' = f, of -F where it is
       F = 0 at y' = 0 if that is linear in y' (.mass_constant: then y' is of no consequence; .rate_linear); the point's f and y' are not
       read.  NULL for other F = 0, and without has_second.  By differences f is evaluated between t and
       t + 1.3e-5 span (2.5e-4 span where nothing is given), unless f fails there. */
    int (*second)(struct derive *d, size_t worker, const struct point *at,
                  const struct motion *along, const struct panel *panel, const double *V,
                  double *R);
    bool
        is_internal; /* the tangent is by internal numerical differentiation; set before the layout */
    struct internal internal;
    bool lenient; /* see blind above */
    bool tangent_needs_matrices;
    bool constant_mass;     /* B, or dF/dy', is evaluated once for every p, */
    bool has_mass;          /* and M holds it, */
    bool mass_is_ready;     /* also for products */
    bool apply_needs_value; /* derive_apply starts from r */
    bool has_apply;         /* room for derive_apply is placed; set before the layout */
    bool has_second;        /* room for second derivatives is placed; set by derive_need_second() */

    enum source jacobian_source, rate_source, parameter_source, tangent_source, initial_source,
        switch_source, second_source, time_source;
};

/* What |y_j| is compared with: below atol/rtol it is negligible. */
static inline double derive_level(const struct derive *d, size_t j)
{
    static const double assumed = 1e-6; /* where the user gives absolute tolerances only */
    return d->atol[j] / (d->rtol[j] > 0 ? d->rtol[j] : assumed);
}

static inline bool derive_is_implicit(const struct derive *d)
{
    return d->form != FORM_ODE;
}

/* J and M by differences start from r at the point; so do tangents that are differences themselves, or products with J, M and r_p of which
   one is. */
static inline bool derive_matrices_need_value(const struct derive *d)
{
    return d->jacobian_source == SOURCE_DIFFERENCES || d->rate_source == SOURCE_DIFFERENCES;
}

static inline bool derive_tangent_needs_value(const struct derive *d)
{
    bool const product = derive_matrices_need_value(d) || d->parameter_source == SOURCE_DIFFERENCES;
    return d->tangent_source == SOURCE_DIFFERENCES || (d->tangent_needs_matrices && product);
}

/* The form that the problem is given in. */
enum form derive_form(const tansy_problem *problem);

/* Entries of p as the functions of the problem see it: np, and with switches or breaks their modes and the piece. */
size_t derive_length(const tansy_problem *problem);

/* True if the tangent will be J times panel, so that J needs storage whatever the linear solver. */
bool derive_wants_jacobian(const tansy_problem *problem, const tansy_options *options, size_t ns);

/* Where the tangent will come from by the option `residual`, or what is given; auto thinks of the corrector too. */
enum source derive_tangent_source(const tansy_problem *problem, const tansy_options *options,
                                  size_t ns);

/* The problem gives the tangent, with that of B(t, y, p) y' where B moves. */
bool derive_gives_tangent(const tansy_problem *problem);

/* The problem gives the tangent, df/dy and df/dp: then derive_use_tangent() may exchange them between two steps, if J keeps
   its entries. */
bool derive_gives_both(const tansy_problem *problem);
void derive_use_tangent(struct derive *d, enum source source);

/* Where the tangent comes from as a run begins: differences of it in time, and along y', need all digits, so that what is given is used even
   where directional differences are asked for. */
enum source derive_source_at_start(const struct derive *d);

/* tangent() as the problem gives it, wherever tangents come from. */
int derive_given_tangent(struct derive *d, size_t worker, const struct point *at,
                         const struct panel *panel, const double *V, double *V_rate, double *R);

/* The method needs df/dt and, where `columns`, second derivatives: the problem, the solver's own copy, completes itself if it
   can, and derive_layout() will place room.  Before the layout; form must be set.  TANSY_OUT_OF_MEMORY, or TANSY_OK. */
tansy_status derive_need_second(struct derive *d, tansy_problem *problem, bool columns,
                                struct message *message);

/* Doubles in df/dp. */
static inline size_t derive_parameter_count(const struct derive *d)
{
    return d->fp_pattern.row ? d->fp_pattern.entries : d->n * d->np;
}

/* Places the arrays; called twice.  problem, n, np, ns, workers, J must be set, panels divided; pattern,
   columns and directions of the problem are read, and must be the same both times. */
void derive_layout(struct derive *d, struct arena *arena, const struct panel *panel, size_t panels);

/* Chooses the entries by the problem and the options (residual, difference, difference_increment), fills
   directions and scatter lists.  TANSY_BAD_OPTION when S cannot be had to the tolerance y0_tolerance by
   the differences that would be needed, or when the options contradict the problem. */
tansy_status derive_complete(struct derive *d, const tansy_options *options,
                             const struct panel *panel, size_t panels, struct message *message);

/* What differences may have to do with a corrector or an error test that fails, as part of a question; "" without them.  `column`: which column
   failed, -1 for the state.  `iterates`: S is found by iteration, so that the noise of every tangent counts. */
const char *derive_doubt(const struct derive *d, ptrdiff_t column, bool iterates);

/* After a change of rtol, atol and y0_tolerance: negligible values and the formula of differences follow.  As above. */
tansy_status derive_retune(struct derive *d, const tansy_options *options, struct message *message);

/* A mass matrix that is not said to vary must not: TANSY_BAD_PROBLEM if it changes with p, t or y at the initial point. */
tansy_status derive_probe_mass(struct derive *d, double t0, const double *y0,
                               struct message *message);

/* Other panels for the first columns: before they are divided, and after that. */
void derive_forget_panels(struct derive *d);
void derive_divide(struct derive *d, const struct panel *panel, size_t panels);

/* Copies d->p, which has changed, to all workers; or only what follows the parameters, modes and piece. */
void derive_set_parameters(struct derive *d);
void derive_set_modes(struct derive *d);

/* r(t, y, y', p) at the point into r[n], counted and checked; worker's p is used.  derive_rhs: f alone, of y' = f. */
int derive_value(struct derive *d, size_t worker, const struct point *at, double *r);
int derive_rhs(struct derive *d, size_t worker, double t, const double *y, double *f);

/* f of y' = f and of B y' = f; -F at y' = 0 where F is linear in y'. */
int derive_at_rest(struct derive *d, size_t worker, double t, const double *y, double *f);

/* ft[n] = df/dt: given, 0 where the problem is autonomous, else by differences of the fourth order at the times t + m delta,
   m = 1 .. 4, delta = 7.4e-4 span (see struct motion): between t and t + span, unless f fails there.  The point's f is
   f(t, y, p), without B y', or NULL: then it is evaluated.  Of F = 0 with constant dF/dy': -dF/dt, f = -F at y' = 0. */
int derive_time(struct derive *d, size_t worker, const struct point *at, double span, double *ft);

/* Where a run begins, with r at the point in .f: units of y', J and M, after what was known of them has been forgotten; and M alone at another y'. */
void derive_forget_rates(struct derive *d);
int derive_find_rates(struct derive *d, const struct point *at);
int derive_rate(struct derive *d, const struct point *at);

/* Differences move y', and it is not known yet whether F is linear in it. */
bool derive_asks_for_bends(const struct derive *d);

/* M of differences again at the point, with r there in .f, from J and M as they were evaluated last, compressed, by more and better
   ones; error[j*n + i], which is 0 before, is what they leave in M_ij.  Notes rate_is_curved. */
enum { RATE_MATRIX_ROOM = 9 };
int derive_rate_matrix(struct derive *d, const struct point *at,
                       double *room /* [RATE_MATRIX_ROOM*n] */, double *error);

/* Notes rate_is_curved alone, by six evaluations with all of y' moved at once; as above.  A code of F: above 0
   nothing is known. */
int derive_rate_curved(struct derive *d, const struct point *at, double *room);

/* R = J V - M V_rate for the lanes of V at the point (with r there in .f, where differences start from it): by the tangent if it
   is given, by the matrices as they are if they are given, else by differences.  V_rate may be overwritten. */
int derive_along(struct derive *d, size_t worker, const struct point *at, const struct panel *shape,
                 const double *V, double *V_rate, double *R);

/* Y = W X = c M X - J X in the same way. */
int derive_apply(struct derive *d, size_t worker, const struct point *at, double c,
                 const struct panel *shape, const double *X, double *Y);

/* Where S needs differences, once a run: measures the noise of f at the point, where f is known, and makes the increments wide enough for it;
   room[n].  The relative error of a derivative by such differences. */
int derive_find_noise(struct derive *d, const struct point *at, double *room);
double derive_difference_error(tansy_difference formula, double noise);

/* S needs differences of f. */
bool derive_needs_differences(const struct derive *d);

/* second(), but terms that are given and not finite, where f has no second derivative, are left out, which costs S its order there.
   The worker's `neglected` counts that. */
int derive_second(struct derive *d, size_t worker, const struct point *at,
                  const struct motion *along, const struct panel *panel, const double *V,
                  double *R);

/* Digits of second derivatives that are differences of f alone, of a motion that is_fine. */
int second_digits(const struct derive *d);

/* Internal numerical differentiation: increments of the columns of a panel for a step that begins at y with S; winv weighs errors
   of S in the error test, or is NULL. */
void derive_choose_increments(struct derive *d, const struct panel *panel, const double *y,
                              const double *S, const double *winv);

/* Reciprocal error weights, which are for the time being so many times those that the user asked for, or 0: not. */
struct noise_weights {
    const double *inverse;
    double stricter;
};

/* Rounding of f in the differences of a panel (noise.c).  It is due at the beginning of a step: N of every column at the point, along V,
   which may be what S will be, is brought through the step in place and noted with the weights of the error test, h, and the kinds of the
   components of an implicit problem, or NULL. */
bool derive_noise_is_due(const struct derive *d, const struct panel *panel);
int derive_noise(struct derive *d, size_t worker, const struct point *at, const struct panel *panel,
                 const double *V, double *N);
void derive_noise_note(struct derive *d, const struct panel *panel, double h, const double *N,
                       const struct noise_weights *w, const tansy_kind *kind);

/* What rounding of an algebraic component of y, over its size, is in column k of the step at work. */
double derive_noise_of_algebraic(const struct derive *d, size_t k);

/* Second derivatives along v are taken at y in this step; internal.bend was 0 at its beginning. */
void derive_noise_bend(struct derive *d, const double *y, const double *v);

/* A step to t has been accepted; a new run begins; column k is not right to its tolerance, internal.loss times that being lost. */
void derive_noise_step(struct derive *d, const struct panel *panel, double t);
void derive_noise_forget(struct derive *d);

/* noise_keep.c: before panels are worked on; and for each that does not count, as one below it failed. */
void derive_noise_keep(struct derive *d);
void derive_noise_put_back(struct derive *d, const struct panel *panel);
bool derive_noise_lost(const struct derive *d, size_t k);

/* d/dt of the constraints and its tangent, where the problem gives them; rows of other equations are zero. */
int derive_constraint_rate(struct derive *d, const struct point *at, double *R);
int derive_constraint_tangent(struct derive *d, const struct point *at, const struct panel *panel,
                              const double *V, const double *V_rate, double *R);

/* y(t0) from p (or problem->y0) into y[n], and dy0/dp U + (unit vectors of initial values) into columns
   sens[k*n + i]. */
int derive_initial(struct derive *d, double t0, double *y);
int derive_initial_columns(struct derive *d, double t0, const double *y, double *sens);
/* Column k from dy0 along its direction in p, column[n], taken from one side. */
void derive_initial_side(const struct derive *d, size_t k, const double *column, double *s);

/* g(t, y, p) of all switches into g[switches], checked, but for those that may have no value. */
#define NO_SWITCH (-1.0)
int derive_switch(struct derive *d, size_t worker, double t, const double *y, double *g);

/* Bounds of them and of their rates over a box, with worker 0; as the problem gives them. */
int derive_switch_range(struct derive *d, const tansy_box *box, const tansy_bounds *bounds);

/* Bounds of a term of time, with worker 0; infinite where the problem has none. */
void derive_time_range(struct derive *d, size_t term, double t_low, double t_high,
                       tansy_time_bounds *bounds);

/* rate[switches] = dg/dt + (dg/dy) f, with worker 0.  span is a length of time in which g is smooth; only differences
   need it, and g = g(t, y). */
int derive_switch_rates(struct derive *d, const struct point *at, double span, const double *g,
                        double *rate);

/* G[j*lanes + k] = (dg_j/dy) V + (dg_j/dp) U for a panel, with worker 0. */
int derive_switch_columns(struct derive *d, const struct point *at, const struct panel *panel,
                          const double *V, const double *g, double *G);

/* Compares given jacobian (if J keeps entries), parameter_jacobian, tangent, switch_tangent, initial_jacobian,
   time_derivative, second with fourth-order differences at the point: TANSY_OK, or TANSY_WRONG_DERIVATIVE with a message that names function,
   entry and both values.  panel is the first one; NULL: no columns, the tangent is not checked.  J, and fp unless
   there is an initial_jacobian, are left as given at (t, y).  Times between t and t + span alone are looked at; 0: any around t. */
tansy_status derive_check(struct derive *d, const struct point *at, double span,
                          const struct panel *panel, struct message *message);

/* The sentence for a failure, "rhs gave NaN in component 3 at t = 0.5", written into text[size]. */
void failure_describe(const struct failure *failure, const tansy_problem *problem, char *text,
                      size_t size);

/* "none", "given" or "model", "matrix", "differences", "tangent". */
const char *source_name(const struct derive *d, enum source source);

#endif
