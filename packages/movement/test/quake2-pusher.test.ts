import type { Vec3 } from '@bspkit/core';
import { boxEntity } from '@bspkit/quake2';
import { type BodyOptions, createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  createQuake2Pusher,
  createQuake2State,
  createQuake2ThingState,
  equalStates,
  Quake2MoveType,
  type Quake2PusherPart,
  type Quake2State,
  type Quake2ThingState,
  Quake2Type,
} from '../src/index.ts';
import { quake2Arena } from './arena.ts';
import { watch } from './watched.ts';

// Equality with the engine is shown by recorded rows, which are answered in tests of all formats. Here is what the rows do not
// cover.

const world = quake2Arena();
const MONSTER = 0x2000000;
const DEAD_MONSTER = 0x4000000;
const MONSTER_SOLID = 0x2020003;
/** Where the plate is that all tests push. */
const HOME = [64, -576, 0];

/** A plate of 128 by 128 by 16 units in the hall, on the floor, from -64 -320 0 on, and what is near it. */
function lift() {
  const scene = createScene(world, { rules: 'quake2' });
  const plate = scene.add(world.model(1), { origin: HOME });
  const pusher = createQuake2Pusher(scene);
  const thing = (origin: Vec3, parts: Partial<Quake2ThingState> = {}, options: BodyOptions = {}) => {
    const state = { ...createQuake2ThingState(), moveType: Quake2MoveType.toss as number, ...parts };
    state.mins.set([-8, -8, -8]);
    state.maxs.set([8, 8, 8]);
    state.origin.set(Array.from(origin));
    const body = { origin, contents: MONSTER, ...options };
    state.entity = scene.add(boxEntity(state.mins, state.maxs), body);
    return state as Quake2ThingState;
  };
  return {
    ...{ scene, plate, pusher, thing },
    player: (origin: Vec3): Quake2State => {
      const state = createQuake2State();
      state.origin.set(Array.from(origin, (x) => 8 * x));
      const box = boxEntity([-16, -16, -24], [16, 16, 32]);
      state.entity = scene.add(box, { origin, contents: MONSTER });
      return state;
    },
    ride: <S extends Quake2State | Quake2ThingState>(state: S): S => Object.assign(state, { ground: plate }),
    at: (body: number) => Array.from(scene.body(body).origin),
    linked: () => Array.from(pusher.linked.subarray(0, pusher.numLinked)),
  };
}

describe('a pusher of Quake 2', () => {
  it('moves any number of states, however many bodies are near', () => {
    const { pusher, plate, thing, ride, linked } = lift();
    for (let k = 0; k < 40; k++) thing([k - 20, -256, 24.03125]);
    const riders = Array.from({ length: 40 }, (_, k) => ride(thing([k - 20, -256, 24.03125], { mask: 0 })));
    expect(pusher.push({ body: plate, delta: [0, 0, 1] }, riders)).toBeUndefined();
    expect(pusher.moved).toEqual(riders);
    expect(linked()).toEqual([plate, ...riders.map(({ entity }) => entity)]);
  });

  it('tells what it has moved and linked, in the order of entities, by whole eighths', () => {
    const { pusher, plate, player, thing, ride, at, linked } = lift();
    const [rider, box] = [ride(player([0, -256, 40.125])), ride(thing([40, -256, 24.03125]))];
    const other = thing([-200, -256, 8.03125]);
    expect(pusher.push({ body: plate, delta: [0, 0, 0.19] }, [box, other, rider])).toBeUndefined();
    expect(pusher.moved).toEqual([rider, box]);
    expect(linked()).toEqual([plate, rider.entity, box.entity]);
    expect(`${pusher}`).toBe('Quake2Pusher { moved: 2 }');
    expect([at(plate)[2], at(rider.entity)[2], at(box.entity)[2]]).toEqual([0.25, 40.375, 24.28125]);
    expect([rider.origin[2], rider.snapInitial, box.origin[2]]).toEqual([8 * 40.375, 1, 24.28125]);
    // They still stand on it.
    expect([rider.ground, box.ground]).toEqual([plate, plate]);
    for (const [z, lies] of [
      [0.06, 0.25],
      [-0.06, 0.25],
      [-0.07, 0.125],
    ] as const) {
      expect(pusher.push({ body: plate, delta: [0, 0, z] }, [])).toBeUndefined();
      expect([at(plate)[2], linked()]).toEqual([lies, [plate]]);
    }
    // One that does not move at all is left out.
    for (const part of [{}, { delta: [0, 0, -0], turn: [0, 0, 0] }]) {
      expect(pusher.push({ body: plate, ...part }, [box])).toBeUndefined();
      expect([pusher.moved, linked()]).toEqual([[], []]);
    }
  });

  it('turns what rides about itself; a player is on fractions of eighths until the next command', () => {
    const { scene, pusher, plate, player, thing, ride, at } = lift();
    const [rider, box] = [ride(player([32, -288, 40.125])), ride(thing([-40, -280, 24.03125]))];
    const turn = (yaw: number) => pusher.push({ body: plate, turn: [0, yaw, 0] }, [rider, box]);
    expect(turn(3)).toBeUndefined();
    const [x, y] = at(rider.entity);
    const angle = Math.PI / 60;
    expect(x).toBeCloseTo(64 - 32 * Math.cos(angle) - 288 * Math.sin(angle), 3);
    expect(y).toBeCloseTo(-576 - 32 * Math.sin(angle) + 288 * Math.cos(angle), 3);
    expect(Array.from(rider.origin)).toEqual([Math.trunc(8 * x!), Math.trunc(8 * y!), 8 * 40.125]);
    expect(8 * x!).not.toBe(rider.origin[0]);
    expect([...scene.body(plate).angles, ...rider.deltaAngles]).toEqual([0, 3, 0, 0, 0, 0]);
    expect(at(box.entity)).toEqual(Array.from(box.origin));
    // Back to where it was, from where it really is.
    expect(turn(-3)).toBeUndefined();
    expect(at(rider.entity)[0]).toBeCloseTo(32, 3);
    // A command leaves the player on whole eighths, and so does whoever moves the body then.
    expect(turn(3)).toBeUndefined();
    const origin = Array.from(rider.origin, (eighths) => eighths / 8);
    scene.move(rider.entity, { origin });
    pusher.push({ body: plate, delta: [0, 0, 1] }, [rider]);
    expect(at(rider.entity)).toEqual([origin[0], origin[1], 41.125]);
    // If nobody has moved it yet, the state counts.
    rider.origin[0] = 80;
    pusher.push({ body: plate, delta: [0, 0, 1] }, [rider]);
    expect(at(rider.entity)).toEqual([10, origin[1], 42.125]);
  });

  it('is blocked by who can neither be moved nor stay, and puts a whole team back, but for the ground', () => {
    const { scene, pusher, plate, player, thing, ride, at, linked } = lift();
    const door = scene.add(world.model(2), { origin: [-80, -320, 60] });
    const states = [ride(thing([0, -256, 24.03125])), ride(player([40, -256, 40.125]))];
    const pushed = thing([0, -290, 24.03125]);
    const caught = thing([0, -200, 24.03125]);
    // A beam above the last one.
    thing([0, -200, 44], { moveType: Quake2MoveType.none });
    const all = [...states, pushed, caught];
    const before = all.map((state) => cloneState(state));
    const parts: Quake2PusherPart[] = [
      { body: door, delta: [0, 8, 0] },
      { body: door + 77, delta: [0, 0, 0] },
      { body: plate, delta: [0, 0, 10] },
    ];
    parts[1] = { body: scene.add(world.model(2), { origin: [800, 0, 0] }) };
    expect(pusher.push(parts, all)).toBe(caught);
    expect(pusher.moved).toEqual([]);
    const [one, two] = [states[0]!.entity, states[1]!.entity];
    expect(linked()).toEqual([
      ...[door, plate, one, two, pushed.entity],
      ...[caught.entity, pushed.entity, two, one, plate, door],
    ]);
    pushed.ground = before[2]!.ground;
    for (const [k, state] of all.entries()) expect(equalStates(state, before[k]!)).toBe(true);
    expect([at(plate), at(door), at(one), at(two)]).toEqual([
      HOME,
      [-80, -320, 60],
      [0, -256, 24.03125],
      [40, -256, 40.125],
    ]);
  });

  it('has lost what it stood on if it was pushed, even if it was put back', () => {
    const { pusher, plate, thing } = lift();
    const pushed = thing([0, -256, 24.03125], { ground: 0 });
    const caught = thing([0, -200, 24.03125], { ground: 0 });
    const far = thing([300, -256, 24], { ground: 0 });
    thing([0, -200, 44], { moveType: Quake2MoveType.none });
    expect(pusher.push({ body: plate, delta: [0, 0, 6] }, [pushed, caught, far])).toBe(caught);
    expect([pushed.ground, caught.ground, far.ground]).toEqual([-1, -1, 0]);
  });

  it('leaves where it was what is in the way of something else only where the pusher takes it', () => {
    const { scene, pusher, plate, thing, ride, at, linked } = lift();
    const rider = ride(thing([0, -256, 24.03125]));
    thing([17, -256, 24.03125], { moveType: Quake2MoveType.none });
    const before = scene.linkedBounds(rider.entity);
    expect(pusher.push({ body: plate, delta: [8, 0, 0] }, [rider])).toBeUndefined();
    expect([pusher.moved, linked(), rider.origin[0], rider.ground]).toEqual([[], [plate], 0, plate]);
    // The turn is not taken back, but it is not linked there.
    expect(pusher.push({ body: plate, delta: [8, 0, 0], turn: [0, 0.01, 0] }, [rider])).toBeUndefined();
    expect([pusher.moved, linked()]).toEqual([[], [plate]]);
    expect(rider.origin[0]).toBeCloseTo(-0.056, 3);
    expect(at(rider.entity)).toEqual(Array.from(rider.origin));
    expect(scene.linkedBounds(rider.entity)).toEqual(before);
  });

  it('pushes nothing if it stops', () => {
    const { pusher, plate, thing, ride, at } = lift();
    const [rider, other] = [ride(thing([40, -256, 24.03125])), thing([0, -256, 24.03125])];
    const push = (z: number) => pusher.push({ body: plate, delta: [0, 0, z], stops: true }, [rider, other]);
    expect(push(-1)).toBeUndefined();
    expect(push(2)).toBe(other);
    expect([at(plate)[2], rider.origin[2], other.origin[2]]).toEqual([-1, 23.03125, 24.03125]);
  });

  it.each([
    ['a corpse', DEAD_MONSTER, false],
    ['a monster', MONSTER, true],
    ['what has any contents', -1, true],
  ])('finds that others stop %s or not', (_, contents, isStopped) => {
    const { pusher, plate, thing } = lift();
    const one = thing(
      [0, -256, 24.03125],
      { moveType: Quake2MoveType.step, mask: MONSTER_SOLID },
      { contents },
    );
    thing([0, -256, 44], { moveType: Quake2MoveType.none });
    expect(pusher.push({ body: plate, delta: [0, 0, 6] }, [one])).toBe(isStopped ? one : undefined);
  });

  it('leaves alone what does not move, what passes through everything, and what is not solid', () => {
    const { pusher, plate, player, thing, ride } = lift();
    const ghost = ride(player([0, -256, 30]));
    ghost.type = Quake2Type.spectator;
    const states = [
      ghost,
      ride(thing([40, -256, 20], { moveType: Quake2MoveType.none })),
      ride(thing([40, -290, 20], { moveType: Quake2MoveType.noclip })),
      ride(thing([-40, -290, 20], {}, { solid: 'none' })),
    ];
    const before = states.map((state) => cloneState(state));
    expect(pusher.push({ body: plate, delta: [0, 0, 4] }, states)).toBeUndefined();
    for (const [k, state] of states.entries()) expect(equalStates(state, before[k]!)).toBe(true);
    const trigger = ride(thing([-40, -230, 28.03125], {}, { solid: 'trigger' }));
    expect(pusher.push({ body: plate, delta: [0, 0, 4] }, [trigger])).toBeUndefined();
    expect(pusher.moved).toEqual([trigger]);
  });

  it('leaves alone what is stuck elsewhere, up to its own box', () => {
    const { pusher, plate, thing } = lift();
    // The top of the plate's box comes to 18, that of the wall is within the thing, whose linked box begins at 18.
    const stuck = thing([0, -256, 27]);
    thing([0, -256, 27], { moveType: Quake2MoveType.none });
    const push = () => pusher.push({ body: plate, delta: [0, 0, 1] }, [stuck]);
    expect(push()).toBeUndefined();
    expect(push()).toBe(stuck);
  });

  it('takes players who have not moved yet to stand, and those who are frozen for points', () => {
    const { pusher, plate, player, thing } = lift();
    const one = player([0, -256, 40.125]);
    // Half a unit from each of its sides, and from its head when it has been pushed.
    for (const [x, y, z] of [
      [24.5, 0, 44],
      [-24.5, 0, 44],
      [0, 24.5, 44],
      [0, -24.5, 44],
      [0, 0, 84.5],
    ] as const) {
      thing([x, y - 256, z], { moveType: Quake2MoveType.none }, { contents: 1 });
    }
    const push = () => pusher.push({ body: plate, delta: [0, 0, 4] }, [one]);
    expect([push(), pusher.moved]).toEqual([undefined, [one]]);
    one.type = Quake2Type.freeze;
    expect([push(), pusher.moved]).toEqual([undefined, []]);
    pusher.push({ body: plate, delta: [0, 0, -4] }, []);
    one.type = Quake2Type.normal;
    one.mins.set([-16, -16, -24]);
    one.maxs.set([16, 16, 4]);
    expect([push(), pusher.moved]).toEqual([undefined, [one]]);
  });

  it('takes any number of states and parts', () => {
    const { scene, pusher, plate, thing, ride, at } = lift();
    const states = Array.from({ length: 40 }, (_, k) =>
      ride(thing([(k % 7) * 17 - 51, Math.floor(k / 7) * 17 - 300, 24.03125])),
    );
    const more = Array.from({ length: 9 }, (_, k) => scene.add(world.model(2), { origin: [600, 0, 50 * k] }));
    const parts = [plate, ...more].map((body) => ({ body, delta: [0, 0, 1] }));
    expect(pusher.push(parts, [...states].reverse())).toBeUndefined();
    expect(pusher.moved).toEqual(states);
    for (const { entity } of states) expect(at(entity)[2]).toBe(25.03125);
    expect(at(more[8]!)).toEqual([600, 0, 401]);
  });

  it('tells once what several parts have moved, in the order in which it was moved first', () => {
    const { scene, pusher, plate, thing, ride } = lift();
    const [alone, both] = [ride(thing([40, -256, 24.125])), ride(thing([-60, -256, 24.125]))];
    const beside = scene.add(world.model(1), { origin: [-74, -576, 18] });
    const parts = [
      { body: plate, delta: [0, 0, 1] },
      { body: beside, delta: [8, 0, 0] },
    ];
    expect(pusher.push(parts, [both, alone])).toBeUndefined();
    expect([both, alone].map(({ origin }) => Array.from(origin))).toEqual([
      [-52, -256, 25.125],
      [40, -256, 25.125],
    ]);
    expect(pusher.moved).toEqual([alone, both]);
  });

  it('pushes nobody farther than a player can be', () => {
    const nothing = createScene(
      {
        bounds: { mins: [-5000, -5000, -5000], maxs: [5000, 5000, 5000] },
        box: (mins: Vec3, maxs: Vec3) => createScene().box(mins, maxs),
      },
      { rules: 'quake2' },
    );
    const cart = nothing.add(boxEntity([-8, -8, -8], [8, 8, 8]), { origin: [4090, 0, 0] });
    const rider = createQuake2State();
    rider.origin.set([8 * 4090, 0, 8 * 32.125]);
    rider.ground = cart;
    rider.entity = nothing.add(boxEntity([-16, -16, -24], [16, 16, 32]), { origin: [4090, 0, 32.125] });
    const pusher = createQuake2Pusher(nothing);
    const push = (x: number) => pusher.push({ body: cart, delta: [x, 0, 0] }, [rider]);
    expect(() => push(6)).toThrow(
      new RangeError('a player must not be pushed farther than 4096 units from 0 0 0'),
    );
    expect([nothing.body(cart).origin[0], rider.origin[0], pusher.numLinked]).toEqual([4090, 8 * 4090, 0]);
    expect(push(5.875)).toBeUndefined();
    expect(rider.origin[0]).toBe(32767);
    expect(() => push(-8192)).toThrow(RangeError);
    expect(push(-8190)).toBeUndefined();
    expect(rider.origin[0]).toBe(32767 - 8 * 8190);
  });

  /** A scene with something of the caller's own beside the lift, which is asked about whoever is pushed. */
  function watched(isAsked: () => void) {
    const all = lift();
    watch(all.scene, isAsked);
    return all;
  }

  it('puts everything back where a collider throws, and is of use afterwards', () => {
    let asked = 0;
    let last = Number.POSITIVE_INFINITY;
    const { scene, pusher, plate, player, thing, ride, at } = watched(() => {
      if (++asked > last) throw new Error(`asked ${asked} times`);
    });
    const pushed = thing([0, -300, 24.03125], { ground: 0 });
    // One that would stay, and one that is caught.
    thing([17, -256, 24.03125], { moveType: Quake2MoveType.none });
    thing([40, -220, 41], { moveType: Quake2MoveType.none });
    const all = [
      pushed,
      ride(player([-40, -256, 40.125])),
      ride(thing([0, -256, 24.03125])),
      thing([40, -220, 24.03125]),
    ];
    const before = all.map((state) => cloneState(state));
    const door = scene.add(world.model(2), { origin: [-80, -320, 60] });
    const parts = [
      { body: door, delta: [0, 0, 1] },
      { body: plate, delta: [4, 0, 4], turn: [0, 0.01, 0] },
    ];
    for (last = 0; ; last++) {
      asked = 0;
      try {
        pusher.push(parts, all);
        break;
      } catch (error) {
        expect((error as Error).message).toBe(`asked ${last + 1} times`);
        for (const [k, state] of all.entries()) {
          expect(equalStates(state, before[k]!)).toBe(true);
          const scale = state.kind === 'quake2' ? 1 / 8 : 1;
          expect(at(state.entity)).toEqual(Array.from(state.origin, (x) => x * scale));
        }
        expect([at(plate), at(door), scene.body(plate).angles[1]]).toEqual([HOME, [-80, -320, 60], 0]);
        expect([pusher.moved, pusher.numLinked]).toEqual([[], 0]);
      }
    }
    expect(last).toBeGreaterThan(4);
    expect(pushed.ground).toBe(-1);
  });

  it('puts everything back where a state is read-only', () => {
    const { pusher, plate, thing, ride, at } = lift();
    const [one, two] = [ride(thing([0, -256, 24.03125])), Object.freeze(thing([40, -256, 24.03125]))];
    expect(() => pusher.push({ body: plate, delta: [0, 0, 1] }, [one, two])).toThrow(TypeError);
    expect([one.origin[2], at(one.entity)[2], at(plate)[2]]).toEqual([24.03125, 24.03125, 0]);
  });

  it('cannot be used within its own push', () => {
    let again: (() => void) | undefined;
    const { pusher, plate, thing, ride } = watched(() => again?.());
    const state = ride(thing([0, -256, 24.03125]));
    again = () => pusher.push({ body: plate, delta: [0, 0, 1] }, []);
    const push = () => pusher.push({ body: plate, delta: [0, 0, 1] }, [state]);
    expect(push).toThrow(new Error('a pusher cannot be used within its own push'));
    again = undefined;
    expect(push()).toBeUndefined();
  });

  it('refuses scenes with other rules, and anything but a scene', () => {
    expect(() => createQuake2Pusher(createScene(world, { rules: 'quake3' }))).toThrow(
      new TypeError("scene must have the rules 'quake2', got 'quake3'"),
    );
    const { scene } = lift();
    const methods = ['has', 'pose', 'linkedBounds', 'linked', 'move', 'box'] as const;
    const some = Object.fromEntries(methods.map((name) => [name, scene[name]]));
    expect(() => createQuake2Pusher({ ...some, rules: 'quake2' } as never)).toThrow(
      new TypeError("scene has no ownBounds(): pass what createScene makes, with the rules 'quake2'"),
    );
  });

  it('refuses parts and states that are wrong, by name, before anything moves', () => {
    const { pusher, plate, player, thing, at } = lift();
    const [one, two] = [thing([0, -256, 24.03125]), player([40, -256, 40.125])];
    const push = (part: unknown, states: unknown = []) => {
      return () => pusher.push(part as never, states as never);
    };
    const up = { body: plate, delta: [0, 0, 1] };
    for (const [call, Class, message] of [
      [push(5), TypeError, 'parts must be an object'],
      [push([up, 5]), TypeError, 'parts[1] must be an object'],
      [push([up, up]), RangeError, `parts[1].body must be listed once, got ${plate} twice`],
      [push([up, { body: 77 }]), RangeError, 'parts[1]: there is no body 77 in this scene'],
      [push([{ ...up, delta: [0, 0] }]), RangeError, 'parts[0].delta[2] must be a finite float32'],
      [push({ ...up, stop: true }), TypeError, "there is no option 'stop' here"],
      [push({ ...up, stops: 1 }), TypeError, 'stops must be true or false'],
      [push({ ...up, turn: [0, 0] }), RangeError, 'turn[2] must be a finite float32'],
      [push({ ...up, delta: [0, 1e38, 0] }), RangeError, 'delta must not lead beyond the range of float32'],
      [
        push(up, [one, {}]),
        TypeError,
        'states[1] must be one made by createQuake2State or createQuake2ThingState, got',
      ],
      [push(up, [{ ...two, mins: [0] }]), TypeError, 'states[0].mins must be a Float32Array, got an array'],
      [
        push(up, [one, { ...two, mins: Float32Array.of(NaN, 0, 0) }]),
        RangeError,
        'states[1]: mins[0] must be a finite',
      ],
      [
        push(up, [{ ...two, maxs: Float32Array.of(0, -1, 0) }]),
        RangeError,
        'states[0]: mins[1] must not be above maxs[1]',
      ],
      [push(up, [{ ...two, type: 7 }]), RangeError, 'states[0].type must be a whole number from 0 to 4'],
      [push(up, [{ ...one, moveType: 4 }]), RangeError, 'states[0].moveType must be one of Quake2MoveType'],
      [push(up, [{ ...two, entity: -1 }]), RangeError, 'states[0].entity must be the number of a body'],
    ] as const) {
      expect(call, message).toThrow(message);
      expect(call, message).toThrow(Class);
      expect(at(plate)).toEqual(HOME);
    }
    expect(pusher.push([up], [one, two])).toBeUndefined();
  });
});
