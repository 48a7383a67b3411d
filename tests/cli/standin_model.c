/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for the model layer of the library while the program is developed: it knows the models gas_oil, chain and decay
   of this folder by their names and nothing else. */
#include <tansy/model.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 15 };
struct tansy_model {
    tansy_status error;
    int which; /* 0 gas oil, 1 chain, 2 decay */
    char message[512];
    char names[4][2 * N][16];
    double p[N], y0[2 * N];
};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    const tansy_model *const m = context;
    double const square = y[0] * y[0];
    if (m->which == 0) {
        f[0] = -(p[0] + p[2]) * square;
        f[1] = p[0] * square - p[1] * y[1];
    } else if (m->which == 1) {
        for (int i = 0; i < 2 * N; i++)
            f[i] = (i > 1 ? p[i / 2 - 1] * y[i - 2] : 0) - p[i / 2] * y[i];
    } else {
        f[0] = -y[0];
    }
    return 0;
}

tansy_model *tansy_model_parse(const char *text, size_t length, const char *name)
{
    tansy_model *const m = calloc(1, sizeof *m);
    static const double p[] = {0.9875, 0.2566, 0.3323};
    m->which = strstr(text, "model chain") ? 1 : strstr(text, "model decay") ? 2 : 0;
    if (strstr(text, "BAD")) {
        m->error = TANSY_BAD_MODEL;
        snprintf(m->message, sizeof m->message, "%s:1:1: there is no statement BAD\nBAD\n^\n",
                 name);
    }
    memcpy(m->p, p, sizeof p);
    m->y0[0] = 1;
    strcpy(m->names[0][0], m->which == 2 ? "x" : "y1");
    strcpy(m->names[0][1], "y2");
    for (int k = 0; k < 3; k++) snprintf(m->names[1][k], 16, "p%d", k + 1);
    strcpy(m->names[2][0], "conversion");
    for (int i = 0; m->which == 1 && i < 2 * N; i++) {
        snprintf(m->names[0][i], 16, "u[%d,%d]", i / 2 + 1, i % 2 + 1);
        snprintf(m->names[1][i / 2], 16, "k[%d]", i / 2 + 1);
        m->p[i / 2] = 1 + (i / 2 + 1) / 10.0;
        m->y0[i] = i < 2 ? i + 1 : 0;
    }
    return m;
}

tansy_model *tansy_model_read(const char *path)
{
    char text[4096] = "";
    FILE *const file = fopen(path, "r");
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        return tansy_model_parse(text, strlen(text), path);
    }
    tansy_model *const m = calloc(1, sizeof *m);
    m->error = TANSY_NO_FILE;
    snprintf(m->message, sizeof m->message, "%s: cannot be read: %s", path, strerror(errno));
    return m;
}

void tansy_model_free(tansy_model *m)
{
    free(m);
}
tansy_status tansy_model_error(const tansy_model *m)
{
    return m->error;
}
const char *tansy_model_message(const tansy_model *m)
{
    return m->message;
}
const char *tansy_model_warnings(const tansy_model *m)
{
    return "";
}

size_t tansy_model_count(const tansy_model *m, tansy_model_kind kind)
{
    static const size_t counts[3][4] = {{2, 3, 1, 0}, {2 * N, N, 0, 0}, {1, 0, 0, 0}};
    return counts[m->which][kind];
}

tansy_status tansy_model_problem(const tansy_model *m, tansy_problem *problem)
{
    *problem = (tansy_problem){.n = tansy_model_count(m, TANSY_MODEL_STATES),
                               .np = tansy_model_count(m, TANSY_MODEL_PARAMETERS),
                               .y0 = m->y0,
                               .p = m->p,
                               .context = (void *)m,
                               .rhs = rhs,
                               .concurrent = 1};
    return TANSY_OK;
}

const char *tansy_model_name(const tansy_model *m, tansy_model_kind kind, size_t i)
{
    return i < tansy_model_count(m, kind) ? m->names[kind][i] : "";
}

const char *tansy_model_unit(const tansy_model *m, tansy_model_kind kind, size_t i)
{
    return "";
}

ptrdiff_t tansy_model_index(const tansy_model *m, tansy_model_kind kind, const char *name)
{
    for (size_t i = 0; i < tansy_model_count(m, kind); i++)
        if (strcmp(name, tansy_model_name(m, kind, i)) == 0) return (ptrdiff_t)i;
    return -1;
}

tansy_parameter tansy_model_parameter(const tansy_model *m, size_t k)
{
    return (tansy_parameter){.value = m->p[k],
                             .lower = (double)-INFINITY,
                             .upper = (double)INFINITY,
                             .active_from = (double)-INFINITY};
}

void tansy_model_summarise(const tansy_model *m, tansy_model_summary *summary)
{
    static const char *const names[] = {"gas_oil", "chain", "decay"};
    static const char *const titles[] = {"Catalytic cracking of gas oil",
                                         "Two chains <of reactions> & more", ""};
    static const double ends[] = {4, 10, (double)NAN};
    *summary = (tansy_model_summary){.name = names[m->which],
                                     .title = titles[m->which],
                                     .form = "explicit ODE",
                                     .note = "",
                                     .t1 = ends[m->which],
                                     .time_unit = "",
                                     .states = tansy_model_count(m, TANSY_MODEL_STATES),
                                     .parameters = tansy_model_count(m, TANSY_MODEL_PARAMETERS),
                                     .outputs = tansy_model_count(m, TANSY_MODEL_OUTPUTS),
                                     .jacobian_entries = 3,
                                     .parameter_entries = 4,
                                     .lower = 1};
}

tansy_status tansy_model_outputs(const tansy_model *m, double t, const double *y, const double *p,
                                 double *q)
{
    q[0] = 1 - y[0];
    return TANSY_OK;
}

tansy_status tansy_model_output_columns(const tansy_model *m, double t, const double *y,
                                        const double *p, size_t ns, const double *sens,
                                        const double *direction_p, double *dq)
{
    for (size_t k = 0; k < ns; k++) dq[k] = -sens[2 * k];
    return TANSY_OK;
}

size_t tansy_model_export_c(const tansy_model *m, char *text, size_t size)
{
    return (size_t)snprintf(text, size, "/* gas oil */\n");
}
