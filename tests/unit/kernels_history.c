/* SPDX-License-Identifier: Apache-2.0 */
/* The history kernel of every instruction set against its definition in matrix/kernels.h, one operation at a time. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "matrix/kernels.h"
#include "support/random.h"
#include "test.h"

enum { MAX_ORDER = HISTORY_ROWS - 2, MAX_COUNT = 40, STRIDE = 48 };

struct data {
    double z[HISTORY_ROWS * STRIDE];
    double y0[STRIDE], d0[STRIDE];
};

/* The numbers of a task and the sums of the sizes of what is added up, for the bound. */
struct example {
    double l[HISTORY_ROWS], scale[HISTORY_ROWS], e[STRIDE], grow;
    struct data before, expected, actual;
    double size;
};

static double binomial(int n, int k)
{
    return round(exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)));
}

static void fill(struct example *x, int order)
{
    struct random_source source = {(uint64_t)order};
    double *const z = x->before.z;
    for (size_t c = 0; c < HISTORY_ROWS * STRIDE; c++) z[c] = random_next(&source);
    for (size_t c = 0; c < STRIDE; c++) {
        x->e[c] = random_next(&source);
        x->before.y0[c] = x->before.d0[c] = 42;
    }
    for (size_t j = 0; j < HISTORY_ROWS; j++) {
        x->l[j] = j ? random_next(&source) : 1;
        x->scale[j] = pow(1.7, (double)j);
    }
    x->grow = 0.375;
}

/* Column c of the expected result, from the definition. */
static void define(struct example *x, const struct history_task *task, size_t c)
{
    int const order = task->order;
    double z[HISTORY_ROWS];
    for (int j = 0; j <= order + 1; j++) z[j] = x->before.z[j * STRIDE + c];
    if (task->e) {
        for (int j = 0; j <= order; j++) {
            double sum = task->l[j] * task->e[c];
            for (int i = j; i <= order; i++) sum += binomial(i, j) * x->before.z[i * STRIDE + c];
            z[j] = sum;
        }
        if (task->grow != 0) z[order + 1] = task->grow * task->e[c];
    }
    for (int j = 0; task->scale && j <= task->new_order; j++) z[j] *= task->scale[j];
    for (int j = 0; j <= order + 1; j++) x->expected.z[j * STRIDE + c] = z[j];
    if (!task->y0) return;
    x->expected.y0[c] = x->expected.d0[c] = 0;
    for (int j = 0; j <= task->new_order; j++) {
        x->expected.y0[c] += z[j];
        x->expected.d0[c] += j * z[j];
    }
}

/* Every entry is a sum whose terms add up, in size, to at most 2^order + 1 times the largest scale, times
   order(order + 1)/2 in d0; each of the fewer than 4 order additions on the way to it rounds once. */
static double tolerance(int order)
{
    double const terms = pow(2, order + 1) * pow(1.7, order + 1) * (order + 1) * (order + 2);
    return 4 * order * DBL_EPSILON * terms;
}

static void check_equal_data(const struct example *x, double limit)
{
    for (size_t c = 0; c < HISTORY_ROWS * STRIDE; c++)
        CHECK_CLOSE(x->actual.z[c], x->expected.z[c], limit);
    for (size_t c = 0; c < STRIDE; c++) {
        CHECK_CLOSE(x->actual.y0[c], x->expected.y0[c], limit);
        CHECK_CLOSE(x->actual.d0[c], x->expected.d0[c], limit);
    }
}

static void check_task(const struct kernels *kernels, struct example *x, struct history_task task)
{
    x->expected = x->actual = x->before;
    for (size_t c = 0; c < task.count; c++) define(x, &task, c);
    task.z = x->actual.z;
    kernels->step->history(&task);
    check_equal_data(x, tolerance(task.order));
}

static void check_all_tasks(const struct kernels *kernels, int order, int new_order, size_t count)
{
    static struct example x;
    fill(&x, order);
    for (unsigned choice = 0; choice < 16; choice++) {
        bool const corrects = choice & 1, rescales = choice & 2, predicts = choice & 4;
        bool const grows = corrects && (choice & 8);
        check_task(kernels, &x,
                   (struct history_task){.stride = STRIDE,
                                         .count = count,
                                         .order = order,
                                         .new_order = new_order,
                                         .l = x.l,
                                         .e = corrects ? x.e : NULL,
                                         .grow = grows ? x.grow : 0,
                                         .scale = rescales ? x.scale : NULL,
                                         .y0 = predicts ? x.actual.y0 : NULL,
                                         .d0 = predicts ? x.actual.d0 : NULL});
    }
}

TEST(history_does_what_its_definition_says_for_every_order_and_task)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (int order = 1; order <= MAX_ORDER; order++)
            for (int new_order = order - 1; new_order <= order + 1; new_order++)
                for (size_t count = LANE_GROUP; count <= MAX_COUNT; count += LANE_GROUP)
                    if (new_order > 0) check_all_tasks(list[m], order, new_order, count);
}

TEST(an_empty_row_of_history_is_left_alone)
{
    static struct example x;
    fill(&x, 3);
    x.actual = x.before;
    kernels_choose()->step->history(&(struct history_task){
        .z = x.actual.z, .stride = STRIDE, .order = 3, .new_order = 3, .l = x.l, .e = x.e});
    CHECK(memcmp(&x.actual, &x.before, sizeof x.actual) == 0);
}
