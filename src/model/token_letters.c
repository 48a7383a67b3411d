/* SPDX-License-Identifier: Apache-2.0 */
/* Letters by exclusion: all of Unicode but the blocks of signs, punctuation, superscripts and pictures. */
#include "model/token_letters.h"

#include <stdbool.h>
#include <stdint.h>

#include "model/source.h"

static bool is_letter(int32_t code)
{
    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_';
    /* clang-format off */
    static const struct {
        int32_t from, to;
    } sign[] = {
        {0x80, 0xa9}, {0xab, 0xb4}, {0xb6, 0xb9}, {0xbb, 0xbf}, {0xd7, 0xd7}, {0xf7, 0xf7}, /* Latin-1, less a, mu, o */
        {0x2000, 0x207f},                     /* spaces, punctuation, superscripts */
        {0x20a0, 0x20cf},                     /* currencies */
        {0x2190, 0x2bff},                     /* arrows, mathematics, pictures */
        {0x2e00, 0x2e7f}, {0x3000, 0x3004}, {0x3008, 0x3020}, /* punctuation */
        {0xe000, 0xf8ff}, {0xfe00, 0xfe6f}, {0xfeff, 0xfeff}, {0xff00, 0xff0f}, {0xfff0, 0xffff},
        {0x1f000, 0x1faff},                   /* pictures */
        {0xe0000, 0x10ffff},                  /* tags and private use */
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
        if (code >= sign[i].from && code <= sign[i].to) return false;
    return true;
}

size_t token_letters_length(const char *text, size_t left)
{
    size_t at = 0;
    for (size_t bytes = 1; at < left; at += bytes) {
        int32_t const code = source_character(text + at, left - at, &bytes);
        bool const digit = code >= '0' && code <= '9';
        if (!is_letter(code) && !(digit && at > 0)) break;
    }
    return at;
}
