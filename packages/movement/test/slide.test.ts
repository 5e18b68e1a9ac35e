import { defineTracer } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { createBody, createScene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
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
import { quake1Arena, quake3Arena, SPAWN } from './arena.ts';
import { MAXS, MINS, planes, room, slopes } from './rooms.ts';

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

  it('leads backwards to where the opposite velocity leads, in corners too', () => {
    const tracers = [planes([0, 0, 1], [-0.8, -0.6, 0], [-0.8, 0.6, 0]), quake3Arena().box(MINS, MAXS)];
    const random = createRandom(seedOf(11));
    for (const tracer of tracers) {
      for (let k = 0; k < 150; k++) {
        const [there, back] = [createMoveState(), createMoveState()];
        // Close to the corner of the planes, or in the hall.
        const far = tracer === tracers[0] ? 1 : 20;
        there.position.set([-2 * far * random(), far * (random() - 0.5), far * random() + 32]);
        back.position.set(there.position);
        there.velocity.set([0, 1, 2].map(() => 2000 * (random() - 0.5)));
        back.velocity.set(there.velocity.map((x) => -x));
        const move = k % 2 === 0 ? slide : step;
        expect(move(tracer, back, -0.25)).toBe(move(tracer, there, 0.25));
        expect(back.position).toEqual(there.position);
        for (let axis = 0; axis < 3; axis++)
          expect(back.velocity[axis]).toBeCloseTo(-there.velocity[axis]!, 5);
      }
    }
  });

  it('knows when it is stuck, even if traces in solid have a fraction of 1', () => {
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
      // Everything below 10 is solid.
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

  it('find the ground below, whatever was traced before', () => {
    // It ends at x = 0.
    const cliff = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        const fraction = Math.max(0, start[2]! / (start[2]! - end[2]!));
        const at = start[0]! + fraction * (end[0]! - start[0]!);
        if (end[2]! < 0 && at < 0) {
          out.fraction = fraction;
          out.normal[2] = 1;
        }
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
        return out;
      },
    });
    const state = createMoveState();
    state.position.set([-20, 0, 0.1]);
    state.velocity.set([100, 0, 0]);
    slide(cliff, state, 0.15);
    expect([state.position[0], ground(cliff, state)]).toEqual([-5, true]);
    slide(cliff, state, 0.15);
    expect([state.position[0], ground(cliff, state)]).toEqual([10, false]);
  });

  it("find nothing where there is no ground, whatever a scene's rules", () => {
    const state = createMoveState();
    for (let k = 0; k < 3; k++) state.position[k] = SPAWN[k]! + (k === 2 ? 60 : 0);
    for (const rules of ['nearest', 'quake2', 'quake3'] as const) {
      const box = createScene(quake3Arena(), { rules }).box(MINS, MAXS);
      expect([ground(box, state), state.entity], rules).toEqual([false, -1]);
      expect([ground(box, state, 100), state.entity], rules).toEqual([true, 0]);
    }
  });

  it('turns as often as it may, and remembers no more planes than it can', () => {
    let asked = 0;
    // Something else each time, along which it goes on.
    const tracer = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]!;
        if (end[0] === start[0]) return out;
        const angle = asked++ / 6;
        out.fraction = 0;
        out.normal.set([0, Math.cos(angle), Math.sin(angle)]);
        return out;
      },
    });
    for (const [bumps, hits, speed] of [
      [undefined, 5, 100],
      [1, 1, 100],
      [8, 8, 100],
      [9, 9, 0],
      [16, 9, 0],
    ] as const) {
      const state = createMoveState();
      state.velocity.set([100, 0, 0]);
      asked = 0;
      expect(slide(tracer, state, 1, { bumps })).toBe(true);
      expect([bumps, asked, state.velocity[0]]).toEqual([bumps, hits, speed]);
    }
  });

  it('is turned away, a little, from a surface into which it is led again', () => {
    const floor = defineTracer({
      shape: { kind: 'ray' },
      trace(start, _end, out) {
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]!;
        if (_end[1] === start[1]) return out;
        out.fraction = 0;
        out.normal.set([0, 0, 1]);
        return out;
      },
    });
    const state = createMoveState();
    state.velocity.set([0, 100, 0]);
    slide(floor, state, 1, { bumps: 3 });
    expect([state.velocity[0], state.velocity[1]]).toEqual([0, 100]);
    // Twice by a thousandth of its speed.
    expect(state.velocity[2]).toBeCloseTo(0.2, 4);
  });

  it('is turned away from each of several surfaces, whichever it is led into again', () => {
    const met = [0, 2, 1, 2, 1, 0];
    let asked = 0;
    const corner = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]!;
        if (end[1] === start[1]) return out;
        out.fraction = 0;
        // Two walls, at right angles to each other and to the floor.
        out.normal[met[asked++]!] = 1;
        return out;
      },
    });
    const state = createMoveState();
    state.velocity.set([0, 100, 0]);
    slide(corner, state, 1, { bumps: met.length });
    // Once by a thousandth of its speed.
    for (let k = 0; k < 3; k++) expect(state.velocity[k]).toBeCloseTo(k === 1 ? 100.1 : 0.1, 3);
  });

  it('is undone where it ends in solid, unless it began there', () => {
    // As engines' tracers may let a body pass an edge that it would graze.
    const solidFrom = (x: number) =>
      defineTracer({
        shape: { kind: 'ray' },
        trace(start, end, out) {
          out.endPos.set(Array.from(end));
          out.startSolid = start[0] === end[0] && start[0]! >= x;
          return out;
        },
      });
    for (const move of [slide, step]) {
      const state = createMoveState();
      state.velocity.set([100, 0, 0]);
      expect(move(solidFrom(11), state, 0.1)).toBe(false);
      expect([...state.position, ...state.velocity]).toEqual([10, 0, 0, 100, 0, 0]);
      expect(move(solidFrom(12), state, 0.1)).toBe(true);
      expect([...state.position, ...state.velocity]).toEqual([10, 0, 0, 0, 0, 0]);
      state.velocity.set([100, 0, 0]);
      expect(move(solidFrom(5), state, 0.1)).toBe(false);
      expect([...state.position, ...state.velocity]).toEqual([20, 0, 0, 100, 0, 0]);
    }
  });

  it('is undone, and not stuck, where it is led into solid on the way', () => {
    // A surface at x = 5, which some traces end behind by far.
    const leaky = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        out.startSolid = start[0]! > 5;
        out.allSolid = out.startSolid && end[0]! > 5;
        if (!out.startSolid && end[0]! > 5) out.fraction = 0.5;
        if (out.startSolid) out.fraction = 0;
        if (out.fraction < 1) out.normal.set([-Math.SQRT1_2, Math.SQRT1_2, 0]);
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
        return out;
      },
    });
    for (const move of [slide, step]) {
      const state = createMoveState();
      state.velocity.set([100, 0, 0]);
      expect([move(leaky, state, 0.2), state.stuck]).toEqual([true, false]);
      expect([...state.position, ...state.velocity]).toEqual([0, 0, 0, 0, 0, 0]);
    }
  });

  it.each([0, 1, 2])('goes on along what it grazes, whichever way it goes: axis %i', (axis) => {
    for (const side of [1, 2]) {
      for (const way of [1, -1]) {
        const normal: [number, number, number] = [0, 0, 0];
        normal[(axis + side) % 3] = 1;
        const state = createMoveState();
        state.position[(axis + side) % 3] = 0.5;
        state.velocity[axis] = 100 * way;
        state.velocity[(axis + side) % 3] = -10;
        expect(slide(planes(normal), state, 1)).toBe(true);
        expect([state.velocity[axis], state.position[axis]]).toEqual([100 * way, 100 * way]);
      }
    }
  });

  it('goes on along what it has come to touch, even where moves away from that start in solid', () => {
    // From x = 10 everything is solid, and a move ends right there.
    const wall = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        out.startSolid = start[0]! >= 10;
        out.fraction = out.startSolid ? 0 : end[0]! > 10 ? (10 - start[0]!) / (end[0]! - start[0]!) : 1;
        if (out.fraction < 1) out.normal[0] = -1;
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
        return out;
      },
    });
    const state = createMoveState();
    state.velocity.set([100, 100, 0]);
    expect(slide(wall, state, 0.2)).toBe(true);
    expect([state.position[1], state.stuck]).toEqual([20, false]);
    expect(state.position[0]).toBeCloseTo(10 - 1 / 32, 1);
  });

  it('stays where it ends in solid, if it began in solid', () => {
    // Whatever is in it may move, as in some engines.
    const cloud = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        out.startSolid = start[0]! >= 5 && start[0]! <= 20;
        out.endPos.set(Array.from(end));
        return out;
      },
    });
    const state = createMoveState();
    state.position[0] = 10;
    state.velocity[0] = 100;
    expect(slide(cloud, state, 0.1)).toBe(false);
    expect([...state.position]).toEqual([20, 0, 0]);
  });

  it('looks for a place beside solid no more than once where it is stuck', () => {
    let asked = 0;
    const solid = defineTracer({
      shape: { kind: 'ray' },
      trace(start, _end, out) {
        asked++;
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]!;
        return Object.assign(out, { fraction: 0, startSolid: true, allSolid: true });
      },
    });
    const state = createMoveState();
    state.velocity[0] = 100;
    expect([slide(solid, state, 1), state.stuck]).toEqual([true, true]);
    // 26 places and its own, the move with and without, and its two ends.
    expect(asked).toBe(26 + 5);
  });

  it('refuses what it cannot use, by name', () => {
    const { scene } = room();
    const box = scene.box(MINS, MAXS);
    const state = createMoveState();
    expect(() => slide(box, state, 1, { bumps: 0 })).toThrow(
      'bumps must be a whole number from 1 to 16, got 0',
    );
    // Floors are for steps: a slide is the same on all slopes.
    expect(() => slide(box, state, 1, { floor: 0.9 } as never)).toThrow("there is no option 'floor' here");
    for (const wrong of [-0.1, 1.1])
      expect(() => step(box, state, 1, { floor: wrong })).toThrow(`floor must be from 0 to 1, got ${wrong}`);
    state.velocity[0] = Number.NaN;
    expect(() => slide(box, state, 1)).toThrow('state.velocity[0] must be a finite float32, got NaN');
    // It would not say what was hit.
    const sent = createMoveState();
    structuredClone(sent.normal, { transfer: [sent.normal.buffer as ArrayBuffer] });
    for (const move of [slide, step, ground]) {
      expect(() => move(box, sent, 1)).toThrow(
        'state.normal must be a Float32Array of 3 numbers, got Float32Array',
      );
    }
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

  it('leads on to edges of floors that are exactly as level as they must be', () => {
    const capsule = room().scene.capsule({ radius: 16, height: 56 });
    const state = createMoveState();
    state.position.set([60, 0, 28.125]);
    state.velocity.set([30, 0, 0]);
    step(capsule, state, 1, { floor: 1 });
    expect(state.position[0]).toBeCloseTo(90, 1);
    expect(state.position[2]).toBeGreaterThan(30);
  });
});

describe('steps that climb nothing', () => {
  it('say what they hit', () => {
    const { scene, wall } = room();
    const box = scene.box([-8, -8, -8], [8, 8, 8]);
    for (const [x, speed, stepHeight, stuck] of [
      [180, 100, 0, false],
      [180, 100, undefined, false],
      [210, 1, undefined, true],
    ] as const) {
      const state = createMoveState();
      state.position.set([x, 0, 60]);
      state.velocity.set([speed, 0, 0]);
      expect(step(box, state, 1, { stepHeight })).toBe(true);
      expect([state.entity, state.stuck]).toEqual([wall, stuck]);
    }
  });

  it('say nothing of what they would hit higher up', () => {
    const scene = createScene();
    const wall = scene.add(createBody({ kind: 'box', mins: [50, -500, 0], maxs: [80, 500, 200] }));
    // Over its head, and in its way where it would have risen.
    scene.add(createBody({ kind: 'sphere', radius: 20 }), { origin: [40, 0, 84] });
    const box = scene.box([-16, -16, -24], [16, 16, 32]);
    const state = createMoveState();
    state.position[2] = 24.125;
    state.velocity.set([100, 40, 0]);
    expect(step(box, state, 1)).toBe(true);
    expect(state.position[0]).toBeGreaterThan(33);
    expect([state.entity, ...state.normal]).toEqual([wall, -1, 0, 0]);
    const floor = scene.add(createBody({ kind: 'box', mins: [-500, -500, -16], maxs: [500, 500, 0] }));
    const character = createController(box, { position: [0, 0, 24.125] });
    expect([character.groundEntity, character.numTouched]).toEqual([floor, 0]);
    character.move([100, 40, 0]);
    expect([...character.touched.subarray(0, character.numTouched)]).toEqual([wall]);
  });

  it('are not stuck because they would be so higher up', () => {
    // A wall at x = 10; from a height of 9 nothing can be moved along the ground.
    const tracer = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        const isLevel = start[0] !== end[0] || start[1] !== end[1];
        out.startSolid = isLevel && start[2]! > 9;
        out.fraction = out.startSolid ? 0 : end[0]! > 10 ? (10 - start[0]!) / (end[0]! - start[0]!) : 1;
        if (out.fraction < 1) out.normal[0] = -1;
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
        return out;
      },
    });
    const state = createMoveState();
    state.velocity[0] = 100;
    expect(step(tracer, state, 1)).toBe(true);
    expect([state.position[0], state.stuck]).toEqual([10, false]);
  });

  it('do not lead beyond float32, their height included', () => {
    const box = room().scene.box(MINS, MAXS);
    const state = createMoveState();
    state.position.set([0, 0, 2e38]);
    const beyond = 'state.velocity times dt must not lead beyond the range of float32';
    expect(() => step(box, state, 1, { stepHeight: 2e38 })).toThrow(new RangeError(beyond));
    expect(step(box, state, 1, { stepHeight: 1e38 })).toBe(false);
  });
});

describe('floors', () => {
  it('are as level as asked for', () => {
    // 30 degrees: z of the normal is 0.866.
    const slope = slopes(30);
    const state = createMoveState();
    state.position.set([0, 0, 0.05]);
    for (const [floor, isFloor] of [
      [undefined, true],
      [0.86, true],
      [0.87, false],
      [0, true],
      [1, false],
    ] as const) {
      expect(ground(slope, state, 0.25, floor), `${floor}`).toBe(isFloor);
    }
    // The steepest floor is a wall, and nothing is none.
    state.position[2] = 9;
    expect(ground(slope, state, 0.25, 0)).toBe(false);
    state.position[2] = 0.05;
    // Exactly so, too.
    for (const [degrees, floor] of [
      [0, 1],
      [60, 0.5],
    ] as const) {
      expect(ground(slopes(degrees), state, 0.25, floor)).toBe(true);
      expect([state.entity, state.normal[2]]).toEqual([0, floor]);
    }
    expect(() => ground(slope, state, 0.25, 1.1)).toThrow('floor must be from 0 to 1, got 1.1');
    expect(() => ground(slope, state, 0.25, '1' as never)).toThrow("floor must be a finite float32, got '1'");
    expect(() => ground(slope, state, '1' as never)).toThrow('distance must be a finite float32, 0 or more');
  });

  it('at the foot of a slope that is too steep are as near as a slide along it leads', () => {
    // Straight down to the slope by a half, and of what is left, 3/4 down along 60 degrees.
    for (const [high, isFloor] of [
      [0.83, true],
      [0.93, false],
    ] as const) {
      const state = createMoveState();
      state.position.set([(high - 0.5) / Math.sqrt(3), 0, high]);
      expect(ground(slopes(-60, 0), state, 1), `${high}`).toBe(isFloor);
      expect(state.normal[2]).toBeCloseTo(isFloor ? 1 : 0.5, 6);
    }
  });

  it('are not looked for from within something, unless that is one', () => {
    // In a slope, out of which a trace leads down to a floor.
    const within = (z: number) =>
      defineTracer({
        shape: { kind: 'ray' },
        trace(start, end, out) {
          out.startSolid = start[2] === 9;
          out.fraction = 0.5;
          out.normal.set(out.startSolid ? [Math.sqrt(1 - z * z), 0, z] : [0, 0, 1]);
          for (let k = 0; k < 3; k++) out.endPos[k] = (start[k]! + end[k]!) / 2;
          return out;
        },
      });
    const state = createMoveState();
    state.position[2] = 9;
    expect([ground(within(0.5), state, 1), ground(within(0.9), state, 1)]).toEqual([false, true]);
  });

  it('are where steps end', () => {
    // A kerb of 8 units, behind which it goes on up at 30 degrees.
    const isSolid = (x: number, z: number): boolean => z < 0 || (x > 10 && z < 8 + (x - 10) / Math.sqrt(3));
    const tracer = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        const at = (t: number, k: number): number => start[k]! + t * (end[k]! - start[k]!);
        for (let t = 1 / 256; t <= 1; t += 1 / 256) {
          if (!isSolid(at(t, 0), at(t, 2))) continue;
          out.fraction = t - 1 / 256;
          const isWall = at(out.fraction, 0) <= 10;
          out.normal.set(at(t, 2) < 0 ? [0, 0, 1] : isWall ? [-1, 0, 0] : [-0.5, 0, Math.sqrt(0.75)]);
          break;
        }
        for (let k = 0; k < 3; k++) out.endPos[k] = at(out.fraction, k);
        return out;
      },
    });
    for (const [floor, climbs] of [
      [undefined, true],
      [0.86, true],
      [0.87, false],
    ] as const) {
      const state = createMoveState();
      state.position.set([5, 0, 0.1]);
      state.velocity.set([100, 0, 0]);
      step(tracer, state, 0.1, { floor });
      expect(state.position[0]! > 10, `${floor}`).toBe(climbs);
    }
  });
});

describe('a move beyond float32', () => {
  const scene = createScene();
  const elsewhere = scene.add(createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }), {
    origin: [99, 0, 0],
  });
  const box = scene.box(MINS, MAXS);
  const far = [3e38, 0, 0];

  it('is refused with the name of what makes it so long, and moves nothing', () => {
    const character = createController(box, { position: far });
    const message = new RangeError('delta must not lead beyond the range of float32');
    expect(() => character.move(far)).toThrow(message);
    for (let axis = 0; axis < 3; axis++) {
      const back = [0, 0, 0];
      back[axis] = -3e38;
      expect(() => createController(box, { position: back }).move(back)).toThrow(message);
    }
    // After turning, either part may be as long as both together.
    expect(() => character.move([0, 3e38, 3e38])).toThrow(RangeError);
    expect(() => character.walk([0, 2e38, 0], 2)).toThrow(/^velocity times dt must not lead beyond/);
    expect(Array.from(character.position)).toEqual(far.map(Math.fround));
    character.teleport([70, 0, 0]);
    character.move([30, 0, 0]);
    expect(() => character.move([3.4e38, 0, 0])).toThrow(RangeError);
    expect([...character.touched.subarray(0, character.numTouched)]).toEqual([elsewhere]);
    character.position[1] = Number.NaN;
    expect(() => character.move([1, 0, 0])).toThrow(
      RangeError('position[1] must be a finite float32, got NaN'),
    );
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

  it('is refused for bodies too, and for those that they push', () => {
    const character = createController(box, { position: far });
    const delta = /^delta must not lead beyond/;
    expect(() => pushBody(scene, elsewhere, far, [character])).toThrow(delta);
    expect(Array.from(scene.body(elsewhere).origin)).toEqual([99, 0, 0]);
    scene.move(elsewhere, { origin: far });
    expect(() => pushBody(scene, elsewhere, far, [])).toThrow(delta);
  });
});

describe('a move within a trace of another', () => {
  /** Slopes that call a function before the second trace. */
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

  it('works again after a trace that has thrown', () => {
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

  it('has friction that stops it and never turns it round, and a maximum speed', () => {
    const object = createMovingObject();
    object.movement.set([-30, 40, 0]);
    futurePosition(object, { friction: 1000, gravity: 0 }, 0.25);
    expect(object.movement).toEqual(new Float32Array(3));
    object.movement.set([0.3, -0.4, 0]);
    futurePosition(object, { friction: 1000, gravity: 0 }, 0.25);
    expect(object.movement).toEqual(new Float32Array(3));
    for (let k = 0; k < 100; k++)
      futurePosition(object, { direction: [3, 4, 0], force: 500, maxSpeed: 200 }, 0.1);
    expect(object.movement[0]).toBeCloseTo(120, 3);
    expect(object.movement[1]).toBeCloseTo(160, 3);
    expect(object.movement[2]).toBeCloseTo(-8000, 1);
    expect(Array.from(futurePosition(createMovingObject(), {}, 0))).toEqual([0, 0, 0]);
  });

  it('as printed, pushes objects that stand still or move backwards, harder each frame', () => {
    const object = createMovingObject();
    object.movement.set([-100, 0, 0]);
    const asPrinted = { friction: 50, gravity: 0, asPrinted: true };
    futurePosition(object, asPrinted, 0.5);
    expect(object.acceleration.slice(0, 2)).toEqual(Float32Array.of(-50, -50));
    expect(object.movement).toEqual(Float32Array.of(-125, -25, 0));
    futurePosition(object, { ...asPrinted, direction: [0, 2, 0], force: 30 }, 0.5);
    expect(object.acceleration.slice(0, 2)).toEqual(Float32Array.of(-100, -70));
    // As meant, friction slows it, and a frame begins without acceleration.
    futurePosition(object, { ...asPrinted, asPrinted: false }, 0.5);
    expect(object.movement[0]).toBeGreaterThan(-175);
    expect(Math.hypot(object.acceleration[0]!, object.acceleration[1]!)).toBeCloseTo(50, 4);
    expect(() => futurePosition(object, { asPrinted: 1 } as never, 1)).toThrow('asPrinted must be');
    object.acceleration[1] = Number.NaN;
    expect(() => futurePosition(object, asPrinted, 1)).toThrow('object.acceleration[1] must be');
  });

  it('refuses what it cannot use, by name', () => {
    const object = createMovingObject();
    for (const name of Object.keys(object) as (keyof typeof object)[]) {
      const sent = createMovingObject();
      structuredClone(sent[name], { transfer: [sent[name].buffer as ArrayBuffer] });
      const message = `object.${name} must be a Float32Array of 3 numbers, got Float32Array`;
      expect(() => futurePosition(sent, {}, 1)).toThrow(message);
    }
    for (const name of ['position', 'movement'] as const) {
      const broken = createMovingObject();
      broken[name][0] = Number.NaN;
      expect(() => futurePosition(broken, {}, 1)).toThrow(`object.${name}[0] must be`);
    }
  });

  it('changes nothing if float32 cannot hold the new one', () => {
    const object = createMovingObject();
    const far = (forces: object, time: number) => () => futurePosition(object, forces, time);
    expect(far({ gravity: 1e38 }, 1e10)).toThrow(
      new RangeError('object.newPosition[2] must be a finite float32, got -Infinity'),
    );
    // Only on the way: after the maximum speed is applied, it would not be too large.
    expect(far({ direction: [1, 0, 0], force: 3e38, maxSpeed: 1 }, 10)).toThrow('object.newPosition[0]');
    expect(object).toEqual(createMovingObject());
    object.position[1] = 3.4e38;
    object.movement[1] = 3.4e38;
    expect(far({ gravity: 0 }, 1)).toThrow('object.newPosition[1] must be a finite float32, got Infinity');
    expect(object.movement[1]).toBe(Math.fround(3.4e38));
  });
});
