/* SPDX-License-Identifier: Apache-2.0 */
/* What a program is made of.  Values stand in slots of the work space; an instruction computes many of them, rows of one
   kind.  A row names its operands by slot (scalar loads; hardware gathers are slower) or, where those of neighbouring
   rows are neighbours or the same, they are streams, which SIMD reads. */
#ifndef MODEL_PROGRAM_CODE_H
#define MODEL_PROGRAM_CODE_H

#include "base/grow.h"
#include "model/program.h"

/* Where operands stand. */
enum space {
    SPACE_WORK,
    SPACE_STATE,
    SPACE_RATE,
    SPACE_VECTOR,
    SPACE_PARAMETER,
    SPACE_HOISTED,
    SPACE_CONSTANT, /* constant[] of the program */
    SPACES
};

/* Operand i of a row r: space[index + stride r]. */
struct stream {
    uint8_t space, stride; /* stride is 0 or 1 */
    uint32_t index;
};

enum code {
    CODE_COPY,   /* count values of stream 0 */
    CODE_GATHER, /* of the slots index[count] */
    CODE_LEAF,   /* operation(shape[0]): time, switches, piece, tables */
    CODE_SUM,    /* rows of one shape */
    CODE_CHUNKS, /* long rows without weights and products */
    CODE_LONG,   /* long rows of any shape */
    CODE_SUM_STREAM,
    CODE_PRODUCT, /* of shape[0] slots */
    CODE_PRODUCT_STREAM,
    CODE_FUNCTION, /* operation(streams of stride 1) */
    CODE_POWER     /* stream 0 to the power shape[0]/2 */
};

/* A sum is  a_1 + .. - b_1 - .. + w_1 c_1 + .. + d_1 e_1 + .. - f_1 g_1 - ..: so many terms of each kind. */
enum term_kind { PLUS, MINUS, WEIGHTED, PAIR, MINUS_PAIR, TERM_KINDS };

enum {
    CHUNK = 4
}; /* terms of a chunk: its slots, then its row's number follow each other in index[] */

struct instruction {
    uint8_t code, operation;
    bool to_out;    /* rows go to out[], else to work[]: */
    bool placed;    /* to [place[r]], else to [to + r] */
    uint32_t count; /* of rows */
    uint32_t to;
    int32_t shape[TERM_KINDS];
    size_t index, weight, stream, place; /* where those of this instruction begin */
};

struct program {
    LIST(struct instruction) instruction;
    LIST(uint32_t) index;
    LIST(uint32_t) place;
    LIST(double) weight;
    LIST(double) constant;
    LIST(struct stream) stream;
    size_t slots;
    const struct engine *engine;
};

static inline unsigned shape_columns(const int32_t shape[TERM_KINDS])
{
    return (unsigned)(shape[PLUS] + shape[MINUS] + shape[WEIGHTED] +
                      2 * (shape[PAIR] + shape[MINUS_PAIR]));
}

#endif
