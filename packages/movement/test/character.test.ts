import { defineTracer, entityModel, entityVector } from '@bspkit/core';
import { createBody, createScene, type Scene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import {
  type Controller,
  createController,
  createMoveState,
  createMovingObject,
  futurePosition,
  ground,
  pushBody,
  slide,
  step,
} from '../src/index.ts';
import { createRandom, quake1Arena, quake3Arena, SPAWN } from './arena.ts';

const MINS = [-15, -15, -24];
const MAXS = [15, 15, 32];

/** A room of boxes: a floor, a wall in the east, two stairs before it, a low ceiling. */
function room() {
  const scene = createScene();
  const add = (mins: number[], maxs: number[]): number => scene.add(createBody({ kind: 'box', mins, maxs }));
  const floor = add([-500, -500, -16], [500, 500, 0]);
  const wall = add([200, -500, 0], [220, 500, 200]);
  const stairs = [add([100, -500, 0], [200, 500, 12]), add([150, -500, 12], [200, 500, 24])];
  return { scene, add, floor, wall, stairs };
}

/** Planes through 0 0 0, by their normals; what is before all of them is open. */
const planes = (...normals: readonly (readonly [number, number, number])[]) =>
  defineTracer({
    shape: { kind: 'ray' },
    trace(start, end, out) {
      for (const [a, b, c] of normals) {
        const d1 = a * start[0]! + b * start[1]! + c * start[2]!;
        const d2 = a * end[0]! + b * end[1]! + c * end[2]!;
        if (d2 >= 0.01 || d1 <= d2) continue;
        const fraction = Math.max(0, (d1 - 0.01) / (d1 - d2));
        if (fraction >= out.fraction) continue;
        out.fraction = fraction;
        out.normal.set([a, b, c]);
      }
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      return out;
    },
  });

/** Slopes along y through 0 0 0, that lean to the east by so many degrees. */
const slopes = (...degrees: number[]) =>
  planes(
    ...degrees.map(
      (lean) => [Math.sin((lean * Math.PI) / 180), 0, Math.cos((lean * Math.PI) / 180)] as const,
    ),
  );

/** A body of 56 units around its middle; `radius` is that of a capsule. */
const bodyOf = (scene: Scene, kind: 'box' | 'capsule' | 'sphere', radius: number) =>
  ({
    box: () => scene.box([-15, -15, -28], [15, 15, 28]),
    capsule: () => scene.capsule({ radius, height: 56 }),
    sphere: () => scene.sphere(28),
  })[kind]();

describe('a slide', () => {
  it('goes along walls, and says what it hit', () => {
    const { scene, wall } = room();
    const state = createMoveState();
    state.position.set([180, 0, 60]);
    state.velocity.set([100, 50, 0]);
    expect(slide(scene.box([-8, -8, -8], [8, 8, 8]), state, 1)).toBe(true);
    expect(state.entity).toBe(wall);
    expect(state.normal).toEqual(Float32Array.of(-1, 0, 0));
    expect(state.position[0]).toBeCloseTo(191.875, 0);
    expect(state.position[1]).toBeCloseTo(50, 3);
    expect(state.velocity[1]).toBe(50);
  });

  it('ends in corners, and goes along the crease of two planes', () => {
    const { scene, add } = room();
    add([0, 100, 0], [200, 120, 200]);
    const box = scene.box([-8, -8, -8], [8, 8, 8]);
    const state = createMoveState();
    state.position.set([180, 80, 60]);
    state.velocity.set([100, 100, 30]);
    slide(box, state, 1);
    expect(Math.abs(state.velocity[0]!)).toBeLessThan(0.2);
    expect(state.velocity[2]).toBe(30);
    expect(state.position[2]).toBeCloseTo(90, 2);
    state.velocity.set([100, 100, 0]);
    expect(slide(box, state, 1)).toBe(true);
    expect(state.velocity).toEqual(new Float32Array(3));
  });

  it('knows when it is stuck, also where traces in solid have a fraction of 1', () => {
    for (const world of [quake1Arena(), quake3Arena()]) {
      const state = createMoveState();
      state.position.set([0, -256, -20]);
      state.velocity.set([0, 0, 10]);
      expect(slide(world.box(MINS, MAXS), state, 0.1)).toBe(true);
      expect(state.stuck).toBe(true);
      expect(state.position).toEqual(Float32Array.of(0, -256, -20));
    }
  });

  it('is the same for a collider of our own', () => {
    const tracer = defineTracer({
      shape: { kind: 'ray' },
      // Solid is what is below 10.
      trace(start, end, out) {
        const fraction = end[2]! >= 10 ? 1 : Math.max(0, (start[2]! - 10.125) / (start[2]! - end[2]!));
        out.fraction = fraction;
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + fraction * (end[k]! - start[k]!);
        if (fraction < 1) out.normal[2] = 1;
        return out;
      },
    });
    const state = createMoveState();
    state.position.set([0, 0, 20]);
    state.velocity.set([30, 0, -100]);
    slide(tracer, state, 1);
    expect(state.position[0]).toBeCloseTo(30, 3);
    expect(state.position[2]).toBeCloseTo(10.125, 0);
    expect([ground(tracer, state), state.entity]).toEqual([true, 0]);
  });

  it('find nothing where there is no ground, by whatever rules of a scene', () => {
    const state = createMoveState();
    for (let k = 0; k < 3; k++) state.position[k] = SPAWN[k]! + (k === 2 ? 60 : 0);
    for (const rules of ['nearest', 'quake2', 'quake3'] as const) {
      const box = createScene(quake3Arena(), { rules }).box(MINS, MAXS);
      expect([ground(box, state), state.entity], rules).toEqual([false, -1]);
      expect([ground(box, state, 100), state.entity], rules).toEqual([true, 0]);
    }
  });

  it('refuses what it cannot use, by name', () => {
    const { scene } = room();
    const box = scene.box(MINS, MAXS);
    const state = createMoveState();
    expect(() => slide({} as never, state, 1)).toThrow('tracer must be a tracer, got an object');
    expect(() => slide(box, {} as never, 1)).toThrow('state.position must be a Float32Array, got undefined');
    expect(() => slide(box, state, Number.NaN)).toThrow('dt must be a finite float32, got NaN');
    expect(() => slide(box, state, 1, { bumps: 0 })).toThrow(
      'bumps must be a whole number from 1 to 16, got 0',
    );
    expect(() => step(box, state, 1, { stepHeight: -1 })).toThrow(
      'stepHeight must be a finite float32, 0 or more',
    );
    expect(() => step(box, state, 1, { height: 1 } as never)).toThrow("there is no option 'height' here");
    expect(() => ground(box, state, Number.NaN)).toThrow('distance must be');
    state.velocity[0] = Number.NaN;
    expect(() => slide(box, state, 1)).toThrow('state.velocity[0] must be a finite float32, got NaN');
  });
});

describe('a step', () => {
  it('climbs what is low enough', () => {
    const { scene } = room();
    const box = scene.box(MINS, MAXS);
    const [able, unable] = [createMoveState(), createMoveState()];
    for (const state of [able, unable]) {
      state.position.set([60, 0, 24.125]);
      state.velocity.set([300, 0, 0]);
    }
    step(box, able, 0.2);
    step(box, unable, 0.2, { stepHeight: 8 });
    expect(able.position[0]).toBeCloseTo(120, 1);
    expect(able.position[2]).toBeCloseTo(36.125, 1);
    expect(unable.position[0]).toBeCloseTo(85, 0);
    expect(ground(box, able)).toBe(true);
  });
});

describe('a controller', () => {
  it('walks in six lines', () => {
    const { scene, wall, stairs } = room();
    const character = createController(scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
    for (let k = 0; k < 60; k++) character.move([5, 0, 0]);
    expect(character.position[0]).toBeCloseTo(184.875, 0);
    expect(character.position[2]).toBeCloseTo(48.125, 1);
    expect([character.grounded, character.groundEntity]).toEqual([true, stairs[1]]);
    expect(character.groundNormal).toEqual(Float32Array.of(0, 0, 1));
    expect([...character.touched.subarray(0, character.numTouched)]).toContain(wall);
    // And down again, without leaving the ground.
    for (let k = 0; k < 60; k++) {
      character.move([-5, 0, 0]);
      expect(character.grounded).toBe(true);
    }
    expect(character.position[2]).toBeCloseTo(24.125, 1);
  });

  it('climbs steps however little it moves in a frame', () => {
    const { scene } = room();
    // Boxes keep an eighth of a unit from walls.
    for (const far of [0.2, 0.1, 0.02]) {
      const character = createController(scene.box(MINS, MAXS), { position: [84, 0, 24.125] });
      for (let moved = 0; moved < 3; moved += far) character.move([far, 0, 0]);
      expect(character.position[2]).toBeCloseTo(36.125, 3);
      expect(character.position[0]).toBeCloseTo(87, 0);
    }
  });

  it('falls, lands and jumps', () => {
    const { scene, floor } = room();
    const character = createController(scene.capsule(MINS, MAXS), { position: [0, 0, 100] });
    expect(character.grounded).toBe(false);
    let steps = 0;
    for (; !character.grounded; steps++) character.walk([0, 0, 0], 0.02);
    // Half of 800 units per second squared, over 76 units.
    expect(steps * 0.02).toBeCloseTo(Math.sqrt(76 / 400), 1);
    expect(character.groundEntity).toBe(floor);
    expect(character.verticalSpeed).toBe(0);
    character.verticalSpeed = 270;
    let top = 0;
    for (let k = 0; k < 60; k++) {
      character.walk([0, 0, 0], 0.02);
      top = Math.max(top, character.position[2]!);
    }
    expect(top).toBeCloseTo(24.125 + 270 ** 2 / 1600, 0);
    expect(character.grounded).toBe(true);
  });

  it('says whether it stands, and on what, and is not told', () => {
    const character = createController(room().scene.box(MINS, MAXS), { position: [0, 0, 100] });
    for (const told of [{ grounded: true }, { groundEntity: 0 }]) {
      expect(() => Object.assign(character, told)).toThrow(TypeError);
    }
    // Without a floor to walk along, it would go nowhere that is a number.
    character.walk([100, 0, 0], 0.1);
    expect([character.grounded, character.groundEntity, character.position[0]]).toEqual([false, -1, 10]);
  });

  it('walks up slopes that are not too steep', () => {
    const walk = (degrees: number, slopeLimit?: number): Float32Array => {
      // A floor, and the slope from x = 0 on.
      const character = createController(slopes(0, -degrees), {
        position: [-20, 0, 0.01],
        slopeLimit,
        stepHeight: 1,
      });
      for (let k = 0; k < 40; k++) character.walk([100, 0, 0], 0.02);
      return character.position;
    };
    expect(walk(30)[0]).toBeCloseTo(60, 0);
    expect(walk(30)[2]).toBeCloseTo(60 * Math.tan(Math.PI / 6), 0);
    expect(walk(45)[0]).toBeCloseTo(60, 0);
    expect(walk(50)[0]).toBeLessThan(3);
    expect(walk(50, 60)[0]).toBeCloseTo(60, 0);
    expect(walk(30, 20)[0]).toBeLessThan(3);
  });

  it('does not fall faster and faster between slopes that hold it, but walks on along them', () => {
    for (const [west, east] of [
      [80, 80],
      [50, 70],
      [60, 60],
    ] as const) {
      const character = createController(slopes(west, -east), { position: [0, 0, 0.1] });
      for (let frame = 0; frame < 60; frame++) character.walk([0, 0, 0], 0.016);
      expect(character.verticalSpeed).toBeGreaterThan(-50);
      const y = character.position[1]!;
      for (let frame = 0; frame < 60; frame++) character.walk([0, 320, 0], 0.016);
      expect(character.position[1]! - y).toBeGreaterThan(200);
    }
    // One slope holds nobody: it falls along that, ever faster, though it walks against it.
    const character = createController(slopes(60, 0), { position: [-5000, 0, 8660.4] });
    for (let frame = 0; frame < 60; frame++) character.walk([-320, 0, 0], 0.016);
    expect(character.verticalSpeed).toBeCloseTo(-60 * 0.016 * 800, 3);
  });

  it('stands at the foot of what is too steep, as it presses against it', () => {
    for (const lean of [46, 60, 80]) {
      // A trace straight down meets the slope, and the floor 0.1 farther.
      const tracer = slopes(-lean, 0);
      const x = 0.11 / Math.tan((lean * Math.PI) / 180);
      const character = createController(tracer, { position: [x - 0.02, 0, 0.11] });
      for (let frame = 0; frame < 40; frame++) {
        expect(character.grounded).toBe(true);
        expect([...character.groundNormal]).toEqual([0, 0, 1]);
        character.walk([200, 10, 0], 0.016);
      }
      expect(character.position[0]).toBeCloseTo(0, 0);
      expect(character.position[1]).toBeCloseTo(6.4, 3);
      expect(character.position[2]).toBeCloseTo(0, 0);
      const state = createMoveState();
      state.position.set(character.position);
      expect(ground(tracer, state)).toBe(true);
      expect([...state.normal]).toEqual([0, 0, 1]);
    }
    // A ditch between two such slopes has no floor.
    expect(createController(slopes(-60, 60), { position: [0, 0, 0.1] }).grounded).toBe(false);
  });

  it.each([
    [0.5, 0.5],
    [0.5, 0.65],
  ])(
    'stands where two walls meet that are too steep, and does not climb between them: %f and %f',
    (c1, c2) => {
      const [a1, a2] = [Math.sqrt(1 - c1 * c1) * Math.SQRT1_2, Math.sqrt(1 - c2 * c2) * Math.SQRT1_2];
      const tracer = planes([-a1, a1, c1], [-a2, -a2, c2], [0, 0, 1]);
      const character = createController(tracer, { position: [-30, 0, 0.02] });
      for (let frame = 0; frame < 60; frame++) {
        character.walk([700, 3 * (frame % 3) - 3, 0], 0.016);
        expect([character.grounded, ...character.groundNormal]).toEqual([true, 0, 0, 1]);
        expect(character.position[2]).toBeLessThan(0.3);
      }
    },
  );

  it.each([
    ['box', 48, 18, 100],
    ['capsule', 24, 16, 100],
    ['capsule', 16, 8, 100],
    ['capsule', 16, 8, 300],
    // Short treads, as steep as it can be, and more than a step in a frame.
    ['capsule', 12, 10, 250],
    ['capsule', 16, 16, 100],
    ['sphere', 8, 8, 200],
    ['sphere', 16, 12, 100],
    ['box', 10, 10, 1500],
    ['capsule', 10, 10, 1500],
  ] as const)(
    'goes up and down stairs without a moment in the air: a %s, %i deep and %i high, at %i units a second',
    (kind, deep, high, speed) => {
      const fewest = (6 * deep + 122) / (0.016 * speed);
      const scene = createScene();
      const add = (from: number, to: number, top: number): number =>
        scene.add(createBody({ kind: 'box', mins: [from, -99, -400], maxs: [to, 99, top] }));
      for (let k = 0; k < 6; k++) add(k * deep, (k + 1) * deep, -k * high);
      add(-200, 0, 0);
      add(6 * deep, 6 * deep + 200, -6 * high);
      const character = createController(bodyOf(scene, kind, 15), { position: [-60, 0, 28.125] });
      for (const way of [1, -1]) {
        for (let frame = 0; Math.abs(character.position[0]! - 3 * deep) < 3 * deep + 61; frame++) {
          character.walk([speed * way, 0, 0], 0.016);
          expect(character.grounded).toBe(true);
          expect(character.groundNormal[2]).toBeGreaterThan(0.7);
          expect(frame).toBeLessThan(1.5 * fewest);
        }
        const { position } = character;
        expect(position[2]).toBeCloseTo(28.125 - (way > 0 ? 6 * high : 0), 1);
        character.teleport([way > 0 ? 6 * deep + 60 : -60, 0, position[2]!]);
      }
    },
  );

  it('goes up stairs in long frames as fast as in short ones', () => {
    const scene = createScene();
    for (let k = 0; k < 11; k++)
      scene.add(
        createBody({ kind: 'box', mins: [k === 0 ? -99 : 12 * k, -99, -9], maxs: [400, 99, 11 * k] }),
      );
    const character = createController(scene.box(MINS, MAXS), { position: [-16, 0, 24.125] });
    for (let frame = 0; frame < 6; frame++) character.move([25, 0, 0]);
    expect(character.position[0]).toBeGreaterThan(133);
    expect(character.position[2]).toBeCloseTo(24.125 + 110, 3);
  });

  it.each(['box', 'capsule', 'sphere'] as const)(
    'climbs no step that is too high, whatever is behind it: a %s',
    (kind) => {
      for (const [high, speed] of [
        [17.5, 40],
        [17.5, 320],
        [18.5, 40],
        [19, 200],
        [22, 320],
        [24, 900],
      ] as const) {
        for (const rise of [0, 8]) {
          const scene = createScene();
          const add = (from: number, to: number, top: number): number =>
            scene.add(createBody({ kind: 'box', mins: [from, -99, -400], maxs: [to, 99, top] }));
          add(-400, 0, 0);
          for (let k = 0; k < 6; k++) add(16 * k, k < 5 ? 16 * (k + 1) : 4000, high + rise * k);
          const character = createController(bodyOf(scene, kind, 28), { position: [-60, 0, 28.125] });
          for (let frame = 0; frame < 150; frame++) character.walk([speed, 0, 0], 0.016);
          expect(character.position[0]! > 0, `${high} units, ${speed} a second`).toBe(high < 18);
        }
      }
    },
  );

  it('follows stairs down in long frames too', () => {
    const scene = createScene();
    for (let k = -1; k < 6; k++) {
      const mins = [k < 0 ? -400 : 32 * k, -99, -400];
      scene.add(createBody({ kind: 'box', mins, maxs: [k < 5 ? 32 * (k + 1) : 600, 99, -14 * (k + 1)] }));
    }
    const character = createController(scene.sphere(17), { position: [-59.73, 0, 17.125] });
    for (let frame = 0; frame < 20; frame++) {
      character.walk([396, 0, 0], 0.033);
      expect(character.grounded).toBe(true);
    }
    expect(character.position[2]).toBeCloseTo(17.125 - 84, 1);
  });

  it.each(['capsule', 'sphere'] as const)(
    'falls off a ledge by gravity and is not pulled down: a %s',
    (kind) => {
      const scene = createScene();
      scene.add(createBody({ kind: 'box', mins: [-200, -99, -400], maxs: [0, 99, 0] }));
      const shape = bodyOf(scene, kind, 15);
      for (const speed of [50, 100, 200, 320]) {
        const character = createController(shape, { position: [-60, 0, 28.125] });
        for (let frame = 0; character.position[0]! < 40; frame++) {
          const { grounded, verticalSpeed } = character;
          const [x, , z] = character.position;
          character.walk([speed, 0, 0], 0.016);
          // As over a floor of 45 degrees at most, or else by gravity.
          const down = grounded ? character.position[0]! - x! : (6.4 - verticalSpeed) * 0.016;
          expect(z! - character.position[2]!).toBeLessThan(down + 0.05);
          expect(frame).toBeLessThan(200);
        }
        expect(character.grounded).toBe(false);
      }
    },
  );

  it('gets free where it is stuck, or says no', () => {
    const { scene, add } = room();
    const box = scene.box(MINS, MAXS);
    const character = createController(box, { position: [0, 0, 15] });
    character.move([1, 0, 0]);
    expect(character.stuck).toBe(true);
    expect(character.unstick(4)).toBe(false);
    expect(character.position).toEqual(Float32Array.of(0, 0, 15));
    expect(character.unstick()).toBe(true);
    // Straight up, out of the floor.
    expect([character.position[0], character.position[1]]).toEqual([0, 0]);
    expect(character.position[2]).toBeGreaterThan(24);
    expect(character.position[2]).toBeLessThan(24.5);
    expect([character.stuck, character.grounded]).toEqual([false, true]);
    const inSolid = (): boolean => box.trace(character.position, character.position).startSolid;
    expect(inSolid()).toBe(false);
    add([-60, -60, 0], [60, 60, 200]);
    expect(character.unstick(30)).toBe(false);
    expect(inSolid()).toBe(true);
    expect(character.unstick(100)).toBe(true);
    expect(inSolid()).toBe(false);
    // Below the floor, which is nearer than beside the box: to 1/64 unit.
    expect(character.position[2]).toBeLessThan(-16 - 32);
    expect(character.position[2]).toBeGreaterThanOrEqual(-16 - 32 - 1 / 64);
  });

  it('gets free of what it touches exactly, where that is solid for moves but not for position tests', () => {
    // A floor as one engine has it: who stands on it at z 24 fits there, but a move down from there is solid all the way.
    const floor = defineTracer({
      shape: { kind: 'box', mins: MINS, maxs: MAXS },
      trace: (start, end, out) => {
        const [from, to] = [start[2]!, end[2]!];
        const isInside = from === to ? from < 24 : from <= 24 && to < from;
        out.startSolid = isInside;
        out.allSolid = isInside;
        if (!isInside && to < from && to < 24 + 1 / 32) {
          out.fraction = Math.max((from - 24 - 1 / 32) / (from - to), 0);
          out.normal[2] = 1;
        }
        out.endPos.set([end[0]!, end[1]!, from + out.fraction * (to - from)]);
        return out;
      },
    });
    const character = createController(floor, { position: [0, 0, 24] });
    character.walk([100, 0, 0], 0.02);
    expect([character.stuck, character.grounded]).toEqual([true, false]);
    expect(character.unstick()).toBe(true);
    expect(character.stuck).toBe(false);
    expect(character.position[2]).toBeGreaterThan(24);
    expect(character.position[2]).toBeLessThan(24 + 1 / 32);
    character.walk([100, 0, 0], 0.02);
    expect([character.stuck, character.grounded, character.position[0]]).toEqual([false, true, 2]);
  });

  it('ends at the same bits every time, in worlds of either game', () => {
    for (const world of [quake1Arena(), quake3Arena()]) {
      const ends = [1, 2].map(() => {
        const random = createRandom(9);
        const character = createController(world.box(MINS, MAXS), { position: SPAWN });
        for (let k = 0; k < 500; k++)
          character.walk([400 * (random() - 0.5), 400 * (random() - 0.5), 0], 0.05);
        return character.position.join(' ');
      });
      expect(ends[0]).toBe(ends[1]);
      expect(ends[0]).not.toBe(SPAWN.join(' '));
    }
  });

  it('refuses what it cannot use, by name', () => {
    const box = room().scene.box(MINS, MAXS);
    expect(() => createController(5 as never)).toThrow('tracer must be a tracer, got 5');
    expect(() => createController(box, { slopeLimit: 91 })).toThrow(
      'slopeLimit must be from 0 to 90 degrees, got 91',
    );
    expect(() => createController(box, { snap: 1 } as never)).toThrow("there is no option 'snap' here");
    expect(() => createController(box, { gravity: Number.NaN })).toThrow('gravity must be a finite float32');
    expect(() => createController(box, { position: [0, 0] })).toThrow('position[2] must be a finite float32');
    const character = createController(box);
    expect(() => character.move([Number.NaN, 0, 0])).toThrow('delta[0] must be a finite float32, got NaN');
    expect(() => character.walk([0, 0, 0], Number.NaN)).toThrow('dt must be a finite float32, got NaN');
    expect(() => character.unstick(-1)).toThrow('distance must be a finite float32, 0 or more');
    // It would look for years.
    expect(() => character.unstick(1e30)).toThrow('distance must be at most 65536, got 1e+30');
  });
});

describe('a move beyond float32', () => {
  const scene = createScene();
  const elsewhere = scene.add(createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }), {
    origin: [99, 0, 0],
  });
  const box = scene.box(MINS, MAXS);
  const far = [3e38, 0, 0];

  it('is refused by what makes it so long, and moves nothing', () => {
    const character = createController(box, { position: far });
    expect(() => character.move(far)).toThrow(RangeError('delta must not lead beyond the range of float32'));
    // Turned, either part may become as long as both are.
    expect(() => character.move([0, 3e38, 3e38])).toThrow(RangeError);
    expect(() => character.walk([0, 2e38, 0], 2)).toThrow(/^velocity times dt must not lead beyond/);
    expect(Array.from(character.position)).toEqual(far.map(Math.fround));
    character.teleport([70, 0, 0]);
    character.move([30, 0, 0]);
    expect(() => character.move([3.4e38, 0, 0])).toThrow(RangeError);
    expect([...character.touched.subarray(0, character.numTouched)]).toEqual([elsewhere]);
    character.teleport(far);
    character.verticalSpeed = Number.NaN;
    expect(() => character.walk([0, 0, 0], 1)).toThrow(/^verticalSpeed must be a finite float32, got NaN/);
    for (const wrong of ['270', 270n, null, { valueOf: () => 270 }]) {
      Object.assign(character, { verticalSpeed: wrong });
      const before = Array.from(character.position);
      expect(() => character.walk([0, 0, 0], 0.1)).toThrow(TypeError);
      expect(() => character.walk([0, 0, 0], 0.1)).toThrow(/^verticalSpeed must be a finite float32, got /);
      expect(character.verticalSpeed).toBe(wrong);
      expect(Array.from(character.position)).toEqual(before);
    }
    const state = createMoveState();
    state.position.set(far);
    state.velocity.set(far);
    for (const move of [slide, step]) {
      expect(() => move(box, state, 1)).toThrow(/^state\.velocity times dt must not lead beyond/);
      expect(move(box, state, 0)).toBe(false);
    }
    expect(Array.from(state.position)).toEqual(far.map(Math.fround));
  });

  it('is one of bodies too, and of those that they push', () => {
    const character = createController(box, { position: far });
    const delta = /^delta must not lead beyond/;
    expect(() => pushBody(scene, elsewhere, far, [character])).toThrow(delta);
    expect(Array.from(scene.body(elsewhere).origin)).toEqual([99, 0, 0]);
    scene.move(elsewhere, { origin: far });
    expect(() => pushBody(scene, elsewhere, far, [])).toThrow(delta);
  });
});

describe('a move within a trace of another', () => {
  /** Slopes that call something before the second trace. */
  const asking = (ask: () => void) => {
    const tracer = slopes(60, 20);
    let count = 0;
    return defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        if (++count === 2) ask();
        return tracer.trace(start, end, out);
      },
    });
  };
  const doors = () => ({ body: () => ({ origin: [0, 0, 0] as const }), move: () => {} });
  const states = () => {
    const state = createMoveState();
    state.position.set([10, 3, 30]);
    state.velocity.set([-300, 40, -500]);
    const other = createMoveState();
    other.position.set([-10, 0, 90]);
    other.velocity.set([100, 0, -20]);
    return [state, other] as const;
  };

  it.each([
    ['slide', slide],
    ['step', step],
  ])('by the same tracer does not disturb it: %s', (_, act) => {
    const [alone, otherAlone] = states();
    act(slopes(60, 20), alone, 0.2);
    act(slopes(60, 20), otherAlone, 0.2);
    const [state, other] = states();
    const tracer = asking(() => {
      act(tracer, other, 0.2);
      ground(tracer, { ...other, position: Float32Array.of(0, 0, 1) });
    });
    act(tracer, state, 0.2);
    expect(state).toEqual(alone);
    expect(other.position).toEqual(otherAlone.position);
  });

  it('goes on after a trace that has thrown', () => {
    const tracer = asking(() => {
      throw new Error('of the collider');
    });
    const [alone] = states();
    slide(slopes(60, 20), alone, 0.2);
    expect(() => slide(tracer, states()[0], 0.2)).toThrow('of the collider');
    const [state] = states();
    slide(tracer, state, 0.2);
    expect(state).toEqual(alone);
  });

  it.each<[string, (character: Controller) => void]>([
    ['move', (character) => character.move([1, 0, 0])],
    ['walk', (character) => character.walk([1, 0, 0], 0.1)],
    ['teleport', (character) => character.teleport([0, 0, 9])],
    ['unstick', (character) => character.unstick()],
    ['pushBody', (character) => void pushBody(doors(), 1, [1, 0, 0], [character])],
  ])('of the same character throws: %s', (_, act) => {
    let ask: (() => void) | undefined;
    const tracer = slopes(0);
    const character = createController(
      defineTracer({
        shape: { kind: 'ray' },
        trace(start, end, out) {
          const act = ask;
          ask = undefined;
          act?.();
          return tracer.trace(start, end, out);
        },
      }),
      { position: [0, 0, 1] },
    );
    for (const outer of [
      () => character.move([5, 0, 0]),
      () => character.walk([5, 0, 0], 1),
      () => character.teleport([0, 0, 5]),
      () => character.unstick(),
      () => pushBody(doors(), 1, [5, 0, 0], [character]),
    ]) {
      ask = () => act(character);
      expect(outer).toThrow(new Error('a character cannot be used within its own move'));
      ask = undefined;
      act(character);
    }
  });
});

describe('what moves by itself', () => {
  const lift = () => {
    const { scene, add } = room();
    return { scene, platform: add([-50, -50, 1], [50, 50, 5]), box: scene.box(MINS, MAXS) };
  };

  it('carries who stands on it', () => {
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

  it('moves who is listed twice once', () => {
    const { scene, platform, box } = lift();
    const rider = createController(box, { position: [0, 0, 29.125] });
    const told: unknown[] = [];
    const note = (moved: unknown): number => told.push(moved);
    expect(pushBody(scene, platform, [0, 0, 4], [rider, rider], note)).toBeUndefined();
    expect(rider.position).toEqual(Float32Array.of(0, 0, 33.125));
    expect(told).toEqual([rider]);
  });

  it('pushes who is in its way, and is blocked by who cannot get out of it', () => {
    const { scene, platform, box } = lift();
    const character = createController(box, { position: [66, 0, 24.125] });
    expect(pushBody(scene, platform, [10, 0, 0], [character])).toBeUndefined();
    expect(character.position[0]).toBe(76);
    const told: number[] = [];
    const rider = createController(box, { position: [0, 0, 29.125] });
    const note = (moved: { position: Float32Array }): number => told.push(moved.position[0]!);
    // Into the stairs, which are too high to be pushed up.
    expect(pushBody(scene, platform, [30, 0, 0], [rider, character], note)).toBe(character);
    expect(Array.from(scene.body(platform).origin)).toEqual([10, 0, 0]);
    expect([rider.position[0], character.position[0]]).toEqual([0, 76]);
    expect(told).toEqual([30, 0]);
  });

  it('is put back with all that it has moved if what is told of them throws', () => {
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
    // Once.
    expect(push(() => told.length === 2)).toEqual([first, second, second, first]);
    // And again whenever it is told of it: the first error is passed on.
    expect(push((moved) => moved === second)).toEqual([first, second, second, first]);
    // While all are put back for another that blocks it.
    told.length = 0;
    const note = (moved: unknown): void => {
      told.push(moved);
      if (told.length > 2) throw new Error(`not back: ${told.length}`);
    };
    // Into the stairs, which are too high to be pushed up.
    expect(() => pushBody(scene, platform, [40, 0, 0], [first, third, second], note)).toThrow('not back: 3');
    expect(places()).toEqual(before);
    expect(told).toEqual([first, third, third, first]);
  });

  it('is not blocked by who was stuck in something else already, but by who is stuck in it', () => {
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

  it('leaves who stands on the edges of stairs there, and carries them', () => {
    const scene = createScene();
    const add = (x: number, top: number): number =>
      scene.add(createBody({ kind: 'box', mins: [x, -99, -99], maxs: [400, 99, top] }));
    const stairs = [-400, 0, 16, 32, 48].map((x, k) => add(x, 12 * k));
    const shape = scene.sphere(28);
    const character = createController(shape, { position: [-60, 0, 28.125] });
    /** How level it is what it stands on: it is an edge alone that is too steep for one who falls onto it. */
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

  it('lifts by its edge who stands there, who has moved and who has not', () => {
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
    // Without the one that blocks it, it goes there.
    expect(pushBody(scene, platform, [0, 30, 0], [rider, jumper, above])).toBeUndefined();
    expect([rider.position[1], jumper.position[1], above.groundEntity]).toEqual([30, 96, platform]);
    expect(jumper.verticalSpeed).toBe(200);
  });

  /** The arena's door that turns, by its hinge in the south, and its lift. */
  const turning = () => {
    const world = quake3Arena();
    const scene = createScene(world);
    const entity = world.entities().find(({ classname }) => classname === 'func_door_rotating')!;
    const hinge = entityVector(entity, 'origin')!;
    const door = scene.add(world.model(entityModel(entity)!), { origin: hinge });
    return { scene, door, hinge, plat: scene.add(world.model(1)), box: scene.box(MINS, MAXS) };
  };

  it('turns with who stands on it, about its origin', () => {
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

  it('turns as far as angles say, whichever way it is turned already', () => {
    const scene = createScene();
    // A box, which angles do not turn: who stands on it goes where it would.
    const slab = scene.add(createBody({ kind: 'box', mins: [-200, -200, -1], maxs: [200, 200, 0] }));
    scene.move(slab, { angles: [-90, 0, 0] });
    const rider = createController(scene.box([-1, -1, 0], [1, 1, 2]), { position: [100, 0, 0.03125] });
    expect(rider.groundEntity).toBe(slab);
    // Its forward is up, its up is backwards: yaw turns it about the world's vertical all the same.
    expect(pushBody(scene, slab, { turn: [0, 90, 0] }, [rider])).toBeUndefined();
    expect(rider.position[0]).toBeCloseTo(0, 4);
    expect(rider.position[1]).toBeCloseTo(100, 4);
    expect(rider.position[2]).toBeCloseTo(0.03125, 4);
  });

  it('sweeps along who is in the way of a door that turns, and is blocked by who has no room', () => {
    const world = quake3Arena();
    const entity = world.entities().find(({ classname }) => classname === 'func_door_rotating')!;
    // The door alone, on a floor: 8 wide, 128 long, to the north of its hinge.
    const scene = createScene();
    scene.add(createBody({ kind: 'box', mins: [-500, -500, -16], maxs: [500, 500, 0] }));
    const door = scene.add(world.model(entityModel(entity)!), { origin: [0, 0, 60] });
    const box = scene.box(MINS, MAXS);
    /** Turns it to the east, and says how far it went. */
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
    scene.move(platform, { angles: [0, 3e38, 0] });
    expect(push({ turn: [0, 3e38, 0] })).toThrow('turn must not lead beyond the range of float32');
    expect(Array.from(scene.body(platform).angles)).toEqual([0, Math.fround(3e38), 0]);
  });
});

describe('a future position', () => {
  it('comes in six steps', () => {
    const object = createMovingObject();
    object.position.set([10, 0, 100]);
    object.movement.set([100, 0, 0]);
    const at = futurePosition(object, { direction: [0, 5, 9], force: 60, friction: 50, gravity: 400 }, 0.5);
    expect(at).toBe(object.newPosition);
    expect(object.acceleration).toEqual(Float32Array.of(-50, 60, -400));
    expect(object.movement).toEqual(Float32Array.of(75, 30, -200));
    expect(object.distance).toEqual(Float32Array.of(37.5, 15, -100));
    expect(at).toEqual(Float32Array.of(47.5, 15, 0));
    expect(object.position).toEqual(Float32Array.of(10, 0, 100));
  });

  it('has friction that stops and never turns round, and a greatest speed', () => {
    const object = createMovingObject();
    object.movement.set([-30, 40, 0]);
    futurePosition(object, { friction: 1000, gravity: 0 }, 0.25);
    expect(object.movement).toEqual(new Float32Array(3));
    for (let k = 0; k < 100; k++)
      futurePosition(object, { direction: [3, 4, 0], force: 500, maxSpeed: 200 }, 0.1);
    expect(object.movement[0]).toBeCloseTo(120, 3);
    expect(object.movement[1]).toBeCloseTo(160, 3);
    expect(object.movement[2]).toBeCloseTo(-8000, 1);
    expect(Array.from(futurePosition(createMovingObject(), {}, 0))).toEqual([0, 0, 0]);
  });

  it('as printed, pushes what stands still and what moves backwards, harder each frame', () => {
    const object = createMovingObject();
    object.movement.set([-100, 0, 0]);
    const asPrinted = { friction: 50, gravity: 0, asPrinted: true };
    futurePosition(object, asPrinted, 0.5);
    expect(object.acceleration.slice(0, 2)).toEqual(Float32Array.of(-50, -50));
    expect(object.movement).toEqual(Float32Array.of(-125, -25, 0));
    futurePosition(object, { ...asPrinted, direction: [0, 2, 0], force: 30 }, 0.5);
    expect(object.acceleration.slice(0, 2)).toEqual(Float32Array.of(-100, -70));
    // As it is meant, friction slows it, and a frame begins without acceleration.
    futurePosition(object, { ...asPrinted, asPrinted: false }, 0.5);
    expect(object.movement[0]).toBeGreaterThan(-175);
    expect(Math.hypot(object.acceleration[0]!, object.acceleration[1]!)).toBeCloseTo(50, 4);
    expect(() => futurePosition(object, { asPrinted: 1 } as never, 1)).toThrow('asPrinted must be');
    object.acceleration[1] = Number.NaN;
    expect(() => futurePosition(object, asPrinted, 1)).toThrow('object.acceleration[1] must be');
  });

  it('refuses what it cannot use, by name', () => {
    const object = createMovingObject();
    expect(() => futurePosition({} as never, {}, 1)).toThrow('object.position must be a Float32Array');
    expect(() => futurePosition(object, { friction: -1 }, 1)).toThrow(
      'friction must be a finite float32, 0 or more',
    );
    expect(() => futurePosition(object, { direction: [0, Number.NaN, 0] }, 1)).toThrow(
      'direction[1] must be',
    );
    expect(() => futurePosition(object, { mass: 1 } as never, 1)).toThrow("there is no option 'mass' here");
    expect(() => futurePosition(object, {}, Number.NaN)).toThrow('frameTime must be');
    expect(object).toEqual(createMovingObject());
  });

  it('changes nothing where float32 cannot hold the new one', () => {
    const object = createMovingObject();
    const far = (forces: object, time: number) => () => futurePosition(object, forces, time);
    expect(far({ gravity: 1e38 }, 1e10)).toThrow(
      new RangeError('object.newPosition[2] must be a finite float32, got -Infinity'),
    );
    // On the way alone: the greatest speed would make nothing of it.
    expect(far({ direction: [1, 0, 0], force: 3e38, maxSpeed: 1 }, 10)).toThrow('object.newPosition[0]');
    expect(object).toEqual(createMovingObject());
    object.position[1] = 3.4e38;
    object.movement[1] = 3.4e38;
    expect(far({ gravity: 0 }, 1)).toThrow('object.newPosition[1] must be a finite float32, got Infinity');
    expect(object.movement[1]).toBe(Math.fround(3.4e38));
  });
});
