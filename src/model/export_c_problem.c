/* SPDX-License-Identifier: Apache-2.0 */
/* The function that fills a tansy_problem with those of the export.  .second is left out: a solver that wants second derivatives takes
   differences of the tangent. */
#include "model/export_c_problem.h"

#include <math.h>

#include "model/export_c_data.h"

void write_problem(struct export *x)
{
    const struct system *const s = x->system;
    struct writer *const w = &x->w;
    const char *const m = x->model;
    write_text(w, "void %s_problem(tansy_problem *problem)\n{\n    *problem = (tansy_problem){\n",
               m);
    write_text(w, "        .n = %zu,\n        .np = %zu,\n        .t0 = ", x->n, x->np);
    write_number(w, isfinite(s->t0) ? s->t0 : 0);
    write_text(w, ",\n        .rhs = %s_rhs,\n        .jacobian = %s_jacobian,\n", m, m);
    write_text(w, "        .tangent = %s_tangent,\n        .initial = %s_initial,\n", m, m);
    write_text(w, "        .concurrent = 1,\n");
    if (x->plan) write_text(w, "        .scratch = sizeof(struct %s_scratch),\n", m);
    /* as for the engine's functions, callbacks.c */
    if (34 * x->tangent.terms >= 47 * x->J.entries + 9 * x->F.entries)
        write_text(w, "        .prefer_matrix = 1,\n");
    if (x->is_banded)
        write_text(
            w, "        .structure = TANSY_BANDED,\n        .lower = %zu,\n        .upper = %zu,\n",
            x->lower, x->upper);
    if (x->np) {
        write_text(w, "        .p = %s_p,\n        .parameter_jacobian = %s_parameter_jacobian,\n",
                   m, m);
        write_text(w,
                   "        .parameter_pattern = {%zu, %s_parameter_jacobian_row,\n"
                   "                              %s_parameter_jacobian_column},\n",
                   x->F.entries, m, m);
        write_text(w, "        .initial_jacobian = %s_initial_jacobian,\n", m);
    }
    if (x->time.entries > 0)
        write_text(w, "        .time_derivative = %s_time_derivative,\n", m);
    else if (!s->break_time.count)
        write_text(w, "        .autonomous = 1,\n");
    if (has_scale(s)) write_text(w, "        .scale = %s_scale,\n", m);
    if (has_bound(s)) write_text(w, "        .bound = %s_bound,\n", m);
    if (s->watched)
        write_text(w,
                   "        .switches = %zu,\n        .switch_function = %s_switches,\n"
                   "        .switch_tangent = %s_switch_tangent,\n",
                   s->watched, m, m);
    if (s->break_time.count)
        write_text(w, "        .breaks = %zu,\n        .break_times = %s_break_times,\n",
                   s->break_time.count, m);
    write_text(w, "    };\n}\n");
}
