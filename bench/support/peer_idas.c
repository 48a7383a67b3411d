/* SPDX-License-Identifier: Apache-2.0 */
/* The peer, see peer_idas.h. */
#include "peer_idas.h"

#include "stopwatch.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>

enum { MAX_STEPS = 100000 }; /* as Tansy */

/* All that one run creates. */
struct session {
    void *ida;
    N_Vector y, yp, atol, id, *s, *sp;
    SUNMatrix W;
    SUNLinearSolver linear;
};

static int has_index_2(const tansy_problem *p)
{
    for (size_t i = 0; i < p->n && p->kind; i++)
        if (p->kind[i] == TANSY_INDEX_2) return 1;
    return 0;
}

/* y, S and their derivatives at t0 as far as they are known, and what is algebraic. */
static void start(struct peer_idas *peer, double rtol, struct session *it)
{
    const struct test_problem *problem = peer->task->problem;
    const tansy_problem *p = &problem->problem;
    size_t const n = p->n, np = p->np, ns = peer->derivatives.ns;
    double *D = bench_take(n * np + 2 * ns * n, sizeof *D), *s = D + n * np, *sp = s + ns * n;
    it->y = N_VNew_Serial((sunindextype)n, peer->context);
    N_VEnableFusedOps_Serial(it->y, peer->fused);
    it->yp = N_VClone(it->y);
    it->atol = N_VClone(it->y);
    it->id = N_VClone(it->y);
    it->s = N_VCloneVectorArray((int)ns, it->y);
    it->sp = N_VCloneVectorArray((int)ns, it->y);
    for (size_t i = 0; i < n; i++) {
        NV_Ith_S(it->y, i) = p->y0[i];
        NV_Ith_S(it->atol, i) = rtol * problem->atol[i];
        NV_Ith_S(it->id, i) = p->kind && p->kind[i] != TANSY_DIFFERENTIAL ? 0 : 1;
    }
    if (p->initial_jacobian) p->initial_jacobian(p->t0, p->p, D, p->context);
    for (size_t k = 0; k < ns; k++)
        for (size_t i = 0; i < n; i++) s[k * n + i] = D[i * np + k];
    idas_start(&peer->derivatives, p->y0, s, NV_DATA_S(it->yp), sp);
    for (size_t k = 0; k < ns; k++) {
        memcpy(NV_DATA_S(it->s[k]), s + k * n, n * sizeof *s);
        memcpy(NV_DATA_S(it->sp[k]), sp + k * n, n * sizeof *sp);
    }
    free(D);
}

static void create(struct peer_idas *peer, const struct idas_variant *v, double rtol,
                   struct session *it)
{
    it->ida = IDACreate(peer->context);
    IDAInit(it->ida, idas_residual, peer->task->problem->problem.t0, it->y, it->yp);
    IDASVtolerances(it->ida, rtol, it->atol);
    IDASetUserData(it->ida, &peer->derivatives);
    IDASetMaxNumSteps(it->ida, MAX_STEPS);
    IDASetErrFile(it->ida, NULL);
    IDASetId(it->ida, it->id);
    IDASetSuppressAlg(it->ida, v->suppress ? SUNTRUE : SUNFALSE);
    IDASensInit(it->ida, (int)peer->derivatives.ns, v->corrector, idas_sens_residual, it->s,
                it->sp);
    IDASetSensParams(it->ida, NULL, peer->task->norm.scale, NULL);
    IDASensEEtolerances(it->ida);
    IDASetSensErrCon(it->ida, SUNTRUE);
}

static void attach_solver(const struct peer_idas *peer, const struct idas_variant *v,
                          struct session *it)
{
    const struct idas_derivatives *d = &peer->derivatives;
    const tansy_problem *p = d->problem;
    sunindextype const n = (sunindextype)d->n;
    if (v->linear == IDAS_GMRES) {
        it->linear = SUNLinSol_SPGMR(it->y, SUN_PREC_LEFT, v->directions, peer->context);
        IDASetLinearSolver(it->ida, it->linear, NULL);
        IDASetPreconditioner(it->ida, idas_precondition_prepare, idas_precondition_solve);
        if (v->given_product) IDASetJacTimes(it->ida, NULL, idas_product);
        return;
    }
    if (v->linear == IDAS_KLU) {
        it->W = SUNSparseMatrix(n, n, (sunindextype)d->entries, CSC_MAT, peer->context);
        it->linear = SUNLinSol_KLU(it->y, it->W, peer->context);
    } else if (v->linear == IDAS_BAND) {
        it->W = SUNBandMatrix(n, (sunindextype)p->upper, (sunindextype)p->lower, peer->context);
        it->linear = SUNLinSol_Band(it->y, it->W, peer->context);
    } else {
        it->W = SUNDenseMatrix(n, n, peer->context);
        it->linear = SUNLinSol_Dense(it->y, it->W, peer->context);
    }
    IDASetLinearSolver(it->ida, it->linear, it->W);
    IDASetJacFn(it->ida, idas_jacobian);
}

/* Through the reference times. */
static int integrate(const struct peer_idas *peer, struct session *it, struct run *run)
{
    const struct reference *exact = &peer->task->exact;
    size_t const n = exact->n, ns = exact->ns;
    if (!has_index_2(peer->derivatives.problem) &&
        IDACalcIC(it->ida, IDA_YA_YDP_INIT, exact->t[0]) < 0)
        return -1;
    for (size_t m = 0; m < exact->times; m++) {
        double t = 0;
        if (IDASolve(it->ida, exact->t[m], &t, it->y, it->yp, IDA_NORMAL) < 0) return -1;
        if (IDAGetSens(it->ida, &t, it->s) < 0) return -1;
        memcpy(run->y + m * n, NV_DATA_S(it->y), n * sizeof(double));
        for (size_t k = 0; k < ns; k++)
            memcpy(run->sens + (m * ns + k) * n, NV_DATA_S(it->s[k]), n * sizeof(double));
    }
    return 0;
}

void peer_idas_solve(struct peer_idas *peer, const struct idas_variant *variant, struct run *run)
{
    struct session it = {.ida = NULL};
    long steps = 0;
    peer->derivatives.t = (double)NAN;
    peer->derivatives.by_tangents = peer->by_tangents;
    start(peer, run->rtol, &it);
    create(peer, variant, run->rtol, &it);
    attach_solver(peer, variant, &it);
    run->failed = integrate(peer, &it, run) != 0;
    IDAGetNumSteps(it.ida, &steps);
    run->steps = (size_t)steps;
    IDAFree(&it.ida);
    SUNLinSolFree(it.linear);
    SUNMatDestroy(it.W);
    N_VDestroyVectorArray(it.s, (int)peer->derivatives.ns);
    N_VDestroyVectorArray(it.sp, (int)peer->derivatives.ns);
    N_VDestroy(it.id);
    N_VDestroy(it.atol);
    N_VDestroy(it.yp);
    N_VDestroy(it.y);
}

/* The least time of three runs as `peer` is set up, or of one if that takes long. */
static double try_out(struct peer_idas *peer, struct run *run)
{
    struct idas_variant const variant = {
        .corrector = IDA_STAGGERED,
        .linear = peer->task->krylov                                     ? IDAS_GMRES
                  : peer->derivatives.problem->structure == TANSY_DENSE  ? IDAS_DENSE
                  : peer->derivatives.problem->structure == TANSY_BANDED ? IDAS_BAND
                                                                         : IDAS_KLU};
    double best = HUGE_VAL;
    for (int r = 0; r < 3 && !(best < HUGE_VAL && best > 0.1); r++) {
        struct stopwatch watch;
        stopwatch_start(&watch);
        peer_idas_solve(peer, &variant, run);
        best = fmin(best, stopwatch_stop(&watch));
    }
    return best;
}

/* Sets a switch of the peer to the faster position. */
static void choose(struct peer_idas *peer, struct run *run, int *setting)
{
    double seconds[2];
    for (*setting = 0; *setting < 2; ++*setting) seconds[*setting] = try_out(peer, run);
    *setting = seconds[1] < seconds[0];
}

void peer_idas_open(struct peer_idas *peer, const struct task *task)
{
    struct run run;
    *peer = (struct peer_idas){.task = task};
    SUNContext_Create(NULL, &peer->context);
    idas_derivatives_open(&peer->derivatives, &task->problem->problem, task->exact.ns);
    run_open(task, &run);
    run.rtol = 1e-3;
    choose(peer, &run, &peer->by_tangents);
    choose(peer, &run, &peer->fused);
    run_close(&run);
}

void peer_idas_close(struct peer_idas *peer)
{
    idas_derivatives_close(&peer->derivatives);
    SUNContext_Free(&peer->context);
}

void peer_idas_name(const struct idas_variant *variant, size_t size, char *name)
{
    static const char *const linear[] = {"", " band", " klu", " gmres"};
    snprintf(name, size, "%s%s%s%s%s",
             variant->corrector == IDA_SIMULTANEOUS ? "simultaneous" : "staggered",
             linear[variant->linear], variant->given_product ? " given" : "",
             variant->directions > 0 ? " long" : "", variant->suppress ? " suppress" : "");
}
