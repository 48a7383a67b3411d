/* SPDX-License-Identifier: Apache-2.0 */
/* The model as a chemist who cares for speed writes it in C: 1/(R T) and log T once a call, every rate constant once,
   p[0]*pow(T, p[1])*exp(-p[2]*w), all derivatives by formulas in it; one statement a rate, one a sum; functions of some
   hundred statements, so that the compiler ends. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/kinetics.h"
#include "support/temporary.h"

enum { PATH = TEMPORARY_PATH + 16 }; /* of a file in the folder */

enum { STATEMENTS = 200 };

/* Statements under way: a new function every STATEMENTS of them. */
struct text {
    FILE *file;
    const char *name;
    bool needs_log;
    int statements, functions;
};

static void next_statement(struct text *t)
{
    if (t->statements++ % STATEMENTS) return;
    if (t->functions) fprintf(t->file, "}\n");
    fprintf(t->file,
            "static void %s_%d(const double *y, const double *p, const double T, const double w, "
            "const double L, double *r, double "
            "*d, double *out)\n{\n",
            t->name, t->functions++);
}

/* The function of that name which calls all of them. */
static void end_function(struct text *t, const struct kinetics *k)
{
    fprintf(t->file, "}\nvoid %s(const double *y, const double *p, double *out)\n{\n", t->name);
    fprintf(t->file, "    double r[%d], d[%d];\n", k->reactions, 4 * k->reactions);
    fprintf(t->file, "    const double T = %s[%d];\n", k->hot ? "y" : "p",
            (k->hot ? k->n : k->np) - 1);
    fprintf(t->file, "    const double w = 1/(%.17g*T), L = %s;\n", GAS_CONSTANT,
            t->needs_log ? "log(T)" : "0");
    for (int f = 0; f < t->functions; f++)
        fprintf(t->file, "    %s_%d(y, p, T, w, L, r, d, out);\n", t->name, f);
    fprintf(t->file, "}\n");
}

/* T^b exp(-E/(R T)) */
static void write_exponential(struct text *t, const struct kinetics *k, int r)
{
    if (k->each == 3) fprintf(t->file, "pow(T, p[%d])*", index_b(k, r));
    fprintf(t->file, "exp(-p[%d]*w)", index_E(k, r));
}

static void write_concentrations(struct text *t, const struct reaction *r)
{
    for (int j = 0; j < r->reactants; j++) fprintf(t->file, "*y[%d]", r->reactant[j]);
}

/* r[k] = A T^b exp(-E/(R T)) y_a y_b */
static void write_rates(struct text *t, const struct kinetics *k)
{
    for (int r = 0; r < k->reactions; r++) {
        next_statement(t);
        fprintf(t->file, "    r[%d] = p[%d]*", r, index_A(k, r));
        write_exponential(t, k, r);
        write_concentrations(t, &k->reaction[r]);
        fprintf(t->file, ";\n");
    }
}

/* *(b + E/(R T))/T, which makes a rate's derivative by T of it */
static void write_slope_of_T(struct text *t, const struct kinetics *k, int r)
{
    if (k->each == 3)
        fprintf(t->file, "*(p[%d] + p[%d]*w)/T;", index_b(k, r), index_E(k, r));
    else
        fprintf(t->file, "*p[%d]*w/T;", index_E(k, r));
}

/* The coefficient of species i in reaction r. */
static int net(const struct reaction *r, int i)
{
    int sum = 0;
    for (int j = 0; j < r->reactants; j++) sum -= r->reactant[j] == i;
    for (int j = 0; j < r->products; j++) sum += r->product[j] == i;
    return sum;
}

/* + nu x */
static void write_term(struct text *t, int nu, const char *array, int index)
{
    if (nu == 1 || nu == -1)
        fprintf(t->file, " %c %s[%d]", nu > 0 ? '+' : '-', array, index);
    else if (nu)
        fprintf(t->file, " %c %d*%s[%d]", nu > 0 ? '+' : '-', abs(nu), array, index);
}

static void write_f(struct text *t, const struct kinetics *k)
{
    write_rates(t, k);
    for (int i = 0; i < k->species; i++) {
        next_statement(t);
        fprintf(t->file, "    out[%d] =", i);
        int terms = 0;
        for (int r = 0; r < k->reactions; r++) {
            int const nu = net(&k->reaction[r], i);
            write_term(t, nu, "r", r);
            terms += nu != 0;
        }
        fprintf(t->file, "%s;\n", terms ? "" : " 0");
    }
    if (k->hot) {
        next_statement(t);
        fprintf(t->file, "    out[%d] = -%.17g*(T - %.17g)", k->n - 1, COOLING, AMBIENT);
        for (int r = 0; r < k->reactions; r++)
            fprintf(t->file, " + %.17g*r[%d]", k->reaction[r].heat, r);
        fprintf(t->file, ";\n");
    }
    end_function(t, k);
}

/* d[4k + j] = dr_k/d(reactant j), d[4k + 2] = dr_k/dT. */
static void write_rate_slopes(struct text *t, const struct kinetics *k)
{
    for (int r = 0; r < k->reactions; r++) {
        const struct reaction *const reaction = &k->reaction[r];
        int const a = reaction->reactant[0], b = reaction->reactant[1];
        next_statement(t);
        fprintf(t->file, "    { const double k = p[%d]*", index_A(k, r));
        write_exponential(t, k, r);
        fprintf(t->file, "; ");
        if (reaction->reactants == 1)
            fprintf(t->file, "d[%d] = k;", 4 * r);
        else if (a == b)
            fprintf(t->file, "d[%d] = 2*k*y[%d];", 4 * r, a);
        else
            fprintf(t->file, "d[%d] = k*y[%d]; d[%d] = k*y[%d];", 4 * r, b, 4 * r + 1, a);
        if (k->hot) {
            fprintf(t->file, " d[%d] = k", 4 * r + 2);
            write_concentrations(t, reaction);
            write_slope_of_T(t, k, r);
        }
        fprintf(t->file, " }\n");
    }
}

/* Which d of reaction r is the derivative by state j; -1: none. */
static int slope_by(const struct kinetics *k, int r, int j)
{
    const struct reaction *const reaction = &k->reaction[r];
    if (k->hot && j == k->n - 1) return 4 * r + 2;
    for (int m = 0; m < reaction->reactants; m++)
        if (reaction->reactant[m] == j) return 4 * r + m;
    return -1;
}

/* + (coefficient of reaction r in f_i) d */
static void write_slope(struct text *t, const struct kinetics *k, int r, int i, int d)
{
    if (k->hot && i == k->n - 1)
        fprintf(t->file, " + %.17g*d[%d]", k->reaction[r].heat, d);
    else
        write_term(t, net(&k->reaction[r], i), "d", d);
}

static void write_J(struct text *t, const struct kinetics *k, const struct derivative *J)
{
    write_rate_slopes(t, k);
    for (int i = 0; i < k->n; i++)
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++) {
            int const j = (int)J->column[e];
            next_statement(t);
            fprintf(t->file, "    out[%zu] =", e);
            if (k->hot && i == k->n - 1 && j == i) fprintf(t->file, " -%.17g", COOLING);
            for (int r = 0; r < k->reactions; r++) {
                int const d = slope_by(k, r, j);
                if (d < 0) continue;
                write_slope(t, k, r, i, d);
            }
            fprintf(t->file, ";\n");
        }
    end_function(t, k);
}

/* d[4k] = dr_k/dA_k, then by b_k, E_k and T. */
static void write_parameter_slopes(struct text *t, const struct kinetics *k)
{
    for (int r = 0; r < k->reactions; r++) {
        next_statement(t);
        fprintf(t->file, "    { const double e = ");
        write_exponential(t, k, r);
        write_concentrations(t, &k->reaction[r]);
        fprintf(t->file, ", r = e*p[%d]; d[%d] = e; ", index_A(k, r), 4 * r);
        if (k->each == 3) fprintf(t->file, "d[%d] = r*L; ", 4 * r + 1);
        fprintf(t->file, "d[%d] = -r*w;", 4 * r + 2);
        if (!k->hot) {
            fprintf(t->file, " d[%d] = r", 4 * r + 3);
            write_slope_of_T(t, k, r);
        }
        fprintf(t->file, " }\n");
    }
}

static void write_fp(struct text *t, const struct kinetics *k, const struct derivative *fp)
{
    write_parameter_slopes(t, k);
    for (int i = 0; i < k->n; i++)
        for (size_t e = fp->start[i]; e < fp->start[i + 1]; e++) {
            int const j = (int)fp->column[e], r = j / k->each;
            int const place[] = {0, k->each == 3 ? 1 : 2, 2};
            next_statement(t);
            fprintf(t->file, "    out[%zu] =", e);
            if (r < k->reactions) {
                write_slope(t, k, r, i, 4 * r + place[j % k->each]);
            } else {
                for (int q = 0; q < k->reactions; q++) write_slope(t, k, q, i, 4 * q + 3);
            }
            fprintf(t->file, ";\n");
        }
    end_function(t, k);
}

static void fail(const char *what)
{
    fprintf(stderr, "the C by hand: %s\n", what);
    exit(EXIT_FAILURE);
}

static void place(const char *folder, const char *name, char path[PATH])
{
    int const length = snprintf(path, PATH, "%s/%s", folder, name);
    if (length < 0 || length >= PATH) fail("the path of its folder is too long");
}

static FILE *open_source(const char *folder, const char *name)
{
    char path[PATH];
    place(folder, name, path);
    FILE *const file = fopen(path, "w");
    if (!file) fail("cannot be written");
    fprintf(file, "#include <math.h>\n");
    return file;
}

/* f.c, J.c and fp.c, which are compiled at the same time. */
static void write_all(const char *folder, const struct kinetics *k, const struct derivative *J,
                      const struct derivative *fp)
{
    struct text f = {.file = open_source(folder, "f.c"), .name = "by_hand_f"};
    struct text slopes = {.file = open_source(folder, "J.c"), .name = "by_hand_J"};
    struct text parameters = {
        .file = open_source(folder, "fp.c"), .name = "by_hand_fp", .needs_log = k->each == 3};
    write_f(&f, k);
    write_J(&slopes, k, J);
    write_fp(&parameters, k, fp);
    fclose(f.file);
    fclose(slopes.file);
    fclose(parameters.file);
}

static void look_up(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);
    if (!found) fail(name);
    memcpy(function, &found, sizeof found);
}

static void remove_all(const char *folder)
{
    static const char *const name[] = {"f.c", "J.c", "fp.c", "f.o", "J.o", "fp.o", "model.so"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        char path[PATH];
        place(folder, name[k], path);
        remove(path);
    }
    rmdir(folder);
}

void by_hand_open(struct by_hand *hand, const struct kinetics *k, const struct derivative *J,
                  const struct derivative *fp)
{
    char folder[TEMPORARY_PATH], object[PATH], command[PATH + 200];
    if (!temporary_folder(folder, "by_hand")) fail("no folder for it in TMPDIR");
    write_all(folder, k, J, fp);
    int const length = snprintf(
        command, sizeof command,
        "cd '%s' && for x in f J fp; do cc -O3 -march=native -fPIC -c $x.c & done && wait && "
        "cc -shared -o model.so f.o J.o fp.o -lm",
        folder);
    if (length < 0 || (size_t)length >= sizeof command || system(command) != 0)
        fail("does not compile");
    place(folder, "model.so", object);
    hand->library = dlopen(object, RTLD_NOW);
    if (!hand->library) fail("cannot be loaded");
    look_up(hand->library, "by_hand_f", &hand->f);
    look_up(hand->library, "by_hand_J", &hand->J);
    look_up(hand->library, "by_hand_fp", &hand->fp);
    remove_all(folder);
}

void by_hand_close(struct by_hand *hand)
{
    dlclose(hand->library);
}
