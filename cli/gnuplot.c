/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot without a shell. */
#include "gnuplot.h"
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { NOT_FOUND = 127, KILLED = 1000 };
enum { SCRIPT, PICTURE, LOG };

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
        if (strncmp(environ[k], "GNUTERM", 7) != 0 && strncmp(environ[k], "GNUPLOT_", 8) != 0 &&
            strncmp(environ[k], "LC_", 3) != 0)
            clean[kept++] = environ[k];
    clean[kept] = "LC_NUMERIC=C";
    return clean;
}

/* Starts gnuplot, with everything it says in the log; 0 or an error.  No signal comes before the child is known, or it would go on without us. */
static int start(struct scratch *scratch, char **environment)
{
    /* what the user, or the system, has it do at its start would change pictures */
    char *arguments[] = {"gnuplot", "--default-settings", scratch->file[SCRIPT], NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, old;
    pid_t child = 0;
    int problem = posix_spawn_file_actions_init(&actions);
    if (problem != 0) return problem;
    problem = posix_spawnattr_init(&attributes);
    if (problem == 0) {
        (void)sigfillset(&all);
        (void)sigprocmask(SIG_BLOCK, &all, &old);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        (void)posix_spawnattr_setsigmask(&attributes, &old);
        (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, scratch->file[LOG],
                                               O_WRONLY | O_CREAT | O_TRUNC, 0600);
        (void)posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        problem = posix_spawnp(&child, "gnuplot", &actions, &attributes, arguments, environment);
        if (problem == 0) scratch->child = child;
        (void)sigprocmask(SIG_SETMASK, &old, NULL);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return problem;
}

/* Runs gnuplot on the script; its exit status, KILLED + the number of the signal that ended it, or -1 with errno. */
static int spawn(struct scratch *scratch)
{
    char **const environment = clean_environment();
    int status = -1, problem = start(scratch, environment);
    free(environment);
    if (problem == 0) {
        siginfo_t info;
        pid_t const child = scratch->child;
        int waited = 0;
        do waited = waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
        while (waited < 0 && errno == EINTR);
        scratch->child = 0; /* before its number may be another's */
        if (waitpid(child, &status, 0) != child) problem = ECHILD;
        status = WIFEXITED(status) ? WEXITSTATUS(status) : KILLED + WTERMSIG(status);
    }
    if (problem != 0) errno = problem;
    return problem == 0 ? status : -1;
}

/* The first line of the log that says something, or how gnuplot ended. */
static void first_words(const struct scratch *scratch, int status, char *why, size_t size)
{
    int const reason = errno;
    struct text log = {0};
    const char *line = "";
    if (text_read(&log, scratch->file[LOG])) {
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

static bool draw(struct scratch *scratch, const struct text *script, struct text *result, char *why,
                 size_t size)
{
    if (!write_script(scratch->file[SCRIPT], script)) {
        (void)snprintf(why, size, "cannot write in %s: %s", scratch->folder, strerror(errno));
        return false;
    }
    int const status = spawn(scratch);
    bool const missing =
        (status < 0 && (errno == ENOENT || errno == EACCES)) || status == NOT_FOUND;
    bool const good =
        status == 0 && text_read_bytes(result, scratch->file[PICTURE]) && result->length > 0;
    bool const whole = good && is_whole(result);
    if (missing)
        (void)snprintf(why, size,
                       "gnuplot is not installed, so there are no plots; install it, "
                       "e.g. by: apt install gnuplot-nox");
    else if (status != 0)
        first_words(scratch, status, why, size);
    else if (!whole)
        (void)snprintf(why, size, "the picture is not whole: is there no room in %s?",
                       scratch->folder);
    return whole;
}

/* The folder, whose name is known before it is there; false: it cannot be made. */
static bool open_scratch(struct scratch *scratch, const char *place)
{
    static const char *const names[SCRATCH_FILES] = {
        [SCRIPT] = "script", [PICTURE] = "picture", [LOG] = "log"};
    *scratch = (struct scratch){.folder = path_in(place, "tansy-XXXXXX")};
    output_scratch(scratch);
    if (!mkdtemp(scratch->folder)) return false;
    for (int k = 0; k < SCRATCH_FILES; k++) scratch->file[k] = path_in(scratch->folder, names[k]);
    return true;
}

static void close_scratch(struct scratch *scratch)
{
    for (int k = 0; k < SCRATCH_FILES; k++)
        if (scratch->file[k]) (void)unlink(scratch->file[k]);
    (void)rmdir(scratch->folder);
    output_scratch(NULL);
    for (int k = 0; k < SCRATCH_FILES; k++) free(scratch->file[k]);
    free(scratch->folder);
}

bool gnuplot_run(const struct text *script, struct text *result, char *why, size_t size)
{
    const char *const given = getenv("TMPDIR"), *const place = given && *given ? given : "/tmp";
    struct scratch scratch;
    bool good = open_scratch(&scratch, place);
    if (good) {
        struct text whole = {0};
        text_put(&whole, "cd '");
        for (const char *at = scratch.folder; *at; at++)
            text_add(&whole, *at == '\'' ? "''" : "%c", *at);
        text_put(&whole, "'\n");
        text_bytes(&whole, script->length, script->at);
        good = draw(&scratch, &whole, result, why, size);
        text_free(&whole);
    } else {
        (void)snprintf(why, size, "cannot make a folder in %s (TMPDIR): %s", place,
                       strerror(errno));
    }
    close_scratch(&scratch);
    return good;
}
