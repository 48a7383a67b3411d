/* SPDX-License-Identifier: Apache-2.0 */
/* Models for tests, see bound_model.h.  The values come from the plain evaluator, switches in the order of their numbers. */
#include "bound_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/oracle.h"
#include "test.h"

static void bind_text(struct bound_model *m, const char *name, const char *text, size_t length)
{
    m->status = syntax_parse(&m->syntax, (struct source){name, text, length});
    if (m->status == TANSY_OK) m->status = system_bind(&m->system, &m->syntax);
}

void bound_parse(struct bound_model *m, const char *text)
{
    *m = (struct bound_model){0};
    bind_text(m, "test.tansy", text, strlen(text));
}

static _Noreturn void fail(const char *what, const char *name)
{
    fprintf(stderr, "%s %s\n", what, name);
    exit(1);
}

void bound_read(struct bound_model *m, const char *path)
{
    FILE *const file = fopen(path, "rb");
    *m = (struct bound_model){0};
    if (!file) fail("cannot open", path);
    enum { LARGEST = 1 << 20 };
    m->text = calloc(LARGEST, 1);
    size_t const length = m->text ? fread(m->text, 1, LARGEST - 1, file) : 0;
    fclose(file);
    if (length == 0) fail("cannot read", path);
    bind_text(m, path, m->text, length);
}

void bound_free(struct bound_model *m)
{
    system_free(&m->system);
    syntax_free(&m->syntax);
    free(m->text);
}

/* Conditions are numbered after those they contain: one run for each gives the next one. */
void bound_values(const struct bound_model *m, double t, const double *y, const double *p,
                  const uint32_t *root, size_t roots, double *value)
{
    const struct system *const s = &m->system;
    size_t const np = s->parameter.count, switches = s->condition.count, n = s->state.count;
    double *const all = calloc(np + switches + 1, sizeof *all);
    double *const node = calloc(graph_count(s->graph), sizeof *node);
    double *const zero = calloc(n + 1, sizeof *zero);
    if (!all || !node || !zero) fail("no memory for", s->name);
    if (np > 0) memcpy(all, p, np * sizeof *all);
    for (size_t k = 0; k < s->break_time.count; k++)
        all[np + switches] += t >= s->break_time.item[k];
    struct leaves const at = {.t = t,
                              .y = y,
                              .rate = zero,
                              .vector = zero,
                              .p = all,
                              .table = s->table.item,
                              .np = np,
                              .switches = switches};
    for (size_t k = 0; k < switches; k++) {
        oracle_run(s->graph, &at, node);
        all[np + k] = node[s->condition.item[k].node] >= 0;
    }
    oracle_run(s->graph, &at, node);
    for (size_t k = 0; k < roots; k++) value[k] = node[root[k]];
    free(all);
    free(node);
    free(zero);
}

size_t bound_state(const struct bound_model *m, const char *name)
{
    for (size_t i = 0; i < m->system.state.count; i++)
        if (strcmp(m->system.state.item[i].name, name) == 0) return i;
    fail("no state", name);
}

size_t bound_parameter(const struct bound_model *m, const char *name)
{
    for (size_t i = 0; i < m->system.parameter.count; i++)
        if (strcmp(m->system.parameter.item[i].name, name) == 0) return i;
    fail("no parameter", name);
}

size_t bound_output(const struct bound_model *m, const char *name)
{
    for (size_t i = 0; i < m->system.output.count; i++)
        if (strcmp(m->system.output.item[i].name, name) == 0) return i;
    fail("no output", name);
}

void bound_refuses(const char *text, const char *place, const char *words)
{
    struct bound_model m;
    bound_parse(&m, text);
    CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, words);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, place);
    bound_free(&m);
}
