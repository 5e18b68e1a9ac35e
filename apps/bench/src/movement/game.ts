import type { BspWorld } from '@bspkit/core';
import type { BspFormat, TracerValues } from '@bspkit/core/format';
import type { RowFile } from '@bspkit/fixtures/recorded';
import type { Recording } from './recording.ts';

/** What moves the players of a recording. */
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
  /** Options of the tracer that says where players have room, beside those that it has by default: what stops them. */
  readonly room: TracerValues;
  /** Our mover, in a world of that format. */
  createRunner(format: BspFormat, world: BspWorld, recording: Recording): MoveRunner;
  /**
   * Players who walk around, `commands` commands each, from places where they have room, three numbers each. The same seed
   * gives the same walks.
   */
  walk(places: Float32Array, commands: number, seed: number): Recording;
  /** The players of recorded rows of the `pmove` kind. */
  read(file: RowFile): Recording;
}
