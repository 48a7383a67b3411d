/* SPDX-License-Identifier: Apache-2.0 */
/* A model text parsed and bound, and its equations at a point, for tests. */
#ifndef TEST_BOUND_MODEL_H
#define TEST_BOUND_MODEL_H

#include "model/system.h"

struct bound_model {
    struct syntax syntax;
    struct system system;
    tansy_status status;
    char *text; /* of a file; else NULL */
};

/* Always to be freed. The text must live as long. */
void bound_parse(struct bound_model *m, const char *text);
/* A file, by its path from the top of the tree; one that cannot be read ends the program. */
void bound_read(struct bound_model *m, const char *path);
void bound_free(struct bound_model *m);

/* Checks that the text is refused, at this place and in these words. */
void bound_refuses(const char *text, const char *place, const char *words);

/* The first node of the roots at (t, y, p with switches and piece found from the conditions there): value[roots]. */
void bound_values(const struct bound_model *m, double t, const double *y, const double *p,
                  const uint32_t *root, size_t roots, double *value);

/* The index of a state, parameter or output; ends the program when there is none. */
size_t bound_state(const struct bound_model *m, const char *name);
size_t bound_parameter(const struct bound_model *m, const char *name);
size_t bound_output(const struct bound_model *m, const char *name);

#endif
