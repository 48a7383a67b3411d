/* SPDX-License-Identifier: Apache-2.0 */
/* What exported C says of the model beside its functions: names, units, time span, sizes, as tansy_model_load() takes it. */
#include <math.h>

#include "base/heap.h"
#include "model/export_c_data.h"
#include "model/export_c_function.h"
#include "model/export_c_model.h"

/* What an array of texts is made of. */
enum texts {
    STATE_NAMES,
    STATE_UNITS,
    PARAMETER_NAMES,
    PARAMETER_UNITS,
    OUTPUT_NAMES,
    OUTPUT_UNITS,
    CONDITION_NAMES,
    EQUATION_NAMES,
    GRID_CONTROLS,
    TEXTS
};

static const char *const name_of[] = {"state_names",     "state_units",    "parameter_names",
                                      "parameter_units", "output_names",   "output_units",
                                      "condition_names", "equation_names", "grid_controls"};

static size_t count_of(const struct export *x, enum texts texts)
{
    const struct system *const s = x->system;
    if (texts <= STATE_UNITS) return s->state.count;
    if (texts <= PARAMETER_UNITS) return s->parameter.count;
    if (texts <= OUTPUT_UNITS) return s->output.count;
    if (texts == CONDITION_NAMES) return x->structure->condition_name ? s->condition.count : 0;
    if (texts == GRID_CONTROLS) return s->grid_pair.count;
    return x->structure->equation_name ? s->state.count : 0;
}

static const char *text_of(const struct export *x, enum texts texts, size_t i)
{
    const struct system *const s = x->system;
    switch (texts) {
    case STATE_NAMES:
        return s->state.item[i].name;
    case STATE_UNITS:
        return s->state.item[i].unit;
    case PARAMETER_NAMES:
        return s->parameter.item[i].name;
    case PARAMETER_UNITS:
        return s->parameter.item[i].unit;
    case OUTPUT_NAMES:
        return s->output.item[i].name;
    case OUTPUT_UNITS:
        return s->output.item[i].unit;
    case CONDITION_NAMES:
        return x->structure->condition_name[i];
    case GRID_CONTROLS:
        return s->grid_pair.item[i].control;
    default:
        return x->structure->equation_name[i];
    }
}

/* Is there anything in it? */
static bool has_texts(const struct export *x, enum texts texts)
{
    for (size_t i = 0; i < count_of(x, texts); i++) {
        const char *const text = text_of(x, texts, i);
        if (text && *text) return true;
    }
    return false;
}

void write_names(struct export *x)
{
    for (enum texts texts = STATE_NAMES; texts < TEXTS; texts++) {
        bool const is_needed = texts == STATE_NAMES || (texts == PARAMETER_NAMES && x->np > 0) ||
                               (texts >= CONDITION_NAMES && count_of(x, texts) > 0) ||
                               has_texts(x, texts);
        if (!is_needed) continue;
        write_text(&x->w, "static const char *const %s_%s[] = {\n", x->model, name_of[texts]);
        for (size_t i = 0; i < count_of(x, texts); i++) {
            write_text(&x->w, "    ");
            write_string(&x->w, text_of(x, texts, i));
            write_text(&x->w, ",\n");
        }
        write_text(&x->w, "};\n\n");
    }
}

/* Arrays that tell states and parameters apart, where there is a difference: which of them are there. */
struct marks {
    bool state_flags, levels, atol;
};

static struct marks write_marks(struct export *x)
{
    const struct system *const s = x->system;
    struct marks marks = {.atol = false};
    for (size_t i = 0; i < x->n; i++) {
        const struct state *const y = &s->state.item[i];
        if (y->kind == STATE_INTEGRAL || y->initial_is_used) marks.state_flags = true;
        if (y->atol > 0) marks.atol = true;
    }
    marks.levels = has_levels(s);
    if (marks.state_flags) {
        write_text(&x->w, "static const char %s_state_flags[] = {", x->model);
        for (size_t i = 0; i < x->n; i++) {
            const struct state *const y = &s->state.item[i];
            write_text(&x->w, i % 24 ? " %d," : "\n    %d,",
                       (y->kind == STATE_INTEGRAL ? 1 : 0) + (y->initial_is_used ? 2 : 0));
        }
        write_text(&x->w, "\n};\n\n");
    }
    if (!marks.levels) return marks;
    write_text(&x->w, "static const char %s_is_level[] = {", x->model);
    for (size_t k = 0; k < x->np; k++)
        write_text(&x->w, k % 24 ? " %d," : "\n    %d,",
                   s->parameter.item[k].control != UINT32_MAX);
    write_text(&x->w, "\n};\n\n");
    return marks;
}

/* Which equations have no derivatives, and which are constraints. */
static void write_equation_flags(struct export *x)
{
    const bool *const is_constraint = x->structure->is_constraint;
    write_text(&x->w, "static const char %s_equation_flags[] = {", x->model);
    for (size_t i = 0; i < x->n; i++)
        write_text(&x->w, i % 24 ? " %d," : "\n    %d,",
                   (x->M.start[i] == x->M.start[i + 1] ? 1 : 0) + (is_constraint[i] ? 2 : 0));
    write_text(&x->w, "\n};\n\n");
}

static void write_text_field(struct export *x, const char *field, const char *text)
{
    write_text(&x->w, "    .%s = ", field);
    write_string(&x->w, text);
    write_text(&x->w, ",\n");
}

static void write_about(struct export *x)
{
    const struct system *const s = x->system;
    struct writer *const w = &x->w;
    write_text(w,
               "    .size = sizeof(tansy_exported),\n    .problem_size = sizeof(tansy_problem),\n"
               "    .major = TANSY_VERSION_MAJOR,\n    .minor = TANSY_VERSION_MINOR,\n"
               "    .patch = TANSY_VERSION_PATCH,\n");
    write_text_field(x, "name", s->name);
    write_text_field(x, "title", s->title);
    write_text_field(x, "time_unit", s->time_unit);
    write_text(w, "    .problem = %s_problem,\n    .t0 = ", x->model);
    write_number(w, s->t0);
    write_text(w, ",\n    .t1 = ");
    write_number(w, s->t1);
    if (s->end_parameter > 0) write_text(w, ",\n    .end_parameter = %zu", s->end_parameter);
    write_text(w, ",\n    .form = %d,\n    .index = %zu,\n", (int)s->form, x->structure->index);
    write_text(w, "    .jacobian_entries = %zu,\n    .rate_entries = %zu,\n", x->J.entries,
               x->M.entries);
    write_text(w, "    .lower = %zu,\n    .upper = %zu,\n", x->lower, x->upper);
}

static void write_output_fields(struct export *x)
{
    const char *const m = x->model;
    if (x->system->condition.count || x->system->output.count)
        write_text(&x->w, "    .settle = %s_settle,\n", m);
    if (!x->system->output.count) return;
    write_text(&x->w,
               "    .outputs = %zu,\n    .output_rates = %d,\n"
               "    .output_values = %s_output_values,\n    .output_tangent = %s_output_tangent,\n",
               x->system->output.count, export_has_output_rates(x), m, m);
    if (x->output_time.entries > 0) write_text(&x->w, "    .output_times = %s_output_times,\n", m);
}

/* The times of grids in p, before and after, in pairs. */
static void write_grid_times(struct export *x)
{
    const struct system *const s = x->system;
    size_t const pairs = s->grid_pair.count;
    if (pairs == 0) return;
    uint32_t *const root = heap_take(2 * pairs * sizeof *root);
    if (!root) {
        x->w.failed = true;
        return;
    }
    for (size_t k = 0; k < pairs; k++) {
        root[2 * k] = s->grid_pair.item[k].before;
        root[2 * k + 1] = s->grid_pair.item[k].after;
    }
    write_function(&x->w, s->grid,
                   &(struct c_function){.model = x->model,
                                        .name = "grid_times",
                                        .parameters = "double t, const double *p, double *times, "
                                                      "void *context",
                                        .arguments = "double t, const double *p, double *times",
                                        .passed = "t, p, times",
                                        .unused = "(void)t, (void)p;",
                                        .target = "times",
                                        .root = root,
                                        .roots = 2 * pairs,
                                        .is_inner = true,
                                        .np = x->np});
    heap_return(root);
}

void write_entry(struct export *x)
{
    static const enum texts given[] = {STATE_UNITS, PARAMETER_UNITS, OUTPUT_NAMES, OUTPUT_UNITS,
                                       CONDITION_NAMES};
    struct writer *const w = &x->w;
    const char *const m = x->model;
    write_text(w, "\n");
    struct marks const marks = write_marks(x);
    if (x->structure->is_constraint) write_equation_flags(x);
    write_grid_times(x);
    write_text(w, "TANSY_EXPORTED const tansy_exported tansy_exported_model = {\n");
    write_about(x);
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (has_texts(x, given[k]))
            write_text(w, "    .%s = %s_%s,\n", name_of[given[k]], m, name_of[given[k]]);
    if (marks.atol) write_text(w, "    .atol = %s_atol,\n", m);
    if (marks.state_flags) write_text(w, "    .state_flags = %s_state_flags,\n", m);
    if (x->structure->is_constraint) write_text(w, "    .equation_flags = %s_equation_flags,\n", m);
    if (marks.levels)
        write_text(w, "    .active_from = %s_active_from,\n    .is_level = %s_is_level,\n", m, m);
    write_text(w, "    .conditions = %zu,\n", x->system->condition.count);
    write_output_fields(x);
    if (x->system->grid_pair.count > 0)
        write_text(w,
                   "    .grid_pairs = %zu,\n    .grid_controls = %s_grid_controls,\n"
                   "    .grid_times = %s_grid_times,\n",
                   x->system->grid_pair.count, m, m);
    write_text(w, "};\n");
}
