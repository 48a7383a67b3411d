/* SPDX-License-Identifier: Apache-2.0 */
/* Lines NAME=VALUE as options: set or refused with a message; what is set passes the check or is refused by it with a
   message too. */
#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <tansy/options.h>

/* Sets one option from text that ends with NUL. */
static void set(tansy_options *options, char *line)
{
    char message[100] = "", small[8] = "";
    char *const value = strchr(line, '=');
    if (value) *value = '\0';
    const char *const given = value ? value + 1 : "";
    tansy_options before = *options;
    tansy_status const status = tansy_option_set(options, line, given, message, sizeof message);
    if (status == TANSY_OK) {
        if (tansy_options_check(options, message, sizeof message) != TANSY_OK && !message[0])
            abort();
    } else if (status != TANSY_BAD_OPTION || message[0] == '\0' ||
               memcmp(options, &before, sizeof before) != 0)
        abort();
    if (tansy_option_set(&before, line, given, small, sizeof small) != status) abort();
    if (tansy_option_set(&before, line, given, NULL, 0) != status) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = malloc(size + 1);
    if (!text) abort();
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    tansy_options options = {0};
    for (char *line = text; line;) {
        char *const end = strchr(line, '\n');
        if (end) *end = '\0';
        set(&options, line);
        line = end ? end + 1 : NULL;
    }
    free(text);
    return 0;
}
