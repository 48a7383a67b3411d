/* SPDX-License-Identifier: Apache-2.0 */
#include "counts.h"

#include <stddef.h>

#define COUNT(name, words)                                                                         \
    {                                                                                              \
#name, words, offsetof(tansy_stats, name)                                                  \
    }

const struct count counts[] = {COUNT(steps, "steps"),
                               COUNT(rejected_error, "rejected by error tests"),
                               COUNT(rejected_newton, "rejected by the corrector"),
                               COUNT(rhs_evals, "evaluations of f"),
                               COUNT(jacobian_evals, "evaluations of df/dy"),
                               COUNT(parameter_evals, "evaluations of df/dp"),
                               COUNT(tangent_evals, "tangents, in columns"),
                               COUNT(second_evals, "second derivatives, in columns"),
                               COUNT(factorizations, "factorisations"),
                               COUNT(solves, "solves, in columns"),
                               COUNT(newton_state, "iterations of the state"),
                               COUNT(newton_sens, "iterations of columns"),
                               COUNT(linear_iterations, "iterations of gmres, in columns"),
                               COUNT(preconditioners, "preconditioners of gmres"),
                               {NULL, NULL, 0}};
