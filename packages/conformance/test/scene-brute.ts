import { copyTrace, type Placeable, type Trace, type Tracer } from '@bspkit/core';
import { createSceneTrace, type SceneTrace } from '@bspkit/scene';
import { expect } from 'vitest';

/** Three numbers. */
export type Point = [number, number, number];

/** Moves what a tracer is made against, which is not a world. */
export const place = (tracer: Tracer, pose: { origin: Point; angles?: Point }): Tracer =>
  (tracer as Tracer & Placeable).place(pose);

/** The rule in plain terms: the world, then every body in the order of numbers. */
export function bruteForce(world: Trace, bodies: Iterable<[number, () => Trace]>): SceneTrace {
  const total = copyTrace(world, createSceneTrace());
  if (world.fraction < 1) total.entity = 0;
  if (world.startSolid) total.startEntity = 0;
  if (world.fraction === 0) return total;
  for (const [body, ask] of bodies) {
    const trace = ask();
    if (trace.startSolid && total.startEntity < 0) total.startEntity = body;
    const { startSolid, allSolid } = total;
    if (trace.fraction < total.fraction) {
      copyTrace(trace, total);
      total.entity = body;
    }
    total.startSolid = startSolid || trace.startSolid;
    total.allSolid = allSolid || trace.allSolid;
  }
  return total;
}

export function expectTrace(actual: SceneTrace, expected: SceneTrace, what: string): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = actual[name as keyof SceneTrace];
    const same =
      value instanceof Float32Array
        ? value.every((x, k) => Object.is(x, (found as Float32Array)[k]))
        : Object.is(value, found);
    if (!same) expect.fail(`${what}: ${name} is ${found}, expected ${value}`);
  }
}
