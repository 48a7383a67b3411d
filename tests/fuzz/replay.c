/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds every file of a folder to a fuzz target, whole and cut in the middle: how a build without libFuzzer replays the
   corpus.  usage: PROGRAM FOLDER */
#include "replay.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Feeds one file; false when it cannot be read. */
static int feed(const char *name)
{
    FILE *const file = fopen(name, "rb");
    if (!file) return 0;
    (void)fseek(file, 0, SEEK_END);
    long const size = ftell(file);
    rewind(file);
    uint8_t *const data = malloc(size > 0 ? (size_t)size : 1);
    size_t const got = data && size >= 0 ? fread(data, 1, (size_t)size, file) : 0;
    (void)fclose(file);
    int const whole = data && got == (size_t)size;
    if (whole) {
        (void)LLVMFuzzerTestOneInput(data, got);
        (void)LLVMFuzzerTestOneInput(data, got / 2);
    }
    free(data);
    return whole;
}

int main(int argc, char **argv)
{
    DIR *const folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return EXIT_FAILURE;
    }
    int files = 0, failures = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        char name[2048];
        (void)snprintf(name, sizeof name, "%s/%s", argv[1], entry->d_name);
        files++;
        if (feed(name)) continue;
        fprintf(stderr, "%s cannot be read\n", name);
        failures++;
    }
    (void)closedir(folder);
    printf("%d files\n", files);
    return files > 0 && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
