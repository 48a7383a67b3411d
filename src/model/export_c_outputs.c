/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs in C.  They take x = (p, all conditions, the piece), which NAME_settle() completes: conditions that the solver watches
   stand as it has them in derived quantities, and as they stand at the point in NAME_outputs(). */
#include <math.h>
#include <stdio.h>

#include "base/heap.h"
#include "model/export_c_function.h"
#include "model/export_c_model.h"

enum { TEXT_SIZE = 64 };

/* Conditions first .. end, none of which needs another of them, as values in x[np + j]. */
static void write_condition_group(struct export *x, size_t first, size_t end)
{
    char name[TEXT_SIZE];
    static const char arguments[] = "double t, const double *y, const double *p, double *x";
    size_t *const place = heap_take((end - first) * sizeof *place);
    if (!place) {
        x->w.failed = true;
        return;
    }
    for (size_t j = first; j < end; j++) {
        place[j - first] = x->np + j;
        x->root[j - first] = x->system->condition.item[j].node;
    }
    (void)snprintf(name, sizeof name, "condition_%zu", first);
    write_function(&x->w, x->g,
                   &(struct c_function){.model = x->model,
                                        .name = name,
                                        .parameters = arguments,
                                        .arguments = arguments,
                                        .passed = "t, y, p, x",
                                        .unused = "(void)t, (void)y, (void)p;",
                                        .target = "x",
                                        .root = x->root,
                                        .place = place,
                                        .roots = end - first,
                                        .is_inner = true,
                                        .np = x->np,
                                        .switches = x->system->condition.count});
    heap_return(place);
}

/* The end of the group that begins with a condition: one that uses switches stands alone, and watched ones do not stand with
   others. */
static size_t group_end(const struct export *x, size_t first)
{
    const struct system *const s = x->system;
    size_t const last = first < s->watched ? s->watched : s->condition.count;
    size_t end = first;
    while (end < last && !(graph_leaves(x->g, s->condition.item[end].node) & 1u << OP_SWITCH))
        end++;
    return end > first ? end : first + 1;
}

static void write_settle(struct export *x)
{
    size_t const conditions = x->system->condition.count;
    for (size_t j = 0; j < conditions; j = group_end(x, j))
        write_condition_group(x, j, group_end(x, j));
    write_text(&x->w,
               "/* x is p, then the conditions, then how many break times are passed: conditions "
               "first, first + 1, .. as they stand. */\n"
               "static int %s_settle(double t, const double *y, size_t first, double *x)\n"
               "{\n    (void)t, (void)y, (void)first, (void)x;\n",
               x->model);
    for (size_t j = 0; j < conditions; j = group_end(x, j)) {
        write_text(&x->w, "    if (first <= %zu) {\n", j);
        write_text(&x->w, "        if (%s_condition_%zu(t, y, x, x)) return -1;\n", x->model, j);
        write_text(&x->w, "        for (size_t k = %zu; k < %zu; k++) x[k] = x[k] >= 0 ? 1 : 0;\n",
                   x->np + j, x->np + group_end(x, j));
        write_text(&x->w, "    }\n");
    }
    write_text(&x->w, "    return 0;\n}\n\n");
}

/* model_beside() on the side of model_side(), for conditions that only outputs use. */
static void write_beside(struct export *x)
{
    const struct system *const s = x->system;
    write_text(&x->w,
               "/* The same time but for rounding, on the side from which a run from t0 comes. */\n"
               "static double %s_beside(double t)\n"
               "{\n    double const t0 = ",
               x->model);
    write_number(&x->w, isfinite(s->t0) ? s->t0 : 0);
    write_text(&x->w,
               ", aside = fmax(0x1p-46 * fmax(fabs(t), fabs(t0)), 2e-292);\n"
               "    return t %s t0 ? t - aside : t + aside;\n}\n\n",
               s->t1 < s->t0 ? ">=" : ">");
}

/* Two ways to fill x: from p alone, and from what the solver passes. */
static void write_modes(struct export *x)
{
    const struct system *const s = x->system;
    size_t const conditions = s->condition.count, breaks = s->break_time.count;
    bool const has_modes = s->watched > 0 || breaks > 0;
    write_text(&x->w,
               "/* x with all conditions as they stand at the point. */\n"
               "static int %s_conditions(double t, const double *y, const double *p, double *x)\n"
               "{\n    (void)p;\n    x[%zu] = 0;\n",
               x->model, x->np + conditions);
    if (x->np) write_text(&x->w, "    for (size_t k = 0; k < %zu; k++) x[k] = p[k];\n", x->np);
    if (breaks)
        write_text(&x->w,
                   "    for (size_t k = 0; k < %zu; k++) x[%zu] += %s_break_times[k] <= t;\n",
                   breaks, x->np + conditions, x->model);
    write_text(&x->w, "    return %s_settle(t, y, 0, x);\n}\n\n", x->model);
    if (conditions > s->watched) write_beside(x);
    write_text(
        &x->w,
        "/* x with the conditions and the piece of the equations as the solver has them. */\n"
        "static int %s_modes(double t, const double *y, const double *p, double *x)\n"
        "{\n    (void)p;\n",
        x->model);
    if (has_modes)
        write_text(&x->w, "    x[%zu] = p[%zu];\n", x->np + conditions, x->np + s->watched);
    else
        write_text(&x->w, "    x[%zu] = 0;\n", x->np + conditions);
    if (x->np + s->watched)
        write_text(&x->w, "    for (size_t k = 0; k < %zu; k++) x[k] = p[k];\n",
                   x->np + s->watched);
    if (s->condition.count > s->watched)
        write_text(&x->w, "    return %s_settle(%s_beside(t), y, %zu, x);\n}\n\n", x->model,
                   x->model, s->watched);
    else
        write_text(&x->w, "    (void)t, (void)y;\n    return 0;\n}\n\n");
}

/* x->root as a function of x. */
static void write_of_outputs(struct export *x, const char *name)
{
    static const char arguments[] =
        "double t, const double *y, const double *rate, const double *p, double *q";
    write_function(&x->w, x->g,
                   &(struct c_function){.model = x->model,
                                        .name = name,
                                        .parameters = "double t, const double *y, const double "
                                                      "*rate, const double *p, double *q, void "
                                                      "*context",
                                        .arguments = arguments,
                                        .passed = "t, y, rate, p, q",
                                        .unused = "(void)t, (void)y, (void)rate, (void)p;",
                                        .target = "q",
                                        .root = x->root,
                                        .roots = x->system->output.count,
                                        .is_inner = true,
                                        .np = x->np,
                                        .switches = x->system->condition.count});
}

/* dQ/dt of x, where there is any. */
static void write_output_times(struct export *x)
{
    const struct derivative *const d = &x->output_time;
    if (d->entries == 0) return;
    for (size_t k = 0; k < d->rows; k++)
        x->root[k] = d->start[k] < d->start[k + 1] ? d->node[d->start[k]] : ZERO;
    write_of_outputs(x, "output_times");
}

/* Where an output has no value, since that of a condition is missing, it has no columns. */
static void write_left_out(struct export *x)
{
    size_t const outputs = x->system->output.count;
    const char *const m = x->model;
    write_text(&x->w,
               "static int %s_output_tangent(double t, const double *y, const double *rate, const "
               "double *p,\n        size_t columns, size_t ld, const double *V, const double "
               "*V_rate, const double *U, double *R, void *context)\n{\n"
               "    double q[%zu];\n"
               "    if (%s_output_values(t, y, rate, p, q, context)) return -1;\n"
               "    if (%s_output_slopes(t, y, rate, p, columns, ld, V, V_rate, U, R, context)) "
               "return -1;\n"
               "    for (size_t i = 0; i < %zu; i++)\n"
               "        for (size_t k = 0; k < columns && isnan(q[i]); k++) R[i * ld + k] = NAN;\n"
               "    return 0;\n}\n\n",
               m, outputs, m, m, outputs);
}

/* q of x. */
static void write_output_values(struct export *x)
{
    const struct system *const s = x->system;
    bool any = false; /* is not always known */
    for (size_t k = 0; k < s->output.count; k++) any = any || s->output.item[k].known != ZERO;
    for (size_t k = 0; k < s->output.count; k++)
        x->root[k] = output_value(x->g, &s->output.item[k]);
    write_of_outputs(x, "output_values");
    write_output_times(x);
    write_tangent(&x->w, x->g,
                  &(struct c_tangent){.model = x->model,
                                      .name = any ? "output_slopes" : "output_tangent",
                                      .rows = &x->output_tangent,
                                      .switches = s->condition.count});
    if (any) write_left_out(x);
}

/* NAME_outputs(), and the derived quantities of the problem. */
static void write_output_calls(struct export *x)
{
    size_t const size = x->np + x->system->condition.count + 1;
    const char *const m = x->model;
    bool const rates = export_has_output_rates(x);
    write_text(&x->w,
               "int %s_outputs(double t, const double *y, %sconst double *p, double *q)\n{\n"
               "    double x[%zu];\n"
               "    if (%s_conditions(t, y, p, x)) return -1;\n"
               "    return %s_output_values(t, y, %s, x, q, NULL);\n}\n\n",
               m, rates ? "const double *rate, " : "", size, m, m, rates ? "rate" : "NULL");
    write_text(&x->w,
               "int %s_derived(double t, const double *y, const double *rate, const double *p, "
               "double *q, void *context)\n{\n"
               "    double x[%zu];\n    (void)context;\n"
               "    if (%s_modes(t, y, p, x)) return -1;\n"
               "    return %s_output_values(t, y, rate, x, q, NULL);\n}\n\n",
               m, size, m, m);
    write_text(&x->w,
               "int %s_derived_tangent(double t, const double *y, const double *rate, const double "
               "*p, size_t columns, size_t ld,\n        const double *V, const double *V_rate, "
               "const double *U, double *R, void *context)\n{\n"
               "    double x[%zu];\n    (void)context;\n"
               "    if (%s_modes(t, y, p, x)) return -1;\n"
               "    return %s_output_tangent(t, y, rate, x, columns, ld, V, V_rate, U, R, "
               "NULL);\n}\n\n",
               m, size, m, m);
}

bool export_has_output_rates(const struct export *x)
{
    for (size_t k = 0; k < x->system->output.count; k++)
        if (graph_leaves(x->g, x->system->output.item[k].node) & 1u << OP_RATE) return true;
    return false;
}

void write_outputs(struct export *x)
{
    if (x->system->condition.count || x->system->output.count) write_settle(x);
    if (!x->system->output.count) return;
    write_modes(x);
    write_output_values(x);
    write_output_calls(x);
}
