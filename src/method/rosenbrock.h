/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of Rosenbrock formulas for B y' = f(t, y) with constant B, in the form without products by J:
     (B/(h gamma) - J) u_i = f(t + alpha_i h, y + sum_j a_ij u_j) + B sum_j (c_ij/h) u_j + h d_i f_t,
     y1 = y + sum m_i u_i,   error = sum e_i u_i. */
#ifndef METHOD_ROSENBROCK_H
#define METHOD_ROSENBROCK_H

enum { ROSENBROCK_STAGES = 8, ROSENBROCK_LOOKS = 2 };

struct rosenbrock {
    int stages;
    double gamma;
    const double *alpha, *d;              /* alpha[stages], d[stages] */
    const double (*a)[ROSENBROCK_STAGES]; /* a[i][j], j < i */
    const double (*c)[ROSENBROCK_STAGES]; /* c[i][j], j < i */
    const double *m, *e;                  /* m[stages], e[stages] */
    int dense_rows; /* of h: y(s) = (1-s) y0 + s (y1 + (1-s)(K_1 + s K_2 + s^2 K_3)), */
    const double (
        *dense)[ROSENBROCK_STAGES]; /* K_q = sum_i dense[q][i] u_i; no rows: a straight line */
    double look[ROSENBROCK_LOOKS];  /* places s where y(s) is tested, if it is */
    /* theta[stages]: theta_i r_0, of the residual r_0 that the algebraic equations have at the beginning of the step, is added to
       stage i.  With u_i = v_i delta, delta = -g_z^-1 r_0, v_i = 1 + theta_i - sum_j a_ij v_j, it makes sum m_i v_i = 1 and
       sum e_i v_i = 0: what is left of r_0 is taken away by a step, and is not seen as its error.  NULL: so it is anyway. */
    const double *theta;
    int reuses; /* this stage has the point of the one before and takes its f; 0: none */
};

extern const struct rosenbrock rosenbrock_rodas5p, rosenbrock_rodas4, rosenbrock_grk4a,
    rosenbrock_grk4t;

#endif
