/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the references of the pendulum with g = 1, of chemical Akzo Nobel and of the transistor amplifier, without any of the
   library's code: every DAE is reduced by hand to an ODE (the angle of the pendulum; y6 = Ks y1 y4; voltages over the
   capacitors, with the other voltages from scalar equations by Newton's method), the ODE is solved by Gragg, Bulirsch and
   Stoer's extrapolation of order 16 in extended precision, and S is the imaginary part of a complex step of 1e-30,
   dy/dp = Im y(p + i h)/h, which has no rounding of its own.  agree_digits compares two runs with different step sizes.
   usage: cc -O2 make_dae_references.c -lm && ./a.out FOLDER */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef long double complex number;
enum { MOST = 8, ROWS = 8, MOST_PARAMETERS = 19, MOST_TIMES = 4 };

struct problem {
    const char *name, *text;
    int n, np, states; /* of the DAE; of the ODE */
    const char *const *quantity, *const *parameter;
    long double p[MOST_PARAMETERS];
    int times;
    const char *t[MOST_TIMES];
    long double step;
    void (*start)(const number *p, number *x);
    void (*rhs)(long double t, const number *x, const number *p, number *f);
    void (*finish)(long double t, const number *x, const number *p, number *y);
};

/* The pendulum: x = (angle, its rate), length p. */
static void pendulum_start(const number *p, number *x)
{
    x[0] = casinl(0.5L / p[0]);
    x[1] = 0;
}

static void pendulum_rhs(long double t, const number *x, const number *p, number *f)
{
    (void)t;
    f[0] = x[1];
    f[1] = -csinl(x[0]) / p[0];
}

static void pendulum_finish(long double t, const number *x, const number *p, number *y)
{
    (void)t;
    y[0] = p[0] * csinl(x[0]);
    y[1] = -p[0] * ccosl(x[0]);
    y[2] = p[0] * ccosl(x[0]) * x[1];
    y[3] = p[0] * csinl(x[0]) * x[1];
    y[4] = (y[2] * y[2] + y[3] * y[3] - y[1]) / (p[0] * p[0]);
}

static void akzo_start(const number *p, number *x)
{
    (void)p;
    x[0] = 0.444L, x[1] = 0.00123L, x[2] = 0, x[3] = 0.007L, x[4] = 0;
}

static void akzo_rhs(long double t, const number *x, const number *p, number *f)
{
    (void)t;
    number const root = csqrtl(x[1]), y6 = p[6] * x[0] * x[3];
    number const r1 = p[0] * x[0] * x[0] * x[0] * x[0] * root, r2 = p[1] * x[2] * x[3];
    number const r3 = p[1] / p[4] * x[0] * x[4], r4 = p[2] * x[0] * x[3] * x[3];
    number const r5 = p[3] * y6 * y6 * root, in = p[5] * (p[7] / p[8] - x[1]);
    f[0] = -2 * r1 + r2 - r3 - r4;
    f[1] = -0.5L * r1 - r4 - 0.5L * r5 + in;
    f[2] = r1 - r2 + r3;
    f[3] = -r2 + r3 - 2 * r4;
    f[4] = r2 - r3 + r5;
}

static void akzo_finish(long double t, const number *x, const number *p, number *y)
{
    (void)t;
    for (int i = 0; i < 5; i++) y[i] = x[i];
    y[5] = p[6] * x[0] * x[3];
}

/* The amplifier: x = (y1 - y2, y3, y4 - y5, y6, y7 - y8); p = Ub, UF, alpha, beta, R0 .. R9, C1 .. C5. */
static number junction(number u, const number *p)
{
    return p[3] * (cexpl(u / p[1]) - 1);
}

/* Base b of a stage from (d + b - in)/Rin + [alpha g] + b/Ra + (b - Ub)/Rb + (1 - alpha) g(b - e) = 0. */
static number base(number in, number d, number e, const number *R, const number *p)
{
    number b = e;
    int settled = 0; /* two more iterations carry the imaginary part */
    for (int k = 0; k < 60 && settled < 3; k++) {
        number const g = junction(b - e, p), slope = (g + p[3]) / p[1];
        number const F = (d + b) / R[0] - in + b / R[1] + (b - p[0]) / R[2] + (1 - p[2]) * g;
        number const change = F / (1 / R[0] + 1 / R[1] + 1 / R[2] + (1 - p[2]) * slope);
        b -= change;
        settled += cabsl(change) <= 1e-17L * cabsl(b);
    }
    return b;
}

static void transistor_finish(long double t, const number *x, const number *p, number *y)
{
    const number *R = p + 4;
    long double const omega = 200 * 3.14159265358979323846264338327950288L;
    number const Ue = 0.1L * sinl(omega * t);
    y[1] = base(Ue / R[0], x[0], x[1], R, p);
    y[0] = x[0] + y[1];
    y[2] = x[1];
    number const g = junction(y[1] - y[2], p);
    y[4] = base(p[0] / R[4] - p[2] * g, x[2], x[3], R + 4, p);
    y[3] = x[2] + y[4];
    y[5] = x[3];
    number const h = junction(y[4] - y[5], p);
    y[7] = (p[0] / R[8] - p[2] * h - x[4] / R[8]) / (1 / R[8] + 1 / R[9]);
    y[6] = x[4] + y[7];
}

static void transistor_start(const number *p, number *x)
{
    const number *R = p + 4;
    number const first = p[0] / (R[2] / R[1] + 1), second = p[0] / (R[6] / R[5] + 1);
    x[0] = -first, x[1] = first, x[2] = p[0] - second, x[3] = second, x[4] = p[0];
}

static void transistor_rhs(long double t, const number *x, const number *p, number *f)
{
    const number *R = p + 4, *C = p + 14;
    number y[ROWS];
    transistor_finish(t, x, p, y);
    f[0] = (y[1] / R[1] + (y[1] - p[0]) / R[2] + (1 - p[2]) * junction(y[1] - y[2], p)) / C[0];
    f[1] = (junction(y[1] - y[2], p) - y[2] / R[3]) / C[1];
    f[2] = (y[4] / R[5] + (y[4] - p[0]) / R[6] + (1 - p[2]) * junction(y[4] - y[5], p)) / C[2];
    f[3] = (junction(y[4] - y[5], p) - y[5] / R[7]) / C[3];
    f[4] = y[7] / R[9] / C[4];
}

/* One step of the modified midpoint rule with m substeps. */
static void midpoint(const struct problem *it, long double t, long double H, int m, const number *p,
                     const number *x, number *out)
{
    number a[MOST], b[MOST], f[MOST];
    long double const h = H / m;
    it->rhs(t, x, p, f);
    for (int i = 0; i < it->states; i++) a[i] = x[i], b[i] = x[i] + h * f[i];
    for (int k = 1; k < m; k++) {
        it->rhs(t + k * h, b, p, f);
        for (int i = 0; i < it->states; i++) {
            number const next = a[i] + 2 * h * f[i];
            a[i] = b[i];
            b[i] = next;
        }
    }
    it->rhs(t + H, b, p, f);
    for (int i = 0; i < it->states; i++) out[i] = 0.5L * (a[i] + b[i] + h * f[i]);
}

/* One step of order 16: eight rows with 2, 4, .. 16 substeps. */
static void take_step(const struct problem *it, long double t, long double H, const number *p,
                      number *x)
{
    enum { COUNT = 8 };
    number T[COUNT][MOST];
    for (int j = 0; j < COUNT; j++) {
        midpoint(it, t, H, 2 * (j + 1), p, x, T[j]);
        for (int k = j - 1; k >= 0; k--) { /* Neville on 1/m^2, in place */
            long double const ratio = (long double)(j + 1) / (long double)(k + 1);
            for (int i = 0; i < it->states; i++)
                T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / (ratio * ratio - 1);
        }
    }
    for (int i = 0; i < it->states; i++) x[i] = T[0][i];
}

/* y and, for column k >= 0, dy/dp_k at all times. */
static void run(const struct problem *it, int k, long double step, long double *out)
{
    static const long double tiny = 1e-30L;
    number p[MOST_PARAMETERS], x[MOST], y[ROWS];
    long double t = 0;
    for (int j = 0; j < it->np; j++) p[j] = it->p[j] + (j == k ? I * tiny * it->p[j] : 0);
    it->start(p, x);
    for (int m = 0; m < it->times; m++) {
        long double const end = strtold(it->t[m], NULL), begin = t;
        long const steps = (long)ceill((end - begin) / step);
        for (long s = 0; s < steps; s++)
            take_step(it, begin + (end - begin) * s / steps, (end - begin) / steps, p, x);
        t = end;
        it->finish(t, x, p, y);
        for (int i = 0; i < it->n; i++)
            out[m * it->n + i] = k < 0 ? creall(y[i]) : cimagl(y[i]) / (tiny * it->p[k]);
    }
}

static int digits(long double a, long double b)
{
    long double const e = fabsl(a - b) / fmaxl(fabsl(a), 1e-300L);
    return e < 1e-19L ? 19 : (int)-log10l(e);
}

static void make(const struct problem *it, const char *folder)
{
    static long double value[MOST_PARAMETERS + 1][MOST_TIMES * ROWS];
    static long double check[MOST_PARAMETERS + 1][MOST_TIMES * ROWS];
    char path[300];
    int least = 99;
    snprintf(path, sizeof path, "%s/%s.csv", folder, it->name);
    FILE *file = fopen(path, "w");
    if (!file) exit(EXIT_FAILURE);
    for (int k = -1; k < it->np; k++) {
        run(it, k, it->step, value[k + 1]);
        run(it, k, 1.31L * it->step, check[k + 1]);
    }
    fprintf(file,
            "# %s\n# Made by make_dae_references.c, which says how.\n"
            "t,quantity,parameter,value,agree_digits\n",
            it->text);
    for (int m = 0; m < it->times; m++)
        for (int k = -1; k < it->np; k++)
            for (int i = 0; i < it->n; i++) {
                long double const a = value[k + 1][m * it->n + i], b = check[k + 1][m * it->n + i];
                if (digits(a, b) < least) least = digits(a, b);
                fprintf(file, "%s,%s,%s,%.19Le,%d\n", it->t[m], it->quantity[i],
                        k < 0 ? "" : it->parameter[k], a, digits(a, b));
            }
    fclose(file);
    printf("%s: at least %d digits\n", it->name, least);
}

static const char *const x_names[] = {"x1", "x2", "x3", "x4", "x5"};
static const char *const y_names[] = {"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"};
static const char *const pendulum_names[] = {"p1"};
static const char *const akzo_names[] = {"k1", "k2", "k3", "k4", "K", "klA", "Ks", "pCO2", "H"};
static const char *const transistor_names[] = {"Ub", "UF", "alpha", "beta", "R0", "R1", "R2",
                                               "R3", "R4", "R5",    "R6",   "R7", "R8", "R9",
                                               "C1", "C2", "C3",    "C4",   "C5"};

static const struct problem problems[] = {
    {"pendulum_slow",
     "The index-2 pendulum of pendulum.csv with g = 1: released at rest from x1 = 1/2, length 1; "
     "derivatives with respect to the length, x1(0) held.",
     5,
     1,
     2,
     x_names,
     pendulum_names,
     {1},
     4,
     {"1", "2", "5", "10"},
     0.05L,
     pendulum_start,
     pendulum_rhs,
     pendulum_finish},
    {"akzo_nobel",
     "Chemical Akzo Nobel of the Test Set for IVP Solvers, y(0) = (0.444, 0.00123, 0, 0.007, 0, Ks "
     "0.444 0.007), and its derivatives with respect to all constants.",
     6,
     9,
     5,
     y_names,
     akzo_names,
     {18.7L, 0.58L, 0.09L, 0.42L, 34.4L, 3.3L, 115.83L, 0.9L, 737},
     3,
     {"1", "20", "180"},
     0.02L,
     akzo_start,
     akzo_rhs,
     akzo_finish},
    {"transistor",
     "The transistor amplifier of the Test Set for IVP Solvers and its derivatives with respect to "
     "all constants; y(0) depends on Ub, R1, R2, R5, R6.",
     8,
     19,
     5,
     y_names,
     transistor_names,
     {6, 0.026L, 0.99L, 1e-6L, 1000, 9000, 9000, 9000, 9000, 9000, 9000, 9000, 9000, 9000, 1e-6L,
      2e-6L, 3e-6L, 4e-6L, 5e-6L},
     3,
     {"0.01", "0.1", "0.2"},
     5e-5L,
     transistor_start,
     transistor_rhs,
     transistor_finish},
};

int main(int count, char **argument)
{
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        make(&problems[k], count > 1 ? argument[1] : ".");
    return 0;
}
