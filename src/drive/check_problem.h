/* SPDX-License-Identifier: Apache-2.0 */
/* Says what is wrong with a problem before anything is allocated. */
#ifndef DRIVE_CHECK_PROBLEM_H
#define DRIVE_CHECK_PROBLEM_H

#include <tansy/tansy.h>

#include "base/message.h"

tansy_status check_problem(const tansy_problem *p, const tansy_options *o, struct message *message);

/* Columns of S that will be computed. */
size_t columns_wanted(const tansy_problem *p, const tansy_options *o);

#endif
