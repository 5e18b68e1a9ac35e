import type { BspWorld } from '@bspkit/core';
import { openAddon } from '../native-addon.ts';
import type { MoveRunner } from './game.ts';
import type { Recording } from './recording.ts';

/** What `native/moves.c` makes callable. */
interface Addon {
  /** A mover over a world's words, which have to be kept; undefined where the map is more than it can hold. */
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

/** A game's yardstick of moves, over that of its format's traces. */
const sources = (format: string): string[] => [
  `../../../packages/${format}/yardstick/trace.c`,
  `../../../packages/movement/yardstick/${format}.c`,
  '../native/moves.c',
];

/** The game's move in C, over our world's own data, in this process. */
class NativeRunner implements MoveRunner {
  private readonly _addon: Addon;
  private readonly _mover: unknown;
  /** The mover reads from it as long as there is one. */
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

/** Makes the runner in C of a format's players. Otherwise the reason why there is none. */
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
