import type { Vec3 } from '@bspkit/core';
import { boxEntity } from '@bspkit/quake1';
import { type BodyOptions, createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  createQuakePusher,
  createQuakeState,
  createQuakeThingState,
  equalStates,
  QuakeMoveType,
  type QuakeState,
  type QuakeThingState,
  quakePushTime,
} from '../src/index.ts';
import { quake1Arena } from './arena.ts';
import { watch } from './watched.ts';

// Equality with the engine is shown by recorded rows, which are answered in tests of all formats. Here is what the rows do not
// cover.

const world = quake1Arena();

/** A plate of 128 by 128 by 16 units in the hall, on the floor, from -64 -320 0 on, and what is near it. */
function lift() {
  const scene = createScene(world, { rules: 'quake1' });
  const plate = scene.add(world.model(1), { origin: [64, -576, 0] });
  const pusher = createQuakePusher(scene);
  const place = (state: QuakeState | QuakeThingState, origin: Vec3, options: BodyOptions = {}) => {
    state.origin.set(Array.from(origin));
    state.entity = scene.add(boxEntity(state.mins, state.maxs), { origin, ...options });
    return state;
  };
  const ride = <S extends QuakeState | QuakeThingState>(state: S): S =>
    Object.assign(state, { onGround: 1, ground: plate });
  return {
    ...{ scene, plate, pusher, ride },
    player: (origin: Vec3) => place(createQuakeState(), origin) as QuakeState,
    thing: (origin: Vec3, parts: Partial<QuakeThingState> = {}, options: BodyOptions = {}) => {
      const state = { ...createQuakeThingState(), moveType: QuakeMoveType.toss as number, ...parts };
      state.mins.set([-8, -8, -8]);
      state.maxs.set([8, 8, 8]);
      return place(state, origin, options) as QuakeThingState;
    },
    at: (body: number) => Array.from(scene.body(body).origin),
  };
}

describe('a pusher of single-player Quake', () => {
  it('tells what it has moved, in the order of entities, and moves their bodies', () => {
    const { pusher, plate, player, thing, ride, at } = lift();
    const [rider, box] = [ride(player([0, -256, 40.03125])), ride(thing([40, -256, 24.03125]))];
    const other = thing([-200, -256, 8.03125]);
    expect(pusher.push({ body: plate, delta: [0, 0, 0.1] }, [box, other, rider])).toBeUndefined();
    expect(pusher.moved).toEqual([rider, box]);
    expect(`${pusher}`).toBe('QuakePusher { moved: 2 }');
    const [high, low] = [Math.fround(40.03125 + Math.fround(0.1)), Math.fround(24.03125 + Math.fround(0.1))];
    expect([rider.origin[2], at(rider.entity)[2]]).toEqual([high, high]);
    expect([box.origin[2], at(box.entity)[2]]).toEqual([low, low]);
    expect(at(plate)).toEqual([64, -576, Math.fround(0.1)]);
    // Players still stand on it, things have to land again.
    expect([rider.onGround, box.onGround]).toEqual([1, 0]);
    expect(pusher.push({ body: plate, delta: [0, 0, 1] }, [box])).toBeUndefined();
    expect(pusher.moved).toEqual([box]);
    // One that does not move moves nobody.
    for (const delta of [[0, 0, -0], undefined] as const) {
      ride(box);
      expect(pusher.push({ body: plate, delta }, [box])).toBeUndefined();
      expect([pusher.moved, box.onGround]).toEqual([[], 1]);
    }
  });

  it('tells what touched each other, and nothing of the push before', () => {
    const { pusher, plate, thing } = lift();
    // Between the plate and another that stands at the wall.
    const box = thing([73, -256, 8.03125]);
    const next = thing([90, -256, 8.03125], { solid: 0 }, { solid: 'none' });
    const wall = thing([100, -256, 8.03125]);
    expect(pusher.numTouched).toBe(0);
    expect(pusher.push({ body: plate, delta: [4, 0, 0] }, [box, next])).toBeUndefined();
    expect(pusher.numTouched).toBe(0);
    expect(pusher.push({ body: plate, delta: [20, 0, 0] }, [box, next, wall])).toBe(box);
    expect(Array.from(pusher.touched.subarray(0, 2 * pusher.numTouched))).toEqual([box.entity, wall.entity]);
    expect(pusher.push({ body: plate, delta: [-1, 0, 0] }, [])).toBeUndefined();
    expect(pusher.numTouched).toBe(0);
  });

  it('is blocked by who cannot get out of its way, and puts all back but the ground under things', () => {
    const { pusher, plate, player, thing, ride, at } = lift();
    const states = [ride(thing([0, -256, 24.03125])), ride(player([40, -256, 40.03125]))];
    const caught = thing([0, -200, 24.03125]);
    // A beam above the last one.
    thing([0, -200, 44]);
    const places = [...states, caught].map(({ origin }) => Array.from(origin));
    expect(pusher.push({ body: plate, delta: [0, 0, 10] }, [...states, caught])).toBe(caught);
    expect(pusher.moved).toEqual([]);
    for (const [k, { origin, entity }] of [...states, caught].entries()) {
      expect([Array.from(origin), at(entity)]).toEqual([places[k], places[k]]);
    }
    expect(at(plate)).toEqual([64, -576, 0]);
    expect(states.map(({ onGround }) => onGround)).toEqual([0, 1]);
  });

  it('makes a point of what is not solid, and of its body', () => {
    const { scene, pusher, plate, thing } = lift();
    const corpse = thing([0, -256, 24.03125], { solid: 0 }, { solid: 'none' });
    thing([0, -256, 44]);
    expect(pusher.push({ body: plate, delta: [0, 0, 3] }, [corpse])).toBeUndefined();
    expect([...corpse.mins, ...corpse.maxs]).toEqual([-8, -8, -8, 8, 8, 8]);
    // It is pushed into the beam above it, which does not stop it.
    expect(pusher.push({ body: plate, delta: [0, 0, 4] }, [corpse])).toBeUndefined();
    expect([...corpse.mins, ...corpse.maxs]).toEqual([0, 0, -8, 0, 0, -8]);
    expect(corpse.origin[2]).toBe(31.03125);
    const { mins, maxs } = scene.body(corpse.entity).bounds;
    expect([Array.from(mins), Array.from(maxs)]).toEqual([
      [0, 0, -8],
      [0, 0, -8],
    ]);
    // It is linked with that where it is linked next.
    expect(scene.linkedBounds(corpse.entity).maxs[0]).toBe(9);
    scene.move(corpse.entity, {});
    expect(scene.linkedBounds(corpse.entity).maxs[0]).toBe(1);
  });

  it('is not blocked by points, which stay in it', () => {
    const { pusher, plate, thing, at } = lift();
    const point = thing([0, -256, 28]);
    // The game looks at one axis.
    point.mins.set([0, -8, 0]);
    point.maxs.set([0, 8, 0]);
    thing([0, -256, 44]);
    expect(pusher.push({ body: plate, delta: [0, 0, 24] }, [point])).toBeUndefined();
    expect([at(plate)[2], point.origin[2]]).toEqual([24, 35.96875]);
  });

  it.each([
    [QuakeMoveType.missile, 22 - 15 - 0.03125],
    [QuakeMoveType.fly, 22 - 8 - 0.03125],
  ])('pushes missiles up to the larger boxes of monsters: moveType %i', (moveType, x) => {
    const { pusher, plate, thing, ride } = lift();
    thing([30, -256, 24.03125], {}, { monster: true });
    const rider = ride(thing([0, -256, 24.03125], { moveType }));
    expect(pusher.push({ body: plate, delta: [20, 0, 0] }, [rider])).toBeUndefined();
    expect(rider.origin[0]).toBe(x);
  });

  it('links itself first where it is blocked, and what it has moved in order', () => {
    const { scene, pusher, plate, thing, ride } = lift();
    const riders = [-30, 0, 30].map((x) => ride(thing([x, -256, 24.03125])));
    const beam = thing([30, -256, 44]).entity;
    const found = new Int32Array(16);
    const order = (): number[] =>
      Array.from(found.subarray(0, scene.linked({ mins: [-60, -300, 0], maxs: [60, -200, 60] }, -1, found)));
    const entities = riders.map(({ entity }) => entity);
    expect(order()).toEqual([plate, ...entities, beam]);
    expect(pusher.push({ body: plate, delta: [0, 0, 10] }, riders)).toBe(riders[2]);
    expect(order()).toEqual([beam, plate, ...entities]);
  });

  it('leaves alone what does not move by itself, and what passes through everything', () => {
    const { pusher, plate, thing, ride } = lift();
    for (const moveType of [QuakeMoveType.none, QuakeMoveType.noclip]) {
      const state = ride(thing([0, -256, 20], { moveType }));
      expect(pusher.push({ body: plate, delta: [0, 0, 4] }, [state])).toBeUndefined();
      expect([state.origin[2], state.onGround]).toEqual([20, 1]);
    }
  });

  it('takes any number of states', () => {
    const { scene, pusher, plate, thing, ride } = lift();
    const states = Array.from({ length: 40 }, (_, k) =>
      ride(thing([(k % 7) * 17 - 51, Math.floor(k / 7) * 17 - 300, 24.03125])),
    );
    expect(pusher.push({ body: plate, delta: [0, 0, 1] }, [...states].reverse())).toBeUndefined();
    expect(pusher.moved).toEqual(states);
    for (const { entity } of states) expect(scene.body(entity).origin[2]).toBe(25.03125);
  });

  it('takes states in any order without comparing each with all others', () => {
    const { pusher, plate, thing } = lift();
    let reads = 0;
    const states = Array.from({ length: 400 }, () => {
      const state = thing([-300, 0, 20]);
      const { entity } = state;
      const get = (): number => {
        reads++;
        return entity;
      };
      return Object.defineProperty(state, 'entity', { get });
    });
    expect(pusher.push({ body: plate, delta: [0, 0, 1] }, states.reverse())).toBeUndefined();
    expect(reads).toBeLessThan(50 * 400);
  });

  it('links nothing again, and tells what it told before, where a state would be beyond float32', () => {
    const { scene, pusher, plate, player, ride } = lift();
    const rider = ride(player([0, -256, 40.03125]));
    expect(pusher.push({ body: plate, delta: [0, 0, 1] }, [rider])).toBeUndefined();
    scene.move(plate, { origin: [64, -576, 2], link: false });
    const before = scene.linkedBounds(plate);
    rider.origin[1] = 3e38;
    expect(() => pusher.push({ body: plate, delta: [0, 3.3e38, 0] }, [rider])).toThrow(RangeError);
    expect(scene.linkedBounds(plate)).toEqual(before);
    expect(pusher.moved).toEqual([rider]);
  });

  it('passes on what a getter throws', () => {
    const { pusher, plate, thing } = lift();
    const error = new (class extends TypeError {})('mine');
    const state = Object.defineProperty(thing([0, 0, 20]), 'solid', {
      get: () => {
        throw error;
      },
    });
    let caught: unknown;
    try {
      pusher.push({ body: plate }, [state]);
    } catch (thrown) {
      caught = thrown;
    }
    expect(caught).toBe(error);
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
    const states = [
      ride(player([-40, -256, 40.03125])),
      ride(thing([0, -256, 24.03125])),
      thing([0, -300, 20], { solid: 0 }, { solid: 'none' }),
    ];
    // In the way of the last one alone.
    thing([40, -256, 45]);
    scene.add(world.model(2), { origin: [0, -424, 92] });
    const caught = ride(thing([40, -256, 24.03125]));
    const all = [...states, caught];
    const before = all.map((state) => cloneState(state));
    const push = () => pusher.push({ body: plate, delta: [0, 0, 10] }, all);
    const isAsBefore = (): void => {
      for (const [k, state] of all.entries()) {
        expect(equalStates(state, before[k]!)).toBe(true);
        expect(at(state.entity)).toEqual(Array.from(before[k]!.origin));
        const { mins, maxs } = scene.body(state.entity).bounds;
        expect([...Array.from(mins), ...Array.from(maxs)]).toEqual([...before[k]!.mins, ...before[k]!.maxs]);
      }
      expect(at(plate)).toEqual([64, -576, 0]);
    };
    for (last = 0; ; last++) {
      asked = 0;
      try {
        push();
        break;
      } catch (error) {
        expect((error as Error).message).toBe(`asked ${last + 1} times`);
        isAsBefore();
        expect([pusher.moved, pusher.numTouched]).toEqual([[], 0]);
      }
    }
    // Each of them was pushed, the corpse became a point, and the last one blocked.
    expect(last).toBeGreaterThan(8);
    expect(all.map(({ onGround }) => onGround)).toEqual([1, 0, 0, 0]);
    expect(states[2]!.maxs[2]).toBe(-8);
  });

  it('puts back the bounds of a corpse too', () => {
    const { scene, pusher, plate, thing, ride } = lift();
    const corpse = ride(thing([-40, -256, 24.03125], { solid: 0 }, { solid: 'none' }));
    const caught = ride(thing([40, -256, 24.03125]));
    for (const x of [-40, 40]) thing([x, -256, 44]);
    // Where it is put back because it blocks, its own collider throws.
    let places = 0;
    const { bounds } = boxEntity(caught.mins, caught.maxs);
    scene.remove(caught.entity);
    const collider = {
      ...{ bounds, origin: [0, 0, 0], angles: [0, 0, 0] },
      box: () => boxEntity(caught.mins, caught.maxs).box([0, 0, 0], [0, 0, 0]),
      place: () => {
        if (++places === 3) throw new Error('not back');
      },
    };
    scene.add(collider, { origin: caught.origin, number: caught.entity, solid: 'none' });
    const push = () => pusher.push({ body: plate, delta: [0, 0, 10] }, [corpse, caught]);
    expect(push).toThrow('not back');
    expect(places).toBe(4);
    for (const { mins, maxs } of [corpse, scene.body(corpse.entity).bounds]) {
      expect([Array.from(mins), Array.from(maxs)]).toEqual([
        [-8, -8, -8],
        [8, 8, 8],
      ]);
    }
  });

  it('puts everything back where a state is read-only', () => {
    const { pusher, plate, thing, ride, at } = lift();
    const [one, two] = [ride(thing([0, -256, 24.03125])), Object.freeze(ride(thing([40, -256, 24.03125])))];
    expect(() => pusher.push({ body: plate, delta: [0, 0, 1] }, [one, two])).toThrow(TypeError);
    expect([one.origin[2], one.onGround, at(one.entity)[2], at(plate)[2]]).toEqual([
      24.03125, 1, 24.03125, 0,
    ]);
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
    expect(() => createQuakePusher(createScene(world) as never)).toThrow(
      new TypeError("scene must have the rules 'quake1', got 'nearest'"),
    );
    expect(() => createQuakePusher(world as never)).toThrow(
      new TypeError("scene has no has(): pass what createScene makes, with the rules 'quake1'"),
    );
  });

  it('refuses parts and states that are wrong, by name, before anything moves', () => {
    const { pusher, plate, player, thing, at } = lift();
    const [one, two] = [thing([0, -256, 24]), player([40, -256, 40])];
    const push = (part: object, states: unknown = []) => {
      return () => pusher.push(part as never, states as never);
    };
    const up = { body: plate, delta: [0, 0, 1] };
    for (const [call, Class, message] of [
      [push([up]), TypeError, 'part must be an object, got an array'],
      [push({ ...up, turn: [0, 1, 0] }), TypeError, "there is no option 'turn' here"],
      [push({ delta: [0, 0, 1] }), TypeError, 'body must be a whole number from 1'],
      [push({ ...up, body: 0 }), RangeError, 'body must be a whole number from 1'],
      [push({ ...up, body: 77 }), RangeError, 'there is no body 77 in this scene'],
      [push({ ...up, delta: [0, 0] }), RangeError, 'delta[2] must be a finite float32'],
      [
        push({ ...up, delta: [0, 3.3e38, 0] }, [{ ...one, origin: Float32Array.of(0, 3e38, 0) }]),
        RangeError,
        'delta must not lead beyond the range of float32',
      ],
      [push(up, 5), TypeError, 'states must be an array'],
      [
        push(up, [one, {}]),
        TypeError,
        'states[1] must be one made by createQuakeState or createQuakeThingState, got',
      ],
      [
        push(up, [{ ...two, mins: [0, 0, 0] }]),
        TypeError,
        'states[0].mins must be a Float32Array, got an array',
      ],
      [push(up, [{ ...one, moveType: 7 }]), RangeError, 'states[0].moveType must be one of QuakeMoveType'],
      [
        push(up, [{ ...one, mins: Float32Array.of(9, 0, 0) }]),
        RangeError,
        'states[0]: mins[0] must not be above maxs[0]',
      ],
      [push(up, [{ ...one, entity: -1 }]), RangeError, 'states[0].entity must be the number of a body'],
      [push(up, [{ ...one, entity: 99 }]), RangeError, 'states[0].entity is 99, but there is no such body'],
      [push(up, [{ ...one, entity: plate }]), RangeError, `states[0].entity must not be a body that pushes`],
      [
        push(up, [one, two, { ...one }]),
        RangeError,
        `states[2].entity must be listed once, got ${one.entity} twice`,
      ],
    ] as const) {
      expect(call, message).toThrow(message);
      expect(call, message).toThrow(Class);
      expect(at(plate)).toEqual([64, -576, 0]);
    }
    expect(pusher.push(up as never, [one, two])).toBeUndefined();
    const { scene } = lift();
    const far = scene.add(boxEntity([-1, -1, -1], [1, 1, 1]), { origin: [3e38, 0, 0] });
    expect(() => createQuakePusher(scene).push({ body: far, delta: [3e38, 0, 0] }, [])).toThrow(
      new RangeError('delta must not lead beyond the range of float32'),
    );
  });
});

describe('the time for which a pusher of single-player Quake moves', () => {
  it('ends when it thinks, and is a float32', () => {
    expect(quakePushTime(1, 10, 0.1)).toBe(Math.fround(0.1));
    expect(quakePushTime(1, 1.0625, 0.1)).toBe(0.0625);
    expect(quakePushTime(0.1, 0.15, 0.1)).toBe(Math.fround(Math.fround(0.15) - Math.fround(0.1)));
    // One that does not think does not move.
    expect(quakePushTime(1, 0, 0.1)).toBe(0);
    expect(() => quakePushTime(Number.NaN, 0, 0.1)).toThrow('localTime must be a finite float32');
    expect(() => quakePushTime(0, Number.NaN, 0.1)).toThrow('nextThink must be a finite float32');
    expect(() => quakePushTime(0, 0, -1)).toThrow('frameTime must be a finite float32, 0 or more');
  });
});
