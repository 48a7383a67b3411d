/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the export: text as snprintf writes it, and expressions with as few parentheses as keep the order of evaluation. */
#ifndef MODEL_EXPORT_C_TEXT_H
#define MODEL_EXPORT_C_TEXT_H

#include "base/grow.h"
#include "model/simplify.h"

/* A piece of an expression that is still to be written. */
struct piece {
    const char *text; /* or NULL: the node */
    uint32_t node;
    int precedence; /* that its place asks for */
};

struct writer {
    char *text;
    size_t size, used; /* used counts on beyond size */
    bool failed;       /* no memory */
    LIST(struct piece) piece;
};

void write_text(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A number with 17 digits that C reads as a double. */
void write_number(struct writer *w, double value);

/* Text for a comment, without its end. */
void write_comment(struct writer *w, const char *text);

/* Text as a string of C, quotes included; NULL is the empty one. */
void write_string(struct writer *w, const char *text);

/* How the nodes are called in one function. */
struct naming {
    const struct graph *g;
    const char *model, *target;
    const uint32_t *name; /* by node: its number, or UNNAMED: written where it is used */
    const uint8_t *kind;  /* by node: enum node_kind */
    size_t np, switches;  /* the place of switches and piece in p */
};

#define UNNAMED UINT32_MAX
enum node_kind {
    NODE_UNUSED,
    NODE_INLINE,
    NODE_LOCAL,   /* w4 */
    NODE_SHARED,  /* s[4] */
    NODE_HOISTED, /* h[4] */
    NODE_RESULT   /* f[4], read back where it is needed again */
};

/* The expression of a node; `define`: its operation, even if it has a name. */
void write_expression(struct writer *w, const struct naming *names, uint32_t node, bool define);

#endif
