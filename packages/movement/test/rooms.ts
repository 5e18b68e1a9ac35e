import { defineTracer, type Trace, type Vec3 } from '@bspkit/core';
import { createBody, createScene, type Scene } from '@bspkit/scene';

// Rooms and bodies for tests of characters.

export const MINS = [-15, -15, -24];
export const MAXS = [15, 15, 32];

/** A room of boxes: a floor, a wall in the east with two stairs in front of it, a low ceiling. */
export function room() {
  const scene = createScene();
  const add = (mins: number[], maxs: number[]): number => scene.add(createBody({ kind: 'box', mins, maxs }));
  const floor = add([-500, -500, -16], [500, 500, 0]);
  const wall = add([200, -500, 0], [220, 500, 200]);
  const stairs = [add([100, -500, 0], [200, 500, 12]), add([150, -500, 12], [200, 500, 24])];
  return { scene, add, floor, wall, stairs };
}

/** Planes through 0 0 0, by their normals; the space in front of all of them is open. */
export const planes = (...normals: readonly (readonly [number, number, number])[]) =>
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

/** Slopes along y through 0 0 0 that lean to the east by some degrees each. */
export const slopes = (...degrees: number[]) =>
  planes(
    ...degrees.map(
      (lean) => [Math.sin((lean * Math.PI) / 180), 0, Math.cos((lean * Math.PI) / 180)] as const,
    ),
  );

/** A body that is 56 units high around its middle; `radius` is that of a capsule. */
export const bodyOf = (scene: Scene, kind: 'box' | 'capsule' | 'sphere', radius: number) =>
  ({
    box: () => scene.box([-15, -15, -28], [15, 15, 28]),
    capsule: () => scene.capsule({ radius, height: 56 }),
    sphere: () => scene.sphere(28),
  })[kind]();

/** A plane, with the origin of a player that touches it `at` units along its normal, and what tracers say of it. */
interface Side {
  readonly normal: readonly [number, number, number];
  readonly at?: number;
  readonly contents?: number;
  readonly surfaceFlags?: number;
}

/**
 * Space for players, whatever their size, that ends at planes; `contentsAt` gives what is in it. Unlike in maps, which planes
 * there are, and what is in the water, is plain to see.
 */
export function spaceOf(sides: readonly Side[], contentsAt: (point: Vec3) => number = () => 0) {
  const box = {
    createTrace: () => defineTracer({ shape: { kind: 'ray' }, trace: (_, _end, out) => out }).createTrace(),
    trace(start: Vec3, end: Vec3, out: Trace): Trace {
      Object.assign(out, { fraction: 1, startSolid: false, allSolid: false, contents: 0, surfaceFlags: 0 });
      out.normal.fill(0);
      for (const { normal, at = 0, contents = 1, surfaceFlags = 0 } of sides) {
        const [before, after] = [start, end].map(
          (point) => normal[0] * point[0]! + normal[1] * point[1]! + normal[2] * point[2]! - at,
        ) as [number, number];
        if (before < 0) out.startSolid = true;
        if (before < 0 && after < 0) out.allSolid = true;
        if (after >= 0 || before < 0) continue;
        const fraction = before / (before - after);
        if (fraction >= out.fraction) continue;
        Object.assign(out, { fraction, contents, surfaceFlags });
        out.normal.set(normal);
      }
      if (out.allSolid) out.fraction = 0;
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      return out;
    },
  };
  return { trace: { box: () => box }, contents: { contents: contentsAt } };
}

export const DEGREES: number = 180 / Math.PI;

const bent = defineTracer({
  shape: { kind: 'ray' },
  trace(start, end, out) {
    out.endPos.set(end as Float32Array);
    if (end[0]! <= start[0]!) return out;
    const turned = Math.atan2(end[1]! - start[1]!, end[0]! - start[0]!) * DEGREES;
    const next = turned < 20 ? 30 : 10 * Math.round(turned / 10) + 10;
    out.fraction = 0;
    out.normal.set([-Math.sin(next / DEGREES), Math.cos(next / DEGREES), 0]);
    out.endPos.set(start as Float32Array);
    return out;
  },
});

/** A wall at each place that leads whoever goes to the east 30 degrees to the north, and then 10 degrees more each time. */
export const bend = { box: () => bent };
