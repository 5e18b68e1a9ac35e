import {
  checkCallback,
  checkObject,
  checkOptions,
  checkWhole,
  failArgument,
  printAsString,
} from '@bspkit/core/format';
import { checkParts } from './commands.ts';
import { partsOf } from './engines/states.ts';
import { checkState, cloneState, copyState, firstDifference, type PlayerState, slice } from './state.ts';

// Players that respond at once although the server is far away: the client moves its own player by each command as it sends it,
// and compares that with what the server says later. If both compute the same bits, there is never anything to correct.

/** Moves a player by a command, in place: any mover of this package. */
export interface CommandMover<S extends PlayerState, C> {
  move(state: S, command: C): void;
}

/**
 * Moves a player by commands, one after the other, in place, and returns its state.
 *
 * @throws what the mover throws for a state or a command that is wrong. Earlier commands have been made.
 */
export function replay<S extends PlayerState, C>(
  mover: CommandMover<S, C>,
  state: S,
  commands: Iterable<C>,
): S {
  checkMover(mover);
  if (typeof commands?.[Symbol.iterator] !== 'function') {
    failArgument('commands', 'commands, one after the other', commands, false);
  }
  for (const command of commands) mover.move(state, command);
  return state;
}

/**
 * What was played: the state at the start, and every command since. Commands are copied as {@link Predictor.predict} does, so
 * that a draft can be reused.
 */
export class Recorder<S extends PlayerState, C extends object> {
  /** The state that it starts with. */
  readonly start: S;
  /** All commands, in order. */
  readonly commands: readonly C[] = [];

  /** Begins a recording. `state` is copied. Throws `TypeError` for anything but a state. */
  constructor(state: S) {
    this.start = cloneState(state);
    printAsString(this);
  }

  /**
   * Records a command. If it has all fields that the commands of the state's game have, it is checked as the game's mover does.
   *
   * @throws TypeError for anything but an object, and for a field that cannot be copied; what a mover throws for a command that
   *   is wrong. Nothing is recorded then.
   */
  record(command: C): void {
    const copy = copyCommand(command);
    const parts = partsOf(this.start.kind);
    // Movers of your own may take other commands.
    if (parts?.every(([name]) => name in copy)) checkParts(parts, copy as never);
    (this.commands as C[]).push(copy);
  }

  /** Plays everything again, and returns the final state. A recording can be played any number of times. */
  replay(mover: CommandMover<S, C>): S {
    return replay(mover, cloneState(this.start), this.commands);
  }

  /** @internal */
  toString(): string {
    return `Recorder { commands: ${this.commands.length} }`;
  }
}

/** A command that the server has not confirmed yet. */
export interface PendingCommand<C> {
  /** Counts commands from 1. */
  readonly number: number;
  readonly command: C;
}

/** How a predictor works. */
export interface PredictorOptions {
  /** The most commands that may wait for the server's answer, 1 or more; 256 by default, four seconds at 60 per second. */
  readonly capacity?: number | undefined;
}

interface Prediction<S, C> extends PendingCommand<C> {
  /** The state after it. */
  state: S;
}

/** What the server's states are compared with: a prediction, or the beginning, 0, which no command led to. */
interface Confirmable<S, C> extends Omit<Prediction<S, C>, 'command'> {
  readonly command?: C;
}

/**
 * The client's side of a player about whom the server has the last word. Give every command to {@link predict}, send the {@link
 * pending} ones, and give each state that comes back to {@link reconcile}.
 */
export class Predictor<S extends PlayerState, C extends object> {
  /** Where the player is after all commands so far: what to draw. */
  readonly state: S;
  /** How often the server's state differed from the prediction. */
  corrections = 0;
  private readonly _mover: CommandMover<S, C>;
  private readonly _capacity: number;
  private _pending: Prediction<S, C>[] = [];
  private _last = 0;
  /** The latest one that the server has confirmed; it may still send another state for it. */
  private _confirmed: Confirmable<S, C>;

  /**
   * @param state - the server's state at the beginning, which is copied.
   * @throws TypeError for anything but a mover or state; RangeError for a capacity below 1.
   */
  constructor(mover: CommandMover<S, C>, state: S, options: PredictorOptions = {}) {
    checkMover(mover);
    checkOptions(options, ['capacity']);
    const { capacity = 256 } = options;
    checkWhole(capacity, 'capacity', 1, 2 ** 20);
    this._mover = mover;
    this._capacity = capacity;
    this.state = cloneState(state);
    this._confirmed = { number: 0, state: cloneState(state) };
    printAsString(this);
  }

  /** Commands that the server has not confirmed, the oldest first. Sending all of them makes up for lost messages. */
  get pending(): readonly PendingCommand<C>[] {
    return this._pending;
  }

  /** Whether as many commands as `capacity` are unconfirmed, so that {@link predict} would throw. */
  get isFull(): boolean {
    return this._pending.length === this._capacity;
  }

  /**
   * Makes a command at once, and returns its number. The command is copied deeply, as a plain object with all fields and
   * accessors of its own or of its class. Methods of its class are left out; a function in a field of its own is kept as it is.
   *
   * @throws RangeError when as many as `capacity` wait for the server; TypeError for a field of yours that cannot be copied;
   *   what the mover throws. The command is not made then.
   */
  predict(command: C): number {
    if (this.isFull) {
      throw new RangeError(`the server has not confirmed any of the last ${this._capacity} commands`);
    }
    const copy = copyCommand(command);
    // A mover of the caller's own may throw when it has changed half of a state.
    const state = cloneState(this.state);
    this._mover.move(state, copy);
    copyState(state, this.state);
    const number = ++this._last;
    this._pending.push({ number, command: copy, state });
    return number;
  }

  /**
   * Takes the server's state after a command. If that differs from what was predicted, the server's is used, and later commands
   * are made again from there. A state for an older command than one already received is ignored.
   *
   * A server may change a state between two commands, as when it knocks the player back, and send it again with the same number:
   * of two states for one command, the one given last counts. If messages can overtake each other, number them too, and leave out
   * one that comes after a later one; otherwise the older state counts until the next comes.
   *
   * @param number - the command's, as {@link predict} returned it; 0 for the state at the beginning, before any command.
   * @returns the name of the first field that had to be corrected; `undefined` if the prediction was right, and for a state
   *   that is ignored.
   * @throws RangeError for a command that was not made; TypeError for anything but a state of the same kind; what the mover
   *   throws for a state that is wrong, unless no command has been made yet to try it with. Nothing changes when it throws.
   *   Afterwards, what the mover says about its latest move, such as its `events`, may be about a command that was made again.
   */
  reconcile(number: number, state: S): string | undefined {
    const { _last: last } = this;
    if (last === 0 && number !== 0) failArgument('number', '0 as long as no command has been made', number);
    checkWhole(number, 'number', 0, last);
    checkState(state);
    const { kind } = this.state;
    if (state.kind !== kind) failArgument('state.kind', `'${kind}'`, state.kind, false);
    const count = number - this._confirmed.number;
    if (count < 0) return undefined;
    const confirmed = count === 0 ? this._confirmed : this._pending[count - 1]!;
    const difference = firstDifference(confirmed.state, state);
    const later = this._pending.slice(count);
    if (difference !== undefined) this._correct(state, confirmed, later);
    this._pending = later;
    this._confirmed = confirmed;
    return difference;
  }

  /** Continues from a state of the server, which may be broken: everything that throws comes before any change. */
  private _correct(state: S, confirmed: Confirmable<S, C>, later: readonly Prediction<S, C>[]): void {
    const mover = this._mover;
    const now = copyState(state, cloneState(this.state));
    // Only the mover knows whether a state is valid: if there is no command to make again, the confirmed one tries it.
    const { command } = confirmed;
    if (later.length === 0 && command) mover.move(cloneState(now), command);
    const states = later.map((prediction) => {
      mover.move(now, prediction.command);
      return cloneState(now);
    });
    for (const [k, prediction] of later.entries()) prediction.state = states[k]!;
    copyState(state, confirmed.state);
    copyState(now, this.state);
    this.corrections++;
  }

  /** @internal */
  toString(): string {
    return `Predictor { pending: ${this._pending.length}, corrections: ${this.corrections} }`;
  }
}

function checkMover(mover: CommandMover<never, never>): void {
  checkObject(mover, 'mover', 'a mover');
  checkCallback(mover.move, 'mover.move');
}

/**
 * A copy of a command as a plain object with everything that movers could read from it: its own fields, and the fields and
 * accessors of its class, but not its methods. Throws `TypeError` naming a field that cannot be copied.
 */
function copyCommand<C extends object>(command: C): C {
  checkObject(command, 'command', 'a command');
  const from = command as Record<string, unknown>;
  const to: Record<string, unknown> = {};
  let level: object | null = command;
  for (; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name === '__proto__' || Object.hasOwn(to, name)) continue;
      const value = from[name];
      if (typeof value === 'function' && level !== command) continue;
      try {
        to[name] = copyValue(value);
      } catch (cause) {
        throw new TypeError(`command.${name} cannot be copied: ${(cause as Error).message}`, { cause });
      }
    }
  }
  return to as C;
}

declare const structuredClone: (value: object) => unknown;

/** A deep copy. Typed arrays are copied one by one: the buffers that they are views of may be much larger. */
function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!('length' in value && Symbol.iterator in value)) return structuredClone(value);
  return ArrayBuffer.isView(value)
    ? slice(value)
    : Array.from(value as unknown as ArrayLike<unknown>, copyValue);
}
