import { engineFiles } from '@bspkit/fixtures/engine';
import { createBody, createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  createQuake3Pusher,
  createQuake3State,
  createQuake3ThingState,
  Quake3Path,
  type Quake3Pusher,
  type Quake3State,
  type Quake3ThingState,
  Quake3ThingType,
  quake3PathPosition,
} from '../src/index.ts';
import { quake3Arena } from './arena.ts';

// Equality with the game is shown by recorded rows. Here is how it is used, and what the rows do not cover.

const world = quake3Arena();
const [TRIGGER, BODY, CLIP] = [0x40000000, 0x2000000, 0x10000];
type Pushed = Quake3State | Quake3ThingState;

/** The hall, with a plate of 128 units whose top is at 100, 16 thick, about x 0 and y -256. */
function open() {
  const scene = createScene(world, { rules: 'quake3' });
  const plate = scene.add(world.model(1), { origin: [64, -576, 84], solid: 'model' });
  const box = (mins: number[], maxs: number[], contents = 1) =>
    scene.add(createBody({ kind: 'box', mins, maxs }, { contents }), { solid: 'model', contents });
  const addPlayer = (origin: number[], ground = plate): Quake3State => {
    const state = createQuake3State();
    state.mins.set([-15, -15, -24]);
    state.maxs.set([15, 15, 32]);
    state.origin.set(origin);
    state.ground = ground;
    const collider = createBody({ kind: 'box', mins: [-15, -15, -24], maxs: [15, 15, 32] });
    state.entity = scene.add(collider, { origin, solid: 'box', contents: BODY });
    return state;
  };
  const addItem = (origin: number[], ground = plate): Quake3ThingState => {
    const state = createQuake3ThingState(Quake3ThingType.item);
    state.path = Quake3Path.stationary;
    state.base.set(origin);
    state.origin.set(origin);
    state.ground = ground;
    const collider = createBody({ kind: 'box', mins: [-15, -15, -15], maxs: [15, 15, 15] });
    state.entity = scene.add(collider, { origin, solid: 'trigger', contents: TRIGGER });
    return state;
  };
  return { scene, plate, box, addPlayer, addItem, pusher: createQuake3Pusher(scene) };
}

type Opened = ReturnType<typeof open>;

const placeOf = ({ scene }: Opened, body: number): number[] => Array.from(scene.body(body).origin);
const names = (list: readonly Pushed[], ...all: Pushed[]): number[] =>
  list.map((state) => all.indexOf(state));

describe('doors, lifts and trains of Quake 3', () => {
  it('carry what stands on them, the last linked first', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const player = hall.addPlayer([20, -256, 124.125]);
    const item = hall.addItem([-30, -256, 115.125]);
    // It is in nobody's way, but not beyond the area of the move.
    const other = hall.addItem([40, -300, 117], 0);
    const states = [item, other, player];
    expect(pusher.push({ body: plate, delta: [3, 0, 1.5] }, states)).toBeUndefined();
    expect(names(pusher.moved, player, item)).toEqual([1, 0]);
    expect(Array.from(player.origin)).toEqual([23, -256, 125.625]);
    expect(player.ground).toBe(plate);
    for (const place of [item.base, item.origin]) expect(Array.from(place)).toEqual([-27, -256, 116.625]);
    expect(item.ground).toBe(plate);
    expect(Array.from(other.base)).toEqual([40, -300, 117]);
    expect(placeOf(hall, player.entity)).toEqual([23, -256, 125.625]);
    expect(placeOf(hall, item.entity)).toEqual([-27, -256, 116.625]);
    expect(placeOf(hall, plate)).toEqual([67, -576, 85.5]);
    expect(pusher.crushed).toEqual([]);
    expect(`${pusher}`).toBe('Quake3Pusher { moved: 2 }');
  });

  it('turn what stands on them about their origin, with the view of players', () => {
    const hall = open();
    const { scene, pusher } = hall;
    const door = scene.add(world.model(2), { origin: [0, -300, 160], solid: 'model' });
    // On the top of the door, whose hinge is at its origin.
    const player = hall.addPlayer([0, -200, 244.125], door);
    // The second part of a team, whose first stays where it is.
    const team = [{ body: hall.plate }, { body: door, turn: [0, 5.625, 0] }];
    expect(pusher.push(team, [player])).toBeUndefined();
    expect(player.origin[0]).toBeCloseTo(-100 * Math.sin((5.625 / 180) * Math.PI), 3);
    expect(player.origin[1]).toBeCloseTo(-300 + 100 * Math.cos((5.625 / 180) * Math.PI), 3);
    expect(Array.from(player.deltaAngles)).toEqual([0, 1024, 0]);
    pusher.push({ body: door, turn: [0, -5.625, 0] }, [player]);
    expect(Array.from(player.deltaAngles)).toEqual([0, 65536, 0]);
    expect(Array.from(scene.body(door).angles)).toEqual([0, 0, 0]);
    // Farther than the door reaches, so that the player is far from where it ends.
    for (const [way, end] of [
      [240, 240],
      [-240, 0],
    ] as const) {
      pusher.push({ body: door, delta: [way, 0, 0], turn: [0, 1, 0] }, [player]);
      expect(Math.abs(player.origin[0]! - end)).toBeLessThan(9);
    }
  });

  it('push what is in their way, which stands on nothing then: but players find out by themselves', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const player = hall.addPlayer([79.5, -256, 100], 0);
    const item = hall.addItem([-20, -256, 68.5], 0);
    expect(pusher.push({ body: plate, delta: [1, 0, -2] }, [player, item])).toBeUndefined();
    expect(names(pusher.moved, player, item).sort()).toEqual([0, 1]);
    expect(Array.from(player.origin)).toEqual([80.5, -256, 98]);
    expect(Array.from(item.base)).toEqual([-19, -256, 66.5]);
    expect([player.ground, item.ground]).toEqual([0, -1]);
  });

  /** A player on the plate, whom something pushes in the same frame. */
  function pushOff(between: (pusher: Quake3Pusher, player: Quake3State) => void): number {
    const hall = open();
    const { plate, pusher } = hall;
    const player = hall.addPlayer([0, -256, 124.125]);
    const wall = hall.box([16, -300, 110], [20, -200, 190]);
    expect(pusher.push({ body: wall, delta: [-2, 0, 0] }, [player])).toBeUndefined();
    expect(player.origin[0]).toBe(-2);
    expect(player.ground).toBe(plate);
    between(pusher, player);
    pusher.push({ body: plate, delta: [0, 8, 0] }, [player]);
    return player.origin[1]!;
  }

  it('do not carry a player in the frame in which it was pushed off what it stands on', () => {
    expect(pushOff(() => undefined)).toBe(-256);
  });

  it('carry it again in the next frame', () => {
    expect(pushOff((pusher) => pusher.endFrame())).toBe(-248);
  });

  it('carry it again once it has moved by itself', () => {
    const moved = pushOff((_pusher, player) => {
      player.commandTime += 8;
    });
    expect(moved).toBe(-248);
  });

  it('leave behind what cannot come with them, if it is free where it is', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const [player, item] = [hall.addPlayer([-20, -256, 124.125]), hall.addItem([30, -256, 115.125])];
    hall.box([46, -300, 110], [50, -200, 190]);
    hall.box([-4, -300, 110], [-3, -200, 190]);
    expect(pusher.push({ body: plate, delta: [4, 0, 0] }, [player, item])).toBeUndefined();
    expect(pusher.moved).toEqual([]);
    expect(Array.from(player.origin)).toEqual(Array.from(Float32Array.of(-20, -256, 124.125)));
    expect(Array.from(item.base)).toEqual([30, -256, 115.125]);
    expect([player.ground, item.ground]).toEqual([plate, -1]);
    expect(placeOf(hall, plate)).toEqual([68, -576, 84]);
    pusher.push({ body: plate, delta: [-4, 0, 0] }, [player]);
    expect(player.origin[0]).toBe(-20);
  });

  it('are blocked by what cannot move, and then all are back where they were', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const player = hall.addPlayer([-20, -256, 124.125]);
    const item = hall.addItem([30, -256, 115.125]);
    const free = hall.addPlayer([-52, -256, 124.125]);
    hall.box([-30, -280, 157], [0, -230, 160]);
    free.deltaAngles[1] = 0x1000001;
    const states = [player, item, free];
    const before = states.map((state) => cloneState(state));
    const parts = [
      { body: plate, delta: [0, 0, 1] },
      { body: plate + 4, turn: [0, 8, 0] },
    ] as const;
    const door = hall.scene.add(world.model(3), { origin: [-440, 300, 200], solid: 'model' });
    expect(pusher.push([{ ...parts[1], body: door }, parts[0]], states)).toBe(player);
    expect(pusher.moved).toEqual([]);
    expect(placeOf(hall, plate)).toEqual([64, -576, 84]);
    expect(Array.from(hall.scene.body(door).angles)).toEqual([0, 0, 0]);
    expect(player).toEqual(before[0]);
    expect(item.base).toEqual((before[1] as Quake3ThingState).base);
    expect(free.origin).toEqual(before[2]!.origin);
    // By way of a float32, as in the game.
    expect(free.deltaAngles[1]).toBe(0x1000000);
    // What could be moved is linked there still, until it is moved again.
    expect(Array.from(item.origin)).toEqual([30, -256, 116.125]);
    for (const [state, z] of [
      [player, 124.125],
      [item, 116.125],
      [free, 125.125],
    ] as const) {
      expect(placeOf(hall, state.entity)[2]).toBe(z);
    }
  });

  it('turn the view of who can stay behind, also where they are blocked after that', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const blocker = hall.addPlayer([-30, -256, 124.125]);
    // Asked first, as it is linked last; above the plate by more than that rises.
    const rider = hall.addPlayer([30, -256, 130]);
    // Both would be turned into something, 31 units to the west.
    for (const x of [-70, -8]) hall.box([x, -280, 110], [x + 16, -230, 190]);
    const states = [rider, blocker];
    const push = (): unknown => pusher.push({ body: plate, delta: [0, 0, 1], turn: [0, 5.625, 0] }, states);
    expect(push()).toBe(blocker);
    expect([rider, blocker].map(({ deltaAngles }) => deltaAngles[1])).toEqual([1024, 0]);
    expect(Array.from(rider.origin)).toEqual([30, -256, 130]);
    // Nothing carries it in this frame, so the next push leaves it alone.
    states.pop();
    expect(push()).toBeUndefined();
    expect([pusher.moved, rider.deltaAngles[1]]).toEqual([[], 1024]);
  });

  it('crush what cannot get out of their way where they bob, and are blocked by nothing', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const player = hall.addPlayer([-20, -256, 124.125]);
    const item = hall.addItem([30, -256, 115.125]);
    hall.box([-40, -280, 157], [0, -230, 160]);
    const up = { body: plate, delta: [0, 0, 1], bobs: true } as const;
    expect(pusher.push(up, [player, item])).toBeUndefined();
    expect(pusher.crushed).toEqual([player]);
    expect(pusher.moved).toEqual([item]);
    expect(player.origin[2]).toBe(124.125);
    expect(placeOf(hall, plate)[2]).toBe(85);
    pusher.push({ ...up, delta: [0, 0, -1] }, [item]);
    expect(pusher.crushed).toEqual([]);
  });

  it('crush even where another part of the team is blocked', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const player = hall.addPlayer([-20, -256, 124.125]);
    hall.box([-40, -280, 157], [0, -230, 160]);
    const other = hall.box([300, -300, 100], [400, -200, 110]);
    const blocker = hall.addPlayer([350, -250, 134.125], other);
    hall.box([340, -260, 167], [360, -240, 170]);
    const team = [
      { body: plate, delta: [0, 0, 1], bobs: true },
      { body: other, delta: [0, 0, 1] },
    ];
    expect(pusher.push(team, [player, blocker])).toBe(blocker);
    expect(pusher.crushed).toEqual([player]);
    expect(placeOf(hall, plate)[2]).toBe(84);
  });

  it('push nothing where they stop, but carry what stands on them', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const rider = hall.addPlayer([0, -256, 124.125]);
    const player = hall.addPlayer([79.5, -256, 100], 0);
    const along = { body: plate, delta: [1, 0, 0], stops: true };
    expect(pusher.push(along, [rider, player])).toBe(player);
    expect(rider.origin[0]).toBe(0);
    expect(pusher.push(along, [rider])).toBeUndefined();
    expect(rider.origin[0]).toBe(1);
  });

  it('leave alone what is stuck in something else where they do not come', () => {
    // Near enough to be looked at, but beyond the end of the move on one axis.
    for (const [axis, near] of [
      [0, 75],
      [1, -181],
      [2, 112],
    ] as const) {
      const hall = open();
      const at = [0, -256, 84];
      at[axis] = near;
      const stuck = hall.addItem(at, 0);
      const mins = at.map((x, k) => (k === axis ? x + 5 : x - 10));
      hall.box(
        mins,
        mins.map((x) => x + 20),
      );
      const delta = [0, 0, 0];
      delta[axis] = -8;
      expect(hall.pusher.push({ body: hall.plate, delta }, [stuck]), `axis ${axis}`).toBeUndefined();
      expect(hall.pusher.moved).toEqual([]);
    }
  });

  it('carry any number of states, however many bodies are near', () => {
    const hall = open();
    const items = Array.from({ length: 40 }, (_, k) => hall.addItem([k - 20, -256, 115.125]));
    for (let k = 0; k < 40; k++) hall.addItem([k - 20, -300, 118], 0);
    expect(hall.pusher.push({ body: hall.plate, delta: [0, 0, 1] }, items)).toBeUndefined();
    expect(hall.pusher.moved).toHaveLength(40);
  });

  it('leave missiles alone, and let items into player clips, which what is left of players does not enter', () => {
    const hall = open();
    const { plate, pusher } = hall;
    const missile = createQuake3ThingState();
    missile.base.set([0, -256, 101]);
    missile.ground = plate;
    missile.entity = hall.addItem([0, -256, 101]).entity;
    const item = hall.addItem([30, -256, 115.125]);
    hall.box([0, -300, 130.5], [60, -200, 140], CLIP);
    const up = { body: plate, delta: [0, 0, 1] } as const;
    expect(pusher.push(up, [item, missile])).toBeUndefined();
    expect(pusher.moved).toEqual([item]);
    expect(missile.base[2]).toBe(101);
    item.pushMask = 0x10001;
    expect(pusher.push(up, [item])).toBe(item);
    item.pushMask = 0;
    expect(pusher.push(up, [item])).toBeUndefined();
  });
});

describe('wrong arguments of pushers of Quake 3', () => {
  const changed = (hall: Opened, changes: object): Pushed =>
    Object.assign(hall.addItem([30, -256, 115.125]), changes);
  type Wrong = readonly [string, (hall: Opened) => readonly [parts: unknown, states: unknown[]]];
  const wrong: readonly Wrong[] = [
    ['parts must be an object, got 5', () => [5, []]],
    ['there is no body 9 in this scene', () => [{ body: 9 }, []]],
    ['parts[1].body must be a whole number from 1', () => [[{ body: 1 }, { body: 0 }], []]],
    ['parts[1].body must be listed once, got 1 twice', () => [[{ body: 1 }, { body: 1 }], []]],
    ['bobs must be true or false, got 1', () => [{ body: 1, bobs: 1 }, []]],
    ['stops must be true or false, got', () => [{ body: 1, stops: 'no' }, []]],
    ["there is no option 'stop' here", () => [{ body: 1, stop: true }, []]],
    ['delta[2]', () => [{ body: 1, delta: [0, 0, Number.NaN] }, []]],
    ['turn[0]', () => [{ body: 1, turn: [Infinity, 0, 0] }, []]],
    ['states[0]', () => [{ body: 1 }, [null]]],
    [
      'states[0] must be one made by createQuake3State or createQuake3ThingState, got',
      () => [{ body: 1 }, [{ kind: 'quake2' }]],
    ],
    ['states[0].entity must be', (hall) => [{ body: 1 }, [changed(hall, { entity: -1 })]]],
    ['states[0].entity is 77', (hall) => [{ body: 1 }, [changed(hall, { entity: 77 })]]],
    [
      'states[0].entity must not be a body that pushes',
      (hall) => [{ body: 1 }, [changed(hall, { entity: 1 })]],
    ],
    ['states[0].pushMask', (hall) => [{ body: 1 }, [changed(hall, { pushMask: 1.5 })]]],
    ...['mask', 'entity', 'ground', 'commandTime'].map(
      (name): Wrong => [
        `states[0].${name}`,
        (hall) => [{ body: 1 }, [Object.assign(hall.addPlayer([0, -256, 124.125]), { [name]: 0.5 })]],
      ],
    ),
    [
      'states[0]: mins[1] must not be above maxs[1]',
      (hall) => {
        const player = hall.addPlayer([0, -256, 124.125]);
        player.mins[1] = 16;
        return [{ body: 1 }, [player]];
      },
    ],
    [
      'states[1].entity must be listed once',
      (hall) => {
        const item = hall.addItem([30, -256, 115.125]);
        return [{ body: 1 }, [item, cloneState(item)]];
      },
    ],
  ];
  it.each(wrong)('%s', (message, draw) => {
    const hall = open();
    const rider = hall.addPlayer([-20, -256, 124.125]);
    const [parts, states] = draw(hall);
    const before = structuredClone(states);
    const push = () => hall.pusher.push(parts as never, [...states, rider] as never);
    expect(push).toThrow(message);
    expect(states).toEqual(before);
    expect(rider.origin[2]).toBe(124.125);
    expect(placeOf(hall, 1)).toEqual([64, -576, 84]);
  });

  it('are scenes with other rules, and anything else', () => {
    expect(() => createQuake3Pusher(createScene(world) as never)).toThrow(
      new TypeError("scene must have the rules 'quake3', got 'nearest'"),
    );
    expect(() => createQuake3Pusher({ rules: 'quake3' } as never)).toThrow(TypeError);
  });

  it('are moves that take a state beyond float32: then nothing has moved', () => {
    const hall = open();
    const [rider, item] = [hall.addItem([30, -256, 115.125]), hall.addItem([-30, -256, 115.125])];
    item.base[0] = 3e38;
    const delta = [3e38, 0, 0];
    expect(() => hall.pusher.push({ body: hall.plate, delta }, [rider, item])).toThrow(
      new RangeError('delta must not lead beyond the range of float32'),
    );
    expect(item.base[0]).toBe(Math.fround(3e38));
    expect(Array.from(rider.base)).toEqual([30, -256, 115.125]);
    expect(placeOf(hall, hall.plate)).toEqual([64, -576, 84]);
  });

  it('are states that are read-only', () => {
    const hall = open();
    const [rider, item] = [hall.addItem([30, -256, 115.125]), hall.addItem([-30, -256, 115.125])];
    // The last linked goes first, so one has moved when the other throws.
    Object.freeze(rider);
    expect(() => hall.pusher.push({ body: hall.plate, delta: [0, 0, 1] }, [rider, item])).toThrow(TypeError);
    expect(rider.base[2]).toBe(115.125);
    expect([item.base[2], item.origin[2]]).toEqual([115.125, 115.125]);
    expect(placeOf(hall, item.entity)[2]).toBe(115.125);
  });
});

describe('colliders that throw', () => {
  /** A hall in which something is asked about each position of what is pushed. */
  function openWith(ask: (count: number) => void) {
    const hall = open();
    const solid = createBody({ kind: 'box', mins: [-9, -9, -9], maxs: [9, 9, 9] });
    let count = 0;
    const asking = {
      ...{ bounds: { mins: [-200, -200, -200], maxs: [200, 200, 200] } },
      box: (...given: Parameters<typeof solid.box>) => {
        const box = solid.box(...given);
        const { trace } = box;
        box.trace = (...args) => {
          ask(++count);
          return trace.apply(box, args);
        };
        return box;
      },
    };
    hall.scene.add(asking as never, { origin: [0, -256, 250], solid: 'model', contents: -1 });
    return hall;
  }

  it('leave everything as it was', () => {
    for (let last = 1; ; last++) {
      let asked = 0;
      const hall = openWith((count) => {
        asked = count;
        if (count === last) throw new Error('enough');
      });
      const { plate, pusher } = hall;
      hall.box([-40, -280, 157], [0, -230, 160]);
      const player = hall.addPlayer([-20, -256, 124.125]);
      const item = hall.addItem([30, -300, 115.125]);
      hall.scene.move(item.entity, { origin: item.origin, angles: [10, 20, 30] });
      const states = [hall.addPlayer([20, -256, 124.125]), player, item];
      const before = states.map((state) => cloneState(state as Quake3State));
      let error: unknown;
      try {
        pusher.push({ body: plate, delta: [0, 0, 1], turn: [0, 0.01, 0], bobs: true }, states);
      } catch (thrown) {
        error = thrown;
      }
      if (asked < last) {
        expect(names(pusher.crushed, ...states)).toEqual([1]);
        expect(asked).toBeGreaterThan(2);
        break;
      }
      expect(error).toEqual(new Error('enough'));
      expect(states).toEqual(before);
      for (const state of states) expect(placeOf(hall, state.entity)).toEqual(Array.from(state.origin));
      expect(placeOf(hall, plate)).toEqual([64, -576, 84]);
      const turns = [plate, item.entity].map((body) => Array.from(hall.scene.body(body).angles));
      expect(turns).toEqual([
        [0, 0, 0],
        [10, 20, 30],
      ]);
      expect([pusher.moved, pusher.crushed]).toEqual([[], []]);
    }
  });

  it('may not push with the same pusher', () => {
    const hall = openWith(() => {
      hall.pusher.push({ body: hall.plate }, []);
    });
    const player = hall.addPlayer([20, -256, 124.125]);
    expect(() => hall.pusher.push({ body: hall.plate, delta: [0, 0, 1] }, [player])).toThrow(
      'a pusher cannot be used within its own push',
    );
    expect(player.origin[2]).toBe(124.125);
  });
});

describe('paths of movers', () => {
  const trajectory = {
    ...{ path: Quake3Path.sine as number, pathTime: 100, pathDuration: 400 },
    ...{ base: [1, 2, 3], delta: [10, 0, -20] },
  };

  it('lead where the game says', () => {
    const out = new Float32Array(4);
    expect(quake3PathPosition(trajectory, 200, out)).toBe(out);
    expect(Array.from(out)).toEqual([11, 2, -17, 0]);
    quake3PathPosition({ ...trajectory, path: Quake3Path.linearStop, pathDuration: 50 }, 200, out);
    expect(Array.from(out)).toEqual([1.5, 2, 2, 0]);
    quake3PathPosition({ ...trajectory, path: Quake3Path.gravity }, 200, out);
    expect(out[2]).toBeCloseTo(3 - 2 - 4, 6);
  });

  it.each([
    [
      { path: 6 },
      'trajectory.path must be one of Quake3Path (stationary 0, interpolate 1, linear 2, linearStop 3, sine 4, gravity 5), got 6',
    ],
    [{ pathDuration: 0 }, 'trajectory.pathDuration must not be 0 for a path that swings'],
    [{ pathDuration: 0.5 }, 'trajectory.pathDuration must be a whole number'],
    [{ pathTime: 2 ** 30 }, 'trajectory.pathTime must be a whole number'],
    [{ base: [1, 2] }, 'trajectory.base'],
    [{ delta: [1, 2, Number.NaN] }, 'trajectory.delta[2] must be'],
    [{ delta: [3e38, 0, 0], path: Quake3Path.linear }, 'position[0]'],
  ] as const)('name what is wrong in %j', (changes, message) => {
    const out = new Float32Array(3);
    expect(() => quake3PathPosition({ ...trajectory, ...changes }, 20_000, out)).toThrow(message);
    expect(Array.from(out)).toEqual([0, 0, 0]);
  });
});

describe('rows of movers', () => {
  it('have some of each kind', () => {
    const [header, ...lines] = engineFiles('quake3')
      .find(({ kind }) => kind === 'pushes')!
      .read()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { columns, scenes } = header;
    const [MOVER, PLAYER, NONE] = [0, 3, 1023];
    const counts: Record<string, number> = {};
    const count = (name: string, isSo: unknown): void => {
      counts[name] = (counts[name] ?? 0) + (isSo ? 1 : 0);
    };
    let links: number[] = [];
    const yaws = new Map<string, number>();
    for (const cells of lines) {
      const row = Object.fromEntries(columns.map((name: string, k: number) => [name, cells[k]]));
      const { things } = scenes[row.scene];
      const kindOf = (thing: number): number => things[thing - 1].kind;
      if (row.call === 2) {
        links = row.links.filter((body: number) => kindOf(body) !== MOVER);
        const angles = row.poses.filter((_: number, k: number) => k % 6 > 2);
        count('blocked', row.blocker > 0);
        count('undone', row.blocker > 0 && links.length > 1);
        count('crushed', row.crushed.length > 0);
        count('teams', row.poses.length > 6);
        count('teams that are blocked', row.poses.length > 6 && row.blocker > 0);
        count('turned', angles.some(Boolean) && links.length > 0);
        count('stopped', row.blocker > 0 && links.length === 0 && things[row.thing - 1].flags > 1);
        count(
          'items',
          links.some((body) => kindOf(body) === 1),
        );
        count(
          'corpses',
          links.some((body) => kindOf(body) === 2),
        );
        count(
          'players',
          links.some((body) => kindOf(body) === PLAYER),
        );
      } else if (row.call === 1) count('flights', true);
      else if (row.call === 3 && row.yaw === null) {
        const isLinked = links.includes(row.thing);
        count('carried', isLinked && row.ground < NONE);
        count('pushed', isLinked && row.ground === NONE);
        count('left behind', !isLinked && row.ground === NONE);
      } else if (row.call === 3) {
        const key = `${row.scene} ${row.thing}`;
        count('views turned', yaws.has(key) && yaws.get(key) !== row.yaw);
        yaws.set(key, row.yaw);
      }
    }
    expect(Object.entries(counts).filter(([, found]) => found < 5)).toEqual([]);
    expect(Object.keys(counts).length).toBe(15);
  });
});
