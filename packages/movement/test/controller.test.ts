import { defineTracer, resetTrace, type Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { createBody, createScene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createController, createMoveState, ground } from '../src/index.ts';
import { quake1Arena, quake3Arena, SPAWN } from './arena.ts';
import { bodyOf, MAXS, MINS, planes, room, slopes } from './rooms.ts';

type Point = [number, number, number];

/** Points of a way along x, or along y. */
const alongAxis =
  (axis: 0 | 1) =>
  (along: number, across: number, z: number): Point =>
    axis === 0 ? [along, across, z] : [across, along, z];

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

  it('falls until float32 ends, and refuses only the walk that would lead beyond', () => {
    const { scene } = room();
    const character = createController(scene.box(MINS, MAXS), { position: [0, 0, -1e37] });
    character.verticalSpeed = -3e38;
    character.walk([10, 0, 0], 1);
    const there = [10, 0, Math.fround(-3.1e38)];
    expect([...character.position]).toEqual(there);
    expect(() => character.walk([10, 0, 0], 1)).toThrow('velocity times dt must not lead beyond');
    expect([...character.position]).toEqual(there);
  });

  it('gets free in any of 26 directions, the first of which is up', () => {
    const ways: Point[] = [];
    for (const z of [1, 0, -1]) for (const y of [1, 0, -1]) for (const x of [1, 0, -1]) ways.push([x, y, z]);
    /** Free is what is within a unit of some places. */
    const free = (...places: Point[]) =>
      createController(
        defineTracer({
          shape: { kind: 'ray' },
          trace(start, end, out) {
            const near = (place: Point): boolean => place.every((x, k) => Math.abs(start[k]! - x) <= 1);
            out.startSolid = !places.some(near);
            for (let k = 0; k < 3; k++) out.endPos[k] = end[k]!;
            return out;
          },
        }),
      );
    /** The place 16 units away. */
    const at = (way: Point): Point =>
      way.map((x) => (16 * x) / Math.sqrt(way.filter((y) => y !== 0).length)) as Point;
    for (const way of ways.filter((each) => each.some((x) => x !== 0))) {
      const character = free(at(way));
      expect(character.unstick(), `${way}`).toBe(true);
      const [place, to] = [character.position, at(way)];
      for (let k = 0; k < 3; k++) expect(Math.abs(place[k]! - to[k]!), `${way}`).toBeLessThanOrEqual(1);
      expect(place.every((x, k) => Math.sign(Math.round(x)) === way[k])).toBe(true);
    }
    expect(free([7, 14, 0]).unstick()).toBe(false);
    const character = free(at([1, 0, 0]), at([0, 0, -1]), at([0, 0, 1]), at([1, 0, 1]));
    expect(character.unstick()).toBe(true);
    expect(character.position[2]).toBeGreaterThan(14);
  });

  it('is as it was before a move in which its tracer throws, wherever it does', () => {
    const { scene } = room();
    const body = scene.box(MINS, MAXS);
    let left = Infinity;
    const tracer = {
      createTrace: () => body.createTrace(),
      trace(...args: Parameters<typeof body.trace>) {
        if (left-- <= 0) throw new Error('torn');
        return body.trace(...args);
      },
    };
    const character = createController(tracer, { position: [0, 0, 24.125] });
    const seen = (): unknown => ({
      position: [...character.position],
      groundNormal: [...character.groundNormal],
      grounded: character.grounded,
      groundEntity: character.groundEntity,
      touched: [...character.touched.subarray(0, character.numTouched)],
      stuck: character.stuck,
      verticalSpeed: character.verticalSpeed,
    });
    // Up the stairs, in moves of several parts.
    const moves = [
      () => character.move([40, 3, 0]),
      () => character.walk([400, 30, 0], 0.1),
      () => character.unstick(),
      () => character.teleport([8, 8, 60]),
    ];
    for (const move of [...moves, ...moves]) {
      const before = seen();
      let count = 0;
      for (; ; count++) {
        left = count;
        try {
          move();
          break;
        } catch (error) {
          expect(error).toEqual(new Error('torn'));
          expect(seen()).toEqual(before);
        }
      }
      left = Infinity;
      expect(count).toBeGreaterThan(0);
    }
  });

  it('follows the ground down as far as it is told, or not at all', () => {
    for (const [snapToGround, follows] of [
      [undefined, true],
      [12.5, true],
      [11, false],
      [0, false],
    ] as const) {
      const { scene } = room();
      const character = createController(scene.box(MINS, MAXS), { position: [170, 0, 48.125], snapToGround });
      expect(character.grounded).toBe(true);
      let isGrounded = true;
      for (let k = 0; k < 12; k++) {
        character.move([-5, 0, 0]);
        isGrounded &&= character.grounded;
      }
      expect([snapToGround, isGrounded]).toEqual([snapToGround, follows]);
      expect(character.position[2]).toBeCloseTo(follows ? 36.125 : 48.125, 1);
    }
  });

  it('climbs steps, however little it moves in a frame', () => {
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

  it('no longer rises once it has met a ceiling', () => {
    const { scene, add } = room();
    add([-500, -500, 100], [500, 500, 120]);
    const character = createController(scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
    character.verticalSpeed = 400;
    // 44 units higher, after an eighth of a second.
    const speeds = Array.from({ length: 7 }, () => {
      character.walk([0, 0, 0], 0.02);
      return character.verticalSpeed;
    });
    expect(speeds).toEqual([384, 368, 352, 336, 320, 304, 0]);
    expect(character.position[2]).toBeCloseTo(67.875, 1);
  });

  it('jumps as high, and meets a ceiling as soon, however short frames are', () => {
    const { scene, add } = room();
    for (const [speed, rate] of [
      [270, 50],
      [270, 2000],
      [200, 1000],
      [50, 240],
    ] as const) {
      const character = createController(scene.capsule(MINS, MAXS), { position: [0, 0, 24.125] });
      character.verticalSpeed = speed;
      // A page may draw twice at one time.
      character.walk([0, 0, 0], 0);
      expect([character.verticalSpeed, character.position[2]]).toEqual([speed, 24.125]);
      let top = 0;
      for (let k = 0; k < rate; k++) {
        character.walk([0, 100, 0], 1 / rate);
        top = Math.max(top, character.position[2]!);
      }
      expect(top).toBeCloseTo(24.125 + speed ** 2 / 1600, 0);
      expect(character.grounded).toBe(true);
    }
    add([-500, -500, 100], [500, 500, 120]);
    const character = createController(scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
    character.verticalSpeed = 400;
    let frames = 0;
    for (; character.verticalSpeed > 0; frames++) character.walk([0, 0, 0], 1 / 2000);
    expect(frames / 2000).toBeCloseTo(0.125, 2);
  });

  it('does not leave a slope by a jump that leads into that, nor a floor to which reversed time leads back', () => {
    const climber = createController(slopes(0, -30), { position: [0, 0, 0.01] });
    climber.walk([100, 0, 0], 0.01);
    climber.verticalSpeed = 50;
    climber.walk([100, 0, 0], 0.001);
    expect([climber.grounded, climber.verticalSpeed]).toEqual([true, 0]);
    climber.verticalSpeed = 70;
    climber.walk([100, 0, 0], 0.001);
    expect(climber.verticalSpeed).toBeCloseTo(69.2, 3);
    const character = createController(room().scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
    character.verticalSpeed = 200;
    character.walk([0, 0, 0], 0.1);
    for (let k = 0; k < 200 && !character.grounded; k++) character.walk([0, 0, 0], -0.001);
    expect([character.grounded, character.verticalSpeed]).toEqual([true, 0]);
  });

  it('touches nothing below an edge where it falls from that', () => {
    const { scene, add } = room();
    add([-200, -100, 100], [0, 100, 200]);
    const below = add([0, -100, 150], [200, 100, 175]);
    const character = createController(scene.box(MINS, MAXS), { position: [0, 0, 224.125] });
    character.move([20, 0, 0]);
    expect(character.grounded).toBe(false);
    expect(character.position[2]).toBe(Math.fround(224.125));
    expect([...character.touched.subarray(0, character.numTouched)]).not.toContain(below);
  });

  it.each([0, 10])('takes a fall back that ends in solid, after %f units', (depth) => {
    const { scene, add } = room();
    add([-200, -100, 100], [0, 100, 200]);
    const box = scene.box(MINS, MAXS);
    // What begins below that is in solid, and so is a fall of more than snapToGround if it has no way at all.
    const solid = 224.125 - depth / 2;
    const tracer = {
      createTrace: () => box.createTrace(),
      trace(start: Vec3, end: Vec3, out: ReturnType<typeof box.createTrace>) {
        box.trace(start, end, out);
        if (start[2]! < solid || (depth === 0 && end[2]! < start[2]! - 30))
          Object.assign(out, { fraction: 0, startSolid: true, allSolid: true }).endPos.set(start);
        else if (end[2]! < start[2]! - 30) {
          out.fraction = depth / (start[2]! - end[2]!);
          out.endPos.set([start[0]!, start[1]!, start[2]! - depth]);
          out.normal.set([1, 0, 0]);
        }
        return out;
      },
    };
    const character = createController(tracer, { position: [0, 0, 224.125] });
    expect(character.grounded).toBe(true);
    character.move([20, 0, 0]);
    expect([...character.position]).toEqual([20, 0, 224.125]);
    expect([character.grounded, character.stuck]).toEqual([false, false]);
  });

  it('says what its latest move touched, the world too, as far as there is room', () => {
    const corner = createController(planes([0, 0, 1], [-1, 0, 0]), { position: [-5, 0, 0.02] });
    corner.move([10, 0, 0]);
    expect([...corner.touched.subarray(0, corner.numTouched)]).toEqual([0]);
    // On a floor, and along something that is another body at each contact.
    const floor = planes([0, 0, 1]);
    let bodies = 0;
    const crowd = {
      createTrace: () => Object.assign(floor.createTrace(), { entity: 0 }),
      trace(start: Vec3, end: Vec3, out: ReturnType<typeof this.createTrace>) {
        floor.trace(start, end, resetTrace(out) as typeof out);
        if (end[0] === start[0]) return out;
        out.entity = ++bodies;
        // It gets farther each time, and so higher up than on the floor.
        out.fraction = 0.5 + bodies / 1000;
        out.normal.set([0, -1, 0]);
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
        return out;
      },
    };
    const character = createController(crowd, { position: [0, 0, 0.02] });
    character.move([72, 0, 0]);
    expect(bodies).toBeGreaterThan(character.touched.length);
    expect(character.numTouched).toBe(character.touched.length);
    expect(new Set(character.touched).size).toBe(character.touched.length);
    character.move([0, 0, 1]);
    expect(character.numTouched).toBe(0);
  });

  it('says whether it stands, and on what, which cannot be set', () => {
    const character = createController(room().scene.box(MINS, MAXS), { position: [0, 0, 100] });
    for (const told of [{ grounded: true }, { groundEntity: 0 }]) {
      expect(() => Object.assign(character, told)).toThrow(TypeError);
    }
    // Without a floor to walk along, its direction would be NaN.
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

  it('does not fall faster and faster while slopes hold it, but walks on along them', () => {
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
    // A single slope holds nobody: it falls along that, faster and faster, even though it walks against it.
    const character = createController(slopes(60, 0), { position: [-5000, 0, 8660.4] });
    for (let frame = 0; frame < 60; frame++) character.walk([-320, 0, 0], 0.016);
    expect(character.verticalSpeed).toBeCloseTo(-60 * 0.016 * 800, 3);
  });

  it('stands at the foot of a slope that is too steep, while it presses against it', () => {
    for (const lean of [46, 60, 80]) {
      // A trace straight down meets the slope, with the floor 0.1 below.
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
    ['box', 48, 18, 100, 0],
    ['capsule', 24, 16, 100, 0],
    ['capsule', 16, 8, 100, 1],
    ['capsule', 16, 8, 300, 0],
    // Short treads, on the steepest stairs possible, and more than a step in a frame.
    ['capsule', 12, 10, 250, 1],
    ['capsule', 16, 16, 100, 0],
    ['sphere', 8, 8, 200, 0],
    ['sphere', 16, 12, 100, 1],
    ['box', 10, 10, 1500, 0],
    ['capsule', 10, 10, 1500, 1],
  ] as const)(
    'goes up and down stairs without a moment in the air: a %s, %i deep and %i high, at %i units a second, along axis %i',
    (kind, deep, high, speed, axis) => {
      const fewest = (6 * deep + 122) / (0.016 * speed);
      const at = alongAxis(axis);
      const scene = createScene();
      const add = (from: number, to: number, top: number): number =>
        scene.add(createBody({ kind: 'box', mins: at(from, -99, -400), maxs: at(to, 99, top) }));
      for (let k = 0; k < 6; k++) add(k * deep, (k + 1) * deep, -k * high);
      add(-200, 0, 0);
      add(6 * deep, 6 * deep + 200, -6 * high);
      const character = createController(bodyOf(scene, kind, 15), { position: at(-60, 0, 28.125) });
      for (const way of [1, -1]) {
        for (let frame = 0; Math.abs(character.position[axis]! - 3 * deep) < 3 * deep + 61; frame++) {
          character.walk(at(speed * way, 0, 0), 0.016);
          expect(character.grounded).toBe(true);
          expect(character.groundNormal[2]).toBeGreaterThan(0.7);
          expect(frame).toBeLessThan(1.5 * fewest);
        }
        const { position } = character;
        expect(position[2]).toBeCloseTo(28.125 - (way > 0 ? 6 * high : 0), 1);
        character.teleport(at(way > 0 ? 6 * deep + 60 : -60, 0, position[2]!));
      }
    },
  );

  it.each([0, 1])('goes up stairs in long frames as fast as in short ones, along axis %i', (axis) => {
    const scene = createScene();
    for (let k = 0; k < 11; k++) {
      const mins: Point = [-99, -99, -9];
      if (k > 0) mins[axis] = 12 * k;
      scene.add(createBody({ kind: 'box', mins, maxs: [400, 400, 11 * k] }));
    }
    const [position, delta] = [
      [0, 0, 24.125],
      [0, 0, 0],
    ] as [Point, Point];
    position[axis] = -16;
    delta[axis] = 25;
    const character = createController(scene.box(MINS, MAXS), { position });
    for (let frame = 0; frame < 6; frame++) character.move(delta);
    expect(character.position[axis]).toBeCloseTo(134, 1);
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

  it('climbs no kerb from level ground that is higher than a step, however round it is', () => {
    const random = createRandom(seedOf(5));
    const whole = (least: number, most: number): number => least + Math.floor((most - least + 1) * random());
    const seen = new Set<boolean>();
    for (let k = 0; k < 40; k++) {
      const [radius, stepHeight, far] = [whole(8, 32), whole(4, 20), whole(1, 2)];
      const isLow = k % 2 === 0;
      const high = stepHeight + (isLow ? -0.25 : 0.25 + 0.3 * stepHeight * random());
      // It rolls over what is lower than that: as up a slope of 45 degrees.
      if (high < 0.3 * radius + 0.2) continue;
      seen.add(isLow);
      const scene = createScene();
      const axis = k % 4 < 2 ? 0 : 1;
      const at = alongAxis(axis);
      for (const [from, to, top] of [
        [-600, 0, 0],
        [0, 600, high],
      ] as const)
        scene.add(createBody({ kind: 'box', mins: at(from, -99, -400), maxs: at(to, 99, top) }));
      const shape = k % 3 === 0 ? scene.sphere(radius) : scene.capsule({ radius, height: 2 * radius + 20 });
      const height = k % 3 === 0 ? radius : radius + 10;
      const character = createController(shape, { stepHeight, position: at(-34, 0, height + 0.125) });
      for (let moved = 0; moved < 48; moved += far) character.move(at(far, 0, 0));
      expect(character.position[axis]! > 5, `${high} of ${stepHeight} units, radius ${radius}`).toBe(isLow);
    }
    expect(seen.size).toBe(2);
  });

  it.each([
    ['no stairs that are too high', 18, 12, 13, 6, 4, false],
    ['stairs from edge to edge, though several are higher than a step', 20, 10, 8, 5, 30, true],
  ])('climbs, where treads are shorter than it, %s', (_, radius, stepHeight, high, deep, far, climbs) => {
    const scene = createScene();
    for (let k = -1; k < 4; k++) {
      const mins = [k < 0 ? -600 : deep * k, -99, -400] as const;
      scene.add(createBody({ kind: 'box', mins, maxs: [k < 3 ? deep * (k + 1) : 600, 99, high * (k + 1)] }));
    }
    const character = createController(scene.sphere(radius), {
      position: [-60, 0, radius + 0.125],
      stepHeight,
      snapToGround: stepHeight,
    });
    expect(character.grounded).toBe(true);
    for (let moved = 0; moved < 100; moved += far) character.move([far, 0, 0]);
    expect(character.position[0]! > 5).toBe(climbs);
  });

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
    'falls off a ledge by gravity, without being pulled down: a %s',
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
          // As over a floor of 45 degrees at most, or by gravity.
          const down = grounded ? character.position[0]! - x! : (6.4 - verticalSpeed) * 0.016;
          expect(z! - character.position[2]!).toBeLessThan(down + 0.05);
          expect(frame).toBeLessThan(200);
        }
        expect(character.grounded).toBe(false);
      }
    },
  );

  it.each([
    [45, 0.5, 0.8],
    [60, 0.5 / Math.sqrt(3), 0.4],
    // Not farther than it looks down, though that would be 1.4 times as far.
    [20, 1, 0.8],
  ])(
    'follows stairs down if the next is near, as far ahead as such stairs lead down: up to %i degrees',
    (slopeLimit, share, far) => {
      const [snap, drop] = [4, 3.8];
      const ahead = share * (snap + 1 / 64);
      // An eighth of a unit more than that of the sphere, as traces keep from what they hit.
      const radius = 16 + 1 / 8;
      // Touching the edge of the upper stair, this far beyond it, its middle is this high above it.
      const high = (x: number): number => (x < radius ? Math.sqrt(radius * radius - x * x) : -Infinity);
      const followed = new Set<boolean>();
      for (let x = radius * Math.sin((slopeLimit * Math.PI) / 180) + far + 0.05; x < 15.2; x += 0.1) {
        // Looking down from ahead, it meets the lower stair, or rather the edge still.
        const clear = high(x) - drop - high(x + ahead);
        if (Math.abs(clear) < 0.05) continue;
        followed.add(clear > 0);
        const scene = createScene();
        const below = high(x) - drop - radius;
        scene.add(createBody({ kind: 'box', mins: [-200, -99, -400], maxs: [0, 99, 0] }));
        scene.add(createBody({ kind: 'box', mins: [0, -99, -400], maxs: [99, 99, below] }));
        const character = createController(scene.sphere(16), { slopeLimit, snapToGround: snap });
        const from = high(x - far) + 0.01;
        character.teleport([x - far, 0, from], true);
        character.move([far, 0, 0]);
        expect([x, character.grounded]).toEqual([x, clear > 0]);
        expect(character.position[2]).toBeCloseTo(clear > 0 ? high(x) : from, 1);
      }
      expect(followed.size).toBe(2);
    },
  );

  it('jumps against a slope that is too steep no higher than elsewhere, however far at once', () => {
    for (const delta of [
      [20, 0, 3],
      [20, 0, 0.75],
      [5, 0, 3],
    ] as const) {
      const character = createController(slopes(0, -60), { position: [-3, 0, 0.02] });
      expect(character.grounded).toBe(true);
      character.move(delta);
      expect(character.position[0]).toBeLessThan(3);
      expect(Math.abs(character.position[2]! - delta[2])).toBeLessThan(0.1);
    }
  });

  it('asks no more for a long move than for a short one where nothing is in the way, or it is stuck', () => {
    const floor = slopes(0);
    let asked = 0;
    let isSolid = false;
    const character = createController(
      defineTracer({
        shape: { kind: 'ray' },
        trace(start, end, out) {
          asked++;
          floor.trace(start, end, out);
          return isSolid ? Object.assign(out, { fraction: 0, startSolid: true, allSolid: true }) : out;
        },
      }),
      { position: [0, 0, 0.02] },
    );
    for (isSolid of [false, true]) {
      const counts = [4, 40].map((far) => {
        asked = 0;
        character.move([far, 0, 0]);
        expect([character.stuck, character.grounded]).toEqual([isSolid, true]);
        return asked;
      });
      expect(counts[1]).toBe(counts[0]);
    }
  });

  it('moves all the way where it leaves the ground, however far', () => {
    for (const far of [30, 100, 2000]) {
      const scene = createScene();
      scene.add(createBody({ kind: 'box', mins: [-99, -99, -9], maxs: [0, 99, 0] }));
      const character = createController(scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
      expect(character.grounded).toBe(true);
      character.move([far, 0, 0]);
      expect([character.position[0], character.grounded]).toEqual([far, false]);
    }
  });

  it('falls where the ground is taken away while it stands still', () => {
    const { scene, floor } = room();
    const character = createController(scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
    scene.move(floor, { origin: [0, 0, -300] });
    character.walk([0, 0, 0], 0.1);
    expect(character.grounded).toBe(false);
    character.walk([0, 0, 0], 0.1);
    expect(character.position[2]).toBeCloseTo(24.125 - 4, 3);
  });

  it('gets free where it is stuck, or says that it cannot', () => {
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

  it('stands on what is below 0 0 0 if it begins there, whether that was said or not', () => {
    const scene = createScene();
    const floor = scene.add(createBody({ kind: 'box', mins: [-99, -99, -99], maxs: [99, 99, -24.125] }));
    const box = scene.box(MINS, MAXS);
    for (const options of [undefined, {}, { position: undefined }, { position: [0, 0, 0] }]) {
      const character = createController(box, options);
      expect([character.grounded, character.groundEntity]).toEqual([true, floor]);
      expect(character.groundNormal).toEqual(Float32Array.of(0, 0, 1));
    }
  });

  it('stays on the edge of a step when it is freed where it is free already', () => {
    const scene = createScene();
    for (const [x, top] of [
      [-400, 0],
      [0, 12],
      [16, 24],
      [32, 36],
    ] as const)
      scene.add(createBody({ kind: 'box', mins: [x, -99, -99], maxs: [400, 99, top] }));
    const character = createController(scene.sphere(28), { position: [-60, 0, 28.125] });
    const other = createController(scene.sphere(28));
    let edges = 0;
    for (let frame = 0; frame < 60; frame++) {
      character.walk([100, 0, 0], 0.016);
      const { position, grounded, groundEntity } = character;
      const normal = Float32Array.from(character.groundNormal);
      other.teleport(position);
      if (other.grounded !== grounded) edges++;
      expect(character.unstick()).toBe(true);
      expect([character.grounded, character.groundEntity]).toEqual([grounded, groundEntity]);
      expect(character.groundNormal).toEqual(normal);
    }
    expect(edges).toBeGreaterThan(2);
  });

  it('walks off what it exactly touches, if that is solid for moves but not for position tests', () => {
    // A floor and a wall as in one engine: at z 24 a body fits exactly on the floor, and a move that ends there is not stopped, but
    // a move down from there is solid all the way. The same at x 100.
    const box = defineTracer({
      shape: { kind: 'box', mins: MINS, maxs: MAXS },
      trace: (start, end, out) => {
        for (const [axis, from, to] of [
          [2, start[2]! - 24, end[2]! - 24],
          [0, 100 - start[0]!, 100 - end[0]!],
        ] as const) {
          const isInside = from < 0 || (from === 0 && to < from);
          out.startSolid ||= isInside;
          out.allSolid ||= isInside && to <= 0;
          const fraction = Math.max((from - 1 / 32) / (from - to), 0);
          if (isInside || to === 0 || to >= from || to >= 1 / 32 || fraction >= out.fraction) continue;
          out.fraction = fraction;
          out.normal.set(axis === 2 ? [0, 0, 1] : [-1, 0, 0]);
        }
        out.endPos.set([0, 1, 2].map((k) => start[k]! + out.fraction * (end[k]! - start[k]!)));
        return out;
      },
    });
    const character = createController(box, { position: [0, 0, 24] });
    for (let frame = 1; frame <= 2; frame++) {
      character.walk([100, 0, 0], 0.02);
      expect([character.stuck, character.grounded, character.position[0]]).toEqual([false, true, 2 * frame]);
    }
    // It falls by 1, 3 and 5 units, and so to the floor exactly.
    character.teleport([0, 0, 24 + 9]);
    for (let frame = 0; frame < 4; frame++) {
      character.walk([0, 0, 0], 0.05);
      if (frame === 2) expect(character.position[2]).toBe(24);
      expect(character.stuck).toBe(false);
    }
    expect(character.grounded).toBe(true);
    // What is really in solid, however little, stays there until it is asked to leave.
    const within = createController(box, { position: [0, 0, 24 - 1 / 64] });
    within.walk([100, 0, 0], 0.02);
    expect([within.stuck, within.position[2]]).toEqual([true, 24 - 1 / 64]);
    // It walks to the wall exactly, and falls beside it.
    for (const height of [24, 24 + 40]) {
      character.teleport([0, 0, height]);
      for (let frame = 0; frame < 60; frame++) character.walk([100, 0, 0], 0.05);
      expect([character.stuck, character.grounded]).toEqual([false, true]);
      expect(character.position[0]).toBeCloseTo(100, 1);
    }
  });

  it('moves on from what it exactly touches, if that is solid for position tests and for moves towards it', () => {
    // A block without a floor, up to x 100 and z 0, as another engine has it: a body that exactly touches its side is in solid, and
    // yet a move that does not lead towards it passes.
    const box = defineTracer({
      shape: { kind: 'box', mins: MINS, maxs: MAXS },
      trace: (start, end, out) => {
        const [side, above] = [start[0]! - 15 - 100, start[2]! - 24];
        const [toSide, toAbove] = [end[0]! - 15 - 100, end[2]! - 24];
        const isStill = side === toSide && above === toAbove && start[1] === end[1];
        const isTouching = side === 0 && (isStill || toSide < 0);
        if ((side < 0 || isTouching) && above <= 0) {
          out.startSolid = true;
          out.allSolid = toSide <= 0 && toAbove <= 0;
          if (isStill) out.fraction = 0;
        } else if (above > 0 && toAbove <= 0 && (side < 0 || toSide < 0)) {
          out.fraction = Math.max((above - 1 / 32) / (above - toAbove), 0);
          out.normal.set([0, 0, 1]);
        } else if (above <= 0 && side > 0 && toSide <= 0) {
          out.fraction = Math.max((side - 1 / 32) / (side - toSide), 0);
          out.normal.set([1, 0, 0]);
        }
        out.endPos.set([0, 1, 2].map((k) => start[k]! + out.fraction * (end[k]! - start[k]!)));
        return out;
      },
    });
    // It walks off the block, touches its side, and falls.
    const character = createController(box, { position: [112, 0, 24 + 1 / 32] });
    character.walk([30, 0, 0], 0.1);
    expect([character.position[0], character.grounded]).toEqual([115, false]);
    for (let frame = 0; frame < 10; frame++) character.walk([0, 0, 0], 0.1);
    expect(character.position[0]).toBe(115 + 1 / 32);
    expect(character.position[2]).toBeCloseTo(24 - 400, -1);
    // Put there, it slides along the side.
    character.teleport([115, 0, -50]);
    character.walk([-100, 100, 0], 0.1);
    expect([character.stuck, character.position[1]]).toEqual([false, 10]);
    // What is really in solid stays there.
    character.teleport([115 - 1 / 64, 0, -50]);
    character.walk([-100, 100, 0], 0.1);
    expect([character.stuck, character.position[0]]).toEqual([true, 115 - 1 / 64]);
  });

  it('goes on along a wall that lets it in when it comes nearer by next to nothing', () => {
    // A floor at z 0 and a wall at x 100, which a move that begins within 1/32 of it passes if it leads less than that nearer.
    const box = defineTracer({
      shape: { kind: 'box', mins: MINS, maxs: MAXS },
      trace: (start, end, out) => {
        for (const [axis, from, to] of [
          [2, start[2]! - 24, end[2]! - 24],
          [0, 100 - 15 - start[0]!, 100 - 15 - end[0]!],
        ] as const) {
          out.startSolid ||= from < 0;
          out.allSolid ||= from < 0 && to < 0;
          const fraction = (from - 1 / 32) / (from - to);
          if (from < 0 || to >= 1 / 32 || to >= from || fraction <= -1 || fraction >= out.fraction) continue;
          out.fraction = Math.max(fraction, 0);
          out.normal.set(axis === 2 ? [0, 0, 1] : [-1, 0, 0]);
        }
        out.endPos.set([0, 1, 2].map((k) => start[k]! + out.fraction * (end[k]! - start[k]!)));
        return out;
      },
    });
    for (const height of [0, 60]) {
      const character = createController(box, { position: [85 - 1 / 128, 0, 24 + 1 / 32 + height] });
      for (let frame = 1; frame <= 50; frame++) {
        character.walk([0.5, 100, 0], 0.02);
        expect([character.stuck, character.position[1]]).toEqual([false, 2 * frame]);
        expect(character.position[0]).toBeLessThanOrEqual(85);
      }
      expect(character.grounded).toBe(true);
    }
  });

  it.each([1 / 16, 1 / 8, 1 / 4])(
    'goes on along a corridor that is wider than it by %f, however it leads',
    (gap) => {
      const { scene, add } = room();
      add([-400, -100, 0], [-200, -15, 100]);
      add([-400, 15 + gap, 0], [-200, 100, 100]);
      for (const aside of [-80, 4, 80, 300]) {
        const character = createController(scene.box(MINS, MAXS), { position: [-390, gap / 3, 24.125] });
        for (let frame = 0; frame < 20; frame++) character.walk([100, aside, 0], 0.05);
        expect(character.position[0]).toBeGreaterThan(-291);
      }
    },
  );

  it('stands still in a corner that a slope makes with a wall', () => {
    // The slope leans to the east, by 60 degrees.
    const corner = planes([0, 0, 1], [0.866, 0, 0.5], [0.574, 0.819, 0]);
    for (const [x, y] of [
      [-4.3, -2.5],
      [-3.5, -3.5],
    ] as const) {
      const character = createController(corner, { position: [60, 60, 0.01] });
      for (let frame = 0; frame < 40; frame++) character.move([x, y, 0]);
      for (let frame = 0; frame < 5; frame++) {
        const before = Array.from(character.position);
        character.move([x, y, 0]);
        for (let k = 0; k < 3; k++) expect(character.position[k]).toBeCloseTo(before[k]!, 1);
      }
    }
  });

  it('forgets where it was when it is put somewhere', () => {
    const { scene } = room();
    const character = createController(scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
    const free = Float32Array.from(character.position);
    character.walk([9000, 0, 0], 1);
    expect(character.numTouched).toBeGreaterThan(0);
    character.verticalSpeed = 50;
    character.teleport(free);
    expect([character.numTouched, character.verticalSpeed]).toEqual([0, 0]);
    character.teleport([0, 0, -10]);
    character.walk([10, 0, 0], 0.1);
    expect(character.stuck).toBe(true);
    character.teleport(free);
    expect([character.stuck, character.grounded]).toEqual([false, true]);
  });

  it('goes on from what was saved, on the edge of a step too', () => {
    const scene = createScene();
    scene.add(createBody({ kind: 'box', mins: [-500, -500, -16], maxs: [500, 500, 0] }));
    for (let k = 1; k <= 10; k++) {
      scene.add(createBody({ kind: 'box', mins: [76 + 24 * k, -500, 0], maxs: [500, 500, 12 * k] }));
    }
    for (const shape of [scene.capsule({ radius: 16, height: 56 }), scene.sphere(16)]) {
      const random = createRandom(seedOf(3));
      const character = createController(shape, { position: [60, 0, 40] });
      const other = createController(shape);
      let edges = 0;
      // Few places are such an edge.
      for (let frame = 0; frame < 600 || (edges === 0 && frame < 20_000); frame++) {
        if (frame % 10 === 0) {
          const { position, verticalSpeed, grounded } = character;
          other.teleport(position);
          if (other.grounded !== grounded) edges++;
          other.teleport(position, grounded);
          other.verticalSpeed = verticalSpeed;
        }
        const velocity: Vec3 = [600 * (random() - 0.4), 600 * (random() - 0.5), 0];
        for (const each of [character, other]) each.walk(velocity, 0.016);
        expect(other.position).toEqual(character.position);
        expect(other.groundNormal).toEqual(character.groundNormal);
        expect(other.groundEntity).toBe(character.groundEntity);
      }
      expect(edges).toBeGreaterThan(0);
    }
    const character = createController(room().scene.box(MINS, MAXS), { position: [0, 0, 24.125] });
    for (const wrong of [1, null, 'yes'] as unknown as boolean[]) {
      expect(() => character.teleport([9, 9, 99], wrong)).toThrow(TypeError);
    }
    expect(character.position[0]).toBe(0);
  });

  it('ends at the same bits every time, in worlds of either game', () => {
    for (const world of [quake1Arena(), quake3Arena()]) {
      const ends = [1, 2].map(() => {
        const random = createRandom(seedOf(9));
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
    expect(() => createController(box, { slopeLimit: 91 })).toThrow(
      'slopeLimit must be from 0 to 90 degrees, got 91',
    );
    for (const slopeLimit of [0, 90]) expect(() => createController(box, { slopeLimit })).not.toThrow();
    // It would search for years.
    expect(() => createController(box).unstick(1e30)).toThrow('distance must be at most 65536, got 1e+30');
  });
});
