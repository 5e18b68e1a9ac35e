import type { BspWorld } from '@bspkit/core';
import type { BspFormat, TracerValues } from '@bspkit/core/format';
import type { RowFile } from '@bspkit/fixtures/recorded';
import type { PlayerState } from '@bspkit/movement';
import type { Wanderer } from './intent.ts';
import type { Recording } from './recording.ts';

/** Moves the players of a recording. */
export interface MoveRunner {
  /** Changes how players move: the game's own numbers, as its yardstick in C takes them. */
  set(settings: Float32Array): void;
  /** Runs commands `first` to `last - 1`. Returns a number that depends on all of them. */
  run(first: number, last: number): number;
  /** The state after the last command, as `packState` writes it. */
  state(): Uint8Array;
}

/** A game whose players are measured. */
export interface MoveGame {
  /** The format of its maps, by its id. */
  readonly format: string;
  /** Options of the tracer that finds out where players have room, in addition to the preset's: what stops them. */
  readonly room: TracerValues;
  /** The words of a command that are floats, by position. */
  readonly floats: readonly number[];
  /** Settings for players who walk around. */
  readonly usual: Float32Array;
  /** Our mover, in a world of that format. */
  createRunner(format: BspFormat, world: BspWorld, recording: Recording): MoveRunner;
  /** A player at rest, at a place with room for it. */
  startAt(place: Float32Array): PlayerState;
  /** The words of a player's command number `number`, counted from 1, from what the player means to do now. */
  command(player: Wanderer, number: number): readonly number[];
  /** The players of recorded rows of the `pmove` kind. */
  read(file: RowFile): Recording;
}
