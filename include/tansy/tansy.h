/* SPDX-License-Identifier: Apache-2.0 */
/* Tansy: initial value problems together with their parametric sensitivities.  This header is all of it. */
#ifndef TANSY_H
#define TANSY_H

#include <tansy/model.h>
#include <tansy/options.h>
#include <tansy/problem.h>
#include <tansy/solver.h>
#include <tansy/status.h>

#endif
