import type { BspWorld } from '@bspkit/core';
import { openAddon } from '../native-addon.ts';
import type { MoveRunner } from './game.ts';
import type { Recording } from './recording.ts';

/** The functions that `native/moves.c` exports. */
interface Addon {
  /** A mover for a world's words, which must be kept; undefined if the map is more than it can hold. */
  create(words: Uint32Array): unknown;
  set(mover: unknown, settings: Float32Array): void;
  run(
    mover: unknown,
    state: Uint8Array,
    starts: Uint8Array,
    commands: Int32Array,
    first: number,
    last: number,
  ): number;
}

/** A game's yardstick for moves, on top of that for its format's traces. */
const sources = (format: string): string[] => [
  `../../../packages/${format}/yardstick/trace.c`,
  `../../../packages/movement/yardstick/${format}.c`,
  '../native/moves.c',
];

/** The game's move in C, over our world's own data, in this process. */
class NativeRunner implements MoveRunner {
  private readonly _addon: Addon;
  private readonly _mover: unknown;
  /** The mover reads from it for as long as it exists. */
  protected readonly _words: Uint32Array;
  private readonly _recording: Recording;
  private readonly _state: Uint8Array;

  constructor(addon: Addon, mover: unknown, words: Uint32Array, recording: Recording) {
    this._addon = addon;
    this._mover = mover;
    this._words = words;
    this._recording = recording;
    this._state = new Uint8Array(recording.starts.length / recording.settings.length);
  }

  set(settings: Float32Array): void {
    this._addon.set(this._mover, settings);
  }

  run(first: number, last: number): number {
    const { commands, starts } = this._recording;
    return this._addon.run(this._mover, this._state, starts, commands, first, last);
  }

  state(): Uint8Array {
    return this._state.slice();
  }
}

/** Makes the runner in C for a format's players, or says why there is none. */
export function createNativeRunner(
  format: string,
  world: BspWorld,
  recording: Recording,
): MoveRunner | string {
  const addon = openAddon<Addon>(`players of ${format}`, sources(format));
  if (typeof addon === 'string') return addon;
  const words = new Uint32Array(world.data);
  const mover = addon.create(words);
  if (mover === undefined) return 'the map is more than the yardstick in C can hold';
  return new NativeRunner(addon, mover, words, recording);
}
