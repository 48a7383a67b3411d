/* SPDX-License-Identifier: Apache-2.0 */
/* The models in docs/language.md are right and its errors are those that the parser reports. */
#include "base/heap.h"
#include "model_parse_show.h"

static char page[100000];

static void read_page(void)
{
    FILE *const file = fopen("docs/language.md", "rb");
    CHECK(file != NULL);
    size_t const length = fread(page, 1, sizeof page - 1, file);
    (void)fclose(file);
    CHECK(length > 1000 && length < sizeof page - 1);
    page[length] = '\0';
}

/* The next block between ```kind and ```, cut out of the page; NULL: there is none. */
static char *next_block(char **at, const char *kind)
{
    char *const begin = strstr(*at, kind);
    if (!begin) return NULL;
    char *const block = begin + strlen(kind);
    char *const end = strstr(block, "\n```");
    CHECK(end != NULL);
    end[1] = '\0';
    *at = end + 2;
    return block;
}

TEST(models_of_the_language_page_are_right)
{
    read_page();
    char *at = page;
    int models = 0;
    for (const char *text; (text = next_block(&at, "```tansy\n")) != NULL; models++) {
        struct syntax syntax;
        parse_good(&syntax, text);
        CHECK(syntax.statement.count > 3);
        CHECK_EQUAL(syntax.diagnosis.warnings, 0);
        CHECK_EQUAL(syntax.statement.item[0].kind, STATEMENT_MODEL);
        syntax_free(&syntax);
    }
    CHECK(models >= 12);
}

/* The second line of a message is the wrong text. */
TEST(errors_of_the_language_page_are_as_it_says)
{
    read_page();
    char *at = page;
    int errors = 0;
    for (const char *message; (message = next_block(&at, "```error\n")) != NULL; errors++) {
        const char *const line = strstr(message, "\n    ");
        CHECK(line != NULL);
        const char *const end = strchr(line + 5, '\n');
        CHECK(end != NULL);
        char text[200];
        (void)snprintf(text, sizeof text, "%.*s", (int)(end - line - 5), line + 5);
        check_error(text, strlen(text), message);
    }
    CHECK(errors >= 8);
}
