/* SPDX-License-Identifier: Apache-2.0 */
/* What the structure of an implicit model means for its user: singular systems are errors at their equation; an index that
   the solver cannot take is told, with the equations to be differentiated. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/model.h"
#include "model/simplify.h"

enum { SHOWN = 6, LONGEST = 60, NOTE = 2000 };

struct note {
    char *text;
    size_t length, room;
};

static void say(struct note *note, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct note *note, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int const more =
        vsnprintf(note->text + note->length, note->room - note->length, format, arguments);
    va_end(arguments);
    if (more > 0) note->length += (size_t)more;
    if (note->length >= note->room) note->length = note->room - 1;
}

size_t model_equation_text(const struct tansy_model *m, size_t i, const char **text)
{
    *text = m->source.text + m->system.equation[i].offset;
    size_t length = strcspn(*text, "\n\r;#");
    while (length > 0 && ((*text)[length - 1] == ' ' || (*text)[length - 1] == '\t')) length--;
    return length;
}

/* "file:line:column: the equation", the cursor being anywhere. */
static void say_equation(struct note *note, const struct tansy_model *m, size_t i,
                         struct cursor *at)
{
    const char *text;
    size_t const length = model_equation_text(m, i, &text);
    int const shown = (int)(length < LONGEST ? length : LONGEST);
    source_go_to(&m->source, at, m->system.equation[i].offset);
    say(note, "%s:%zu:%zu: %.*s%s", m->source.name, at->line, at->column, shown, text,
        length > LONGEST ? " ..." : "");
}

/* The equations that stand for differentiation, those beyond `allowed` times. */
static void say_equations(struct note *note, const struct tansy_model *m, uint32_t allowed)
{
    size_t count = 0;
    struct cursor at = {0};
    for (size_t i = 0; i < m->structure.n; i++) {
        uint32_t const times = m->structure.times[i];
        if (times <= allowed || ++count > SHOWN) continue;
        say(note, count > 1 ? "; " : " ");
        say_equation(note, m, i, &at);
        if (times - allowed > 1) say(note, " (%u times)", (unsigned)(times - allowed));
    }
    if (count > SHOWN) say(note, "; ... (%zu equations in all)", count);
}

static tansy_status explain(struct tansy_model *m)
{
    const struct structure *const s = &m->structure;
    struct note note = {.text = heap_take(NOTE), .room = NOTE};
    if (!note.text) return TANSY_OUT_OF_MEMORY;
    if (s->index > 2)
        say(&note,
            "the structural index is %zu, and the solver takes 1, or 2 when the constraints "
            "have no algebraic variables in them",
            s->index);
    else
        say(&note, "the structural index is 2, and an equation that makes it so is not free of "
                   "algebraic variables and derivatives, as the solver needs it");
    say(&note, "; to reduce it put the derivative in time of an equation in its place, here of");
    say_equations(&note, m, s->index > 2 ? 1 : 0);
    m->own_note = note.text;
    m->note = note.text;
    return TANSY_OK;
}

/* "x, y, ... (9 in all)": the variables that no equation determines. */
static void say_free(struct note *note, const struct tansy_model *m)
{
    size_t count = 0;
    for (size_t j = 0; j < m->structure.n; j++) {
        if (m->structure.equation_of[j] != UINT32_MAX || ++count > SHOWN) continue;
        say(note, "%s%.50s", count > 1 ? ", " : "", m->system.state.item[j].name);
    }
    if (count > SHOWN) say(note, ", ... (%zu in all)", count);
}

/* Names the first equation that is one too many, the others, and the variables that are left over. */
static tansy_status refuse(struct tansy_model *m)
{
    struct note names = {.text = heap_take(NOTE), .room = NOTE};
    size_t count = 0;
    if (!names.text) return TANSY_OUT_OF_MEMORY;
    say_free(&names, m);
    tansy_status status = TANSY_OK;
    for (size_t i = 0; i < m->structure.n; i++) {
        if (m->structure.variable_of[i] != UINT32_MAX || ++count > SHOWN) continue;
        struct place const at = m->system.equation[i];
        if (count == 1)
            status = source_error(
                &m->source, &m->diagnosis, at,
                "the equations are structurally singular: all variables of this one are determined "
                "by other equations, and none is left to determine %s",
                names.text);
        else
            source_note(&m->source, &m->diagnosis, at, "and so are those of this one");
    }
    heap_return(names.text);
    return status;
}

static tansy_status name_equation(struct tansy_model *m, size_t i, struct cursor *at)
{
    enum { ROOM = 2 * LONGEST };
    size_t const room = strlen(m->source.name) + ROOM;
    struct note name = {.text = heap_take(room), .room = room};
    if (!name.text) return TANSY_OUT_OF_MEMORY;
    say_equation(&name, m, i, at);
    m->equation_name[i] = name.text;
    return TANSY_OK;
}

struct named {
    uint32_t offset, equation;
};

static int compare_offsets(const void *a, const void *b)
{
    uint32_t const x = ((const struct named *)a)->offset, y = ((const struct named *)b)->offset;
    return (x > y) - (x < y);
}

/* In the order of the text, whatever that of the variables is: so the cursor reads it once. */
static tansy_status name_in_order(struct tansy_model *m)
{
    size_t const n = m->structure.n;
    tansy_status status = TANSY_OK;
    struct cursor at = {0};
    struct named *const item = heap_take((n + 1) * sizeof *item);
    if (!item) return TANSY_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        item[i] = (struct named){m->system.equation[i].offset, (uint32_t)i};
    qsort(item, n, sizeof *item, compare_offsets);
    for (size_t k = 0; k < n && status == TANSY_OK; k++)
        status = name_equation(m, item[k].equation, &at);
    heap_return(item);
    return status;
}

/* All equations, those without derivatives, and among these the constraints. */
static tansy_status name_equations(struct tansy_model *m)
{
    size_t const n = m->structure.n;
    size_t constraints = 0;
    m->equation_name = heap_take((n + 1) * sizeof *m->equation_name);
    m->constraint_name = heap_take((n + 1) * sizeof *m->constraint_name);
    m->algebraic_name = heap_take((n + 1) * sizeof *m->algebraic_name);
    if (!m->equation_name || !m->constraint_name || !m->algebraic_name) return TANSY_OUT_OF_MEMORY;
    TRY(name_in_order(m));
    for (size_t i = 0; i < n; i++) {
        const char *const name = m->equation_name[i];
        if (m->rates.start[i] == m->rates.start[i + 1]) m->algebraic_name[m->algebraic++] = name;
        if (m->structure.is_constraint[i]) m->constraint_name[constraints++] = name;
    }
    return TANSY_OK;
}

/* Which derivatives have coefficients that may all vanish: they are no numbers, and do not depend on derivatives. */
static tansy_status note_vanishing(struct tansy_model *m)
{
    const struct derivative *const M = &m->rates;
    size_t const n = m->structure.n;
    bool any = false;
    char *const vanishing = heap_take(n + 1);
    if (!vanishing) return TANSY_OUT_OF_MEMORY;
    for (size_t j = 0; j < n; j++) vanishing[j] = m->structure.kind[j] == TANSY_DIFFERENTIAL;
    for (size_t e = 0; e < M->entries; e++)
        if (node_is_constant(m->system.graph, M->node[e]) ||
            graph_leaves(m->system.graph, M->node[e]) & 1u << OP_RATE)
            vanishing[M->column[e]] = 0;
    for (size_t j = 0; j < n; j++) any = any || vanishing[j];
    if (any)
        m->structure.vanishing = vanishing;
    else
        heap_return(vanishing);
    return TANSY_OK;
}

tansy_status model_analyse(struct tansy_model *m)
{
    TRY(structure_find(&m->jacobian, &m->rates, &m->structure));
    if (m->structure.is_singular) return refuse(m);
    TRY(name_equations(m));
    TRY(note_vanishing(m));
    m->solvable = structure_is_solvable(&m->structure);
    return m->solvable ? TANSY_OK : explain(m);
}
