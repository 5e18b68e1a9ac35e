import { defineTracer, entityModel, entityVector, type Vec3 } from '@bspkit/core';
import { createBody, createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import { createController, pushBody } from '../src/index.ts';
import { quake3Arena } from './arena.ts';
import { MAXS, MINS, room } from './rooms.ts';

describe('a moving body', () => {
  const lift = () => {
    const { scene, add } = room();
    return { scene, platform: add([-50, -50, 1], [50, 50, 5]), box: scene.box(MINS, MAXS) };
  };

  it('carries characters that stand on it', () => {
    const { scene, platform, box } = lift();
    const character = createController(box, { position: [0, 0, 29.125] });
    const other = createController(box, { position: [-200, 0, 24.125] });
    expect(character.groundEntity).toBe(platform);
    for (let k = 0; k < 10; k++)
      expect(pushBody(scene, platform, [2, 0, 3], [character, other])).toBeUndefined();
    expect(character.position).toEqual(Float32Array.of(20, 0, 59.125));
    expect(character.groundEntity).toBe(platform);
    expect(other.position).toEqual(Float32Array.of(-200, 0, 24.125));
  });

  it.each([
    [0, 0, 3],
    [0, 0, -3],
    [4, -3, 0],
    [2.5, 1.5, 1],
  ])('lets riders walk as if it stood still, while it moves by %f %f %f in each frame', (...delta) => {
    const wagon = () => {
      const parts = createScene();
      const add = (mins: number[], maxs: number[]): number =>
        parts.add(createBody({ kind: 'box', mins, maxs }));
      add([-300, -300, -16], [300, 300, 0]);
      add([60, -300, 0], [300, 300, 12]);
      add([-300, 80, 0], [300, 100, 100]);
      const scene = createScene();
      const bounds = { mins: [-300, -300, -16], maxs: [300, 300, 100] };
      const body = scene.add(parts, { bounds });
      return { scene, body, rider: createController(scene.box(MINS, MAXS), { position: [0, 0, 24.125] }) };
    };
    const [still, moving] = [wagon(), wagon()];
    for (let frame = 1; frame <= 60; frame++) {
      // Up the step and along the wall, and back.
      const velocity = [frame > 40 ? -300 : 200, 150, 0];
      still.rider.walk(velocity, 1 / 30);
      expect(pushBody(moving.scene, moving.body, delta, [moving.rider])).toBeUndefined();
      moving.rider.walk(velocity, 1 / 30);
      expect(moving.rider.groundEntity).toBe(moving.body);
      for (let k = 0; k < 3; k++)
        expect(moving.rider.position[k]! - frame * delta[k]!).toBeCloseTo(still.rider.position[k]!, 2);
    }
    expect(still.rider.position[1]).toBeCloseTo(80 - 15 - 0.125, 2);
  });

  it('moves a character that is listed twice once', () => {
    const { scene, platform, box } = lift();
    const rider = createController(box, { position: [0, 0, 29.125] });
    const told: unknown[] = [];
    const note = (moved: unknown): number => told.push(moved);
    expect(pushBody(scene, platform, [0, 0, 4], [rider, rider], note)).toBeUndefined();
    expect(rider.position).toEqual(Float32Array.of(0, 0, 33.125));
    expect(told).toEqual([rider]);
  });

  it('pushes a character in its way, and is blocked by one that cannot get out of it', () => {
    const { scene, platform, box } = lift();
    const character = createController(box, { position: [66, 0, 24.125] });
    expect(pushBody(scene, platform, [10, 0, 0], [character])).toBeUndefined();
    expect(character.position[0]).toBe(76);
    const told: number[] = [];
    const rider = createController(box, { position: [0, 0, 29.125] });
    const note = (moved: { position: Float32Array }): number => told.push(moved.position[0]!);
    // Into the stairs, which are too high for it to be pushed onto.
    expect(pushBody(scene, platform, [30, 0, 0], [rider, character], note)).toBe(character);
    expect(Array.from(scene.body(platform).origin)).toEqual([10, 0, 0]);
    expect([rider.position[0], character.position[0]]).toEqual([0, 76]);
    expect(told).toEqual([30, 0]);
  });

  it('moves by what it was given, even if that changes with it, or in `onMove`', () => {
    const { scene, platform, box } = lift();
    scene.move(platform, { origin: [0, 0, 3] });
    const riders = [-30, 30].map((x) => createController(box, { position: [x, 0, 32.125] }));
    const heights = (): number[] => [
      scene.body(platform).origin[2]!,
      ...riders.map(({ position }) => position[2]!),
    ];
    expect(pushBody(scene, platform, scene.body(platform).origin, riders)).toBeUndefined();
    expect(heights()).toEqual([6, 35.125, 35.125]);
    const scratch = [0, 0, 4];
    for (const move of [scratch, { delta: scratch }]) {
      scratch[2] = 4;
      expect(pushBody(scene, platform, move, riders, () => scratch.fill(0))).toBeUndefined();
    }
    expect(heights()).toEqual([14, 43.125, 43.125]);
    const turn = [0, 90, 0];
    expect(pushBody(scene, platform, { turn }, riders, () => turn.fill(0))).toBeUndefined();
    for (const [k, { position }] of riders.entries()) expect(position[1]).toBeCloseTo([-30, 30][k]!, 3);
  });

  it('is not blocked by what rounding does to places where float32 has few digits after the point', () => {
    // Above 4,096, places are whole 2,048ths of a unit: the rider loses a third of one with each push.
    const scene = createScene();
    const add = (mins: number[], maxs: number[]): number =>
      scene.add(createBody({ kind: 'box', mins, maxs }));
    const rising = add([-64, -64, 4184], [64, 64, 4200]);
    const rider = createController(scene.box(MINS, MAXS), { position: [0, 0, 4200 + 24.03125] });
    for (let frame = 0; frame < 600; frame++) {
      rider.walk([0, 0, 0], 1 / 60);
      expect(pushBody(scene, rising, [0, 0, 100 / 60], [rider]), `${frame}`).toBeUndefined();
      expect([rider.stuck, rider.groundEntity]).toEqual([false, rising]);
    }
    // Where there is no room, it is blocked all the same, and nothing has moved.
    const top = 4200 + scene.body(rising).origin[2]!;
    add([-99, -99, top + 57], [99, 99, top + 99]);
    let pushes = 0;
    const before = (): number[] => [rider.position[2]!, scene.body(rising).origin[2]!];
    for (let last = before(); ; last = before(), pushes++) {
      if (pushBody(scene, rising, [0, 0, 0.3], [rider]) !== rider) continue;
      expect(before()).toEqual(last);
      break;
    }
    // 57 units of room for 56, and a 32nd of a unit.
    expect(pushes).toBe(3);
  });

  it('lets characters walk on, by rules for which more places are free than moves can begin at', () => {
    // A wall that comes from the west, where a place may be a thousandth in it, as by the rules of UFO:AI, and where a move may not.
    let wall = 1000;
    const scene = {
      body: () => ({ origin: [wall, 0, 0] }),
      move: (_: number, { origin }: { origin: Vec3 }) => {
        wall = origin[0]!;
      },
    };
    const point = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        const [from, to] = [start[0]! - wall, end[0]! - wall];
        const stays = [0, 1, 2].every((k) => start[k] === end[k]);
        out.startSolid = from < (stays ? -0.001 : 0);
        out.allSolid = out.startSolid && to < 0;
        if (from >= 0 && to < 0) {
          out.fraction = from / (from - to);
          out.normal.set([1, 0, 0]);
        }
        out.endPos.set([start[0]! + out.fraction * (to - from), end[1]!, end[2]!]);
        return out;
      },
    });
    const character = createController(point, { position: [1000, 0, 0] });
    for (let frame = 1; frame <= 20; frame++) {
      // Rounding to float32 leads it into the wall by some hundred thousandths.
      expect(pushBody(scene, 1, [0.1, 0, 0], [character])).toBeUndefined();
      character.move([0, 1, 0]);
      expect([character.stuck, character.position[1]], `${frame}`).toEqual([false, frame]);
    }
    expect(character.position[0]).toBeGreaterThan(1001.999);
  });

  it('is put back with everything that it has moved if `onMove` throws', () => {
    const { scene, platform, box } = lift();
    const first = createController(box, { position: [0, 0, 29.125] });
    const second = createController(box, { position: [66, 0, 24.125] });
    const third = createController(box, { position: [30, 40, 29.125] });
    const places = (): unknown[] => [
      Array.from(scene.body(platform).origin),
      ...[first, second, third].flatMap(({ position, groundEntity }) => [Array.from(position), groundEntity]),
    ];
    const before = places();
    const told: unknown[] = [];
    const push = (fails: (moved: unknown) => boolean): unknown[] => {
      told.length = 0;
      const run = () =>
        pushBody(scene, platform, [10, 0, 0], [first, second, third], (moved) => {
          told.push(moved);
          if (fails(moved)) throw new Error(`no room for ${told.length}`);
        });
      expect(run).toThrow(new Error('no room for 2'));
      expect(places()).toEqual(before);
      return told;
    };
    // `onMove` throws once.
    expect(push(() => told.length === 2)).toEqual([first, second, second, first]);
    // And again whenever it is called: the first error is passed on.
    expect(push((moved) => moved === second)).toEqual([first, second, second, first]);
    // While all are put back because another one blocks the body.
    told.length = 0;
    const note = (moved: unknown): void => {
      told.push(moved);
      if (told.length > 2) throw new Error(`not back: ${told.length}`);
    };
    // Into the stairs, which are too high for it to be pushed onto.
    expect(() => pushBody(scene, platform, [40, 0, 0], [first, third, second], note)).toThrow('not back: 3');
    expect(places()).toEqual(before);
    expect(told).toEqual([first, third, third, first]);
  });

  it('puts characters back also where `onMove` removes the body and throws', () => {
    const { scene, platform, box } = lift();
    const character = createController(box, { position: [0, 0, 29.125] });
    const told: number[] = [];
    const onMove = ({ position }: { position: Float32Array }): void => {
      told.push(position[0]!);
      if (told.length > 1) return;
      scene.remove(platform);
      throw new Error('gone');
    };
    expect(() => pushBody(scene, platform, [10, 0, 0], [character], onMove)).toThrow(new Error('gone'));
    expect(told).toEqual([10, 0]);
    expect(Array.from(character.position)).toEqual([0, 0, 29.125]);
  });

  it('is not blocked by a character that was already stuck in something else, but by one that is stuck in it', () => {
    const { scene, platform, box } = lift();
    const crate = scene.add(createBody({ kind: 'box', mins: [-20, -20, 0], maxs: [20, 20, 40] }), {
      origin: [0, 300, 0],
    });
    const stuck = createController(box, { position: [0, 300, 24.125] });
    const rider = createController(box, { position: [0, 0, 29.125] });
    expect(pushBody(scene, platform, [0, 0, 10], [stuck, rider])).toBeUndefined();
    expect(scene.body(platform).origin[2]).toBe(10);
    expect(Array.from(stuck.position)).toEqual([0, 300, 24.125]);
    expect(rider.position[2]).toBe(39.125);
    expect(pushBody(scene, crate, [0, 5, 0], [stuck, rider])).toBe(stuck);
    expect(scene.body(crate).origin[1]).toBe(300);
  });

  it('leaves those where they are that are stuck in something else, or touch it, unless it comes upon them', () => {
    const { scene, platform, box } = lift();
    scene.add(createBody({ kind: 'box', mins: [-20, -20, 0], maxs: [20, 20, 40] }), { origin: [0, 300, 0] });
    // On its way out of the crate.
    const stuck = createController(box, { position: [30, 300, 24.125] });
    // A stack of two crates, which touch: solid to position tests.
    const half = [16, 16, 16] as const;
    const [mins, maxs] = [half.map((x) => -x), half];
    const stack = [16.125, 48.125].map((z) => {
      const body = scene.add(createBody({ kind: 'box', mins, maxs }), { origin: [-150, 0, z] });
      const ignore = new Set([body]);
      const character = createController(scene.box(mins, maxs, { ignore }), { position: [-150, 0, z] });
      return { body, character };
    });
    const [low, high] = stack.map(({ character }) => character);
    expect(scene.box(mins, maxs, { ignore: stack[0]!.body }).blocked(low!.position, low!.position)).toBe(
      true,
    );
    const follow = (moved: object): void => {
      const { body, character } = stack.find(({ character }) => character === moved)!;
      scene.move(body, { origin: character.position });
    };
    const all = [stuck, low!, high!];
    const places = (): number[][] => all.map(({ position }) => Array.from(position));
    const before = places();
    for (const move of [
      [8, 0, 0],
      [0, 8, 0],
      [-8, -8, 8],
      [0, 0, -8],
    ] as const) {
      expect(pushBody(scene, platform, move, all, follow)).toBeUndefined();
      expect(places()).toEqual(before);
    }
    // The platform, 4 high, comes upon the lower one, but not as far as the other.
    for (let k = 0; k < 10; k++) expect(pushBody(scene, platform, [-10, 0, 0], all, follow)).toBeUndefined();
    expect(low!.position[0]).toBeLessThan(-160);
    expect(high!.position[0]).toBe(-150);
  });

  it('is blocked by a rider below something that the rider touches', () => {
    const { scene, platform, box } = lift();
    const rider = createController(box, { position: [0, 0, 29.125] });
    const ceiling = scene.add(createBody({ kind: 'box', mins: [-20, -20, 0], maxs: [20, 20, 8] }), {
      origin: [0, 0, 29.125 + MAXS[2]!],
    });
    expect(box.blocked(rider.position, rider.position)).toBe(true);
    expect(pushBody(scene, platform, [0, 0, 2], [rider])).toBe(rider);
    expect(scene.body(platform).origin[2]).toBe(0);
    scene.move(ceiling, { origin: [0, 0, 100] });
    expect(pushBody(scene, platform, [0, 0, 2], [rider])).toBeUndefined();
    expect(rider.position[2]).toBe(31.125);
  });

  it('leaves characters that stand on edges of stairs there, and carries them', () => {
    const scene = createScene();
    const add = (x: number, top: number): number =>
      scene.add(createBody({ kind: 'box', mins: [x, -99, -99], maxs: [400, 99, top] }));
    const stairs = [-400, 0, 16, 32, 48].map((x, k) => add(x, 12 * k));
    const shape = scene.sphere(28);
    const character = createController(shape, { position: [-60, 0, 28.125] });
    /** The normal's z where it stands: an edge that is too steep for a body that falls onto it. */
    const level = (): number => {
      const [x, y, z] = character.position;
      return shape.trace([x!, y!, z!], [x!, y!, z! - 0.25]).normal[2]!;
    };
    for (let frame = 0; frame < 100 && !(character.grounded && level() < 0.7); frame++)
      character.walk([100, 0, 0], 0.016);
    expect(level()).toBeLessThan(0.7);
    const { groundEntity } = character;
    const [, , z] = character.position;
    const wall = scene.add(createBody({ kind: 'box', mins: [0, 200, 0], maxs: [9, 209, 9] }));
    expect(pushBody(scene, wall, [1, 0, 0], [character])).toBeUndefined();
    expect(character.groundEntity).toBe(groundEntity);
    for (const body of [...stairs].reverse()) {
      expect(pushBody(scene, body, [0, 0, 1], [character])).toBeUndefined();
      expect(character.grounded).toBe(true);
    }
    expect(character.position[2]).toBe(z! + 1);
    const stuck = createController(scene.sphere(8), { position: [4, 204, 20] });
    scene.add(createBody({ kind: 'box', mins: [-50, 150, 28.5], maxs: [50, 250, 40] }));
    expect(pushBody(scene, wall, [0, 0, 8], [character, stuck])).toBe(stuck);
    expect(character.groundEntity).toBe(groundEntity);
  });

  it('lifts a character that stands on its edge, whether it has moved or not', () => {
    for (const moves of [0, 1]) {
      const scene = createScene();
      scene.add(createBody({ kind: 'box', mins: [-99, -99, -9], maxs: [99, 99, 0] }));
      const platform = scene.add(createBody({ kind: 'box', mins: [14, -99, -9], maxs: [99, 99, 8.2] }));
      const character = createController(scene.sphere(16), { position: [0, 0, 16.05] });
      for (let k = 0; k < moves; k++) character.move([0, 0, 0]);
      expect(pushBody(scene, platform, [0, 0, 3], [character])).toBeUndefined();
      expect([character.grounded, character.groundEntity], `${moves} moves`).toEqual([true, platform]);
    }
  });

  it('leaves everyone as they were when it is blocked: how fast they fall, and what they stand on', () => {
    const { scene, platform, box } = lift();
    scene.add(createBody({ kind: 'box', mins: [20, 90, 0], maxs: [50, 100, 100] }));
    const rider = createController(box, { position: [0, 0, 29.125] });
    const jumper = createController(box, { position: [-30, 66, 26] });
    // The lift would come under this one.
    const above = createController(box, { position: [0, 75, 29.125] });
    const blocker = createController(box, { position: [35, 66, 26] });
    jumper.verticalSpeed = 200;
    above.verticalSpeed = -100;
    blocker.verticalSpeed = -300;
    const stateOf = ({ position, grounded, groundEntity, groundNormal, verticalSpeed }: typeof rider) => ({
      ...{ grounded, groundEntity, verticalSpeed },
      ...{ position: [...position], groundNormal: [...groundNormal] },
    });
    const all = [rider, jumper, above, blocker];
    const before = all.map(stateOf);
    expect(pushBody(scene, platform, [0, 30, 0], all)).toBe(blocker);
    expect(all.map(stateOf)).toEqual(before);
    // Without the one that blocks it, it gets there.
    expect(pushBody(scene, platform, [0, 30, 0], [rider, jumper, above])).toBeUndefined();
    expect([rider.position[1], jumper.position[1], above.groundEntity]).toEqual([30, 96, platform]);
    expect(jumper.verticalSpeed).toBe(200);
  });

  /** The arena's turning door, by its hinge in the south, and its lift. */
  const turning = () => {
    const world = quake3Arena();
    const scene = createScene(world);
    const entity = world.entities().find(({ classname }) => classname === 'func_door_rotating')!;
    const hinge = entityVector(entity, 'origin')!;
    const door = scene.add(world.model(entityModel(entity)!), { origin: hinge });
    return { scene, door, hinge, plat: scene.add(world.model(1)), box: scene.box(MINS, MAXS) };
  };

  it('turns about its origin, with characters that stand on it', () => {
    const { scene, plat, box } = turning();
    const rider = createController(box, { position: [-64, 320, 41] });
    rider.walk([0, 0, 0], 0.1);
    expect(rider.groundEntity).toBe(plat);
    const sin = Math.sin((5 * Math.PI) / 180);
    const cos = Math.cos((5 * Math.PI) / 180);
    expect(pushBody(scene, plat, { delta: [0, 0, 8], turn: [0, 5, 0] }, [rider])).toBeUndefined();
    expect(rider.position[0]).toBeCloseTo(-64 * cos - 320 * sin, 3);
    expect(rider.position[1]).toBeCloseTo(-64 * sin + 320 * cos, 3);
    expect(rider.position[2]).toBeCloseTo(48.125, 3);
    expect(rider.groundEntity).toBe(plat);
    expect(Array.from(scene.body(plat).angles)).toEqual([0, 5, 0]);
    expect(Array.from(scene.body(plat).origin)).toEqual([0, 0, 8]);
  });

  it('keeps turning, however often it has gone around', () => {
    const scene = createScene();
    const fan = scene.add(createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }), {
      angles: [0, 2 ** 22, 0],
    });
    pushBody(scene, fan, { turn: [0, 0.2, 0] }, []);
    const first = scene.body(fan).angles[1]!;
    expect(first).toBeCloseTo((2 ** 22 % 360) + 0.2, 4);
    for (let k = 0; k < 3600; k++) pushBody(scene, fan, { turn: [0, 0.1, 0] }, []);
    expect(scene.body(fan).angles[1]).toBeCloseTo(first, 1);
  });

  it('turns as far as the angles say, however it is turned already', () => {
    const scene = createScene();
    // A box, which angles do not turn; a character that stands on it moves as if it did.
    const slab = scene.add(createBody({ kind: 'box', mins: [-200, -200, -1], maxs: [200, 200, 0] }));
    scene.move(slab, { angles: [-90, 0, 0] });
    const rider = createController(scene.box([-1, -1, 0], [1, 1, 2]), { position: [100, 0, 0.03125] });
    expect(rider.groundEntity).toBe(slab);
    // Its forward is up, its up is backwards: even so, yaw turns it about the vertical of the world.
    expect(pushBody(scene, slab, { turn: [0, 90, 0] }, [rider])).toBeUndefined();
    expect(rider.position[0]).toBeCloseTo(0, 4);
    expect(rider.position[1]).toBeCloseTo(100, 4);
    expect(rider.position[2]).toBeCloseTo(0.03125, 4);
  });

  it('sweeps along a character in the way of a turning door, and is blocked by one without room', () => {
    const world = quake3Arena();
    const entity = world.entities().find(({ classname }) => classname === 'func_door_rotating')!;
    // The door alone, on a floor: 8 wide, 128 long, to the north of its hinge.
    const scene = createScene();
    scene.add(createBody({ kind: 'box', mins: [-500, -500, -16], maxs: [500, 500, 0] }));
    const door = scene.add(world.model(entityModel(entity)!), { origin: [0, 0, 60] });
    const box = scene.box(MINS, MAXS);
    /** Turns it to the east, and returns how far it got. */
    const open = (characters: Parameters<typeof pushBody>[3]): number => {
      for (let angle = 0; angle < 90; angle += 3) {
        if (pushBody(scene, door, { turn: [0, -3, 0] }, characters)) return angle;
        for (const one of characters) expect(box.trace(one.position, one.position).startSolid).toBe(false);
      }
      return 90;
    };
    const places = [-12, 0, 20, 40, 60, 110, 135].map((y) => [4 + 15.25, y, 24.125]);
    for (const position of places) {
      scene.move(door, { angles: [0, 0, 0] });
      const character = createController(box, { position });
      expect(open([character]), `${position}`).toBe(90);
      const [x, y] = character.position as unknown as [number, number];
      expect(y).toBeLessThan(-19);
      expect(Math.hypot(x, y)).toBeCloseTo(Math.hypot(position[0]!, position[1]!), 3);
    }
    const far = createController(box, { position: [-40, 60, 24.125] });
    scene.move(door, { angles: [0, 0, 0] });
    expect(open([far])).toBe(90);
    expect(Array.from(far.position)).toEqual([-40, 60, 24.125]);

    scene.move(door, { angles: [0, 0, 0] });
    const stuck = createController(box, { position: places[4]! });
    scene.add(createBody({ kind: 'box', mins: [60, -200, 0], maxs: [90, 200, 99] }));
    scene.add(createBody({ kind: 'box', mins: [4, -16, 0], maxs: [90, 0, 99] }));
    const stopped = open([stuck]);
    expect(stopped).toBeGreaterThan(0);
    expect(stopped).toBeLessThan(90);
    expect(Array.from(scene.body(door).angles)).toEqual([0, -stopped, 0]);
    expect(box.trace(stuck.position, stuck.position).startSolid).toBe(false);
  });

  it('refuses what it cannot use, by name', () => {
    const { scene, platform, box } = lift();
    const character = createController(box);
    expect(() => pushBody({} as never, 1, [0, 0, 0], [])).toThrow('scene.move must be a function');
    expect(() => pushBody({ move() {} } as never, 1, [0, 0, 0], [])).toThrow('scene.body must be a function');
    expect(() => pushBody(scene, platform, [0, Number.NaN, 0], [])).toThrow(
      'delta[1] must be a finite float32',
    );
    expect(() => pushBody(scene, platform, [0, 0, 0], [5] as never)).toThrow(
      'characters[0] must be a controller',
    );
    expect(() => pushBody(scene, 99, [0, 0, 0], [character])).toThrow(RangeError);
    const push = (move: unknown) => () => pushBody(scene, platform, move as never, [character]);
    expect(push(5)).toThrow('move must be three numbers, or an object with delta or turn');
    expect(push({})).toThrow('with delta or turn');
    expect(push({ origin: [0, 0, 0] })).toThrow("there is no option 'origin' here");
    expect(push({ turn: [0, 1e39, 0] })).toThrow('turn[1] must be a finite float32');
    expect(push({ delta: [0, 1] })).toThrow('delta[2] must be a finite float32');
  });
});
