/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents in C: the coefficients of all rows are computed as one function, then one loop runs the rows on eight columns at
   a time. */
#include "model/export_c_function.h"

#include <stdio.h>

#include "base/heap.h"

enum { LANES = 8, MAX_ON_STACK = 1 << 15 };

void write_sizes(struct writer *w, const char *model, const char *name, const size_t *value,
                 size_t count)
{
    write_text(w, "const size_t %s_%s[] = {", model, name);
    for (size_t i = 0; i < count; i++) write_text(w, i % 12 ? " %zu," : "\n    %zu,", value[i]);
    write_text(w, count ? "\n};\n" : "0};\n");
}

void write_doubles(struct writer *w, const char *model, const char *name, const double *value,
                   size_t count)
{
    write_text(w, "const double %s_%s[] = {", model, name);
    for (size_t i = 0; i < count; i++) {
        write_text(w, i % 6 ? " " : "\n    ");
        write_number(w, value[i]);
        write_text(w, ",");
    }
    write_text(w, count ? "\n};\n" : "0};\n");
}

static const char row_loop[] =
    "    size_t const n = size[0], rates = size[4], moved = n + rates + size[1];\n"
    "    size_t const rows = size[2], inner = size[2] - size[3];\n"
    "    for (size_t from = 0; from < columns; from += 8) {\n"
    "        size_t const lanes = columns - from < 8 ? columns - from : 8;\n"
    "        for (size_t r = 0; r < rows; r++) {\n"
    "            double *const out = r < inner ? W + 8 * r : R + (r - inner) * ld + from;\n"
    "            double a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0;\n"
    "            if (lanes < 8)\n"
    "                for (size_t k = 0; k < lanes; k++) out[k] = 0;\n"
    "            for (size_t e = start[r]; e < start[r + 1]; e++) {\n"
    "                size_t const i = source[e];\n"
    "                double const ce = c[e];\n"
    "                const double *x = NULL;\n"
    "                if (i < n) x = V + i * ld + from;\n"
    "                else if (i >= moved) x = W + 8 * (i - moved);\n"
    "                else if (i < n + rates) x = V_rate + (i - n) * ld + from;\n"
    "                else if (U) x = U + (i - n - rates) * ld + from;\n"
    "                else continue;\n"
    "                if (lanes < 8) {\n"
    "                    for (size_t k = 0; k < lanes; k++) out[k] += ce * x[k];\n"
    "                    continue;\n"
    "                }\n"
    "                a0 += ce * x[0], a1 += ce * x[1], a2 += ce * x[2], a3 += ce * x[3];\n"
    "                a4 += ce * x[4], a5 += ce * x[5], a6 += ce * x[6], a7 += ce * x[7];\n"
    "            }\n"
    "            if (lanes < 8) continue;\n"
    "            out[0] = a0, out[1] = a1, out[2] = a2, out[3] = a3;\n"
    "            out[4] = a4, out[5] = a5, out[6] = a6, out[7] = a7;\n"
    "        }\n"
    "    }\n"
    "}\n\n";

void write_row_loop(struct writer *w, const char *model)
{
    write_text(w,
               "/* Row r is sum_e c[e] * source[e]; sources are rows of V, V_rate, U, then earlier "
               "rows; the last rows go to R. */\n"
               "static void %s_run_rows(const size_t size[5], const size_t *start, const size_t "
               "*source,\n"
               "                        const double *c, size_t columns, size_t ld, const double "
               "*V,\n"
               "                        const double *V_rate, const double *U, double *W, double "
               "*R)\n{\n%s",
               model, row_loop);
}

/* The coefficients, and after them the slopes. */
static void write_coefficients(struct writer *w, const struct graph *g, const struct c_tangent *t)
{
    char name[64], parameters[128], arguments[128];
    size_t const slopes = t->slope ? t->rows->roots : 0, terms = t->rows->terms;
    bool const rates = t->rows->rates > 0;
    uint32_t *const root = heap_take((terms + slopes + 1) * sizeof *root);
    if (!root) {
        w->failed = true;
        return;
    }
    for (size_t e = 0; e < terms; e++) root[e] = t->rows->coefficient[e];
    for (size_t i = 0; i < slopes; i++) root[terms + i] = t->slope[i];
    (void)snprintf(name, sizeof name, "%s_coefficients", t->name);
    static const char form[] = "double t, const double *y, %sconst double *p, %sdouble *c";
    const char *const rate = rates ? "const double *rate, " : "";
    (void)snprintf(arguments, sizeof arguments, form, rate, "");
    (void)snprintf(parameters, sizeof parameters, form, rate, t->plan ? "const double *h, " : "");
    write_function(w, g,
                   &(struct c_function){
                       .model = t->model,
                       .name = name,
                       .parameters = parameters,
                       .plan = t->plan,
                       .arguments = arguments,
                       .passed = rates ? "t, y, rate, p, c" : "t, y, p, c",
                       .unused = rates ? "(void)t, (void)y, (void)rate, (void)p, (void)c;"
                                       : "(void)t, (void)y, (void)p, (void)c;",
                       .target = "c",
                       .root = root,
                       .roots = terms + slopes,
                       .is_inner = true,
                       .np = t->rows->np,
                       .switches = t->switches,
                   });
    heap_return(root);
}

/* The sources as sizes, for write_sizes. */
static void write_sources(struct writer *w, const struct c_tangent *t)
{
    char name[64];
    size_t *const source = heap_take((t->rows->terms + 1) * sizeof *source);
    if (!source) {
        w->failed = true;
        return;
    }
    for (size_t e = 0; e < t->rows->terms; e++) source[e] = t->rows->source[e];
    (void)snprintf(name, sizeof name, "%s_start", t->name);
    write_text(w, "static ");
    write_sizes(w, t->model, name, t->rows->start, t->rows->rows + 1);
    (void)snprintf(name, sizeof name, "%s_source", t->name);
    write_text(w, "static ");
    write_sizes(w, t->model, name, source, t->rows->terms);
    heap_return(source);
}

void write_tangent(struct writer *w, const struct graph *g, const struct c_tangent *t)
{
    const struct tangent *const rows = t->rows;
    size_t const slopes = t->slope ? rows->roots : 0, terms = rows->terms;
    size_t const work = terms + slopes + LANES * (rows->rows - rows->roots) + 1;
    bool const on_heap = work > MAX_ON_STACK, rates = rows->rates > 0;
    write_coefficients(w, g, t);
    write_sources(w, t);
    write_text(
        w,
        "\nint %s_%s(double t, const double *y, %sconst double *p, size_t columns, size_t ld,\n"
        "        const double *V, %sconst double *U, %sdouble *R, void *context)\n{\n"
        "    static const size_t size[] = {%zu, %zu, %zu, %zu, %zu};\n",
        t->model, t->name, rates ? "const double *rate, " : "",
        rates ? "const double *V_rate, " : "", t->slope ? "double *gt, " : "", rows->n, rows->np,
        rows->rows, rows->roots, rows->rates);
    if (t->plan)
        write_hoisted_access(w, t->model);
    else
        write_text(w, "    (void)context;\n");
    if (on_heap)
        write_text(w, "    double *const c = malloc(%zu * sizeof *c);\n    if (!c) return -1;\n",
                   work);
    else
        write_text(w, "    double c[%zu]%s;\n", work, terms + slopes == 0 ? " = {0}" : "");
    write_text(w, "    int const status = %s_%s_coefficients(t, y, %sp, %sc);\n", t->model, t->name,
               rates ? "rate, " : "", t->plan ? "h, " : "");
    if (t->slope)
        write_text(w, "    for (size_t i = 0; i < %zu; i++) gt[i] = c[%zu + i];\n", slopes, terms);
    write_text(w,
               "    if (!status)\n        %s_run_rows(size, %s_%s_start, %s_%s_source, c, columns, "
               "ld, V, %s, U, c + %zu, R);\n",
               t->model, t->model, t->name, t->model, t->name, rates ? "V_rate" : "NULL",
               terms + slopes);
    write_text(w, "%s    return status;\n}\n\n", on_heap ? "    free(c);\n" : "");
}
