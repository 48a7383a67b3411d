/* SPDX-License-Identifier: Apache-2.0 */
/* See model_hand.h.  The C is cut into functions of some hundred statements, so that the compiler ends. */
#include "support/model_hand.h"

#include <math.h>
#include <stdlib.h>

#include "support/random.h"

enum { STATEMENTS = 120 };

#define GAS_CONSTANT "8.314"
#define COOLING      "0.25"
#define AMBIENT      "300.0"

static int below(struct random_source *source, int count)
{
    return (int)((random_next(source) + 1) / 2 * count);
}

static void make_reaction(struct hand_reaction *r, int species, struct random_source *source)
{
    r->reactants = 1 + (below(source, 10) < 7);
    r->products = 1 + (below(source, 10) < 6);
    for (int j = 0; j < r->reactants; j++) r->reactant[j] = below(source, species);
    for (int j = 0; j < r->products; j++) r->product[j] = below(source, species);
    r->A = 1 + below(source, 100000);
    r->E = 2e4 + below(source, 100000);
    r->b =
        below(source, 10) < 4 ? 0 : 0.01 * (below(source, 400) - 150); /* as mechanisms have it */
    r->heat = 0.1 * (1 + below(source, 400));
}

void hand_model_make(struct hand_model *m, int n, int reactions, int hot)
{
    struct random_source source = {(uint64_t)n};
    *m = (struct hand_model){.n = n, .species = n - hot, .reactions = reactions, .hot = hot};
    m->reaction = calloc((size_t)reactions, sizeof *m->reaction);
    if (!m->reaction) exit(EXIT_FAILURE);
    for (int r = 0; r < reactions; r++) {
        make_reaction(&m->reaction[r], m->species, &source);
        if (r < m->species) m->reaction[r].reactant[0] = r; /* none without an equation */
    }
}

void hand_model_free(struct hand_model *m)
{
    free(m->reaction);
}

static void write_side(FILE *file, const int *species, int count)
{
    for (int j = 0; j < count; j++) fprintf(file, "%sy%d", j ? " + " : "", species[j]);
}

void hand_model_write_text(const struct hand_model *m, FILE *file)
{
    fprintf(file, "model mechanism\n");
    if (!m->hot) fprintf(file, "parameter T = 1100\n");
    for (int r = 0; r < m->reactions; r++)
        fprintf(file, "parameter A%d = %g, E%d = %g\n", r, m->reaction[r].A, r, m->reaction[r].E);
    for (int i = 0; i < m->species; i++) fprintf(file, "state y%d = %g\n", i, 1 + 0.1 * (i % 7));
    if (m->hot) fprintf(file, "state T = 1100\n");
    for (int r = 0; r < m->reactions; r++) {
        const struct hand_reaction *const x = &m->reaction[r];
        fprintf(file, "let v%d = A%d*", r, r);
        if (x->b != 0) fprintf(file, "T^(%.2f)*", x->b);
        fprintf(file, "exp(-E%d/(%s*T))", r, GAS_CONSTANT);
        for (int j = 0; j < x->reactants; j++) fprintf(file, "*y%d", x->reactant[j]);
        fprintf(file, "\nr%d: ", r);
        write_side(file, x->reactant, x->reactants);
        fprintf(file, " -> ");
        write_side(file, x->product, x->products);
        fprintf(file, ", v%d\n", r);
    }
    if (!m->hot) return;
    fprintf(file, "T' = -%s*(T - %s)", COOLING, AMBIENT);
    for (int r = 0; r < m->reactions; r++)
        fprintf(file, " + %.1f*v%d%s", m->reaction[r].heat, r, r % 10 == 9 ? " \\\n" : "");
    fprintf(file, "\n");
}

/* Statements under way: a new function every STATEMENTS of them. */
struct text {
    FILE *file;
    const char *name;
    int statements, functions;
};

static void next_statement(struct text *t)
{
    if (t->statements++ % STATEMENTS) return;
    if (t->functions) fprintf(t->file, "}\n");
    fprintf(t->file,
            "static void %s_%d(const double *restrict y, const double *restrict p, double T, "
            "double *restrict r, double *restrict out)\n{\n",
            t->name, t->functions++);
}

/* The function of that name which calls all of them. */
static void end_function(struct text *t, const struct hand_model *m)
{
    fprintf(t->file, "}\nvoid %s(const double *y, const double *p, double *out)\n{\n", t->name);
    fprintf(t->file, "    double r[%d];\n", 4 * m->reactions);
    if (m->hot)
        fprintf(t->file, "    const double T = y[%d];\n", m->n - 1);
    else
        fprintf(t->file, "    const double T = p[0];\n");
    for (int f = 0; f < t->functions; f++)
        fprintf(t->file, "    %s_%d(y, p, T, r, out);\n", t->name, f);
    fprintf(t->file, "}\n");
}

static int place_of_A(const struct hand_model *m, int r)
{
    return 2 * r + !m->hot;
}

/* T^b exp(-E/(R T)) */
static void write_arrhenius(FILE *file, const struct hand_model *m, int r)
{
    if (m->reaction[r].b != 0) fprintf(file, "pow(T, %.2f)*", m->reaction[r].b);
    fprintf(file, "exp(-p[%d]/(%s*T))", place_of_A(m, r) + 1, GAS_CONSTANT);
}

static void write_reactants(FILE *file, const struct hand_reaction *x)
{
    for (int j = 0; j < x->reactants; j++) fprintf(file, "*y[%d]", x->reactant[j]);
}

/* The coefficient of species i in a reaction. */
static int net(const struct hand_reaction *x, int i)
{
    int sum = 0;
    for (int j = 0; j < x->reactants; j++) sum -= x->reactant[j] == i;
    for (int j = 0; j < x->products; j++) sum += x->product[j] == i;
    return sum;
}

/* + nu r[index], nu of row i in reaction r; nothing when nu = 0.  Is there anything? */
static int write_term(struct text *t, const struct hand_model *m, int i, int r, int index)
{
    if (m->hot && i == m->n - 1) {
        fprintf(t->file, " + %.1f*r[%d]", m->reaction[r].heat, index);
        return 1;
    }
    int const nu = net(&m->reaction[r], i);
    if (nu == 1 || nu == -1)
        fprintf(t->file, " %c r[%d]", nu > 0 ? '+' : '-', index);
    else if (nu)
        fprintf(t->file, " %c %d*r[%d]", nu > 0 ? '+' : '-', abs(nu), index);
    return nu != 0;
}

static void write_f(const struct hand_model *m, FILE *file)
{
    struct text t = {.file = file, .name = "hand_f"};
    for (int r = 0; r < m->reactions; r++) {
        next_statement(&t);
        fprintf(file, "    r[%d] = p[%d]*", r, place_of_A(m, r));
        write_arrhenius(file, m, r);
        write_reactants(file, &m->reaction[r]);
        fprintf(file, ";\n");
    }
    for (int i = 0; i < m->n; i++) {
        next_statement(&t);
        fprintf(file, "    out[%d] =", i);
        if (m->hot && i == m->n - 1) fprintf(file, " -%s*(T - %s)", COOLING, AMBIENT);
        int terms = 0;
        for (int r = 0; r < m->reactions; r++) terms += write_term(&t, m, i, r, r);
        fprintf(file, "%s;\n", terms ? "" : " 0");
    }
    end_function(&t, m);
}

/* * (b + E/(R T))/T, which makes a rate its derivative in T. */
static void write_by_T(FILE *file, const struct hand_model *m, int r)
{
    fprintf(file, "*(%.2f + p[%d]/(%s*T))/T", m->reaction[r].b, place_of_A(m, r) + 1, GAS_CONSTANT);
}

/* r[4k + j] = dr_k/d(reactant j), r[4k + 2] = dr_k/dT. */
static void write_slopes(struct text *t, const struct hand_model *m)
{
    for (int r = 0; r < m->reactions; r++) {
        const struct hand_reaction *const x = &m->reaction[r];
        int const a = x->reactant[0], b = x->reactant[1];
        next_statement(t);
        fprintf(t->file, "    { const double k = p[%d]*", place_of_A(m, r));
        write_arrhenius(t->file, m, r);
        if (x->reactants == 1)
            fprintf(t->file, "; r[%d] = k;", 4 * r);
        else if (a == b)
            fprintf(t->file, "; r[%d] = 2*k*y[%d];", 4 * r, a);
        else
            fprintf(t->file, "; r[%d] = k*y[%d]; r[%d] = k*y[%d];", 4 * r, b, 4 * r + 1, a);
        if (m->hot) {
            fprintf(t->file, " r[%d] = k", 4 * r + 2);
            write_reactants(t->file, x);
            write_by_T(t->file, m, r);
            fprintf(t->file, ";");
        }
        fprintf(t->file, " }\n");
    }
}

/* Which of them is the derivative of reaction r by state j; -1: none. */
static int slope_by(const struct hand_model *m, int r, int j)
{
    const struct hand_reaction *const x = &m->reaction[r];
    if (m->hot && j == m->n - 1) return 4 * r + 2;
    for (int k = 0; k < x->reactants; k++)
        if (x->reactant[k] == j) return 4 * r + k;
    return -1;
}

/* Is there anything in row i, column j? */
static int has_entry(const struct hand_model *m, int i, int j)
{
    for (int r = 0; r < m->reactions; r++)
        if (slope_by(m, r, j) >= 0 && ((m->hot && i == m->n - 1) || net(&m->reaction[r], i)))
            return 1;
    return 0;
}

static void write_J(const struct hand_model *m, FILE *file)
{
    struct text t = {.file = file, .name = "hand_J"};
    write_slopes(&t, m);
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->n; j++) {
            if (!has_entry(m, i, j)) continue;
            next_statement(&t);
            fprintf(file, "    out[%d] = %s", i * m->n + j,
                    m->hot && i == m->n - 1 && i == j ? "-" COOLING : "");
            for (int r = 0; r < m->reactions; r++)
                if (slope_by(m, r, j) >= 0) write_term(&t, m, i, r, slope_by(m, r, j));
            fprintf(file, ";\n");
        }
    end_function(&t, m);
}

/* r[3k] = dr_k/dA_k, r[3k + 1] = dr_k/dE_k, r[3k + 2] = dr_k/dT, then the entries. */
static void write_fp(const struct hand_model *m, const tansy_pattern *fp, FILE *file)
{
    struct text t = {.file = file, .name = "hand_fp"};
    for (int r = 0; r < m->reactions; r++) {
        next_statement(&t);
        fprintf(file, "    r[%d] = ", 3 * r);
        write_arrhenius(file, m, r);
        write_reactants(file, &m->reaction[r]);
        fprintf(file, "; r[%d] = -r[%d]*p[%d]/(%s*T);", 3 * r + 1, 3 * r, place_of_A(m, r),
                GAS_CONSTANT);
        if (!m->hot) {
            fprintf(file, " r[%d] = r[%d]*p[%d]", 3 * r + 2, 3 * r, place_of_A(m, r));
            write_by_T(file, m, r);
            fprintf(file, ";");
        }
        fprintf(file, "\n");
    }
    for (size_t e = 0; e < fp->entries; e++) {
        int const i = (int)fp->row[e], k = (int)fp->column[e] - !m->hot;
        next_statement(&t);
        fprintf(file, "    out[%zu] =", e);
        if (k >= 0)
            write_term(&t, m, i, k / 2, 3 * (k / 2) + k % 2);
        else
            for (int r = 0; r < m->reactions; r++) write_term(&t, m, i, r, 3 * r + 2);
        fprintf(file, ";\n");
    }
    end_function(&t, m);
}

void hand_model_write_c(const struct hand_model *m, const tansy_pattern *fp, FILE *file)
{
    fprintf(file, "#include <math.h>\n");
    write_f(m, file);
    write_J(m, file);
    write_fp(m, fp, file);
}
