/* SPDX-License-Identifier: Apache-2.0 */
/* Names, tables and numbers of a model in C. */
#include "model/export_c_data.h"

#include <math.h>

#include "model/export_c_function.h"

enum { MAX_LISTED = 2000 }; /* names in the comment */

static void write_name(struct writer *w, const char *letter, size_t i, const char *name,
                       const char *unit)
{
    write_text(w, "     %s[%zu]  ", letter, i);
    write_comment(w, name);
    if (unit && *unit) {
        write_text(w, " [");
        write_comment(w, unit);
        write_text(w, "]");
    }
    write_text(w, "\n");
}

void write_head(struct writer *w, const struct system *system)
{
    size_t const n = system->state.count, np = system->parameter.count;
    write_text(w, "/* ");
    write_comment(w, system->title && *system->title ? system->title : "A model");
    write_text(w,
               ".  Written by `tansy export`; ..._problem() at the end fills a tansy_problem.\n");
    for (size_t i = 0; i < n && i < MAX_LISTED; i++)
        write_name(w, "y", i, system->state.item[i].name, system->state.item[i].unit);
    for (size_t k = 0; k < np && k < MAX_LISTED; k++)
        write_name(w, "p", k, system->parameter.item[k].name, system->parameter.item[k].unit);
    for (size_t k = 0; k < system->output.count && k < MAX_LISTED; k++)
        write_name(w, "q", k, system->output.item[k].name, system->output.item[k].unit);
    if (n > MAX_LISTED || np > MAX_LISTED) write_text(w, "     ... and so on\n");
    write_text(
        w, "*/\n#include <math.h>\n#include <stdlib.h>\n#include <tansy/exported.h>\n#include "
           "<tansy/tansy.h>\n\n"
           "#if defined __GNUC__ /* inlined they would be one function again, slow to compile */\n"
           "#define CHUNK static __attribute__((noinline))\n"
           "#else\n#define CHUNK static\n#endif\n\n");
}

static void write_values(struct writer *w, const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        write_text(w, i % 6 ? " " : "\n    ");
        write_number(w, value[i]);
        write_text(w, ",");
    }
}

/* The times, then the values. */
static void write_table(struct writer *w, const struct table *table, const char *model, size_t j)
{
    write_text(w, "static const double %s_table%zu[] = {", model, j);
    write_values(w, table->t, table->count);
    write_values(w, table->value, table->count);
    write_text(w, "\n};\n");
}

static const char lookup[] =
    "    size_t i = 0;\n"
    "    for (size_t end = count[j]; i < end;) {\n"
    "        size_t const middle = (i + end) / 2;\n"
    "        if (x[middle] <= from) i = middle + 1;\n"
    "        else end = middle;\n"
    "    }\n"
    "    double const slope = linear[j] && i > 0 && i < count[j]\n"
    "                             ? (v[i] - v[i - 1]) / (x[i] - x[i - 1]) : 0;\n"
    "    if (is_slope) return slope;\n"
    "    i -= i > 0;\n"
    "    return v[i] + (slope != 0 ? slope * (t - x[i]) : 0);\n";

void write_inputs(struct writer *w, const struct system *system, const char *model)
{
    size_t const tables = system->table.count;
    if (system->break_time.count)
        write_doubles(w, model, "break_times", system->break_time.item, system->break_time.count);
    if (!tables) return;
    for (size_t j = 0; j < tables; j++) write_table(w, &system->table.item[j], model, j);
    write_text(w,
               "\n/* Table j at t, or its slope, on the piece after so many break times. */\n"
               "double %s_input(size_t j, double t, double piece, int is_slope)\n{\n"
               "    static const double *const table[] = {",
               model);
    for (size_t j = 0; j < tables; j++) write_text(w, "%s_table%zu, ", model, j);
    write_text(w, "};\n    static const size_t count[] = {");
    for (size_t j = 0; j < tables; j++) write_text(w, "%zu, ", system->table.item[j].count);
    write_text(w, "};\n    static const int linear[] = {");
    for (size_t j = 0; j < tables; j++) write_text(w, "%d, ", system->table.item[j].is_linear);
    write_text(w, "};\n    const double *const x = table[j], *const v = x + count[j];\n");
    if (!system->break_time.count) write_text(w, "    (void)piece;\n");
    write_text(w, "    double from = t; /* the piece decides which row holds */\n");
    if (system->break_time.count)
        write_text(w, "    from = piece < 1 ? -HUGE_VAL : %s_break_times[(size_t)piece - 1];\n",
                   model);
    write_text(w, "%s}\n\n", lookup);
}

bool has_scale(const struct system *system)
{
    for (size_t k = 0; k < system->parameter.count; k++)
        if (system->parameter.item[k].scale > 0) return true;
    return false;
}

bool has_bound(const struct system *system)
{
    for (size_t k = 0; k < system->parameter.count; k++)
        if (isfinite(system->parameter.item[k].lower) || isfinite(system->parameter.item[k].upper))
            return true;
    return false;
}

bool has_levels(const struct system *system)
{
    for (size_t k = 0; k < system->parameter.count; k++)
        if (system->parameter.item[k].control != UINT32_MAX) return true;
    return false;
}

/* From when on the levels of controls act. */
static void write_active_from(struct writer *w, const struct system *system, const char *model)
{
    write_text(w, "const double %s_active_from[] = {", model);
    for (size_t k = 0; k < system->parameter.count; k++) {
        write_text(w, k % 6 ? " " : "\n    ");
        write_number(w, system->parameter.item[k].active_from);
        write_text(w, ",");
    }
    write_text(w, "\n};\n");
}

/* Of which control, from 1, a parameter is a level. */
static void write_control(struct writer *w, const struct system *system, const char *model)
{
    write_text(w, "const int %s_control[] = {", model);
    for (size_t k = 0; k < system->parameter.count; k++) {
        uint32_t const control = system->parameter.item[k].control;
        write_text(w, "%s%d,", k % 16 ? " " : "\n    ",
                   control == UINT32_MAX ? 0 : (int)control + 1);
    }
    write_text(w, "\n};\n");
}

/* One array of the parameters: which = 0 the values, 1 the scales, 2 both bounds. */
static void write_array(struct writer *w, const struct system *system, const char *model, int which)
{
    static const char *const name[] = {"p", "scale", "bound"};
    write_text(w, "const double %s_%s[] = {", model, name[which]);
    for (size_t k = 0; k < system->parameter.count; k++) {
        const struct parameter *const p = &system->parameter.item[k];
        write_text(w, k % 6 ? " " : "\n    ");
        write_number(w, which == 0 ? p->value : which == 1 ? p->scale : p->lower);
        write_text(w, which == 2 ? ", " : ",");
        if (which < 2) continue;
        write_number(w, p->upper);
        write_text(w, ",");
    }
    write_text(w, "\n};\n");
}

void write_parameters(struct writer *w, const struct system *system, const char *model)
{
    if (system->parameter.count) write_array(w, system, model, 0);
    if (has_scale(system)) write_array(w, system, model, 1);
    if (has_bound(system)) write_array(w, system, model, 2);
    if (has_levels(system)) {
        write_active_from(w, system, model);
        write_control(w, system, model);
    }
    for (size_t i = 0; i < system->state.count; i++) {
        if (!(system->state.item[i].atol > 0)) continue;
        write_text(w, "const double %s_atol[] = { /* 0: the option's */", model);
        for (i = 0; i < system->state.count; i++) {
            write_text(w, i % 6 ? " " : "\n    ");
            write_number(w, system->state.item[i].atol);
            write_text(w, ",");
        }
        write_text(w, "\n};\n");
    }
    write_text(w, "\n");
}
