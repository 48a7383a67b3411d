/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the scheduler: instructions under construction. */
#ifndef MODEL_SCHEDULE_CODE_H
#define MODEL_SCHEDULE_CODE_H

#include "model/schedule.h"

/* Rows have slots 0 .. rows - 1; then come gathered columns; leaves get theirs at the end, until then they are numbered and
   marked by the flag. */
#define LEAF_FLAG 0x80000000u

struct emitter {
    struct schedule *s;
    struct program *p;
    size_t slots;
    uint32_t *leaf_of;   /* by node: its number + 1 among the leaves */
    LIST(uint32_t) leaf; /* their nodes */
    LIST(uint32_t) list; /* scratch */
    bool failed;         /* no memory */
};

/* The number of a leaf, with the flag, or the slot of a row. */
uint32_t emit_slot(struct emitter *e, uint32_t node);
/* Where a stream finds the node: stride 0. */
struct stream emit_address(struct emitter *e, uint32_t node);
uint32_t emit_room(struct emitter *e, uint32_t count); /* fresh slots */

struct instruction emit_begin(const struct emitter *e, enum code code);
void emit_instruction(struct emitter *e, const struct instruction *i);
void emit_index(struct emitter *e, uint32_t slot);
void emit_place(struct emitter *e, uint32_t place);
void emit_weight(struct emitter *e, double weight);
void emit_stream(struct emitter *e, struct stream stream);
void emit_note(struct emitter *e, uint32_t row); /* into list */

void emit_roots(struct emitter *e); /* those that do not go to out by themselves */
void emit_leaves(
    struct emitter *e); /* instructions before all others that fetch them; their slots everywhere */

#endif
