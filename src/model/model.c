/* SPDX-License-Identifier: Apache-2.0 */
/* Models from files and texts: read, parse, bind, compile, and what there is to ask about them. */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/export_c.h"
#include "model/syntax.h"

tansy_model *model_create(void)
{
    tansy_model *const m = heap_take(sizeof *m);
    if (!m) return NULL;
    m->note = "";
    (void)pthread_mutex_init(&m->second.lock, NULL);
    (void)pthread_mutex_init(&m->output_times.lock, NULL);
    return m;
}

static char *copy(const char *text, size_t length)
{
    char *const own = heap_take(length + 1);
    if (own) memcpy(own, text, length);
    return own;
}

/* The text of a condition, as the model has it, cut where it is long: of max(a, b, ...) with n arguments n - 1 conditions are named. */
static char *name_condition(const struct tansy_model *m, const struct condition *c)
{
    enum { LONGEST = 400 };
    size_t const whole = c->place.length, shown = whole < LONGEST ? whole : LONGEST;
    char *const name = heap_take(shown + sizeof c->entry.text + sizeof " ()");
    if (!name) return NULL;
    memcpy(name, m->source.text + c->place.offset, shown);
    if (shown < whole) message_cut(name);
    if (*c->entry.text) (void)sprintf(name + strlen(name), " (%s)", c->entry.text);
    return name;
}

static tansy_status name_conditions(struct tansy_model *m)
{
    size_t const conditions = m->system.condition.count;
    size_t const count = conditions + m->system.start_condition.count;
    m->condition_name = heap_take((count + 1) * sizeof *m->condition_name);
    if (!m->condition_name) return TANSY_OUT_OF_MEMORY;
    for (size_t j = 0; j < count; j++) {
        const struct condition *const c = j < conditions
                                              ? &m->system.condition.item[j]
                                              : &m->system.start_condition.item[j - conditions];
        m->condition_name[j] = name_condition(m, c);
        if (!m->condition_name[j]) return TANSY_OUT_OF_MEMORY;
    }
    return TANSY_OK;
}

/* The arrays that a problem shows: values, scales and bounds of the parameters, tolerances of the states. */
tansy_status model_fill_arrays(struct tansy_model *m)
{
    const struct system *const system = &m->system;
    size_t const n = system->state.count, np = system->parameter.count;
    m->p = heap_take((np + 1) * sizeof *m->p);
    m->scale = heap_take((np + 1) * sizeof *m->scale);
    m->bound = heap_take((2 * np + 1) * sizeof *m->bound);
    m->atol = heap_take((n + 1) * sizeof *m->atol);
    m->active_from = heap_take((np + 1) * sizeof *m->active_from);
    m->control = heap_take((np + 1) * sizeof *m->control);
    m->state_name = heap_take((n + 1) * sizeof *m->state_name);
    m->parameter_name = heap_take((np + 1) * sizeof *m->parameter_name);
    if (!m->p || !m->scale || !m->bound || !m->atol || !m->active_from || !m->control ||
        !m->state_name || !m->parameter_name)
        return TANSY_OUT_OF_MEMORY;
    for (size_t k = 0; k < np; k++) {
        const struct parameter *const p = &system->parameter.item[k];
        m->p[k] = p->value;
        m->parameter_name[k] = p->name;
        m->scale[k] = p->scale;
        m->active_from[k] = p->active_from;
        m->control[k] = p->control == UINT32_MAX ? 0 : (int)p->control + 1;
        m->bound[2 * k] = p->lower;
        m->bound[2 * k + 1] = p->upper;
    }
    for (size_t i = 0; i < n; i++) {
        m->atol[i] = system->state.item[i].atol;
        m->state_name[i] = system->state.item[i].name;
    }
    return TANSY_OK;
}

static tansy_status build(struct tansy_model *m)
{
    struct syntax syntax = {0};
    tansy_status status = syntax_parse(&syntax, m->source);
    if (status == TANSY_OK) status = system_bind(&m->system, &syntax);
    m->diagnosis = syntax.diagnosis;
    syntax_free(&syntax);
    if (status < 0) return status;
    m->solvable = true;
    TRY(name_conditions(m));
    TRY(model_fill_arrays(m));
    TRY(model_compile(m));
    TRY(model_compile_outputs(m));
    TRY(model_compile_grid(m));
    return model_compile_corners(m);
}

static void finish(struct tansy_model *m)
{
    tansy_status const status = build(m);
    if (status < 0 && m->diagnosis.status == TANSY_OK) m->diagnosis.status = status;
    if (m->diagnosis.status == TANSY_OUT_OF_MEMORY)
        (void)snprintf(m->diagnosis.text, sizeof m->diagnosis.text, "%s: no memory for this model",
                       m->source.name);
}

tansy_model *tansy_model_parse(const char *text, size_t length, const char *name)
{
    tansy_model *const m = model_create();
    if (!m) return NULL;
    if (!name) name = "model";
    if (!text) length = 0;
    m->source.name = copy(name, strlen(name));
    m->source.text = copy(text ? text : "", length);
    m->source.length = length;
    if (!m->source.name || !m->source.text) {
        tansy_model_free(m);
        return NULL;
    }
    finish(m);
    return m;
}

/* A model in error that has no text. */
tansy_model *model_unreadable(const char *path, const char *why)
{
    tansy_model *const m = model_create();
    if (!m) return NULL;
    m->source.name = copy(path, strlen(path));
    m->source.text = copy("", 0);
    m->diagnosis.status = TANSY_NO_FILE;
    (void)snprintf(m->diagnosis.text, sizeof m->diagnosis.text, "%s: cannot be read: %s", path,
                   why);
    return m;
}

enum { MOST_BYTES = 1 << 30 }; /* of a text */

/* The whole of a file, which may be a pipe. NULL: no memory, or errno is set. */
static char *read_all(FILE *file, size_t *length)
{
    LIST(char) text = {0};
    size_t got = 0;
    errno = 0;
    do {
        if (!LIST_ROOM(&text, 65536)) {
            LIST_FREE(&text);
            errno = ENOMEM;
            return NULL;
        }
        got = fread(text.item + text.count, 1, 65536, file);
        text.count += got;
        /* no text goes on behind a NUL byte, of which the parser tells, and a device may have no end */
        if (memchr(text.item + text.count - got, 0, got)) break;
        if (text.count > MOST_BYTES) {
            LIST_FREE(&text);
            errno = EFBIG;
            return NULL;
        }
    } while (got > 0);
    if (ferror(file)) {
        if (errno == 0) errno = EIO;
        LIST_FREE(&text);
        return NULL;
    }
    *length = text.count;
    return text.item;
}

tansy_model *tansy_model_read(const char *path)
{
    size_t length = 0;
    if (!path) return model_unreadable("(no name)", "no file name was given");
    errno = 0;
    FILE *const file = fopen(path, "rb");
    if (!file) return model_unreadable(path, strerror(errno));
    char *const text = read_all(file, &length);
    int const why = errno;
    (void)fclose(file);
    if (!text) {
        tansy_model *const m = model_unreadable(path, strerror(why));
        if (m && why == ENOMEM) m->diagnosis.status = TANSY_OUT_OF_MEMORY;
        return m;
    }
    tansy_model *const m = tansy_model_parse(text, length, path);
    heap_return(text);
    return m;
}

void tansy_model_free(tansy_model *m)
{
    if (!m) return;
    size_t const conditions = m->system.condition.count + m->system.start_condition.count;
    for (size_t j = 0; m->condition_name && j < conditions; j++) heap_return(m->condition_name[j]);
    heap_return(m->condition_name);
    for (size_t i = 0; m->equation_name && i < m->system.state.count; i++)
        heap_return(m->equation_name[i]);
    heap_return(m->equation_name);
    heap_return(m->constraint_name);
    heap_return(m->algebraic_name);
    model_corners_free(m);
    model_compiled_free(m);
    second_derivatives_free(&m->second.code);
    (void)pthread_mutex_destroy(&m->second.lock);
    program_free(m->output_times.code);
    (void)pthread_mutex_destroy(&m->output_times.lock);
    system_free(&m->system);
    heap_return(m->own_note);
    heap_return(m->p);
    heap_return(m->scale);
    heap_return(m->bound);
    heap_return(m->atol);
    heap_return(m->active_from);
    heap_return(m->control);
    heap_return(m->state_name);
    heap_return(m->parameter_name);
    heap_return((void *)m->source.name);
    heap_return((void *)m->source.text);
    model_unload(m);
    heap_return(m);
}

tansy_status tansy_model_error(const tansy_model *m)
{
    return m ? m->diagnosis.status : TANSY_OUT_OF_MEMORY;
}

const char *tansy_model_message(const tansy_model *m)
{
    return m ? m->diagnosis.text : tansy_status_text(TANSY_OUT_OF_MEMORY);
}

const char *tansy_model_warnings(const tansy_model *m)
{
    return m ? m->diagnosis.warning : "";
}

tansy_status tansy_model_problem(const tansy_model *m, tansy_problem *problem)
{
    if (!m) return TANSY_OUT_OF_MEMORY;
    if (m->diagnosis.status < 0) return m->diagnosis.status;
    if (!m->solvable) return TANSY_BAD_MODEL;
    if (m->loaded.object) {
        *problem = m->loaded.problem;
        return TANSY_OK;
    }
    *problem = (tansy_problem){.n = m->system.state.count,
                               .np = m->system.parameter.count,
                               .t0 = isnan(m->system.t0) ? 0 : m->system.t0,
                               .p = m->p,
                               .scale = m->scale,
                               .bound = m->bound,
                               .active_from = m->active_from,
                               .control = m->control,
                               .state_names = m->state_name,
                               .parameter_names = m->parameter_name,
                               .switch_names = (const char *const *)m->condition_name,
                               .equation_names = (const char *const *)m->equation_name};
    model_fill_functions(m, problem);
    return TANSY_OK;
}

size_t tansy_model_export_c(const tansy_model *m, char *text, size_t size)
{
    if (size > 0) text[0] = '\0';
    if (!m || m->diagnosis.status < 0 || !m->solvable || m->loaded.object) return 0;
    struct export_structure const structure = {
        .kind = m->structure.kind,
        .vanishing = m->structure.vanishing,
        .constraint = m->constraint,
        .index = m->structure.index,
        .has_constant_mass = m->has_constant_mass,
        .condition_name = (const char *const *)m->condition_name,
        .equation_name = (const char *const *)m->equation_name,
        .is_constraint = m->structure.is_constraint};
    return export_c(&m->system, &structure, text, size);
}
