/* SPDX-License-Identifier: Apache-2.0 */
/* Writes cvodes_errors.csv: the errors of SUNDIALS' CVODES in the norm of error_norm.h on problems that amplify
   errors, as the bound for ours at the same tolerances.  Given derivatives, error control of S on, pbar =
   scale; for BDF and Adams each the best and the worst of its corrector variants.  From the top folder:
     cc -Iinclude -Itests -I$SUNDIALS/include tests/reference/make_cvodes_errors.c tests/support/problem*.c
        tests/support/m*.c tests/support/ref*.c tests/support/err*.c -L$SUNDIALS/lib -lsundials_cvodes -lm */
#include "support/error_norm.h"
#include "support/problems.h"
#include "support/reference.h"

#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

struct run {
    const struct test_problem *problem;
    struct reference exact;
    struct error_norm norm;
    int lmm, corrector, functional;
    double rtol;
    double *V, *U, *R; /* one lane a column */
    double *sens;
};

static int rhs(realtype t, N_Vector y, N_Vector f, void *data)
{
    const tansy_problem *p = &((struct run *)data)->problem->problem;
    return p->rhs(t, N_VGetArrayPointer(y), p->p, N_VGetArrayPointer(f), p->context);
}

static int jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector w1,
                    N_Vector w2, N_Vector w3)
{
    struct run *run = data;
    const tansy_problem *p = &run->problem->problem;
    size_t const n = p->n;
    (void)f, (void)w1, (void)w2, (void)w3;
    double *rows = calloc(n * n, sizeof *rows);
    int const failed = p->jacobian(t, N_VGetArrayPointer(y), p->p, rows, p->context);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) SM_ELEMENT_D(J, i, j) = rows[i * n + j];
    free(rows);
    return failed;
}

static int tangents(int ns, realtype t, N_Vector y, N_Vector yp, N_Vector *s, N_Vector *sp,
                    void *data, N_Vector w1, N_Vector w2)
{
    struct run *run = data;
    const tansy_problem *p = &run->problem->problem;
    size_t const n = p->n, ld = (size_t)ns;
    (void)yp, (void)w1, (void)w2;
    for (size_t k = 0; k < ld; k++)
        for (size_t i = 0; i < n; i++) run->V[i * ld + k] = NV_Ith_S(s[k], i);
    int const failed =
        p->tangent(t, N_VGetArrayPointer(y), p->p, ld, ld, run->V, run->U, run->R, p->context);
    for (size_t k = 0; k < ld; k++)
        for (size_t i = 0; i < n; i++) NV_Ith_S(sp[k], i) = run->R[i * ld + k];
    return failed;
}

static int tangent_of_one(int ns, realtype t, N_Vector y, N_Vector yp, int k, N_Vector s,
                          N_Vector sp, void *data, N_Vector w1, N_Vector w2)
{
    struct run *run = data;
    const tansy_problem *p = &run->problem->problem;
    double *u = calloc(p->np + 1, sizeof *u);
    (void)yp, (void)w1, (void)w2;
    for (size_t j = 0; j < p->np; j++) u[j] = run->U[j * (size_t)ns + (size_t)k];
    int const failed = p->tangent(t, N_VGetArrayPointer(y), p->p, 1, 1, N_VGetArrayPointer(s), u,
                                  N_VGetArrayPointer(sp), p->context);
    free(u);
    return failed;
}

/* The unit vectors: U for parameters, s for initial values. */
static void start_columns(struct run *run, N_Vector *s)
{
    const tansy_problem *p = &run->problem->problem;
    size_t const ns = run->norm.ns;
    memset(run->U, 0, p->np * ns * sizeof(double));
    for (size_t k = 0; k < ns; k++) {
        int const column = p->columns ? p->columns[k] : (int)k;
        N_VConst(0, s[k]);
        if (column < 0)
            NV_Ith_S(s[k], TANSY_INITIAL(column)) = 1;
        else
            run->U[(size_t)column * ns + k] = 1;
    }
}

/* Integrates through the reference times; the largest error, infinite when CVODES gives up. */
static double integrate(struct run *run, void *cvode, N_Vector y, N_Vector *s)
{
    const struct reference *exact = &run->exact;
    size_t const n = exact->n, ns = exact->ns;
    double error = 0;
    for (size_t m = 0; m < exact->times; m++) {
        double t = 0;
        if (CVode(cvode, exact->t[m], y, &t, CV_NORMAL) < 0) return HUGE_VAL;
        if (CVodeGetSens(cvode, &t, s) < 0) return HUGE_VAL;
        for (size_t k = 0; k < ns; k++)
            memcpy(run->sens + k * n, N_VGetArrayPointer(s[k]), n * sizeof(double));
        error = fmax(error, error_norm_state(&run->norm, exact->y + m * n, N_VGetArrayPointer(y)));
        error =
            fmax(error, error_norm_columns(&run->norm, exact->sens + m * ns * n, run->sens, NULL));
    }
    return error;
}

static void attach_solvers(const struct run *run, void *cvode, SUNContext context, N_Vector y,
                           N_Vector *s)
{
    sunindextype const n = (sunindextype)run->norm.n;
    int const ns = (int)run->norm.ns;
    if (!run->functional) {
        SUNMatrix J = SUNDenseMatrix(n, n, context);
        CVodeSetLinearSolver(cvode, SUNLinSol_Dense(y, J, context), J);
        CVodeSetJacFn(cvode, jacobian);
        return;
    }
    CVodeSetNonlinearSolver(cvode, SUNNonlinSol_FixedPoint(y, 0, context));
    if (run->corrector == CV_STAGGERED)
        CVodeSetNonlinearSolverSensStg(cvode, SUNNonlinSol_FixedPointSens(ns, s[0], 0, context));
    if (run->corrector == CV_STAGGERED1)
        CVodeSetNonlinearSolverSensStg1(cvode, SUNNonlinSol_FixedPoint(y, 0, context));
    if (run->corrector == CV_SIMULTANEOUS)
        CVodeSetNonlinearSolverSensSim(cvode,
                                       SUNNonlinSol_FixedPointSens(ns + 1, s[0], 0, context));
}

/* One run; memory is left to the end of the program. */
static double solve(struct run *run)
{
    const tansy_problem *p = &run->problem->problem;
    size_t const n = p->n;
    int const ns = (int)run->norm.ns;
    SUNContext context = NULL;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial((sunindextype)n, context), atol = N_VClone(y);
    N_Vector *s = N_VCloneVectorArray(ns, y);
    for (size_t i = 0; i < n; i++) {
        NV_Ith_S(y, i) = p->y0[i];
        NV_Ith_S(atol, i) = run->rtol * run->problem->atol[i];
    }
    start_columns(run, s);
    void *cvode = CVodeCreate(run->lmm, context);
    CVodeInit(cvode, rhs, p->t0, y);
    CVodeSVtolerances(cvode, run->rtol, atol);
    CVodeSetUserData(cvode, run);
    CVodeSetMaxNumSteps(cvode, 10000000);
    CVodeSetErrFile(cvode, NULL);
    if (run->corrector == CV_STAGGERED1)
        CVodeSensInit1(cvode, ns, run->corrector, tangent_of_one, s);
    else
        CVodeSensInit(cvode, ns, run->corrector, tangents, s);
    CVodeSetSensParams(cvode, NULL, run->norm.scale, NULL);
    CVodeSensEEtolerances(cvode);
    CVodeSetSensErrCon(cvode, SUNTRUE);
    attach_solvers(run, cvode, context, y, s);
    double const error = integrate(run, cvode, y, s);
    CVodeFree(&cvode);
    N_VDestroyVectorArray(s, ns);
    N_VDestroy(atol);
    N_VDestroy(y);
    return error;
}

/* The smallest and the largest error over the corrector variants. */
static void print_range(struct run *run)
{
    static const int correctors[] = {CV_SIMULTANEOUS, CV_STAGGERED, CV_STAGGERED1};
    double best = HUGE_VAL, worst = 0;
    for (run->functional = 0; run->functional <= (run->lmm == CV_ADAMS); run->functional++)
        for (size_t c = 0; c < 3; c++) {
            run->corrector = correctors[c];
            double const error = solve(run);
            best = fmin(best, error);
            worst = fmax(worst, error);
        }
    printf("%s,%s,%.0e,%.3e,%.3e\n", run->problem->name, run->lmm == CV_BDF ? "bdf" : "adams",
           run->rtol, best, worst);
}

static void print_problem(const struct test_problem *problem)
{
    static const double tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
    struct run run = {.problem = problem};
    reference_read(run.problem, &run.exact);
    error_norm_make(run.problem, &run.exact, &run.norm);
    size_t const n = run.exact.n, ns = run.exact.ns;
    run.V = calloc((3 * n + run.problem->problem.np) * ns, sizeof(double));
    run.R = run.V + n * ns, run.sens = run.R + n * ns, run.U = run.sens + n * ns;
    for (run.lmm = problem->stiff ? CV_BDF : CV_ADAMS; run.lmm <= CV_BDF; run.lmm++)
        for (size_t m = 0; m < sizeof tolerances / sizeof *tolerances; m++) {
            run.rtol = tolerances[m];
            print_range(&run);
        }
}

/* The problems named, or all that amplify errors. */
int main(int argc, char **argv)
{
    const struct test_problem *problem = NULL;
    printf("# The largest e of state and columns of CVODES, in the norm of error_norm.h, by "
           "make_cvodes_errors.c\n");
    printf("problem,method,rtol,best,worst\n");
    for (int a = 1; a < argc; a++)
        if ((problem = problem_find(argv[a])) && problem->reference) print_problem(problem);
    for (size_t k = 0; argc == 1 && (problem = problem_number(k)); k++)
        if (problem->amplifies) print_problem(problem);
    return EXIT_SUCCESS;
}
