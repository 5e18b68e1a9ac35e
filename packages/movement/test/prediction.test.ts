import { readEngineMap } from '@bspkit/fixtures/engine';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  createQuake2Command,
  createQuake2State,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  createQuakeWorldCommand,
  createQuakeWorldState,
  equalStates,
  type PlayerState,
  Predictor,
  type Quake3Command,
  type Quake3State,
  Recorder,
  replay,
} from '../src/index.ts';

const world = createQuake3World(readQuake3(readEngineMap('quake3/arena.bsp')));
const mover = createQuake3Mover(world);

function start(): Quake3State {
  const state = createQuake3State();
  state.origin.set([0, -200, 60]);
  return state;
}

/** The k-th command of a run around the arena with jumps. */
function drive(k: number) {
  const command = createQuake3Command();
  command.serverTime = 16 * (k + 1);
  command.forward = 127;
  command.right = k % 90 < 45 ? 60 : -60;
  command.up = k % 40 === 0 ? 127 : 0;
  command.angles[1] = (k * 300) & 65535;
  return command;
}
const run = Array.from({ length: 200 }, (_, k) => drive(k));

describe('replay', () => {
  it('makes commands one after the other', () => {
    const one = start();
    for (const command of run) mover.move(one, command);
    const other = start();
    expect(replay(mover, other, run)).toBe(other);
    expect(equalStates(one, other)).toBe(true);
    expect(one.origin[0]).not.toBe(0);
  });

  it('refuses anything but a mover', () => {
    expect(() => replay({} as never, start(), run)).toThrow(/mover.move/);
    expect(() => replay(undefined as never, start(), run)).toThrow(/mover/);
  });
});

describe('a recording', () => {
  it('copies the state at the start and every command, and can be played any number of times', () => {
    const state = start();
    const recorder = new Recorder(state);
    const command = createQuake3Command();
    for (const one of run) {
      Object.assign(command, { ...one, angles: command.angles });
      command.angles.set(one.angles);
      mover.move(state, command);
      recorder.record(command);
    }
    expect(recorder.commands.length).toBe(200);
    for (let k = 0; k < 2; k++) expect(equalStates(recorder.replay(mover), state)).toBe(true);
    expect(equalStates(recorder.start, start())).toBe(true);
    // A slice of a Node Buffer would share its memory.
    const angles = Buffer.of(1, 2, 3);
    recorder.record({ ...command, angles });
    angles.fill(9);
    expect(recorder.commands.at(-1)).toMatchObject({ angles: Buffer.of(1, 2, 3) });
  });

  it('refuses anything but states and commands', () => {
    expect(() => new Recorder({} as never)).toThrow(/state must be/);
    expect(() => new Recorder(start()).record(7 as never)).toThrow(/command must be/);
  });
});

describe('a command', () => {
  /** For the type system, a command like any other. */
  class UserCommand {
    angles = [0, 0, 0];
    right = 0;
    up = 0;
    buttons = 0;
    readonly keys = new Set(['w']);
    readonly serverTime: number;
    readonly #time: number;
    constructor(serverTime: number) {
      this.serverTime = serverTime;
      this.#time = serverTime;
    }
    get forward(): number {
      return this.#time > 0 && this.keys.has('w') ? 127 : 0;
    }
    isIdle(): boolean {
      return this.forward === 0;
    }
  }

  /** Copies as predictors and recorders make them. */
  const copies = <C extends Quake3Command>(command: C): C[] => {
    const predictor = new Predictor<Quake3State, C>(mover, start());
    predictor.predict(command);
    const recorder = new Recorder<Quake3State, C>(start());
    recorder.record(command);
    return [predictor.pending[0]!.command, recorder.commands[0]!];
  };
  const failures = (command: object): unknown[] =>
    [new Predictor(mover, start()), new Recorder(start())].map((keeper) => {
      try {
        if (keeper instanceof Predictor) keeper.predict(command as Quake3Command);
        else keeper.record(command as Quake3Command);
        return undefined;
      } catch (error) {
        return error;
      }
    });

  it('of a class is copied with the values of its accessors, and without methods', () => {
    const wanted = start();
    mover.move(wanted, new UserCommand(16));
    const predictor = new Predictor(mover, start());
    predictor.predict(new UserCommand(16));
    expect(equalStates(predictor.state, wanted)).toBe(true);
    const recorder = new Recorder<Quake3State, UserCommand>(start());
    recorder.record(new UserCommand(16));
    expect(equalStates(recorder.replay(mover), wanted)).toBe(true);
    const numbers = { serverTime: 16, forward: 127, right: 0, up: 0, buttons: 0, angles: [0, 0, 0] };
    for (const copy of copies(new UserCommand(16))) expect(copy).toEqual({ ...numbers, keys: new Set('w') });
    // Even from an object that the other inherits from, and even if it is not enumerable.
    const heir = Object.create(run[0]!, { forward: { get: () => -127 } });
    for (const copy of copies(heir)) expect(copy).toEqual({ ...run[0]!, forward: -127 });
  });

  it('is a plain object, whatever someone has sent', () => {
    const text = JSON.stringify({ ...run[0]!, angles: [...run[0]!.angles] });
    const sent = JSON.parse(`{"__proto__":{"seed":7},${text.slice(1)}`);
    expect(Object.hasOwn(sent, '__proto__')).toBe(true);
    for (const copy of copies(sent)) {
      expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
      expect((copy as { seed?: number }).seed).toBeUndefined();
    }
  });

  it('is copied with everything in its fields', () => {
    const large = new Uint8Array(1000);
    const draw = (): void => {};
    const command = () => ({
      ...drive(0),
      weapons: { current: 1, ammo: [5, [7]] },
      seen: new Map([[1, { at: 2 }]]),
      view: new DataView(large.buffer, 8, 4),
      part: large.subarray(8, 12),
      bytes: Buffer.of(1, 2),
      list: [{ x: 1 }],
      seed: 5n,
      nothing: null,
      left: undefined,
      draw,
    });
    const draft = command();
    const wanted = command();
    const made = copies(draft);
    draft.weapons.current = 2;
    draft.weapons.ammo[0] = 0;
    draft.seen.get(1)!.at = 3;
    draft.view.setInt32(0, 9);
    draft.bytes[0] = 9;
    draft.list[0]!.x = 2;
    draft.angles[1] = 9;
    large.fill(0);
    for (const copy of made) {
      expect(copy).toEqual(wanted);
      expect(copy.part.buffer.byteLength).toBe(4);
      expect(copy.angles).toBeInstanceOf(Int32Array);
      expect(copy.draw).toBe(draw);
    }
  });

  it('is refused with a field that cannot be copied, by name', () => {
    const sent = new Uint8Array(4);
    structuredClone(sent.buffer, { transfer: [sent.buffer] });
    const wrong = { sent, later: Promise.resolve(), tool: { use: () => 1 } };
    for (const [name, value] of Object.entries(wrong)) {
      for (const error of failures({ ...run[0]!, [name]: value })) {
        expect(error).toBeInstanceOf(TypeError);
        expect((error as Error).message).toContain(`command.${name} cannot be copied: `);
      }
    }
  });

  it('is checked when it is recorded, if it is of the same game as the state', () => {
    const wrong: [object, object, string][] = [
      [
        start(),
        { ...createQuake3Command(), forward: 128 },
        'command.forward must be a whole number from -128',
      ],
      [start(), { ...createQuake3Command(), angles: [0, 0] }, 'command.angles[2] must be a whole number'],
      [start(), { ...createQuake3Command(), up: undefined }, 'command.up must be'],
      [createQuake2State(), { ...createQuake2Command(), msec: 256 }, 'command.msec must be'],
      [createQuakeWorldState(), { ...createQuakeWorldCommand(), right: Number.NaN }, 'command.right must be'],
    ];
    for (const [state, command, message] of wrong) {
      const recorder = new Recorder<PlayerState, object>(state as PlayerState);
      expect(() => recorder.record(command)).toThrow(message);
      expect(recorder.commands).toEqual([]);
    }
    // For a game of your own, and for a mover of your own that makes commands of others.
    const mine = new Recorder<PlayerState, object>({ kind: 'mine' });
    mine.record({ ...createQuake3Command(), forward: 1000 });
    const other = new Recorder<Quake3State, { forward: boolean }>(start());
    other.record({ forward: true });
    const move = (state: Quake3State, { forward }: { forward: boolean }): void =>
      mover.move(state, { ...createQuake3Command(), serverTime: 16, forward: forward ? 127 : 0 });
    expect(other.replay({ move }).velocity[0]).toBeGreaterThan(0);
  });
});

describe('a predictor', () => {
  it('has nothing to correct if the server computes the same', () => {
    const predictor = new Predictor(mover, start());
    const server = start();
    for (const [k, command] of run.entries()) {
      expect(predictor.predict(command)).toBe(k + 1);
      if (k < 10) continue;
      // The server is ten commands behind.
      mover.move(server, run[k - 10]!);
      expect(predictor.reconcile(k - 9, server)).toBeUndefined();
      expect(predictor.pending.map(({ number }) => number)).toEqual(
        Array.from({ length: 10 }, (_, i) => k - 8 + i),
      );
    }
    expect(predictor.corrections).toBe(0);
    expect(equalStates(predictor.state, replay(mover, start(), run))).toBe(true);
  });

  it('goes back to what the server says, and makes later commands again', () => {
    const predictor = new Predictor(mover, start());
    for (const command of run.slice(0, 20)) predictor.predict(command);
    const server = replay(mover, start(), run.slice(0, 10));
    server.velocity[2]! += 300;
    const wanted = replay(mover, cloneState(server), run.slice(10, 20));
    expect(predictor.reconcile(10, server)).toBe('velocity');
    expect(predictor.corrections).toBe(1);
    expect(equalStates(predictor.state, wanted)).toBe(true);
    // What was made again is compared with the server's next state.
    expect(predictor.reconcile(15, replay(mover, cloneState(server), run.slice(10, 15)))).toBeUndefined();
    expect(predictor.reconcile(20, wanted)).toBeUndefined();
    expect(predictor.pending).toEqual([]);
  });

  it('ignores old states', () => {
    const predictor = new Predictor(mover, start());
    for (const command of run.slice(0, 3)) predictor.predict(command);
    expect(predictor.reconcile(2, replay(mover, start(), run.slice(0, 2)))).toBeUndefined();
    expect(predictor.reconcile(1, start())).toBeUndefined();
    expect(predictor.reconcile(0, start())).toBeUndefined();
    expect(predictor.pending.length).toBe(1);
  });

  it('takes another state for the latest confirmed command, and the same once more without a correction', () => {
    const predictor = new Predictor(mover, start());
    for (const command of run.slice(0, 6)) predictor.predict(command);
    const server = replay(mover, start(), run.slice(0, 4));
    expect(predictor.reconcile(4, server)).toBeUndefined();
    expect(predictor.reconcile(4, server)).toBeUndefined();
    expect(predictor.corrections).toBe(0);
    // It is knocked back before its next command arrives.
    server.velocity[2]! += 300;
    expect(predictor.reconcile(4, server)).toBe('velocity');
    expect(predictor.reconcile(4, server)).toBeUndefined();
    expect(predictor.corrections).toBe(1);
    expect(predictor.pending.map(({ number }) => number)).toEqual([5, 6]);
    expect(equalStates(predictor.state, replay(mover, cloneState(server), run.slice(4, 6)))).toBe(true);
    replay(mover, server, run.slice(4, 6));
    expect(predictor.reconcile(6, server)).toBeUndefined();
    // And when there is no command to make again.
    server.velocity[2]! += 300;
    expect(predictor.reconcile(6, server)).toBe('velocity');
    expect(equalStates(predictor.state, server)).toBe(true);
    const broken = cloneState(server);
    broken.origin[0] = Number.NaN;
    expect(() => predictor.reconcile(6, broken)).toThrow(RangeError);
    expect(equalStates(predictor.state, server)).toBe(true);
    expect(predictor.reconcile(6, server)).toBeUndefined();
    expect(predictor.corrections).toBe(2);
  });

  it.each([0, 3])('takes another state for the beginning, %i commands later', (count) => {
    const predictor = new Predictor(mover, start());
    for (const command of run.slice(0, count)) predictor.predict(command);
    expect(predictor.reconcile(0, start())).toBeUndefined();
    const server = start();
    server.origin[0] = 100;
    expect(predictor.reconcile(0, server)).toBe('origin');
    expect(predictor.reconcile(0, server)).toBeUndefined();
    expect(predictor.pending.length).toBe(count);
    expect(equalStates(predictor.state, replay(mover, server, run.slice(0, count)))).toBe(true);
  });

  it.each([
    ['later commands to make again', 2],
    ['none', 4],
  ])('changes nothing if the server sends a broken state: %s', (_, number) => {
    const predictor = new Predictor(mover, start());
    for (const command of run.slice(0, 4)) predictor.predict(command);
    predictor.reconcile(1, replay(mover, start(), run.slice(0, 1)));
    const before = cloneState(predictor.state);
    const good = replay(mover, start(), run.slice(0, number));
    good.velocity[0]! += 5;
    const broken = (change: (state: Quake3State) => void): Quake3State => {
      const state = cloneState(good);
      change(state);
      return state;
    };
    const reconcile = (change: (state: Quake3State) => void) => () =>
      predictor.reconcile(number, broken(change));
    const nowhere = reconcile((state) => state.origin.fill(Number.NaN));
    expect(nowhere).toThrow(RangeError);
    expect(nowhere).toThrow('state.origin[0] must be a finite float32, got NaN');
    expect(reconcile((state) => Object.assign(state, { type: 7 }))).toThrow('state.type must be');
    expect(reconcile((state) => Object.assign(state, { waterType: 'lava' }))).toThrow(TypeError);
    expect(equalStates(predictor.state, before)).toBe(true);
    expect(predictor.corrections).toBe(0);
    expect(predictor.pending.map((command) => command.number)).toEqual([2, 3, 4]);
    expect(predictor.reconcile(number, good)).toBe('velocity');
    expect(predictor.corrections).toBe(1);
    expect(equalStates(predictor.state, replay(mover, cloneState(good), run.slice(number, 4)))).toBe(true);
  });

  it('makes no part of a command for which a mover of its own throws', () => {
    const runner = {
      move(state: { readonly kind: string; x: number; steps: number }, { by }: { by: number }): void {
        state.steps++;
        if (by > 9) throw new RangeError('too far');
        state.x += by;
      },
    };
    const predictor = new Predictor(runner, { kind: 'mine', x: 0, steps: 0 });
    predictor.predict({ by: 5 });
    expect(() => predictor.predict({ by: 10 })).toThrow(new RangeError('too far'));
    expect(predictor.state).toEqual({ kind: 'mine', x: 5, steps: 1 });
    expect(predictor.predict({ by: 2 })).toBe(2);
    expect(predictor.reconcile(2, { kind: 'mine', x: 7, steps: 2 })).toBeUndefined();
  });

  it('says when the server is silent, and what is wrong with arguments', () => {
    const predictor = new Predictor(mover, start(), { capacity: 2 });
    predictor.predict(run[0]!);
    predictor.predict(run[1]!);
    expect(predictor.isFull).toBe(true);
    const before = cloneState(predictor.state);
    expect(() => predictor.predict(run[2]!)).toThrow(
      new RangeError('the server has not confirmed any of the last 2 commands'),
    );
    expect(equalStates(predictor.state, before)).toBe(true);
    expect(() => predictor.reconcile(3, before)).toThrow(
      new RangeError('number must be a whole number from 0 to 2, got 3'),
    );
    expect(() => predictor.reconcile(1, {} as never)).toThrow(TypeError);
    expect(() => predictor.reconcile(1, createQuake2State() as never)).toThrow(
      new TypeError("state.kind must be 'quake3', got 'quake2'"),
    );
    expect(() => new Predictor(mover, start(), { capacity: 0 })).toThrow(/capacity/);
    expect(() => new Predictor(mover, start(), { size: 1 } as never)).toThrow(/size/);
    const fresh = new Predictor(mover, start());
    expect(() => fresh.predict({ ...run[0]!, forward: Number.NaN })).toThrow(/command.forward/);
    expect(fresh.pending).toEqual([]);
    expect(() => fresh.reconcile(1, before)).toThrow(
      new RangeError('number must be 0 as long as no command has been made, got 1'),
    );
  });
});
