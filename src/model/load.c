/* SPDX-License-Identifier: Apache-2.0 */
/* Models as shared objects, made from exported C: what the object says of itself becomes a system without a graph. */
#include <dlfcn.h>
#include <errno.h>
#ifdef __ELF__
#include <link.h>
#endif
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/model.h"

static tansy_status refuse(struct tansy_model *m, const char *what, const char *why)
{
    (void)snprintf(m->diagnosis.text, sizeof m->diagnosis.text, "%s: %s%s", m->source.name, what,
                   why);
    return TANSY_BAD_MODEL;
}

/* Is the file shorter than its segments say?  It would be mapped all the same, and what is missing end the program (SIGBUS).  What is no ELF file is dlopen's to refuse. */
#ifdef __ELF__
static bool is_cut(const char *path)
{
    bool cut = false;
    ElfW(Ehdr) head;
    FILE *const file = fopen(path, "rb");
    if (!file) return false;
    bool const has_head = fread(&head, sizeof head, 1, file) == 1 &&
                          memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
                          head.e_phentsize == sizeof(ElfW(Phdr));
    long const size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    for (size_t k = 0; has_head && !cut && k < head.e_phnum; k++) {
        ElfW(Phdr) segment;
        size_t const at = head.e_phoff + k * sizeof segment;
        cut = at > (size_t)size || fseek(file, (long)at, SEEK_SET) != 0 ||
              fread(&segment, sizeof segment, 1, file) != 1 || segment.p_offset > (size_t)size ||
              segment.p_filesz > (size_t)size - segment.p_offset;
    }
    (void)fclose(file);
    return cut;
}
#else
static bool is_cut(const char *path)
{
    (void)path;
    return false;
}
#endif

/* A name without a folder would be looked for where the system keeps its libraries. */
static tansy_status open_object(struct tansy_model *m)
{
    const char *const name = m->source.name;
    size_t const size = strlen(name) + sizeof "./";
    char *const path = heap_take(size);
    if (!path) return TANSY_OUT_OF_MEMORY;
    (void)snprintf(path, size, "./%s", name);
    bool const cut = is_cut(name);
    if (!cut) m->loaded.object = dlopen(strchr(name, '/') ? name : path, RTLD_NOW | RTLD_LOCAL);
    heap_return(path);
    if (m->loaded.object) return TANSY_OK;
    if (cut) return refuse(m, "cannot be loaded: ", "the file is cut short; compile it again");
    const char *const why = dlerror();
    return refuse(m, "cannot be loaded: ", why ? why : "");
}

static tansy_status check_version(struct tansy_model *m)
{
    static const char again[] = "; export and compile it again";
    const tansy_exported *const about = m->loaded.about;
    char text[160];
    if (about->major != TANSY_VERSION_MAJOR || about->minor != TANSY_VERSION_MINOR)
        (void)snprintf(text, sizeof text, "Tansy %d.%d.%d, and this is %s%s", about->major,
                       about->minor, about->patch, tansy_version(), again);
    else if (about->size != sizeof *about || about->problem_size != sizeof(tansy_problem))
        (void)snprintf(text, sizeof text, "another build of Tansy %s%s", tansy_version(), again);
    else
        return TANSY_OK;
    return refuse(m, "was made for ", text);
}

static const char *text_of(const char *const *list, size_t i)
{
    return list ? list[i] : "";
}

static tansy_status take_states(struct tansy_model *m)
{
    const tansy_exported *const about = m->loaded.about;
    const tansy_problem *const problem = &m->loaded.problem;
    struct system *const s = &m->system;
    if (!LIST_ROOM(&s->state, problem->n)) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < problem->n; i++) {
        int const flags = about->state_flags ? about->state_flags[i] : 0;
        s->state.item[s->state.count++] =
            (struct state){.name = text_of(problem->state_names, i),
                           .unit = text_of(about->state_units, i),
                           .kind = flags & 1 ? STATE_INTEGRAL : STATE_DIFFERENTIAL,
                           .initial_is_used = (flags & 2) != 0,
                           .atol = about->atol ? about->atol[i] : 0};
    }
    if (!problem->kind) return TANSY_OK;
    m->structure.kind = heap_take(problem->n * sizeof *m->structure.kind);
    if (!m->structure.kind) return TANSY_OUT_OF_MEMORY;
    memcpy(m->structure.kind, problem->kind, problem->n * sizeof *problem->kind);
    return TANSY_OK;
}

/* Those without derivatives, and the constraints of index 2. */
static tansy_status take_equations(struct tansy_model *m)
{
    const char *const flags = m->loaded.about->equation_flags;
    const char *const *const name = m->loaded.problem.equation_names;
    size_t const n = m->loaded.problem.n;
    if (!flags) return TANSY_OK;
    m->structure.is_constraint = heap_take(n * sizeof *m->structure.is_constraint);
    m->constraint_name = heap_take((n + 1) * sizeof *m->constraint_name);
    m->algebraic_name = heap_take((n + 1) * sizeof *m->algebraic_name);
    if (!m->structure.is_constraint || !m->constraint_name || !m->algebraic_name)
        return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) {
        m->structure.is_constraint[i] = (flags[i] & 2) != 0;
        if (flags[i] & 1) m->algebraic_name[m->algebraic++] = text_of(name, i);
        if (flags[i] & 2) m->constraint_name[m->structure.constraints++] = text_of(name, i);
    }
    return TANSY_OK;
}

static tansy_status take_parameters(struct tansy_model *m)
{
    const tansy_exported *const about = m->loaded.about;
    const tansy_problem *const problem = &m->loaded.problem;
    struct system *const s = &m->system;
    if (!LIST_ROOM(&s->parameter, problem->np)) return TANSY_OUT_OF_MEMORY;
    for (size_t k = 0; k < problem->np; k++)
        s->parameter.item[s->parameter.count++] = (struct parameter){
            .name = text_of(problem->parameter_names, k),
            .unit = text_of(about->parameter_units, k),
            .value = problem->p[k],
            .lower = problem->bound ? problem->bound[2 * k] : -HUGE_VAL,
            .upper = problem->bound ? problem->bound[2 * k + 1] : HUGE_VAL,
            .scale = problem->scale ? problem->scale[k] : 0,
            .active_from = about->active_from ? about->active_from[k] : -HUGE_VAL,
            .control = about->is_level && about->is_level[k] ? 0 : UINT32_MAX};
    return TANSY_OK;
}

static tansy_status take_conditions(struct tansy_model *m)
{
    const tansy_exported *const about = m->loaded.about;
    struct system *const s = &m->system;
    m->condition_name = heap_take((about->conditions + 1) * sizeof *m->condition_name);
    if (!m->condition_name || !LIST_ROOM(&s->condition, about->conditions))
        return TANSY_OUT_OF_MEMORY;
    for (size_t j = 0; j < about->conditions; j++) {
        const char *const name = text_of(about->condition_names, j);
        s->condition.item[s->condition.count++] = (struct condition){.node = 0};
        if (!(m->condition_name[j] = heap_take(strlen(name) + 1))) return TANSY_OUT_OF_MEMORY;
        memcpy(m->condition_name[j], name, strlen(name));
    }
    s->watched = m->loaded.problem.switches;
    return TANSY_OK;
}

static tansy_status take_outputs(struct tansy_model *m)
{
    const tansy_exported *const about = m->loaded.about;
    const tansy_problem *const problem = &m->loaded.problem;
    struct system *const s = &m->system;
    if (!LIST_ROOM(&s->output, about->outputs) || !LIST_ROOM(&s->break_time, problem->breaks))
        return TANSY_OUT_OF_MEMORY;
    for (size_t o = 0; o < about->outputs; o++)
        s->output.item[s->output.count++] = (struct output){
            .name = text_of(about->output_names, o), .unit = text_of(about->output_units, o)};
    for (size_t k = 0; k < problem->breaks; k++)
        s->break_time.item[s->break_time.count++] = problem->break_times[k];
    m->outputs.has_rates = about->output_rates != 0;
    return TANSY_OK;
}

static tansy_status take_grids(struct tansy_model *m)
{
    const tansy_exported *const about = m->loaded.about;
    struct system *const s = &m->system;
    if (!LIST_ROOM(&s->grid_pair, about->grid_pairs)) return TANSY_OUT_OF_MEMORY;
    for (size_t k = 0; k < about->grid_pairs; k++)
        s->grid_pair.item[s->grid_pair.count++] =
            (struct grid_pair){.control = text_of(about->grid_controls, k)};
    return TANSY_OK;
}

static void take_summary(struct tansy_model *m)
{
    const tansy_exported *const about = m->loaded.about;
    struct system *const s = &m->system;
    s->name = about->name;
    s->title = about->title;
    s->time_unit = about->time_unit;
    s->t0 = about->t0;
    s->t1 = about->t1;
    s->end_parameter = about->end_parameter;
    s->form = (enum system_form)about->form;
    m->has_constant_mass = m->loaded.problem.mass_constant != 0;
    m->structure.index = about->index;
    m->jacobian.entries = about->jacobian_entries;
    m->rates.entries = about->rate_entries;
    m->parameter.entries = m->loaded.problem.parameter_pattern.entries;
    m->lower = about->lower;
    m->upper = about->upper;
}

static tansy_status load(struct tansy_model *m)
{
    TRY(open_object(m));
    m->loaded.about = dlsym(m->loaded.object, "tansy_exported_model");
    if (!m->loaded.about)
        return refuse(m, "is not a model: ",
                      "it has no tansy_exported_model, which `tansy export --c` writes");
    TRY(check_version(m));
    m->loaded.about->problem(&m->loaded.problem);
    m->loaded.problem.active_from = m->loaded.about->active_from; /* older exports do not know it */
    TRY(take_states(m));
    TRY(take_equations(m));
    TRY(take_parameters(m));
    TRY(take_conditions(m));
    TRY(take_outputs(m));
    TRY(take_grids(m));
    take_summary(m);
    m->solvable = true;
    return model_fill_arrays(m);
}

tansy_model *tansy_model_load(const char *path)
{
    if (!path) return model_unreadable("(no name)", "no file name was given");
    errno = 0;
    FILE *const file = fopen(path, "rb");
    if (!file) return model_unreadable(path, strerror(errno));
    (void)fclose(file);
    tansy_model *const m = model_create();
    if (!m) return NULL;
    m->source.name = heap_take(strlen(path) + 1);
    m->source.text = heap_take(1);
    if (!m->source.name || !m->source.text) {
        tansy_model_free(m);
        return NULL;
    }
    memcpy((char *)m->source.name, path, strlen(path));
    m->diagnosis.status = load(m);
    if (m->diagnosis.status == TANSY_OUT_OF_MEMORY)
        (void)snprintf(m->diagnosis.text, sizeof m->diagnosis.text, "%s: no memory for this model",
                       path);
    return m;
}

void model_unload(struct tansy_model *m)
{
    if (m->loaded.object) (void)dlclose(m->loaded.object);
}
