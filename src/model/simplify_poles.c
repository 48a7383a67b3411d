/* SPDX-License-Identifier: Apache-2.0 */
/* What may be cancelled: a factor that is above 0 wherever it has a value, as far as its operations show.  exp(x) counts, though it is rounded
   to 0 far below: it cancels there too. */
#include "model/simplify.h"

enum { DEPTH = 16 };

void graph_keep_poles(struct graph *g, bool kept)
{
    if (g->keeps_poles == kept) return;
    g->keeps_poles = kept;
    memset(g->recent, 0, sizeof g->recent); /* answers by the other rule */
}

/* All of these nodes have to be above 0: those on the stack are taken apart until leaves are left. */
static bool is_positive(const struct graph *g, uint32_t a)
{
    uint32_t stack[DEPTH + 2] = {a};
    size_t count = 1;
    while (count > 0) {
        struct node const n = *node_at(g, stack[--count]);
        switch (n.operation) {
        case OP_CONSTANT:
            if (!(node_value(&n) > 0)) return false;
            break;
        case OP_EXP:
        case OP_COSH:
            break;
        case OP_SQRT:
        case OP_POWER: /* of a positive base */
            stack[count++] = n.argument[0];
            break;
        case OP_SELECT:
            stack[count++] = n.argument[1];
            stack[count++] = n.argument[2];
            break;
        case OP_ADD:
        case OP_MULTIPLY:
        case OP_DIVIDE:
            stack[count++] = n.argument[0];
            stack[count++] = n.argument[1];
            break;
        default:
            return false;
        }
        if (count > DEPTH) return false;
    }
    return true;
}

bool simplify_may_cancel(const struct graph *g, uint32_t x)
{
    return !g->keeps_poles || is_positive(g, x);
}
