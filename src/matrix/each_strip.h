/* SPDX-License-Identifier: Apache-2.0 */
/* Includes the template STRIP_FILE, for each strip of 2 to WIDEST lanes; one lane has loops of its own.  No guard. */
#ifdef STRIP_FILE
#define STRIP 2
#include STRIP_FILE
#undef STRIP
#define STRIP 4
#include STRIP_FILE
#undef STRIP
#if WIDEST >= 8
#define STRIP 8
#include STRIP_FILE
#undef STRIP
#endif
#if WIDEST >= 16
#define STRIP 16
#include STRIP_FILE
#undef STRIP
#endif
#if WIDEST >= 32
#define STRIP 32
#include STRIP_FILE
#undef STRIP
#endif
#undef STRIP_FILE
#undef WIDEST
#endif
