import { defineTracer } from '@bspkit/core';
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
