/* SPDX-License-Identifier: Apache-2.0 */
/* The function that fills a tansy_problem with the functions of an exported model.  .second is left out: a solver that wants second
   derivatives takes differences of the tangent. */
#include <math.h>

#include "model/export_c_data.h"
#include "model/export_c_model.h"

void write_kinds(struct export *x)
{
    static const char *const name[] = {[TANSY_DIFFERENTIAL] = "TANSY_DIFFERENTIAL",
                                       [TANSY_ALGEBRAIC] = "TANSY_ALGEBRAIC",
                                       [TANSY_INDEX_2] = "TANSY_INDEX_2"};
    if (!x->structure->kind) return;
    write_text(&x->w, "const tansy_kind %s_kind[] = {", x->model);
    for (size_t i = 0; i < x->n; i++)
        write_text(&x->w, i % 4 ? " %s," : "\n    %s,", name[x->structure->kind[i]]);
    write_text(&x->w, "\n};\n\n");
    if (!x->structure->vanishing) return;
    write_text(&x->w, "const char %s_vanishing[] = {", x->model);
    for (size_t i = 0; i < x->n; i++)
        write_text(&x->w, i % 16 ? " %d," : "\n    %d,", x->structure->vanishing[i]);
    write_text(&x->w, "\n};\n\n");
}

static void write_implicit_functions(struct export *x)
{
    struct writer *const w = &x->w;
    const char *const m = x->model;
    write_text(
        w, "        .residual = %s_residual,\n        .residual_tangent = %s_residual_tangent,\n",
        m, m);
    write_text(w,
               "        .residual_jacobian = %s_residual_jacobian,\n"
               "        .rate_jacobian = %s_rate_jacobian,\n",
               m, m);
    if (x->structure->kind) write_text(w, "        .kind = %s_kind,\n", m);
    if (x->structure->vanishing) write_text(w, "        .vanishing = %s_vanishing,\n", m);
    if (x->structure->constraint)
        write_text(w,
                   "        .constraint_rate = %s_constraint_rate,\n"
                   "        .constraint_rate_tangent = %s_constraint_rate_tangent,\n",
                   m, m);
    if (x->system->form == FORM_LINEARLY_IMPLICIT) write_text(w, "        .rate_linear = 1,\n");
    if (x->structure->has_constant_mass) write_text(w, "        .mass_constant = 1,\n");
    if (x->structure->equation_name)
        write_text(w, "        .equation_names = %s_equation_names,\n", m);
}

/* What has names, and the outputs. */
static void write_named_fields(struct export *x)
{
    struct writer *const w = &x->w;
    const char *const m = x->model;
    write_text(w, "        .state_names = %s_state_names,\n", m);
    if (x->np) write_text(w, "        .parameter_names = %s_parameter_names,\n", m);
    if (x->system->watched && x->structure->condition_name)
        write_text(w, "        .switch_names = %s_condition_names,\n", m);
    if (x->system->output.count)
        write_text(w,
                   "        .nq = %zu,\n        .derived = %s_derived,\n"
                   "        .derived_tangent = %s_derived_tangent,\n",
                   x->system->output.count, m, m);
}

/* df/dp or dF/dp; without an entry it is not given, as the engine's. */
static void write_parameter_fields(struct export *x)
{
    struct writer *const w = &x->w;
    const char *const m = x->model;
    const char *const name = export_is_implicit(x) ? "residual_parameter" : "parameter_jacobian";
    write_text(w, "        .p = %s_p,\n        .initial_jacobian = %s_initial_jacobian,\n", m, m);
    if (export_is_implicit(x) && x->F.entries == 0) return;
    write_text(w, "        .%s = %s_%s,\n", name, m, name);
    write_text(w,
               "        .parameter_pattern = {%zu, %s_%s_row,\n"
               "                              %s_%s_column},\n",
               x->F.entries, m, name, m, name);
}

void write_problem(struct export *x)
{
    const struct system *const s = x->system;
    struct writer *const w = &x->w;
    const char *const m = x->model;
    write_text(w, "void %s_problem(tansy_problem *problem)\n{\n    *problem = (tansy_problem){\n",
               m);
    write_text(w, "        .n = %zu,\n        .np = %zu,\n        .t0 = ", x->n, x->np);
    write_number(w, isfinite(s->t0) ? s->t0 : 0);
    write_text(w, ",\n");
    if (export_is_implicit(x))
        write_implicit_functions(x);
    else
        write_text(w,
                   "        .rhs = %s_rhs,\n        .jacobian = %s_jacobian,\n"
                   "        .tangent = %s_tangent,\n",
                   m, m, m);
    write_text(w, "        .initial = %s_initial,\n        .concurrent = 1,\n", m);
    if (x->plan) write_text(w, "        .scratch = sizeof(struct %s_scratch),\n", m);
    /* as for the engine's functions, callbacks.c */
    if (34 * x->tangent.terms >= 47 * (x->J.entries + x->M.entries) + 9 * x->F.entries)
        write_text(w, "        .prefer_matrix = 1,\n");
    if (x->is_banded)
        write_text(
            w, "        .structure = TANSY_BANDED,\n        .lower = %zu,\n        .upper = %zu,\n",
            x->lower, x->upper);
    if (x->np) write_parameter_fields(x);
    if (x->time.entries > 0)
        write_text(w, "        .time_derivative = %s_time_derivative,\n", m);
    else if (!export_is_implicit(x) && !s->break_time.count)
        write_text(w, "        .autonomous = 1,\n");
    if (has_scale(s)) write_text(w, "        .scale = %s_scale,\n", m);
    if (has_bound(s)) write_text(w, "        .bound = %s_bound,\n", m);
    if (has_levels(s))
        write_text(w, "        .active_from = %s_active_from,\n        .control = %s_control,\n", m,
                   m);
    if (s->watched)
        write_text(w,
                   "        .switches = %zu,\n        .switch_function = %s_switches,\n"
                   "        .switch_tangent = %s_switch_tangent,\n",
                   s->watched, m, m);
    if (s->break_time.count)
        write_text(w, "        .breaks = %zu,\n        .break_times = %s_break_times,\n",
                   s->break_time.count, m);
    write_named_fields(x);
    write_text(w, "    };\n}\n");
}

void export_name(struct export *x)
{
    const char *const name = x->system->name && *x->system->name ? x->system->name : "model";
    size_t used = 0;
    bool const clashes = strncmp(name, "tansy", 5) == 0; /* with names of the library */
    if ((*name >= '0' && *name <= '9') || clashes) x->model[used++] = 'm';
    for (const char *c = name; *c && used + 1 < sizeof x->model; c++) {
        bool const is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        x->model[used++] = is_letter || (*c >= '0' && *c <= '9') ? *c : '_';
    }
    x->model[used] = '\0';
}
