/* SPDX-License-Identifier: Apache-2.0 */
/* Solves y' = f, B y' = f or F(t, y, y', p) = 0 with S = dy/dp.  A solver is one block of memory; after creation nothing is
   allocated but by sparse factors that grow or, with `sparsing`, have other patterns than the last four, and by
   tansy_derived_at().  Any number of solvers may run in any number of threads, one thread a solver.  Errors stick to
   the handle until tansy_restart(), so a loop needs one check. */
#ifndef TANSY_SOLVER_H
#define TANSY_SOLVER_H

#include <tansy/options.h>
#include <tansy/problem.h>
#include <tansy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tansy_solver tansy_solver;

/* What happened so far.  Columns are counted one by one: a tangent evaluation of 32 columns counts 32. */
typedef struct tansy_stats {
    size_t n, np, ns;
    size_t steps;           /* accepted */
    size_t rejected_error;  /* attempts that failed an error test */
    size_t rejected_newton; /* attempts whose corrector did not converge */
    size_t rhs_evals;       /* calls of f, those for differences included */
    size_t tangent_evals;   /* columns of J s + f_p */
    size_t jacobian_evals;
    size_t parameter_evals; /* evaluations of df/dp as a whole */
    size_t factorizations;
    size_t solves;       /* right-hand sides */
    size_t newton_state; /* corrector iterations of the state */
    size_t newton_sens;  /* corrector iterations of panels, in columns */
    size_t bytes;        /* of the solver's block */
    int order_last;
    double h_last, h_next;
    size_t switches; /* conditions turned over, see tansy_problem */
    size_t restarts; /* starts anew at switching points and break times */
    size_t
        linear_iterations; /* of gmres, in columns: divided by .solves, the average Krylov dimension */
    size_t preconditioners; /* prepared, of gmres */
    size_t second_evals;    /* columns of directional second derivatives */
    tansy_method method;    /* that the next step is to be made by, which auto may change */
} tansy_stats;

/* Never call these two directly: tansy_create and tansy_get_stats pass the sizes on, so that the structs
   can grow without breaking programs compiled earlier. */
TANSY_API tansy_solver *tansy_create_sized(const tansy_problem *problem, size_t problem_size,
                                           const tansy_options *options, size_t options_size);
TANSY_API void tansy_get_stats_sized(const tansy_solver *s, tansy_stats *stats, size_t size);

/* Makes a solver that stands at t0.  options may be NULL.  Returns NULL only when there is no memory;
   a wrong problem or option gives a handle that is in error: see tansy_error(), tansy_message(). */
static inline tansy_solver *tansy_create(const tansy_problem *problem, const tansy_options *options)
{
    return tansy_create_sized(problem, sizeof *problem, options, sizeof *options);
}

/* Frees everything; NULL is allowed. */
TANSY_API void tansy_free(tansy_solver *s);

/* Evaluates the right-hand sides at the initial point: y[n], yp[n] = y', sens, sensp = S' at t0; any may be NULL.
   tansy_solve() does that by itself; this is for looking before the first step. */
TANSY_API tansy_status tansy_initialise(tansy_solver *s, double *y, double *yp, double *sens,
                                        double *sensp);

/* Integrates to time t (any distance; the first t other than t0 sets the direction, and behind tansy_time() only the last
   step can be asked for) and writes y[n] and, when sens is not NULL, sens[ns*n] with sens[k*n + i] = dy_i/dp_k; y may be
   NULL too.  t = t0 gives the initial values.  At a switching point or break time they are the limits from where the run comes.
   TANSY_OK; or an error, see tansy_message(): the call in which a run stops leaves the solution at tansy_time(), the last
   point reached, in y and sens, and so do later calls on a handle in error, and TANSY_BAD_CALL.  After
   TANSY_TOO_MANY_STEPS the next call goes on.  The first t also tells the size of the first step; later ones change nothing
   in the run, unless steps end there for want of dense output (rosenbrock, grk4a, grk4t, dopri8, limex, substeps, rk8 where
   it is hardly stable).  s == NULL answers TANSY_OUT_OF_MEMORY. */
TANSY_API tansy_status tansy_solve(tansy_solver *s, double t, double *y, double *sens);

/* The same at times[count], monotone; y[count*n], sens[count*ns*n].  On error *reached (if not NULL) is
   the number of times done; nothing is written for the others, but for the first of them where the run stops. */
TANSY_API tansy_status tansy_solve_grid(tansy_solver *s, size_t count, const double *times,
                                        double *y, double *sens, size_t *reached);

/* One step of the solver's own choice towards t (which it may pass unless t is the stop time); the new
   time is tansy_time().  Steps end at switching points and break times; the next one begins with the jump of S. */
TANSY_API tansy_status tansy_step(tansy_solver *s, double t, double *y, double *sens);

/* Dense output inside the last step: y[n], yp[n] = y', sens, sensp = S' at t; any may be NULL.  rosenbrock and limex test it in steps that
   tansy_step() makes, which may be more for it, and in those of tansy_solve() that pass the time asked for; in others it may be far worse than the ends.
   TANSY_BAD_CALL when t is not between the ends of the last step, but for 4 roundings of t and of the step, or after an error not tansy_time(). */
TANSY_API tansy_status tansy_at(tansy_solver *s, double t, double *y, double *yp, double *sens,
                                double *sensp);

/* y' and S' that the equations have at t with y[n] and sens[ns*n]: f, or consistent values, in the modes and on the piece that `s` has in
   its last step, where t lies.  They are as good as y, which slopes of the dense output need not be; of stiff components they
   are the errors of y times large derivatives.  `with` is another solver of the same problem, with all columns of s or none (then
   sens and sensp are NULL), and of no other use meanwhile; the run of s does not change.  TANSY_OK, or an error of `with`. */
TANSY_API tansy_status tansy_rates_at(tansy_solver *with, tansy_solver *s, double t,
                                      const double *y, const double *sens, double *yp,
                                      double *sensp);

/* Derived quantities (SENSD): Q[nq] and Q_p[k*nq + q] = dQ_q/dp_k = Q_y s_k + Q_y' s_k' + Q_p u_k inside the last step, where
   tansy_at() could be called; Q_p may be NULL, and must be where S is not computed. */
TANSY_API tansy_status tansy_derived_at(tansy_solver *s, double t, double *Q, double *Q_p);

/* A solution that was stored: y[n], yp[n], sens[ns*n], sensp[ns*n] as tansy_at() gives them; the last two may be NULL. */
typedef struct tansy_stored {
    double t;
    const double *y, *yp, *sens, *sensp;
} tansy_stored;

/* The same from a stored solution of the problem, whose functions are not called but for .derived, .derived_tangent and .switch_function;
   Q_p needs sens.  Modes follow from the signs of g, the piece from .break_times; at a switching point or break time they are those
   of the side the run comes from, from problem->t0, at t0 those ahead.  TANSY_BAD_CALL where a condition with hysteresis may
   stand either way.  On error a sentence is left in message[size]. */
TANSY_API tansy_status tansy_derived_from(const tansy_problem *problem, const tansy_stored *at,
                                          double *Q, double *Q_p, char *message, size_t size);

/* Starts again at t0 with y0[n] and p[np] (NULL: as they were; with .initial and y0 == NULL computed from
   p), keeping memory and options and clearing an error.  sens0[ns*n] are initial columns; NULL: as the
   problem says. After a discontinuity at the current time pass the current y and S: where t0 lies in the last step and y0 is given, y' of
   an implicit problem is looked for from what it was there; and where the run has come to a switching point at t0, but for rounding, and y0,
   sens0 and p are what it has there, to the bit, S gets its jump as the run goes on.  With others it starts on the surface, S as on the side it goes to;
   the report tells where that matters.  Else the run is that of a new solver, to the bit. */
TANSY_API tansy_status tansy_restart(tansy_solver *s, double t0, const double *y0, const double *p,
                                     const double *sens0);

/* Moves the stop time; f is never evaluated beyond it. */
TANSY_API tansy_status tansy_set_stop_time(tansy_solver *s, double stop_time);

/* Another rtol and atol for all components of y from the next step on, 0 and TANSY_NO_ATOL as in the options, whose .rtol_state and
   .atol_state they replace; columns follow, but for .rtol_column, .rtol_sens and .atol_sens.  TANSY_BAD_OPTION,
   TANSY_ZERO_WEIGHT or TANSY_TOO_MUCH_ACCURACY, which do not stick, if they cannot be kept: then nothing has changed. */
TANSY_API tansy_status tansy_set_tolerances(tansy_solver *s, double rtol, double atol);

/* atol[n]: the absolute tolerances of y at work: those given, and of others what follows from the sizes so far.  Where tansy_create() failed
   nothing is written. */
TANSY_API void tansy_get_atol(const tansy_solver *s, double *atol);

/* Another largest abs(h) from the next step on; 0: no limit. */
TANSY_API tansy_status tansy_set_max_step(tansy_solver *s, double max_step);

/* The time up to which the solver has integrated; NaN when s is NULL. */
TANSY_API double tansy_time(const tansy_solver *s);

/* The status that sticks to the handle and its sentence; never NULL. */
TANSY_API tansy_status tansy_error(const tansy_solver *s);
TANSY_API const char *tansy_message(const tansy_solver *s);

static inline void tansy_get_stats(const tansy_solver *s, tansy_stats *stats)
{
    tansy_get_stats_sized(s, stats, sizeof *stats);
}

/* Steps that column k made the solver repeat (ODESSA's NRS); k = -1: those of the state. */
TANSY_API size_t tansy_repeated_steps(const tansy_solver *s, ptrdiff_t k);

/* A page for people: method, corrector, where each derivative comes from, warnings, counts.  Written into
   text[size] as snprintf does: returns the length needed. */
TANSY_API size_t tansy_report(const tansy_solver *s, char *text, size_t size);

/* Compares the derivatives that the problem gives with differences at the solver's current point.
   TANSY_OK; or TANSY_WRONG_DERIVATIVE and a message that names the entry.  Does not stick.  Where a function is but rounding at the
   point, as (1 - cos(x))/x^2 is near 0, nothing can be told of its derivatives: TANSY_OK, and a message that begins "not decided". */
TANSY_API tansy_status tansy_check(tansy_solver *s);

#ifdef __cplusplus
}
#endif
#endif
