/* SPDX-License-Identifier: Apache-2.0 */
/* Files that appear whole or not at all. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Names of unfinished files, for a signal handler to remove: an entry is set before the file is written to. */
enum { SLOTS = 32 };
static char *volatile unfinished[SLOTS];

static struct scratch *volatile scratch;

void output_scratch(struct scratch *of)
{
    scratch = of;
}

/* The program that writes there is ended first, or it would go on to make files. */
static void remove_scratch(const struct scratch *of)
{
    if (of->child > 0 && kill(of->child, SIGKILL) == 0) (void)waitpid(of->child, NULL, 0);
    for (int k = 0; k < SCRATCH_FILES; k++)
        if (of->file[k]) (void)unlink(of->file[k]);
    (void)rmdir(of->folder);
}

void output_remove_unfinished(void)
{
    if (scratch) remove_scratch(scratch);
    for (int k = 0; k < SLOTS; k++)
        if (unfinished[k]) (void)unlink(unfinished[k]);
}

static int cannot(struct output *o, const char *what)
{
    int const reason = errno;
    o->failed = true;
    if (reason == EPIPE) return IO_FAILED; /* the reader has gone, it knows */
    return complain(IO_FAILED, "cannot %s %s: %s", what, o->path, strerror(reason));
}

static void forget(struct output *o)
{
    if (o->temp) unfinished[o->slot] = NULL;
    free(o->temp);
    free(o->path);
    *o = (struct output){0};
}

/* A temporary file in the folder of o->path, with the mode of the file it will replace. */
static int open_beside(struct output *o, const struct stat *old)
{
    const char *const slash = strrchr(o->path, '/');
    struct text name = {0};
    text_bytes(&name, slash ? (size_t)(slash - o->path) + 1 : 0, o->path);
    text_put(&name, ".tansy-XXXXXX");
    int const fd = mkstemp(name.at);
    if (fd < 0) {
        text_free(&name);
        return cannot(o, "write");
    }
    o->temp = name.at;
    for (o->slot = 0; o->slot < SLOTS - 1 && unfinished[o->slot]; o->slot++) continue;
    unfinished[o->slot] = o->temp;
    mode_t const mask = umask(0);
    (void)umask(mask);
    (void)fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~mask);
    o->file = fdopen(fd, "wb");
    if (o->file) return DONE;
    (void)close(fd);
    return cannot(o, "write");
}

/* What the symbolic link at path points to, or NULL: it is none. */
static char *follow(const char *path)
{
    char to[4096];
    ssize_t const length = readlink(path, to, sizeof to);
    if (length < 0 || length == (ssize_t)sizeof to) return NULL;
    const char *const slash = strrchr(path, '/');
    struct text name = {0};
    text_bytes(&name, slash && to[0] != '/' ? (size_t)(slash - path) + 1 : 0, path);
    text_bytes(&name, (size_t)length, to);
    return name.at;
}

char *output_place(const char *path)
{
    enum { MOST_LINKS = 40 }; /* as the system has it */
    struct stat is;
    /* the link /dev/fd/3 of a pipe reads `pipe:[123]`, which is no name of a file */
    bool const stream = stat(path, &is) == 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode);
    char *place = stream ? copy_of(path) : realpath(path, NULL);
    if (place) return place;
    place = copy_of(path);
    char *next = follow(place);
    for (int links = 1; next; links++) {
        free(place);
        place = next;
        next = links < MOST_LINKS ? follow(place) : NULL;
    }
    return place;
}

/* Is the file at path the one that descriptor fd writes to?  Any number of files may go to one device. */
static bool is_open_as(const char *path, int fd)
{
    struct stat here, there;
    if (fstat(fd, &there) != 0 || !(S_ISREG(there.st_mode) || S_ISFIFO(there.st_mode)))
        return false;
    return stat(path, &here) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

bool output_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || is_open_as(path, STDOUT_FILENO);
}

/* Joins what goes to the standard error already: a new file in its place would lose that. */
static int open_stderr(struct output *o)
{
    int const fd = dup(STDERR_FILENO);
    o->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (o->file) return DONE;
    if (fd >= 0) (void)close(fd);
    return cannot(o, "write");
}

int output_open(struct output *o, const char *path)
{
    *o = (struct output){0};
    if (!path || output_is_stdout(path)) {
        o->path = copy_of("the standard output");
        o->file = stdout;
        return DONE;
    }
    o->path = output_place(path);
    struct stat old;
    bool const exists = stat(o->path, &old) == 0;
    int status = DONE;
    bool const refused =
        exists ? S_ISREG(old.st_mode) && access(o->path, W_OK) != 0 : errno == ELOOP;
    if (exists && is_open_as(o->path, STDERR_FILENO)) {
        status = open_stderr(o);
    } else if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        status = cannot(o, "write");
    } else if (exists && !S_ISREG(old.st_mode)) {
        o->file = fopen(o->path, "wb");
        if (!o->file) status = cannot(o, "write");
    } else if (refused) {
        status = cannot(o, "write");
    } else {
        status = open_beside(o, exists ? &old : NULL);
    }
    if (status != DONE) output_drop(o);
    return status;
}

int output_write(struct output *o, const struct text *text)
{
    if (!o->file || o->failed) return o->failed ? IO_FAILED : DONE;
    if (fwrite(text->at, 1, text->length, o->file) == text->length) return DONE;
    return cannot(o, "write");
}

/* Everything to the disk, or false with errno. */
static bool settle(struct output *o)
{
    if (fflush(o->file) != 0 || ferror(o->file)) return false;
    if (o->file == stdout) return true;
    if (o->temp && fsync(fileno(o->file)) != 0 && errno != EINVAL) return false;
    FILE *const file = o->file;
    o->file = NULL;
    return fclose(file) == 0 && (!o->temp || rename(o->temp, o->path) == 0);
}

int output_close(struct output *o)
{
    if (!o->file) return DONE;
    int status = o->failed ? IO_FAILED : DONE;
    if (status == DONE && !settle(o)) status = cannot(o, "write");
    if (status == DONE)
        forget(o);
    else
        output_drop(o);
    return status;
}

void output_drop(struct output *o)
{
    if (o->file && o->file != stdout) (void)fclose(o->file);
    if (o->temp) (void)unlink(o->temp);
    forget(o);
}
