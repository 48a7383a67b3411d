/* SPDX-License-Identifier: Apache-2.0 */
/* What the user asks for, read from the command line. */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include "options.h"
#include "values.h"

#include <tansy/tansy.h>

enum scaling { SCALE_NONE, SCALE_LOG, SCALE_P };

enum panel {
    PANEL_TRAJECTORIES = 1,
    PANEL_SENSITIVITIES = 2,
    PANEL_NORMALISED = 4,
    PANEL_RANKING = 8,
    PANELS_ALL = 15
};

struct request {
    enum command command;
    const char *operand; /* the model's file, or the topic of help; NULL: none */
    const char *at, *sens, *of;
    const char *out, *stats, *report, *c, *completion;
    struct words set, scan, atol, plot;
    double to;
    size_t points; /* 0: not given */
    enum scaling scaling;
    unsigned panels;
    bool has_panels; /* they are given */
    bool has_to, verify, once, quiet, each, man, wants_help;
    tansy_options options;
};

/* DONE, or BAD_USAGE with a message.  The request points into argv. */
int command_line_read(const struct option_table *table, int argc, char **argv,
                      struct request *request);
void command_line_free(struct request *request);

#endif
