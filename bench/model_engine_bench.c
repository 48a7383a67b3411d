/* SPDX-License-Identifier: Apache-2.0 */
/* How fast does the engine evaluate a model?  f, J, df/dp and tangents of generated kinetic models against C as one would
   write it, compiled with cc -O3 -march=native; each with T as a state, where every call takes all exponentials, and at a
   fixed temperature, where ours are computed once per p.  Results are compared, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "model/program.h"
#include "support/kinetics.h"
#include "support/stopwatch.h"

enum { ROUNDS = 40, LANES = 32 };
static const double shortest = 3e-4; /* seconds of a measurement */

/* All that is measured. */
struct model {
    struct kinetics kinetics;
    struct derivative J, fp;
    struct tangent tangent;
    struct hoist plan;
    struct program *program[3];          /* f, J, df/dp */
    struct lane_program *lanes, *direct; /* by rows of the tangent; by J */
    struct by_hand hand;
    struct leaves at;
    double *work, *hoisted, *own, *theirs, *V, *U, *R;
    double ready; /* seconds to differentiate, and to schedule */
    double scheduled;
};

static void *take(size_t count)
{
    void *const block = heap_take((count + 8) * sizeof(double));
    if (!block) exit(EXIT_FAILURE);
    return block;
}

static void expect(tansy_status status)
{
    if (status == TANSY_OK) return;
    fprintf(stderr, "a model cannot be made: status %d\n", status);
    exit(EXIT_FAILURE);
}

/* Hoisting looks at the roots of all programs. */
static void plan(struct model *m, const struct graph *g, const uint32_t *rhs)
{
    size_t const n = (size_t)m->kinetics.n;
    size_t const roots = n + m->J.entries + m->fp.entries + m->tangent.terms;
    uint32_t *const root = take(roots);
    memcpy(root, rhs, n * sizeof *root);
    memcpy(root + n, m->J.node, m->J.entries * sizeof *root);
    memcpy(root + n + m->J.entries, m->fp.node, m->fp.entries * sizeof *root);
    memcpy(root + n + m->J.entries + m->fp.entries, m->tangent.coefficient,
           m->tangent.terms * sizeof *root);
    expect(hoist_plan(g, root, roots, &m->plan));
    heap_return(root);
}

static void schedule(struct model *m, const struct graph *g, const uint32_t *rhs)
{
    plan(m, g, rhs);
    expect(program_create(g, &m->plan, rhs, (size_t)m->kinetics.n, &m->program[0]));
    expect(program_create(g, &m->plan, m->J.node, m->J.entries, &m->program[1]));
    expect(program_create(g, &m->plan, m->fp.node, m->fp.entries, &m->program[2]));
    expect(lane_program_create(g, &m->plan, &m->tangent, &m->lanes));
    expect(lane_program_create_direct(g, &m->plan, &m->J, NULL, &m->direct));
}

static void make_space(struct model *m)
{
    size_t const n = (size_t)m->kinetics.n, np = 2 * (size_t)m->kinetics.reactions;
    size_t work = lane_program_work(m->lanes, LANES);
    if (lane_program_work(m->direct, LANES) > work) work = lane_program_work(m->direct, LANES);
    for (int k = 0; k < 3; k++)
        if (program_work(m->program[k]) > work) work = program_work(m->program[k]);
    if (program_work(m->plan.program) > work) work = program_work(m->plan.program);
    m->work = take(work);
    m->hoisted = take(m->plan.count);
    m->own = take(n + m->J.entries + m->fp.entries);
    m->theirs = take(n + m->J.entries + m->fp.entries);
    m->V = take(n * LANES);
    m->U = take(np * LANES);
    m->R = take(n * LANES);
    for (size_t k = 0; k < n * LANES; k++) m->V[k] = sin((double)k);
    for (size_t k = 0; k < np * LANES; k++) m->U[k] = cos((double)k);
}

static void make(struct model *m, int n, int reactions, int hot)
{
    memset(m, 0, sizeof *m);
    kinetics_make(&m->kinetics, n, reactions, hot);
    struct graph *const g = graph_create();
    uint32_t *const rhs = take((size_t)n);
    double const start = stopwatch_seconds();
    kinetics_rhs(&m->kinetics, g, rhs);
    size_t const np = 2 * (size_t)reactions;
    expect(differentiate(g, rhs, (size_t)n, OP_STATE, (size_t)n, &m->J));
    expect(differentiate(g, rhs, (size_t)n, OP_PARAMETER, np, &m->fp));
    expect(differentiate_tangent(g, rhs, (size_t)n, (size_t)n, np, &m->tangent));
    m->ready = stopwatch_seconds() - start;
    schedule(m, g, rhs);
    m->scheduled = stopwatch_seconds() - start - m->ready;
    make_space(m);
    by_hand_open(&m->hand, &m->kinetics, &m->J, &m->fp);
    m->at = (struct leaves){.y = m->kinetics.y, .p = m->kinetics.p, .np = np};
    program_run(m->plan.program, &m->at, m->work, m->hoisted);
    m->at.hoisted = m->hoisted;
    heap_return(rhs);
    graph_free(g);
}

static void unmake(struct model *m)
{
    double *const block[] = {m->work, m->hoisted, m->own, m->theirs, m->V, m->U, m->R};
    for (size_t k = 0; k < sizeof block / sizeof *block; k++) heap_return(block[k]);
    for (int k = 0; k < 3; k++) program_free(m->program[k]);
    lane_program_free(m->lanes);
    lane_program_free(m->direct);
    hoist_free(&m->plan);
    tangent_free(&m->tangent);
    derivative_free(&m->J);
    derivative_free(&m->fp);
    by_hand_close(&m->hand);
    kinetics_free(&m->kinetics);
}

/* What is timed: f, J, df/dp by us, by hand, tangents by J, by rows of their own, with parameters. */
enum { OWN, HAND = 3, DIRECT = 6, TANGENT, TANGENT_WITH_U, THINGS };

static void run_once(struct model *m, int thing)
{
    const double *const y = m->kinetics.y, *const p = m->kinetics.p;
    switch (thing) {
    case HAND:
        m->hand.f(y, p, m->theirs);
        break;
    case HAND + 1:
        m->hand.J(y, p, m->theirs);
        break;
    case HAND + 2:
        m->hand.fp(y, p, m->theirs);
        break;
    case DIRECT:
        lane_program_run(m->direct, &m->at, &(struct lane_panels){LANES, LANES, m->V, NULL, m->R},
                         m->work);
        break;
    case TANGENT:
    case TANGENT_WITH_U:
        lane_program_run(
            m->lanes, &m->at,
            &(struct lane_panels){LANES, LANES, m->V, thing == TANGENT ? NULL : m->U, m->R},
            m->work);
        break;
    default:
        program_run(m->program[thing], &m->at, m->work, m->own);
    }
}

static double time_calls(struct model *m, int thing, size_t calls)
{
    double const start = stopwatch_seconds();
    for (size_t c = 0; c < calls; c++) run_once(m, thing);
    return (stopwatch_seconds() - start) / (double)calls;
}

/* The least times of a call, all things in turn. */
static void measure(struct model *m, double best[THINGS])
{
    size_t calls[THINGS];
    for (int k = 0; k < THINGS; k++) {
        run_once(m, k);
        best[k] = time_calls(m, k, 3);
        calls[k] = 1 + (size_t)(shortest / best[k]);
    }
    for (int r = 0; r < ROUNDS; r++)
        for (int k = 0; k < THINGS; k++) best[k] = fmin(best[k], time_calls(m, k, calls[k]));
}

/* The largest difference of our entries and theirs, relative to the largest entry. */
static double difference(struct model *m, int thing)
{
    size_t const count[] = {(size_t)m->kinetics.n, m->J.entries, m->fp.entries};
    double top = 0, size = 0;
    run_once(m, OWN + thing);
    run_once(m, HAND + thing);
    for (size_t e = 0; e < count[thing]; e++) {
        top = fmax(top, fabs(m->own[e] - m->theirs[e]));
        size = fmax(size, fabs(m->theirs[e]));
        if (isnan(m->own[e]) || isnan(m->theirs[e])) return (double)INFINITY;
    }
    return top / size;
}

static void report(struct model *m, double ratio[5])
{
    static const char *const name[] = {"f", "J", "df/dp"};
    double best[THINGS];
    measure(m, best);
    printf(
        "%d states%s, %d reactions; J has %zu entries, df/dp %zu; tangents %zu terms in %zu rows\n",
        m->kinetics.n, m->kinetics.hot ? " with T" : "", m->kinetics.reactions, m->J.entries,
        m->fp.entries, m->tangent.terms, m->tangent.rows);
    printf("    differentiated in %.1f ms, scheduled in %.1f ms\n", 1e3 * m->ready,
           1e3 * m->scheduled);
    for (int k = 0; k < 3; k++) {
        double const apart = difference(m, k);
        ratio[k] = best[OWN + k] / best[HAND + k];
        printf("    %-6s %10.0f ns, by hand %10.0f ns, ratio %.2f, values differ by %.0e\n",
               name[k], 1e9 * best[OWN + k], 1e9 * best[HAND + k], ratio[k], apart);
        if (apart <= 1e-11) continue;
        fprintf(stderr, "the values of %s differ\n", name[k]);
        exit(EXIT_FAILURE);
    }
    static const char *const way[] = {"in y by J", "in y by rows", "in y and p by rows"};
    for (int k = 0; k < 3; k++)
        printf("    %d tangents %-18s %10.0f ns, a direction %.3f of f by hand\n", LANES, way[k],
               1e9 * best[DIRECT + k], best[DIRECT + k] / LANES / best[HAND]);
    ratio[3] = fmin(best[DIRECT], best[TANGENT]) / LANES / best[HAND];
    ratio[4] = best[TANGENT_WITH_U] / LANES / best[HAND];
}

int main(void)
{
    static const int size[][2] = {{10, 20}, {53, 325}, {600, 2500}};
    double shown[5] = {0};
    printf("Time of a call against C by hand, cc -O3 -march=native\n");
    for (int hot = 0; hot < 2; hot++)
        for (int k = 0; k < 3; k++) {
            struct model m;
            double ratio[5];
            make(&m, size[k][0], size[k][1], hot);
            report(&m, ratio);
            unmake(&m);
            if (hot && k == 1) memcpy(shown, ratio, sizeof shown);
        }
    printf("model_engine: f %.2f J %.2f fp %.2f tangent %.3f (with p %.3f) of hand-written C at 53 "
           "states\n",
           shown[0], shown[1], shown[2], shown[3], shown[4]);
    return 0;
}
