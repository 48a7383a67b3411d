/* SPDX-License-Identifier: Apache-2.0 */
/* The peer, see peer_cvodes.h. */
#include "peer_cvodes.h"

#include "stopwatch.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_lapackdense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { MAX_STEPS = 100000 }; /* as Tansy */

/* All that one run creates. */
struct session {
    void *cvode;
    N_Vector y, atol, *s;
    SUNMatrix J;
    SUNLinearSolver linear;
    SUNNonlinearSolver fixed[2];
    size_t columns, piece; /* in use; break times behind */
};

/* y(t0) is given; S(t0) = dy0/dp, and unit vectors. */
static void start_columns(const struct peer *peer, N_Vector *s)
{
    const tansy_problem *p = &peer->task->problem->problem;
    size_t const n = p->n, np = p->np;
    double *const D = bench_take(n * np, sizeof *D);
    if (p->initial_jacobian) p->initial_jacobian(p->t0, peer->derivatives.p, D, p->context);
    for (size_t k = 0; k < peer->derivatives.ns; k++) {
        int const column = p->columns ? p->columns[k] : (int)k;
        for (size_t i = 0; i < n; i++)
            NV_Ith_S(s[k], i) =
                column < 0 ? i == (size_t)TANSY_INITIAL(column) : D[i * np + (size_t)column];
    }
    free(D);
}

static void start(const struct peer *peer, double rtol, struct session *it)
{
    const struct test_problem *problem = peer->task->problem;
    const tansy_problem *p = &problem->problem;
    size_t const n = p->n, ns = peer->derivatives.ns;
    it->y = N_VNew_Serial((sunindextype)n, peer->context);
    N_VEnableFusedOps_Serial(it->y, peer->fused);
    it->atol = N_VClone(it->y);
    it->s = N_VCloneVectorArray((int)ns, it->y);
    for (size_t i = 0; i < n; i++) {
        NV_Ith_S(it->y, i) = p->y0[i];
        NV_Ith_S(it->atol, i) = rtol * problem->atol[i];
    }
    start_columns(peer, it->s);
}

/* Columns that act before the next break time, in the problem's order; all where it has none. */
static size_t columns_on(const struct peer *peer, size_t piece)
{
    const tansy_problem *p = &peer->task->problem->problem;
    size_t const ns = peer->derivatives.ns;
    size_t count = 0;
    if (peer->keeps || !p->active_from || piece == p->breaks) return ns;
    while (count < ns && p->active_from[count] < p->break_times[piece]) count++;
    return count;
}

/* The first columns. */
static void create_columns(struct peer *peer, const struct peer_variant *v, struct session *it)
{
    int const ns = (int)it->columns;
    if (v->corrector == CV_STAGGERED1)
        CVodeSensInit1(it->cvode, ns, v->corrector, peer_sens_rhs_of_one, it->s);
    else
        CVodeSensInit(it->cvode, ns, v->corrector, peer_sens_rhs, it->s);
    CVodeSetSensParams(it->cvode, NULL, peer->task->norm.scale, NULL);
    CVodeSensEEtolerances(it->cvode);
    CVodeSetSensErrCon(it->cvode, SUNTRUE);
}

static void create(struct peer *peer, const struct peer_variant *v, double rtol, struct session *it)
{
    it->cvode = CVodeCreate(v->lmm, peer->context);
    CVodeInit(it->cvode, peer_rhs, peer->task->problem->problem.t0, it->y);
    CVodeSVtolerances(it->cvode, rtol, it->atol);
    CVodeSetUserData(it->cvode, &peer->derivatives);
    CVodeSetMaxNumSteps(it->cvode, MAX_STEPS);
    CVodeSetErrFile(it->cvode, NULL);
    it->columns = columns_on(peer, 0);
    peer_derivatives_move(&peer->derivatives, 0, it->columns);
    create_columns(peer, v, it);
}

/* Functional iteration without acceleration, of the columns. */
static void attach_fixed_columns(const struct peer *peer, const struct peer_variant *v,
                                 struct session *it)
{
    int const ns = (int)it->columns;
    SUNNonlinSolFree(it->fixed[1]);
    if (v->corrector == CV_SIMULTANEOUS) {
        it->fixed[1] = SUNNonlinSol_FixedPointSens(ns + 1, it->y, 0, peer->context);
        CVodeSetNonlinearSolverSensSim(it->cvode, it->fixed[1]);
    } else if (v->corrector == CV_STAGGERED) {
        it->fixed[1] = SUNNonlinSol_FixedPointSens(ns, it->y, 0, peer->context);
        CVodeSetNonlinearSolverSensStg(it->cvode, it->fixed[1]);
    } else {
        it->fixed[1] = SUNNonlinSol_FixedPoint(it->y, 0, peer->context);
        CVodeSetNonlinearSolverSensStg1(it->cvode, it->fixed[1]);
    }
}

static void attach_solver(const struct peer *peer, const struct peer_variant *v, struct session *it)
{
    sunindextype const n = (sunindextype)peer->derivatives.n;
    sunindextype const entries = (sunindextype)peer->derivatives.entries;
    if (v->linear == PEER_FIXED_POINT) {
        it->fixed[0] = SUNNonlinSol_FixedPoint(it->y, 0, peer->context);
        CVodeSetNonlinearSolver(it->cvode, it->fixed[0]);
        attach_fixed_columns(peer, v, it);
        return;
    }
    if (v->linear == PEER_KLU) {
        it->J = SUNSparseMatrix(n, n, entries, CSC_MAT, peer->context);
        it->linear = SUNLinSol_KLU(it->y, it->J, peer->context);
    } else {
        it->J = SUNDenseMatrix(n, n, peer->context);
        it->linear = v->linear == PEER_LAPACK ? SUNLinSol_LapackDense(it->y, it->J, peer->context)
                                              : SUNLinSol_Dense(it->y, it->J, peer->context);
    }
    CVodeSetLinearSolver(it->cvode, it->linear, it->J);
    CVodeSetJacFn(it->cvode, peer_jacobian);
}

/* Adds what was counted since the last restart; tangents are counted one by one where they are evaluated so. */
static void count(const struct session *it, const struct peer_variant *v, struct run *run)
{
    size_t const at_once = v->corrector == CV_STAGGERED1 ? 1 : it->columns;
    long steps = 0, f = 0, columns = 0, J = 0, factors = 0;
    CVodeGetNumSteps(it->cvode, &steps);
    CVodeGetNumRhsEvals(it->cvode, &f);
    CVodeGetSensNumRhsEvals(it->cvode, &columns);
    CVodeGetNumJacEvals(it->cvode, &J);
    CVodeGetNumLinSolvSetups(it->cvode, &factors);
    run->steps += (size_t)steps;
    run->evaluations += (size_t)f;
    run->tangents += (size_t)columns * at_once;
    run->jacobians += (size_t)J;
    run->factorisations += (size_t)factors;
}

/* At a break time, with the columns that act from there on. */
static int restart(struct peer *peer, const struct peer_variant *v, struct session *it, double t)
{
    it->piece++;
    size_t const columns = columns_on(peer, it->piece);
    peer_derivatives_move(&peer->derivatives, it->piece, columns);
    if (CVodeReInit(it->cvode, t, it->y) < 0) return -1;
    if (columns == it->columns) return CVodeSensReInit(it->cvode, v->corrector, it->s);
    it->columns = columns;
    CVodeSensFree(it->cvode);
    create_columns(peer, v, it);
    if (v->linear == PEER_FIXED_POINT) attach_fixed_columns(peer, v, it);
    return 0;
}

/* To the time `end`, through the break times on the way. */
static int reach(struct peer *peer, const struct peer_variant *v, struct session *it,
                 struct run *run, double end)
{
    const tansy_problem *p = &peer->task->problem->problem;
    double t = 0;
    for (;;) {
        int const stops = it->piece < p->breaks;
        int const at_break = stops && p->break_times[it->piece] < end;
        double const next = at_break ? p->break_times[it->piece] : end;
        if (p->breaks > 0) CVodeSetStopTime(it->cvode, stops ? p->break_times[it->piece] : end);
        if (CVode(it->cvode, next, it->y, &t, CV_NORMAL) < 0) return -1;
        if (CVodeGetSens(it->cvode, &t, it->s) < 0) return -1;
        if (!at_break) return 0;
        count(it, v, run);
        if (restart(peer, v, it, next) < 0) return -1;
    }
}

/* Through the reference times, the first of which may be t0. */
static int integrate(struct peer *peer, const struct peer_variant *v, struct session *it,
                     struct run *run)
{
    const struct reference *exact = &peer->task->exact;
    size_t const n = exact->n, ns = exact->ns;
    for (size_t m = 0; m < exact->times; m++) {
        int const moves = exact->t[m] != peer->task->problem->problem.t0;
        if (moves && reach(peer, v, it, run, exact->t[m]) < 0) return -1;
        memcpy(run->y + m * n, NV_DATA_S(it->y), n * sizeof(double));
        for (size_t k = 0; k < ns; k++)
            memcpy(run->sens + (m * ns + k) * n, NV_DATA_S(it->s[k]), n * sizeof(double));
    }
    return 0;
}

void peer_solve(struct peer *peer, const struct peer_variant *variant, struct run *run)
{
    struct session it = {.cvode = NULL};
    run->steps = run->evaluations = run->tangents = run->jacobians = run->factorisations = 0;
    peer->derivatives.by_tangents = peer->tangents[variant->corrector == CV_STAGGERED1];
    start(peer, run->rtol, &it);
    create(peer, variant, run->rtol, &it);
    attach_solver(peer, variant, &it);
    run->failed = integrate(peer, variant, &it, run) != 0;
    count(&it, variant, run);
    CVodeFree(&it.cvode);
    for (int f = 0; f < 2; f++) SUNNonlinSolFree(it.fixed[f]);
    SUNLinSolFree(it.linear);
    SUNMatDestroy(it.J);
    N_VDestroyVectorArray(it.s, (int)peer->derivatives.ns);
    N_VDestroy(it.atol);
    N_VDestroy(it.y);
}

/* The least time of three runs as `peer` is set up, or of one if that takes long. */
static double try_out(struct peer *peer, int corrector, struct run *run)
{
    struct peer_variant const variant = {.lmm = CV_BDF, .corrector = corrector};
    double best = HUGE_VAL;
    for (int r = 0; r < 3 && !(best < HUGE_VAL && best > 0.1); r++) {
        struct stopwatch watch;
        stopwatch_start(&watch);
        peer_solve(peer, &variant, run);
        best = fmin(best, stopwatch_stop(&watch));
    }
    return best;
}

/* Sets a switch of the peer to the faster position. */
static void choose(struct peer *peer, int corrector, struct run *run, int *setting)
{
    double seconds[2];
    for (*setting = 0; *setting < 2; ++*setting) seconds[*setting] = try_out(peer, corrector, run);
    *setting = seconds[1] < seconds[0];
}

void peer_open(struct peer *peer, const struct task *task)
{
    *peer = (struct peer){.task = task, .tangents = {1, 1}};
    SUNContext_Create(NULL, &peer->context);
    peer_derivatives_open(&peer->derivatives, &task->problem->problem, task->exact.ns);
}

void peer_tune(struct peer *peer)
{
    const struct task *task = peer->task;
    struct run run;
    run_open(task, &run);
    run.rtol = 1e-3;
    choose(peer, CV_STAGGERED, &run, &peer->tangents[0]);
    choose(peer, CV_STAGGERED1, &run, &peer->tangents[1]);
    choose(peer, CV_STAGGERED, &run, &peer->fused);
    if (task->problem->problem.active_from) choose(peer, CV_STAGGERED, &run, &peer->keeps);
    run_close(&run);
}

void peer_close(struct peer *peer)
{
    peer_derivatives_close(&peer->derivatives);
    SUNContext_Free(&peer->context);
}

void peer_name(const struct peer_variant *variant, size_t size, char *name)
{
    static const char *const linear[] = {"", " lapack", " klu", " fixed point"};
    const char *corrector = variant->corrector == CV_SIMULTANEOUS ? "simultaneous"
                            : variant->corrector == CV_STAGGERED  ? "staggered"
                                                                  : "staggered1";
    snprintf(name, size, "%s %s%s", variant->lmm == CV_BDF ? "bdf" : "adams", corrector,
             linear[variant->linear]);
}
