/* SPDX-License-Identifier: Apache-2.0 */
/* A strip is STRIP neighbouring lanes of a panel; a row of it fills PIECES registers.  This file is included once for
   each STRIP: it has no guard.  STRIP_NAME(f) is the name of f for this STRIP. */
#include "matrix/vector_types.h"

#ifndef STRIP
#define STRIP 8
#endif

/* TILE_ROWS: rows of a tile, eight sums at least, as many multiply-adds are under way at once. */
#undef STRIP_VECTOR
#undef PIECES
#undef TILE_ROWS
#if STRIP <= VECTOR
#define STRIP_VECTOR STRIP
#define PIECES       1
#define TILE_ROWS    8
#else
#define STRIP_VECTOR VECTOR
#define PIECES       (STRIP / VECTOR)
#define TILE_ROWS    4
#endif

#ifndef STRIP_NAME
#define STRIP_NAME(f)  PASTE(f, STRIP)
#define PIECE          STRIP_NAME(piece)
#define LOOSE_PIECE    STRIP_NAME(loose_piece)
#define PIECE_AT(p, c) (*(LOOSE_PIECE *)((p) + (size_t)(c)*STRIP_VECTOR))
#define PIECE_OF(p, c) (*(const LOOSE_PIECE *)((p) + (size_t)(c)*STRIP_VECTOR))
#endif

#if STRIP == 1
typedef double PIECE, LOOSE_PIECE;
#else
typedef double PIECE __attribute__((vector_size(8 * STRIP_VECTOR)));
typedef double LOOSE_PIECE __attribute__((vector_size(8 * STRIP_VECTOR), aligned(8), may_alias));
#endif
