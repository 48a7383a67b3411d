/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for the model layer of the library while the program is developed: whatever file is read, the model is the cracking
   of gas oil with one output, conversion = 1 - y1.  A file that contains the word BAD gives an error. */
#include <tansy/model.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tansy_model {
    tansy_status error;
    char message[512];
};

static const char *const states[] = {"y1", "y2"};
static const char *const parameters[] = {"p1", "p2", "p3"};
static const char *const outputs[] = {"conversion"};
static const double values[] = {0.9875, 0.2566, 0.3323}, start[] = {1, 0};
static const size_t row[] = {0, 0, 1, 1}, column[] = {0, 2, 0, 1};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    double const square = y[0] * y[0];
    f[0] = -(p[0] + p[2]) * square;
    f[1] = p[0] * square - p[1] * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    J[0] = -2 * (p[0] + p[2]) * y[0];
    J[2] = 2 * p[0] * y[0];
    J[3] = -p[1];
    return 0;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    double const square = y[0] * y[0];
    F[0] = -square;
    F[1] = -square;
    F[2] = square;
    F[3] = -y[1];
    return 0;
}

tansy_model *tansy_model_parse(const char *text, size_t length, const char *name)
{
    tansy_model *const m = calloc(1, sizeof *m);
    if (m && strstr(text, "BAD")) {
        m->error = TANSY_BAD_MODEL;
        snprintf(m->message, sizeof m->message, "%s:1:1: there is no statement BAD\nBAD\n^\n",
                 name);
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
    if (m) {
        m->error = TANSY_NO_FILE;
        snprintf(m->message, sizeof m->message, "%s: cannot be read: %s", path, strerror(errno));
    }
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

tansy_status tansy_model_problem(const tansy_model *m, tansy_problem *problem)
{
    *problem = (tansy_problem){.n = 2,
                               .np = 3,
                               .y0 = start,
                               .p = values,
                               .rhs = rhs,
                               .jacobian = jacobian,
                               .parameter_jacobian = parameter_jacobian,
                               .parameter_pattern = {4, row, column},
                               .concurrent = 1};
    return TANSY_OK;
}

size_t tansy_model_count(const tansy_model *m, tansy_model_kind kind)
{
    static const size_t counts[] = {2, 3, 1, 0};
    return counts[kind];
}

const char *tansy_model_name(const tansy_model *m, tansy_model_kind kind, size_t i)
{
    static const char *const *const names[] = {states, parameters, outputs, NULL};
    return i < tansy_model_count(m, kind) ? names[kind][i] : "";
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
    return (tansy_parameter){.value = values[k],
                             .lower = (double)-INFINITY,
                             .upper = (double)INFINITY,
                             .active_from = (double)-INFINITY};
}

void tansy_model_summarise(const tansy_model *m, tansy_model_summary *summary)
{
    *summary = (tansy_model_summary){.name = "gas_oil",
                                     .title = "Catalytic cracking of gas oil",
                                     .form = "explicit ODE",
                                     .note = "",
                                     .t1 = 4,
                                     .time_unit = "",
                                     .states = 2,
                                     .parameters = 3,
                                     .outputs = 1,
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
