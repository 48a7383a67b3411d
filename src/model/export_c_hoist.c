/* SPDX-License-Identifier: Apache-2.0 */
/* What depends on p alone, in C: it stands in the thread's own memory and is computed again when the version of p, which
   tansy_local tells, is another one. */
#include "model/export_c_function.h"

static const char access_text[] =
    "/* The memory of a thread: what depends on p alone.  Functions find it by their context, a "
    "tansy_local. */\n"
    "struct %s_scratch {\n"
    "    size_t version; /* of p, for which h was computed; 0: none */\n"
    "    double h[%zu];\n"
    "};\n\n"
    "static const double *%s_hoisted(const double *p, void *context)\n"
    "{\n"
    "    const tansy_local *const local = context;\n"
    "    struct %s_scratch *const scratch = local->scratch;\n"
    "    if (scratch->version == local->version) return scratch->h;\n"
    "    if (%s_hoist(p, scratch->h)) return NULL;\n"
    "    scratch->version = local->version;\n"
    "    return scratch->h;\n"
    "}\n\n";

void write_hoisted_access(struct writer *w, const char *model)
{
    write_text(w, "    const double *const h = %s_hoisted(p, context);\n    if (!h) return -1;\n",
               model);
}

void write_hoisted(struct writer *w, const struct graph *g, const struct c_function *f)
{
    const char *const model = f->model;
    write_function(w, g,
                   &(struct c_function){.model = model,
                                        .name = "hoist",
                                        .parameters = "const double *p, double *h",
                                        .arguments = "const double *p, double *h",
                                        .passed = "p, h",
                                        .unused = "(void)p;",
                                        .target = "h",
                                        .root = f->plan->node,
                                        .roots = f->plan->count,
                                        .is_inner = true,
                                        .np = f->np,
                                        .switches = f->switches});
    write_text(w, access_text, model, f->plan->count, model, model, model);
}
