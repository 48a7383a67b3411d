/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to ask about a model: names, units, parameters, sizes. */
#include <math.h>
#include <string.h>

#include "model/model.h"

static bool usable(const tansy_model *m)
{
    return m && m->diagnosis.status >= 0;
}

size_t tansy_model_count(const tansy_model *m, tansy_model_kind kind)
{
    if (!usable(m)) return 0;
    switch (kind) {
    case TANSY_MODEL_STATES:
        return m->system.state.count;
    case TANSY_MODEL_PARAMETERS:
        return m->system.parameter.count;
    case TANSY_MODEL_OUTPUTS:
        return m->system.output.count;
    case TANSY_MODEL_CONSTRAINTS:
        return m->structure.constraints;
    case TANSY_MODEL_ALGEBRAIC:
        return m->algebraic;
    default:
        return m->system.condition.count;
    }
}

const char *tansy_model_name(const tansy_model *m, tansy_model_kind kind, size_t i)
{
    if (i >= tansy_model_count(m, kind)) return "";
    switch (kind) {
    case TANSY_MODEL_STATES:
        return m->system.state.item[i].name;
    case TANSY_MODEL_PARAMETERS:
        return m->system.parameter.item[i].name;
    case TANSY_MODEL_OUTPUTS:
        return m->system.output.item[i].name;
    case TANSY_MODEL_CONSTRAINTS:
        return m->constraint_name[i];
    case TANSY_MODEL_ALGEBRAIC:
        return m->algebraic_name[i];
    default:
        return m->condition_name[i];
    }
}

const char *tansy_model_unit(const tansy_model *m, tansy_model_kind kind, size_t i)
{
    if (i >= tansy_model_count(m, kind)) return "";
    switch (kind) {
    case TANSY_MODEL_STATES:
        return m->system.state.item[i].unit;
    case TANSY_MODEL_PARAMETERS:
        return m->system.parameter.item[i].unit;
    case TANSY_MODEL_OUTPUTS:
        return m->system.output.item[i].unit;
    default:
        return "";
    }
}

ptrdiff_t tansy_model_index(const tansy_model *m, tansy_model_kind kind, const char *name)
{
    size_t const count = tansy_model_count(m, kind);
    for (size_t i = 0; name && i < count; i++)
        if (strcmp(tansy_model_name(m, kind, i), name) == 0) return (ptrdiff_t)i;
    return -1;
}

tansy_parameter tansy_model_parameter(const tansy_model *m, size_t k)
{
    if (k >= tansy_model_count(m, TANSY_MODEL_PARAMETERS))
        return (tansy_parameter){.value = (double)NAN, .lower = -HUGE_VAL, .upper = HUGE_VAL};
    const struct parameter *const p = &m->system.parameter.item[k];
    return (tansy_parameter){.value = p->value,
                             .lower = p->lower,
                             .upper = p->upper,
                             .scale = p->scale,
                             .active_from = p->active_from,
                             .is_level = p->control != UINT32_MAX};
}

int tansy_model_initial_is_used(const tansy_model *m, size_t i)
{
    return i < tansy_model_count(m, TANSY_MODEL_STATES) && m->system.state.item[i].initial_is_used;
}

static const char *form_name(const struct tansy_model *m)
{
    if (m->system.form == FORM_EXPLICIT) return "explicit ODE";
    if (m->has_constant_mass) return "linearly implicit, constant B";
    return m->system.form == FORM_LINEARLY_IMPLICIT ? "linearly implicit" : "fully implicit";
}

void tansy_model_summarise(const tansy_model *m, tansy_model_summary *summary)
{
    *summary = (tansy_model_summary){.name = "",
                                     .title = "",
                                     .form = "",
                                     .note = "",
                                     .t0 = (double)NAN,
                                     .t1 = (double)NAN,
                                     .time_unit = ""};
    if (!usable(m)) return;
    const struct system *const s = &m->system;
    summary->name = s->name;
    summary->title = s->title;
    summary->form = form_name(m);
    summary->note = m->note;
    summary->t0 = s->t0;
    summary->t1 = s->t1;
    summary->end_parameter = s->end_parameter;
    summary->time_unit = s->time_unit;
    summary->states = s->state.count;
    for (size_t i = 0; i < s->state.count; i++) {
        if (m->structure.kind) {
            summary->algebraic += m->structure.kind[i] != TANSY_DIFFERENTIAL;
            summary->multipliers += m->structure.kind[i] == TANSY_INDEX_2;
        }
        summary->integrals += s->state.item[i].kind == STATE_INTEGRAL;
        if (s->state.item[i].atol > 0) summary->atol = m->atol;
    }
    summary->parameters = s->parameter.count;
    summary->outputs = s->output.count;
    summary->conditions = s->condition.count;
    summary->breaks = s->break_time.count;
    summary->jacobian_entries = m->jacobian.entries;
    summary->parameter_entries = m->parameter.entries;
    summary->rate_entries = m->rates.entries;
    summary->index = m->structure.index;
    summary->kind = m->structure.kind;
    summary->lower = m->lower;
    summary->upper = m->upper;
    summary->nodes = s->graph ? graph_count(s->graph) : 0;
    summary->operations_f = m->operations[0];
    summary->operations_jacobian = m->operations[1];
    summary->operations_parameter = m->operations[2];
    summary->tangent_terms = m->tangent_terms;
    summary->hoisted = m->code.plan.count;
    summary->output_rates = m->outputs.has_rates;
}
