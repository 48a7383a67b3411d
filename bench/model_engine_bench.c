/* SPDX-License-Identifier: Apache-2.0 */
/* How fast does the engine evaluate a model?  f, J, df/dp and tangents of generated kinetic models against C as one would
   write it, compiled with cc -O3 -march=native; each with T as a state, where every call takes all exponentials, and with
   T a parameter, where ours are computed once per p.  Results are compared, too.
   The bars are judged on rates with k = A T^b exp(-E/(R T)), 53 and 600 states, the worse of T a state and T a parameter:
   f and J at most 1.0 of those by hand, df/dp 1.3; f with 32 tangents at most 0.06 f by hand a direction, f included: in y (the
   better of tangents by J and by rows, as the library takes that of fewer terms), and in y and 32 parameters, which is what a
   panel of 32 columns takes.  Tangents in which all parameters move in every direction are shown, too.
   A second block has k = A exp(-E/(R T)), where the C by hand has no powers to take; it is measured against the same bars,
   and the last line says how its tangents do, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "model/program.h"
#include "support/claims.h"
#include "support/kinetics.h"
#include "support/stopwatch.h"

enum { ROUNDS = 200, LANES = 32 };
static const double shortest = 3e-4; /* seconds of a measurement */

/* All that is measured. */
struct model {
    struct kinetics kinetics;
    struct derivative J, fp;
    struct tangent tangent;
    struct hoist plan;
    struct program *program[3];         /* f, J, df/dp */
    struct lane_program *rows, *direct; /* by rows of the tangent; by J */
    struct lane_program *lanes;         /* as the library has it */
    struct by_hand hand;
    struct leaves at;
    double *work, *hoisted, *own, *theirs, *V, *U, *few, *R;
    size_t moving, moving_row[LANES]; /* the rows of few[] that are not 0 */
    double ready;                     /* seconds to differentiate, and to schedule */
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
    (void)fprintf(stderr, "a model cannot be made: status %d\n", status);
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
    expect(lane_program_create_either(g, &m->plan, &m->tangent, &m->J, &m->lanes));
    expect(lane_program_create(g, &m->plan, &m->tangent, &m->rows));
    expect(lane_program_create_direct(g, &m->plan, &m->J, NULL, &m->direct));
}

static void make_space(struct model *m)
{
    size_t const n = (size_t)m->kinetics.n, np = (size_t)m->kinetics.np;
    size_t work = lane_program_work(m->lanes, LANES);
    if (lane_program_work(m->direct, LANES) > work) work = lane_program_work(m->direct, LANES);
    if (lane_program_work(m->rows, LANES) > work) work = lane_program_work(m->rows, LANES);
    for (int k = 0; k < 3; k++)
        if (program_work(m->program[k]) > work) work = program_work(m->program[k]);
    if (program_work(m->plan.program) > work) work = program_work(m->plan.program);
    m->work = take(work);
    m->hoisted = take(m->plan.count);
    m->own = take(n + m->J.entries + m->fp.entries);
    m->theirs = take(n + m->J.entries + m->fp.entries);
    m->V = take(n * LANES);
    m->U = take(np * LANES);
    m->few = take(np * LANES);
    m->R = take(n * LANES);
    for (size_t k = 0; k < n * LANES; k++) m->V[k] = sin((double)k);
    for (size_t k = 0; k < np * LANES; k++) m->U[k] = cos((double)k);
    for (m->moving = 0; m->moving < LANES && m->moving < np; m->moving++) {
        size_t const row = m->moving * (np / LANES > 0 ? np / LANES : 1);
        m->moving_row[m->moving] = row;
        m->few[row * LANES + m->moving] = 1;
    }
}

static void make(struct model *m, struct kinetics_kind kind)
{
    memset(m, 0, sizeof *m);
    kinetics_make(&m->kinetics, kind);
    size_t const n = (size_t)m->kinetics.n, np = (size_t)m->kinetics.np;
    struct graph *const g = graph_create();
    uint32_t *const rhs = take(n);
    double const start = stopwatch_seconds();
    kinetics_rhs(&m->kinetics, g, rhs);
    expect(differentiate(g, rhs, n, OP_STATE, n, &m->J));
    expect(differentiate(g, rhs, n, OP_PARAMETER, np, &m->fp));
    expect(differentiate_tangent(g, rhs, n, n, np, &m->tangent));
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
    double *const block[] = {m->work, m->hoisted, m->own, m->theirs, m->V, m->U, m->few, m->R};
    for (size_t k = 0; k < sizeof block / sizeof *block; k++) heap_return(block[k]);
    for (int k = 0; k < 3; k++) program_free(m->program[k]);
    lane_program_free(m->lanes);
    lane_program_free(m->rows);
    lane_program_free(m->direct);
    hoist_free(&m->plan);
    tangent_free(&m->tangent);
    derivative_free(&m->J);
    derivative_free(&m->fp);
    by_hand_close(&m->hand);
    kinetics_free(&m->kinetics);
}

/* What is timed: f, J, df/dp by us, by hand, tangents by J, by rows of their own, with 32 parameters, with all of them. */
enum { OWN, HAND = 3, DIRECT = 6, TANGENT, TANGENT_WITH_FEW, TANGENT_WITH_U, THINGS };

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
        lane_program_run(
            m->direct, &m->at,
            &(struct lane_panels){.columns = LANES, .ld = LANES, .V = m->V, .U = NULL, .R = m->R},
            m->work);
        break;
    case TANGENT:
        lane_program_run(m->rows, &m->at,
                         &(struct lane_panels){.columns = LANES, .ld = LANES, .V = m->V, .R = m->R},
                         m->work);
        break;
    case TANGENT_WITH_FEW:
        lane_program_run(m->lanes, &m->at,
                         &(struct lane_panels){.columns = LANES,
                                               .ld = LANES,
                                               .V = m->V,
                                               .U = m->few,
                                               .R = m->R,
                                               .moving = m->moving,
                                               .moving_row = m->moving_row},
                         m->work);
        break;
    case TANGENT_WITH_U:
        lane_program_run(
            m->lanes, &m->at,
            &(struct lane_panels){.columns = LANES, .ld = LANES, .V = m->V, .U = m->U, .R = m->R},
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

static void show_model(const struct model *m)
{
    const struct kinetics *const k = &m->kinetics;
    printf(
        "%d states%s, %d reactions; J has %zu entries, df/dp %zu; tangents %zu terms in %zu rows\n",
        k->n, k->hot ? " with T" : "", k->reactions, m->J.entries, m->fp.entries, m->tangent.terms,
        m->tangent.rows);
    printf("    differentiated in %.1f ms, scheduled in %.1f ms\n", 1e3 * m->ready,
           1e3 * m->scheduled);
}

/* Times against those by hand; of tangents a direction, f included. */
enum { RATIO_TANGENT = 3, RATIO_WITH_FEW, RATIO_WITH_U, RATIOS };

static void report(struct model *m, double ratio[RATIOS])
{
    static const char *const name[] = {"f", "J", "df/dp"};
    double best[THINGS];
    measure(m, best);
    show_model(m);
    for (int k = 0; k < 3; k++) {
        double const apart = difference(m, k);
        ratio[k] = best[OWN + k] / best[HAND + k];
        printf("    %-6s %10.0f ns, by hand %10.0f ns, ratio %.2f, values differ by %.0e\n",
               name[k], 1e9 * best[OWN + k], 1e9 * best[HAND + k], ratio[k], apart);
        if (apart <= 1e-11) continue;
        (void)fprintf(stderr, "the values of %s differ\n", name[k]);
        exit(EXIT_FAILURE);
    }
    static const char *const way[] = {"in y by J", "in y by rows", "in y and 32 of p",
                                      "in y and all of p"};
    double share[4];
    for (int k = 0; k < 4; k++) {
        share[k] = (best[OWN] + best[DIRECT + k]) / LANES / best[HAND];
        printf("    %d tangents %-18s %10.0f ns, a direction %.3f of f by hand, with f %.3f\n",
               LANES, way[k], 1e9 * best[DIRECT + k], best[DIRECT + k] / LANES / best[HAND],
               share[k]);
    }
    ratio[RATIO_TANGENT] = fmin(share[0], share[1]);
    ratio[RATIO_WITH_FEW] = share[2];
    ratio[RATIO_WITH_U] = share[3];
}

static const int size[][2] = {{10, 20}, {53, 325}, {600, 2500}};
enum { SIZES = sizeof size / sizeof *size };

/* worst[k]: the larger ratios of T a parameter and T a state. */
static void run_block(bool has_power, double worst[SIZES][RATIOS])
{
    printf("k = A %sexp(-E/(R T))\n", has_power ? "T^b " : "");
    for (int hot = 0; hot < 2; hot++)
        for (int k = 0; k < SIZES; k++) {
            struct model m;
            double ratio[RATIOS];
            make(&m, (struct kinetics_kind){size[k][0], size[k][1], hot == 1, has_power});
            report(&m, ratio);
            unmake(&m);
            for (int j = 0; j < RATIOS; j++) worst[k][j] = fmax(worst[k][j], ratio[j]);
        }
}

static const struct {
    const char *name;
    double bar;
} bars[] = {{"f", 1.0},
            {"J", 1.0},
            {"df/dp", 1.3},
            {"f with 32 tangents in y a direction", 0.06},
            {"f with 32 tangents in y and p a direction", 0.06}};
enum { BARS = sizeof bars / sizeof *bars };

static void judge(struct claims *claims, int states, const double ratio[RATIOS])
{
    for (int j = 0; j < BARS; j++) {
        char brief[80];
        (void)snprintf(brief, sizeof brief, "%s at %d states is %.3g of C by hand", bars[j].name,
                       states, ratio[j]);
        claim(claims, ratio[j] <= bars[j].bar, brief,
              "%s at %d states takes at most %.2f of C by hand: %.3f", bars[j].name, states,
              bars[j].bar, ratio[j]);
    }
    printf("           (in y and all of p %.3f a direction)\n", ratio[RATIO_WITH_U]);
}

/* The same numbers for rates without T^b, in one line. */
static void show_plain(int states, const double ratio[RATIOS])
{
    printf("without T^b at %d states:", states);
    for (int j = 0; j < BARS; j++)
        printf(" %s %.3g (bar %.2f%s),", bars[j].name, ratio[j], bars[j].bar,
               ratio[j] <= bars[j].bar ? "" : ", missed");
    printf(" in y and all of p %.3f\n", ratio[RATIO_WITH_U]);
}

int main(void)
{
    double judged[SIZES][RATIOS] = {{0}}, shown[SIZES][RATIOS] = {{0}};
    char name[100];
    struct claims claims = {.name = name};
    printf("Time of a call against C by hand, cc -O3 -march=native\n");
    run_block(true, judged);
    run_block(false, shown);
    for (int k = 1; k < SIZES; k++) judge(&claims, size[k][0], judged[k]);
    for (int k = 1; k < SIZES; k++) show_plain(size[k][0], shown[k]);
    (void)snprintf(name, sizeof name,
                   "model_engine (without T^b: tangents %.3f at %d, %.3f at %d states)",
                   shown[1][RATIO_TANGENT], size[1][0], shown[2][RATIO_TANGENT], size[2][0]);
    claims_finish(&claims);
    return 0;
}
