import { copyState, type PlayerState, packState, unpackState } from '@bspkit/movement';
import type { MoveRunner } from './game.ts';
import { COMMAND_WORDS, type Recording, startStates } from './recording.ts';

/** A state of any game: players have a place. */
type PlacedState = PlayerState & { readonly origin: ArrayLike<number> };

/** A mover of ours, of any game. */
interface OwnMover<S, C> {
  move(state: S, command: C): void;
}

/** A runner for our mover of a game. */
export abstract class OwnRunner<S extends PlacedState, C> implements MoveRunner {
  private readonly _recording: Recording;
  private readonly _starts: readonly S[];
  private readonly _state: S;
  private readonly _command: C;
  protected abstract mover: OwnMover<S, C>;

  constructor(recording: Recording, createState: () => S, command: C) {
    this._recording = recording;
    this._starts = startStates(recording, createState, unpackState);
    this._state = createState();
    this._command = command;
  }

  abstract set(settings: Float32Array): void;

  /** Loads a command, whose words begin at a place, and whatever else it does to the player. */
  protected abstract load(command: C, words: Int32Array, floats: Float32Array, at: number, state: S): void;

  run(first: number, last: number): number {
    const { _starts: starts, _state: state, _command: command, mover } = this;
    const { commands, floats } = this._recording;
    let sum = 0;
    for (let at = COMMAND_WORDS * first; at < COMMAND_WORDS * last; at += COMMAND_WORDS) {
      const start = commands[at]!;
      if (start >= 0) copyState(starts[start]!, state);
      this.load(command, commands, floats, at + 1, state);
      mover.move(state, command);
      sum += state.origin[0]!;
    }
    return sum;
  }

  state(): Uint8Array {
    return packState(this._state);
  }
}
