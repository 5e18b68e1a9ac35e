import { type PlayerState, packState, stateBytes } from '@bspkit/movement';

/** Words of a command: the number of the state that it starts from, or -1 to continue; then the game's own. */
export const COMMAND_WORDS = 16;

/** What players did: the states that they started from, and all their commands, one after the other. */
export interface Recording {
  readonly count: number;
  readonly commands: Int32Array;
  /** The same words, for numbers that are floats. */
  readonly floats: Float32Array;
  /** States as `packState` writes them, one after the other. */
  readonly starts: Uint8Array;
  /** The movers' settings before each start, as the game's yardstick takes them. */
  readonly settings: readonly Float32Array[];
  /** Where players were after each command, if that was recorded: three words each, as in states. */
  readonly origins: Int32Array;
}

/** Writes a recording. */
export class RecordingWriter {
  private readonly _floats: readonly number[];
  private readonly _commands: number[][] = [];
  private readonly _starts: Uint8Array[] = [];
  private readonly _settings: Float32Array[] = [];
  private readonly _origins: Int32Array[] = [];
  private _start = -1;

  /** @param floats - the words of a command that are written as floats, by position. */
  constructor(floats: readonly number[]) {
    this._floats = floats;
  }

  /** Starts from a state, with some settings. */
  begin(state: PlayerState, settings: Float32Array): void {
    this._start = this._starts.push(packState(state)) - 1;
    this._settings.push(settings);
  }

  /** Adds a command: its words, and where it led, if that is known. */
  add(words: readonly number[], origin?: Float32Array | Int32Array): void {
    const command = [this._start, ...words];
    const bits = new Int32Array(1);
    const real = new Float32Array(bits.buffer);
    for (const k of this._floats) {
      real[0] = words[k]!;
      command[1 + k] = bits[0]!;
    }
    this._commands.push(command);
    if (origin) this._origins.push(new Int32Array(origin.buffer));
    this._start = -1;
  }

  finish(): Recording {
    const count = this._commands.length;
    const commands = new Int32Array(COMMAND_WORDS * count);
    for (const [k, words] of this._commands.entries()) commands.set(words, COMMAND_WORDS * k);
    const size = this._starts[0]?.length ?? 0;
    const starts = new Uint8Array(size * this._starts.length);
    for (const [k, bytes] of this._starts.entries()) starts.set(bytes, size * k);
    const origins = new Int32Array(3 * this._origins.length);
    for (const [k, words] of this._origins.entries()) origins.set(words, 3 * k);
    return {
      count,
      commands,
      floats: new Float32Array(commands.buffer),
      starts,
      settings: this._settings,
      origins,
    };
  }
}

/** The states that a recording's players start from. */
export function startStates<S extends PlayerState>(
  { starts }: Recording,
  create: () => S,
  unpack: (bytes: Uint8Array, state: S) => S,
): S[] {
  const size = stateBytes(create());
  return Array.from({ length: starts.length / size }, (_, k) =>
    unpack(starts.subarray(size * k, size * (k + 1)), create()),
  );
}
