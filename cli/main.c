/* SPDX-License-Identifier: Apache-2.0 */
/* The program tansy. */
#include "help.h"
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int carry_out(const struct option_table *table, const struct request *request)
{
    if (request->wants_help) return help_command(table, commands[request->command].name);
    switch (request->command) {
    case SOLVE:
        return solve_command(request);
    case RANK:
        return rank_command(request);
    case CHECK:
        return check_command(request);
    case EXPORT:
        return export_command(request);
    case METHODS:
        return help_command(table, "methods");
    case VERSION:
        return help_version();
    default:
        break;
    }
    if (request->man) return help_manual(table);
    if (request->completion) return help_completion(table, request->completion);
    return help_command(table, request->operand);
}

/* A file that is opened while a standard stream is closed would get its number, and with it what is meant for the stream.
   Writing to these places fails, as it would without them. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) (void)open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv)
{
    struct option_table table;
    struct request request;
    hold_standard_streams();
    run_catch_signals();
    if (argc < 2) return help_usage();
    options_make(&table);
    int status = command_line_read(&table, argc, argv, &request);
    if (status == DONE) status = carry_out(&table, &request);
    command_line_free(&request);
    options_free(&table);
    return status;
}
