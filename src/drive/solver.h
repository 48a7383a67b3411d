/* SPDX-License-Identifier: Apache-2.0 */
/* The solver: everything in one block, in the order in which drive/layout.c places it. */
#ifndef DRIVE_SOLVER_H
#define DRIVE_SOLVER_H

#include <tansy/tansy.h>

#include <stdatomic.h>
#include <stdint.h>

#include "base/message.h"
#include "base/threads.h"
#include "derive/derive.h"
#include "drive/activation.h"
#include "drive/bends.h"
#include "drive/consistent.h"
#include "drive/control.h"
#include "drive/costs.h"
#include "drive/cross.h"
#include "drive/events.h"
#include "drive/jump_transient.h"
#include "drive/noise_leap.h"
#include "drive/spike.h"
#include "drive/stretches.h"
#include "drive/tightness.h"
#include "drive/tolerances.h"
#include "equations/equations.h"
#include "linear/krylov.h"
#include "linear/linear.h"
#include "matrix/sparse_pattern.h"
#include "method/corrector.h"
#include "method/method.h"

enum { INITIAL_CORNERS = 4 }; /* for the report */

/* How a panel fared in the attempt at work. */
struct attempt {
    enum verdict verdict;
    struct estimates estimates;
    struct failure failure;
    double rate; /* of convergence, before the attempt */
};

/* Why an attempt ended. */
enum outcome {
    OUTCOME_ACCEPTED,
    OUTCOME_ERROR,  /* an error test failed */
    OUTCOME_FAILED, /* the corrector or a user function failed: see s->verdict */
    OUTCOME_STOP
};

/* A method with its corrector and where its tangents come from. */
struct way {
    const struct method *method;
    const struct corrector *corrector;
    enum source tangent; /* SOURCE_NONE: as it is */
};

/* method = auto for y' = f, see automatic.h. */
struct automatic {
    bool is_on;
    bool exchanges; /* the tangent: given for rk8, matrices for bdf */
    struct way calm, stiff;
    size_t since, rest; /* the step of the last change; steps before the next look */
    int gentle;         /* looks in a row that found no stiffness */
    size_t changes;
    bool only_stiff; /* rk8 has failed in this run */
    double *kept;    /* room for the history of the state; NULL: there are no columns */
    struct foresight {
        bool is_on, suspicious; /* suspicious: the last step may have been at the border */
        double looks,
            trials; /* what looks by rk8 and trials of bdf may yet cost, after so many steps */
        size_t steps;
        double until; /* it has looked up to here */
    } foresight;      /* see foresee.h */
};

/* A pattern found by probing may lack entries, see pattern_watch.c. */
struct pattern_watch {
    bool is_probed;
    int (*jacobian)(struct derive *d, const struct point *at); /* as completed; NULL: not watched */
    double
        level; /* of disagreement that is suspicious, 1 at first: times 10 for every false alarm */
    uint32_t state; /* of the numbers that make directions */
    size_t added;   /* entries, in this run */
    void *block;    /* matrices and factors of the larger pattern; NULL: they are in the solver's */
    struct matrix J,
        M; /* what stands in the solver's block, to which a restart returns; while there is another */
    struct linear linear;
    size_t *color, colors;
    bool is_stuck; /* an entry was missing that could not be added: */
    size_t row, column;
    double t;
};

struct tansy_solver {
    size_t bytes;
    struct message message;
    tansy_status error;    /* sticks */
    bool usable;           /* creation went through: tansy_restart may clear an error */
    tansy_problem problem; /* its arrays are the solver's own */
    tansy_options options;
    size_t n, np, ns;

    struct tolerances tolerances;
    struct matrix J, M; /* M: of an implicit problem */
    struct linear linear;
    struct krylov krylov;          /* of gmres */
    struct sparse_pattern pattern; /* of a sparse problem, until the block is placed */
    struct pattern_watch watch;
    struct derive derive;
    struct own_weights own_weights;
    struct norms norms;
    struct equations equations;
    struct stepper stepper;
    struct control control;
    struct tightness tightness;
    struct noise_leap noise_leap;
    struct jump_transient jump;
    struct spike spike;
    struct bends bends;
    struct stretches stretches;
    struct panel *shape; /* shape[panels] */
    struct activation activation;

    double t0, direction; /* direction of integration: 0 before the first step, then +1 or -1 */
    bool started;         /* histories stand at stepper.t */
    double
        stands; /* not 0: restarted where a run in this direction had come to a switching point, which is yet to be crossed */
    double before;       /* where the last step began, */
    double before_low;   /* and what was rounded off it */
    bool columns_given;  /* the user gave S(t0) */
    bool ends_at_target; /* steps end where output is wanted, whatever the method */
    double
        uncut; /* the step at work was to have this size but for a time where it must end; 0: it has its size */
    struct events events;
    struct consistent consistent;
    double *y0, *p; /* y(t0) and parameters */
    /* sens0[ns*n] = S(t0), in the solver's order of columns as everything here; lost in the first step where it is not needed again
       (drive/layout.c) */
    double *sens0;
    double *start_kept;    /* room for y0 and y', see start_kept.h; else NULL */
    double *matrices_kept; /* for J and M, where Krylov iteration goes on with them; else NULL */

    struct attempt *attempt; /* attempt[panels] */
    struct attempt state_attempt;
    enum verdict verdict; /* of the part that ended the attempt */
    struct failure failure;
    ptrdiff_t culprit;                      /* column that failed its error test; -1: the state */
    struct candidate candidate[CANDIDATES]; /* merged over all parts */
    atomic_size_t lowest;                   /* lowest-numbered panel that failed */

    struct tansy_stats stats;
    size_t *repeated;    /* repeated[ns + 1]: the state, then the columns */
    size_t signs_forced; /* attempts in a row whose state was put back to its sign, see signs.c */
    struct choice choice;
    struct automatic automatic;
    struct {
        tansy_corner first;            /* in the first column that has it */
        size_t columns;                /* that have it */
    } initial_corner[INITIAL_CORNERS]; /* of y0(p) */
    size_t initial_corners;            /* how many are known */
    const char *note; /* something the report should say about the choice of methods; or NULL */
};

/* Where the last step ends: a switching point that is due, or stepper.t. */
static inline double solver_now(const struct tansy_solver *s)
{
    return s->events.due ? s->events.at : s->stepper.t;
}

/* Tolerances by which columns are grouped into panels, which leave the rows of an extrapolation one by one; NULL: they are not. */
static inline const double *solver_grouping(const struct tansy_solver *s)
{
    return s->stepper.method->rows ? s->options.rtol_column : NULL;
}

/* Rows of history that a part needs, with any method that may be used. */
static inline size_t solver_rows(const struct tansy_solver *s)
{
    size_t const rows = stepper_rows(&s->stepper);
    const struct method *const other = s->automatic.stiff.method;
    size_t const others = other ? (size_t)other->max_order + (size_t)other->extra_rows : 0;
    return rows > others ? rows : others;
}

/* layout.c: places all arrays of a solver whose sizes and tables are set. */
void solver_layout(struct tansy_solver *s, struct arena *arena, const struct panel *shape);

/* solver.c: tolerances and shapes of the panels, which have been divided. */
void solver_connect_panels(struct tansy_solver *s);

/* choose.c: completes method, corrector and linear solver. */
tansy_status solver_choose(struct tansy_solver *s);

/* costs_count.c: the costs of the pieces of a step, estimated before anything is evaluated. */
struct costs solver_count_costs(const struct tansy_solver *s);

/* costs_clock.c: clocks them between two steps and goes on with what is cheapest.  The run itself is not touched. */
void solver_clock_costs(struct tansy_solver *s);

/* The same when it is time, before every step. */
static inline void solver_watch_costs(struct tansy_solver *s)
{
    bool const due = s->choice.due > 0 && s->stats.steps >= s->choice.due;
    if (due && !s->events.due && s->stepper.panels > 0) solver_clock_costs(s);
}

/* Goes on with another variant from the next step on. */
void solver_use_variant(struct tansy_solver *s, enum variant v);

/* initialise.c: y(t0), computed or given; S(t0), computed or given; derivatives, first step towards t. */
tansy_status solver_initialise(struct tansy_solver *s);
tansy_status solver_check_initial(struct tansy_solver *s);

/* The user's error weights (drive/weights.c), if there are: those of y(t0); the error that follows if one was refused since; and what they
   make of the outcome of an attempt. */
tansy_status solver_ask_weights(struct tansy_solver *s);
tansy_status solver_judge_weights(struct tansy_solver *s);
enum outcome solver_blame_weights(struct tansy_solver *s, enum outcome outcome);
tansy_status solver_initialise_columns(struct tansy_solver *s);
tansy_status solver_start(struct tansy_solver *s, double t);

/* y' at (t, y0) with the modes as they are: f, or of an implicit problem by consistent values, which may move the algebraic
   components of y0.  Codes as in derive.h. */
int solver_slope(struct tansy_solver *s, double t, double *yp);

/* Histories begun at t with y0 and sens0, in the modes and on the piece at hand. */
tansy_status solver_begin_at(struct tansy_solver *s, double t);

/* Of an implicit problem: y0, y' and S at t0 are made consistent, histories begun. */
tansy_status solver_make_consistent(struct tansy_solver *s);

/* Of an implicit problem: sens0 is made consistent at (t, y0), where solver_slope has just been. */
tansy_status solver_consistent_columns(struct tansy_solver *s, double t);

/* Starts again, without history, from y0 and sens0 at time t within the run; the message of a user function that failed
   where no smaller step can help. */
tansy_status solver_start_anew(struct tansy_solver *s, double t);

/* start_anew.c: the size of its first step, and the order in the histories, which have begun with the lowest: of one-step methods `proposed`, of others chosen from
   the derivatives there, `usual` being the step from y' alone; events.stride, the longest of the piece before, is the limit.  *warm: with order 4.  *code: of a
   function that failed. */
double solver_choose_first(struct tansy_solver *s, double proposed, double usual, bool *warm,
                           int *code);

/* The same at the point reached with another method, whose first step is no longer than h. */
tansy_status solver_change_over(struct tansy_solver *s, double h);
tansy_status solver_fail_here(struct tansy_solver *s, int code);

/* Where `what`, a derivative that is not finite, is that of a root at 0: the message that says so, and of which 0; false: it is not. */
bool solver_explain_root(struct tansy_solver *s, const char *where, const char *what);

/* Histories of constants: a start that failed half-way leaves y and S as they are there. */
void solver_stand_still(struct tansy_solver *s);

/* precondition_user.c: the problem's preconditioner for Krylov iteration. */
void solver_connect_preconditioner(struct tansy_solver *s);

/* signs.c: false when the state at work breaks the sign of a component; within rounding it is put right. */
bool solver_keep_signs(struct tansy_solver *s);

/* The same of consistent initial values: an error. */
tansy_status solver_check_signs(struct tansy_solver *s);
tansy_status solver_check_given_signs(struct tansy_solver *s); /* of the problem's own .y0 */

/* attempt.c: one attempt of a step over all parts. */
enum outcome solver_attempt(struct tansy_solver *s);

/* What the parts cost since they were last counted. */
void solver_count_parts(struct tansy_solver *s);

/* tightness.c: the accuracy of state and iterations is what the user asked for; and looks at an attempt that has ended. */
void tightness_begin(struct tansy_solver *s);
void tightness_watch(struct tansy_solver *s, enum outcome outcome);

/* noise_leap.c: before the first step; after a failed attempt, when the next step is chosen, order and h being those of the attempt: it may be a jump instead; after an
   accepted one. */
void noise_leap_layout(struct tansy_solver *s, struct arena *arena);
void noise_leap_start(struct tansy_solver *s);
tansy_status noise_leap_consider(struct tansy_solver *s, enum outcome outcome, int order, double h);
tansy_status noise_leap_accept(struct tansy_solver *s);

/* What is to be said of it where a run has taken too many steps, as snprintf does; 0: nothing. */
size_t noise_leap_describe(const struct tansy_solver *s, char *text, size_t size);

/* noise_stop.c: the equation that is but rounding where the run stops, as snprintf does; 0: none is. */
size_t noise_stop_describe(struct tansy_solver *s, char *text, size_t size);

/* chatter.c: the condition that turns ever faster on the way to t, as snprintf does; 0: none does. */
size_t chatter_describe(const struct tansy_solver *s, double t, char *text, size_t size);

/* jump_transient.c: a run begins; at a switching point, with y and S before it in y0 and sens0; the same behind it; S and S' of a panel (NULL: S alone), where
   histories begin there; then, at t, *anew: tolerances are others from here on. */
void jump_transient_layout(struct tansy_solver *s, struct arena *arena);
void jump_transient_forget(struct tansy_solver *s);
void jump_transient_before(struct tansy_solver *s);
void jump_transient_look(struct tansy_solver *s);
void jump_transient_measure(struct tansy_solver *s, const struct panel *q, const double *S,
                            const double *rate);
tansy_status jump_transient_begins(struct tansy_solver *s, double t, bool *anew);

/* The first step of a one-step method is no longer; and, while it is on, after a failed attempt and after an accepted step. */
double jump_transient_first_step(const struct tansy_solver *s);
void jump_transient_failed(struct tansy_solver *s);
tansy_status jump_transient_goes_on(struct tansy_solver *s);

/* The largest |v_i| of column k, v_i at v[i*stride], in units of row_i times what the column is usually beside y. */
double jump_transient_size(const struct tansy_solver *s, size_t k, const double *row,
                           const double *v, size_t stride);

/* jump_leak.c: jump.leak for y and the column of S in LEAK_Y and LEAK_S at time t. */
void jump_leak_layout(struct tansy_solver *s, struct arena *arena);
double *jump_leak_vector(const struct tansy_solver *s, enum leak_vector which);
tansy_status jump_leak_find(struct tansy_solver *s, double t);
/* jump_pulse.c: the condition at t is one of time and parameters alone. */
bool jump_pulse_is_by_time(const struct tansy_solver *s);
/* Another such turns within a step of before: in how much time, into jump.ends; infinite: none.  A code. */
int jump_pulse_find_end(struct tansy_solver *s, double t);
/* The least rtol theta up to there. */
double jump_pulse_finest(const struct tansy_solver *s, double usual);

/* spike.c: a run begins; S jumps, or a fast phase ends otherwise; after an accepted step, and after a failed attempt. */
void spike_layout(struct tansy_solver *s, struct arena *arena);
void spike_forget(struct tansy_solver *s);
void spike_ends(struct tansy_solver *s);
void spike_meets_switch(struct tansy_solver *s);
void spike_watch(struct tansy_solver *s);
void spike_failed(struct tansy_solver *s);

static inline bool solver_is_algebraic(const struct tansy_solver *s, size_t i)
{
    return derive_is_implicit(&s->derive) && s->consistent.kind[i] != TANSY_DIFFERENTIAL;
}

/* All error weights are multiplied by the smaller theta of the two. */
static inline void solver_set_strictness(struct tansy_solver *s)
{
    double const theta = s->jump.theta < s->spike.theta ? s->jump.theta : s->spike.theta;
    s->norms.stricter = theta < 1 ? 1 / theta : 0;
}

/* take_step.c: one accepted step towards t, or an error. */
tansy_status solver_take_step(struct tansy_solver *s, double t);

/* Makes the last step anew, of a one-step method, so that it ends at t, which lies within it. */
tansy_status solver_step_again(struct tansy_solver *s, double t);

/* give_up.c: the sentence when a step cannot be made. */
tansy_status solver_give_up(struct tansy_solver *s, enum outcome outcome);

/* The component of the culprit whose correction is largest in units of its tolerance, among those in the error test. */
size_t solver_worst_component(struct tansy_solver *s);

/* ", is the preconditioner ..." for the end of a question, where Krylov iteration gives reason to ask; or "". */
const char *solver_doubt_preconditioner(const struct tansy_solver *s);

/* output.c: dense output at t within the last step; of the columns in use, in the solver's order. */
void solver_output(struct tansy_solver *s, double t, int derivative, double *y, double *sens);

/* The same of all columns in the user's order. */
void solver_output_all(struct tansy_solver *s, double t, int derivative, double *y, double *sens);

/* The run has come to a switching point at t, but for rounding, has not crossed it, and what it gives there are these y and sens.
   Writes over y0 of the solver. */
bool solver_stands_before_event(struct tansy_solver *s, double t, const double *y,
                                const double *sens);

#endif
