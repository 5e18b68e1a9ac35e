// What a game's yardstick of player moves in C offers to the benchmark, over the tracers of its format's yardstick.
#pragma once

#include <stdint.h>

/** Words of a command: the first is the number of the state that it begins with, or below 0 to carry on. */
#define COMMAND_WORDS 16

/** A mover of players in a world. */
struct mover;

/** Makes a mover over a world's buffer, which has to outlive it. */
struct mover *moves_create(const void *data);

/** Changes how players move; the numbers are the game's own. */
void moves_set(struct mover *mover, const float *settings);

/** How many bytes a state has, as `packState` writes it. */
int moves_state_bytes(void);

/** Moves a player by a command: the words after the first. */
void moves_run(struct mover *mover, void *state, const int32_t *command);

void moves_free(struct mover *mover);
