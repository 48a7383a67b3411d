/* SPDX-License-Identifier: Apache-2.0 */
/* Makes lotka_volterra.csv and pleiades.csv without any of the library's code: Gragg, Bulirsch and Stoer's extrapolation of
   order 16 in quadruple precision (pleiades amplifies rounding by 1e8), and S as the imaginary part of a complex step of 1e-30, dy/dp = Im y(p + i h)/h, which has
   no rounding of its own.  agree_digits compares two runs with different step sizes, relative to the entry.
   usage: gcc -O2 make_ode_references.c -lm && ./a.out FOLDER */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef _Float128 real;
typedef _Complex _Float128 number;
enum { MOST = 28, MOST_TIMES = 3 };
static const number unit = I;

/* Column k is that of parameter k below np, else of the initial value k - np. */
struct problem {
    const char *name, *text;
    int n, np, times;
    const char *t[MOST_TIMES];
    real step, p[4], start[MOST];
    void (*rhs)(const number *y, const number *p, number *f);
    long double (*pace)(const number *y); /* how fast y changes there: H = step/pace */
};

static void lotka_volterra(const number *y, const number *p, number *f)
{
    f[0] = p[0] * y[0] - p[1] * y[0] * y[1];
    f[1] = p[3] * y[0] * y[1] - p[2] * y[1];
}

static long double even_pace(const number *y)
{
    (void)y;
    return 1;
}

/* One Newton step takes the root from extended to quadruple precision. */
static number root(number square)
{
    number const r = csqrtl((long double complex)square);
    return (r + square / r) / 2;
}

static void pleiades(const number *y, const number *p, number *f)
{
    (void)p;
    for (int i = 0; i < 14; i++) f[i] = y[14 + i], f[14 + i] = 0;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < i; j++) {
            number const x = y[j] - y[i], z = y[7 + j] - y[7 + i];
            number const square = x * x + z * z, factor = 1 / (square * root(square));
            f[14 + i] += (j + 1) * factor * x;
            f[21 + i] += (j + 1) * factor * z;
            f[14 + j] -= (i + 1) * factor * x;
            f[21 + j] -= (i + 1) * factor * z;
        }
}

/* Of the closest pair: the inverse of the time in which the two would fall together, sqrt((m_i + m_j)/|z|^3). */
static long double closest_pace(const number *y)
{
    long double most = 0;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < i; j++) {
            long double const d = hypotl((long double)__real__(y[j] - y[i]),
                                         (long double)__real__(y[7 + j] - y[7 + i]));
            most = fmaxl(most, sqrtl((i + j + 2) / (d * d * d)));
        }
    return most;
}

/* One step of the modified midpoint rule with m substeps. */
static void midpoint(const struct problem *it, real H, int m, const number *p, const number *y,
                     number *out)
{
    number a[MOST], b[MOST], f[MOST];
    real const h = H / m;
    it->rhs(y, p, f);
    for (int i = 0; i < it->n; i++) a[i] = y[i], b[i] = y[i] + h * f[i];
    for (int k = 1; k < m; k++) {
        it->rhs(b, p, f);
        for (int i = 0; i < it->n; i++) {
            number const next = a[i] + 2 * h * f[i];
            a[i] = b[i];
            b[i] = next;
        }
    }
    it->rhs(b, p, f);
    for (int i = 0; i < it->n; i++) out[i] = (a[i] + b[i] + h * f[i]) / 2;
}

/* One step of order 16: eight rows with 2, 4, .. 16 substeps. */
static void take_step(const struct problem *it, real H, const number *p, number *y)
{
    enum { COUNT = 8 };
    number T[COUNT][MOST];
    for (int j = 0; j < COUNT; j++) {
        midpoint(it, H, 2 * (j + 1), p, y, T[j]);
        for (int k = j - 1; k >= 0; k--) { /* Neville on 1/m^2, in place */
            real const ratio = (real)(j + 1) / (real)(k + 1);
            for (int i = 0; i < it->n; i++)
                T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / (ratio * ratio - 1);
        }
    }
    for (int i = 0; i < it->n; i++) y[i] = T[0][i];
}

/* y or, for k >= 0, column k at all times. */
static void run(const struct problem *it, int k, real step, real *out)
{
    real const tiny = 1e-30L;
    number p[4], y[MOST];
    real t = 0;
    for (int j = 0; j < it->np; j++) p[j] = it->p[j] + (j == k ? unit * tiny : 0);
    for (int i = 0; i < it->n; i++) y[i] = it->start[i] + (it->np + i == k ? unit * tiny : 0);
    for (int m = 0; m < it->times; m++) {
        real const end = strtold(it->t[m], NULL);
        while (t <
               end) { /* steps depend on real parts alone: S is the derivative with steps held */
            real const H = step / it->pace(y);
            take_step(it, H < end - t ? H : end - t, p, y);
            t = H < end - t ? t + H : end;
        }
        for (int i = 0; i < it->n; i++)
            out[m * it->n + i] = k < 0 ? __real__ y[i] : __imag__ y[i] / tiny;
    }
}

static int digits(real a, real b)
{
    long double const e = fabsl((long double)((a - b) / (a == 0 ? 1 : a)));
    return e < 1e-19L ? 19 : (int)-log10l(e);
}

static void print_name(FILE *file, const struct problem *it, int k)
{
    if (k >= it->np) fprintf(file, "y%d_0", k - it->np + 1);
    if (k >= 0 && k < it->np) fprintf(file, "%c", "abcd"[k]);
}

static void make(const struct problem *it, const char *folder)
{
    static real value[MOST + 1][MOST_TIMES * MOST], check[MOST + 1][MOST_TIMES * MOST];
    char path[300];
    int least = 99;
    snprintf(path, sizeof path, "%s/%s.csv", folder, it->name);
    FILE *file = fopen(path, "w");
    if (!file) exit(EXIT_FAILURE);
    for (int k = -1; k < it->np + it->n; k++) {
        run(it, k, it->step, value[k + 1]);
        run(it, k, 1.31L * it->step, check[k + 1]);
    }
    fprintf(file,
            "# %s\n# Made by make_ode_references.c, which says how.\n"
            "t,quantity,parameter,value,agree_digits\n",
            it->text);
    for (int m = 0; m < it->times; m++)
        for (int k = -1; k < it->np + it->n; k++)
            for (int i = 0; i < it->n; i++) {
                real const a = value[k + 1][m * it->n + i], b = check[k + 1][m * it->n + i];
                if (digits(a, b) < least) least = digits(a, b);
                fprintf(file, "%s,y%d,", it->t[m], i + 1);
                print_name(file, it, k);
                fprintf(file, ",%.19Le,%d\n", (long double)a, digits(a, b));
            }
    fclose(file);
    printf("%s: at least %d digits\n", it->name, least);
}

static const struct problem problems[] = {
    {"lotka_volterra",
     "Lotka and Volterra: y1' = a y1 - b y1 y2, y2' = d y1 y2 - c y2, (a, b, c, d) = (1.5, 1, 3, "
     "1), y(0) = (1, 1), and derivatives with respect to a, b, c, d, y1(0), y2(0).",
     2,
     4,
     2,
     {"5", "10"},
     0.06L,
     {1.5L, 1, 3, 1},
     {1, 1},
     lotka_volterra,
     even_pace},
    {"pleiades",
     "Pleiades of the Test Set for IVP Solvers: y = (x_1..x_7, y_1..y_7, x_1'..x_7', y_1'..y_7'), "
     "and derivatives with respect to all initial values.",
     28,
     0,
     2,
     {"1.5", "3"},
     0.06L,
     {0},
     {3, 3, -1, -3, 2, -2,    2,     3, -3, 2, 0,      0, -4, 4,
      0, 0, 0,  0,  0, 1.75L, -1.5L, 0, 0,  0, -1.25L, 1, 0,  0},
     pleiades,
     closest_pace},
};

int main(int count, char **argument)
{
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        make(&problems[k], count > 1 ? argument[1] : ".");
    return 0;
}
