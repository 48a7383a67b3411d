/* SPDX-License-Identifier: Apache-2.0 */
/* No file that a call writes may be one that it reads or writes as well, under whatever name or link. */
#include "job.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of the call.  One that is not there yet is known by its folder and its name. */
struct place {
    char label[16];
    const char *path;
    bool read, exists;
    bool is_stdout; /* and written to */
    struct stat is; /* of the file or, where there is none, of its folder */
    char *name;     /* in the folder */
};

struct places {
    size_t count;
    struct place *at;
};

static void add(struct places *all, const char *label, const char *path, bool read)
{
    if (!path) return;
    all->at = take_more(all->at, all->count + 1, sizeof *all->at);
    struct place *const p = &all->at[all->count];
    *p = (struct place){.path = path, .read = read};
    (void)snprintf(p->label, sizeof p->label, "%s", label);
    p->is_stdout = !read && output_is_stdout(path);
    p->exists = p->is_stdout ? fstat(STDOUT_FILENO, &p->is) == 0 : stat(path, &p->is) == 0;
    if (!p->exists && !p->is_stdout) {
        char *const folder = output_place(path), *const file = copy_of(folder);
        if (stat(dirname(folder), &p->is) == 0) p->name = copy_of(basename(file));
        free(folder);
        free(file);
    }
    all->count++;
}

static void add_tables(struct places *all, const char *label, const struct words *words)
{
    for (size_t k = 0; k < words->count; k++)
        if (words->word[k][0] == '@') add(all, label, words->word[k] + 1, true);
}

/* Whether the word `from` and white space stand before `at`. */
static bool follows_from(const char *start, const char *at)
{
    while (at > start && (at[-1] == ' ' || at[-1] == '\t')) at--;
    return at - start >= 4 && strncmp(at - 4, "from", 4) == 0;
}

/* The tables that the model names, `input x from "file"`, which lie beside it.  A pipe can be read but once. */
static void add_inputs(struct places *all, const char *model, struct words *owned)
{
    struct text file = {0};
    const char *const slash = strrchr(model, '/');
    size_t const folder = slash ? (size_t)(slash - model) + 1 : 0;
    bool const regular = model && all->at[0].exists && S_ISREG(all->at[0].is.st_mode);
    const char *at = regular && text_read(&file, model) ? strchr(file.at, '"') : NULL;
    while (at) {
        size_t const length = strcspn(at + 1, "\"\n");
        bool const closed = at[1 + length] == '"';
        if (closed && follows_from(file.at, at)) {
            struct text path = {0};
            text_bytes(&path, at[1] == '/' ? 0 : folder, model);
            text_bytes(&path, length, at + 1);
            words_add(owned, path.at);
            add(all, "an input", path.at, true);
        }
        at = strchr(at + 1 + length + closed, '"');
    }
    text_free(&file);
}

/* Devices and pipes may take several. */
static bool same(const struct place *a, const struct place *b)
{
    if (a->is_stdout && b->is_stdout) return true;
    if (a->exists != b->exists || a->is.st_dev != b->is.st_dev || a->is.st_ino != b->is.st_ino)
        return false;
    if (a->exists) return S_ISREG(a->is.st_mode);
    return a->name && b->name && strcmp(a->name, b->name) == 0;
}

static int compare_all(const struct places *all)
{
    for (size_t b = 0; b < all->count; b++)
        for (size_t a = 0; a < b && !all->at[b].read; a++) {
            const struct place *const p = &all->at[a], *const q = &all->at[b];
            if (!same(p, q)) continue;
            if (p->read && q->is_stdout)
                return complain(BAD_USAGE,
                                "the standard output would overwrite %s, which is read as %s: send "
                                "it to another file",
                                p->path, p->label);
            if (p->read)
                return complain(BAD_USAGE,
                                "%s %s would overwrite %s, which is read as %s: give it another "
                                "name",
                                q->label, q->path, p->path, p->label);
            if (p->is_stdout)
                return complain(BAD_USAGE,
                                "%s and %s both go to the standard output: give one of them a file",
                                p->label, q->label);
            return complain(BAD_USAGE, "%s %s and %s %s are the same file: give one another name",
                            p->label, p->path, q->label, q->path);
        }
    return DONE;
}

int files_differ(const struct request *request)
{
    struct places all = {0};
    struct words owned = {0};
    add(&all, "the model", request->operand, true);
    add_inputs(&all, request->operand, &owned);
    add_tables(&all, "--set", &request->set);
    add_tables(&all, "--scan", &request->scan);
    add(&all, "--out", request->command == SOLVE && !request->out ? "-" : request->out, false);
    add(&all, "--stats", request->stats, false);
    add(&all, "--report", request->report, false);
    for (size_t k = 0; k < request->plot.count; k++)
        add(&all, "--plot", request->plot.word[k], false);
    add(&all, "--c", request->c, false);
    int const status = compare_all(&all);
    for (size_t k = 0; k < all.count; k++) free(all.at[k].name);
    free(all.at);
    for (size_t k = 0; k < owned.count; k++) free((char *)owned.word[k]);
    free(owned.word);
    return status;
}
