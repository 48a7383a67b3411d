/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot without a shell. */
#include "gnuplot.h"
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { NOT_FOUND = 127, KILLED = 1000 };
static const char *const files[] = {"script", "picture", "log"};

static char *path_in(const char *folder, const char *name)
{
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    return path.at;
}

static bool write_script(const char *path, const struct text *script)
{
    FILE *const file = fopen(path, "wb");
    if (!file) return false;
    bool const whole = fwrite(script->at, 1, script->length, file) == script->length;
    return fclose(file) == 0 && whole;
}

/* The environment with the variables that change gnuplot left out, and the C locale for numbers. */
static char **clean_environment(void)
{
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **const clean = take(count + 2, sizeof *clean);
    for (size_t k = 0; k < count; k++)
        if (strncmp(environ[k], "GNUTERM", 7) != 0 && strncmp(environ[k], "LC_", 3) != 0)
            clean[kept++] = environ[k];
    clean[kept] = "LC_NUMERIC=C";
    return clean;
}

/* Runs `gnuplot script` in the folder with everything it says in log; its exit status, KILLED + the number of the
   signal that ended it, or -1 with errno. */
static int spawn(const char *folder)
{
    char *const log = path_in(folder, "log");
    char *const script = path_in(folder, "script");
    char *arguments[] = {"gnuplot", script, NULL};
    char **const environment = clean_environment();
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = -1, problem = posix_spawn_file_actions_init(&actions);
    if (problem == 0) {
        (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                               O_WRONLY | O_CREAT | O_TRUNC, 0600);
        (void)posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        problem = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environment);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    if (problem == 0) {
        pid_t got = 0;
        do got = waitpid(child, &status, 0);
        while (got < 0 && errno == EINTR);
        if (got != child) problem = ECHILD;
        status = WIFEXITED(status) ? WEXITSTATUS(status) : KILLED + WTERMSIG(status);
    }
    free(environment);
    free(script);
    free(log);
    if (problem != 0) errno = problem;
    return problem == 0 ? status : -1;
}

/* The first line of the log that says something, or how gnuplot ended. */
static void first_words(const char *folder, int status, char *why, size_t size)
{
    int const reason = errno;
    char *const path = path_in(folder, "log");
    struct text log = {0};
    const char *line = "";
    if (text_read(&log, path)) {
        line = log.at + strspn(log.at, " \n\t^");
        log.at[(size_t)(line - log.at) + strcspn(line, "\n")] = '\0';
    }
    if (status >= KILLED)
        (void)snprintf(why, size, "gnuplot was killed by signal %d", status - KILLED);
    else if (*line)
        (void)snprintf(why, size, "gnuplot failed: %s", line);
    else if (status < 0)
        (void)snprintf(why, size, "gnuplot failed: %s", strerror(reason));
    else
        (void)snprintf(why, size, "gnuplot failed: exit status %d, and it says nothing", status);
    text_free(&log);
    free(path);
}

/* Does the picture end as its format does?  gnuplot says nothing of a disk that is full. */
static bool is_whole(const struct text *picture)
{
    static const char *const starts[] = {"\x89PNG", "%PDF", "<"};
    static const char *const ends[] = {"IEND\xae\x42\x60\x82", "%%EOF", "</svg>"};
    size_t length = picture->length;
    while (length > 0 && strchr(" \r\n", picture->at[length - 1])) length--;
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        size_t const tail = strlen(ends[k]);
        if (strncmp(picture->at, starts[k], strlen(starts[k])) == 0)
            return length >= tail && memcmp(picture->at + length - tail, ends[k], tail) == 0;
    }
    return false;
}

static bool draw(const char *folder, const struct text *script, struct text *result, char *why,
                 size_t size)
{
    char *const script_path = path_in(folder, "script");
    char *const picture = path_in(folder, "picture");
    bool good = write_script(script_path, script);
    if (!good) (void)snprintf(why, size, "cannot write in %s: %s", folder, strerror(errno));
    if (good) {
        int const status = spawn(folder);
        bool const missing =
            (status < 0 && (errno == ENOENT || errno == EACCES)) || status == NOT_FOUND;
        good = status == 0 && text_read(result, picture) && result->length > 0;
        bool const whole = good && is_whole(result);
        if (missing)
            (void)snprintf(why, size,
                           "gnuplot is not installed, so there are no plots; install it, "
                           "e.g. by: apt install gnuplot-nox");
        else if (!good)
            first_words(folder, status, why, size);
        else if (!whole)
            (void)snprintf(why, size, "the picture is not whole: is there no room in %s?", folder);
        good = whole;
    }
    free(script_path);
    free(picture);
    return good;
}

bool gnuplot_run(const struct text *script, struct text *result, char *why, size_t size)
{
    const char *const place = getenv("TMPDIR");
    char *const folder = path_in(place && *place ? place : "/tmp", "tansy-XXXXXX");
    if (!mkdtemp(folder)) {
        (void)snprintf(why, size, "cannot make a folder in %s (TMPDIR): %s",
                       place && *place ? place : "/tmp", strerror(errno));
        free(folder);
        return false;
    }
    struct text whole = {0};
    text_put(&whole, "cd '");
    for (const char *at = folder; *at; at++) text_add(&whole, *at == '\'' ? "''" : "%c", *at);
    text_put(&whole, "'\n");
    text_bytes(&whole, script->length, script->at);
    bool const good = draw(folder, &whole, result, why, size);
    text_free(&whole);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char *const path = path_in(folder, files[k]);
        (void)unlink(path);
        free(path);
    }
    (void)rmdir(folder);
    free(folder);
    return good;
}
