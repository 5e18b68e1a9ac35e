import { inspect } from 'node:util';
import { createTrace, type PointClassifier, type Trace, type Tracer, type Vec3 } from '@bspkit/core';
import { expect } from 'vitest';
import { expectSame } from '../same.ts';
import { answersOf, dot, flat, type Move, squareOf, type World } from './sample.ts';

// What every tracer's answers must be, whatever the map. Each check throws an error of vitest's; none of them is a test.

/** How far in front of a surface a ray may stop, in Quake units: more than any engine's epsilon. */
const MOST_GAP = 0.25;

/**
 * What no answer may be, in words.
 *
 * @param mask - contents that stop the tracer, as bits; 0 if they are not known.
 */
export function problemsOf(
  trace: Trace,
  start: Vec3,
  end: Vec3,
  { shape }: Tracer,
  world: Pick<World, 'numModels' | 'textureNames'>,
  mask = 0,
): string[] {
  const { fraction, endPos, normal, dist, startSolid, allSolid } = trace;
  const problems: string[] = [];
  const demand = (holds: boolean, what: string): void => {
    if (!holds) problems.push(`${what}: ${inspect(trace)} on the way from ${start} to ${end}`);
  };
  demand(fraction >= 0 && fraction <= 1, 'fraction is from 0 to 1');
  demand([...endPos, ...normal, dist].every(Number.isFinite), 'numbers are finite');
  for (let k = 0; k < 3; k++) {
    const span = end[k]! - start[k]!;
    const off = Math.abs(start[k]! + fraction * span - endPos[k]!);
    demand(off < 0.01 + 1e-5 * Math.abs(span), 'endPos is where the fraction says');
  }
  demand(startSolid || !allSolid, 'allSolid says startSolid too');
  const square = squareOf(normal);
  demand(square === 0 || Math.abs(square - 1) < 1e-3, 'normal is of length 1, or 0');
  for (const name of ['contents', 'surfaceFlags'] as const) {
    demand(trace[name] === (trace[name] | 0), `${name} is signed 32-bit`);
  }
  const limits = { model: world.numModels, texture: world.textureNames().length - 1 };
  for (const name of ['model', 'texture', 'brush', 'side', 'patch', 'plane'] as const) {
    const most = name in limits ? limits[name as 'model'] : Number.MAX_SAFE_INTEGER;
    demand(Number.isInteger(trace[name]) && trace[name] >= -1 && trace[name] <= most, `${name} is a number`);
  }
  if (startSolid) return problems;
  if (fraction < 1) {
    const along = [0, 1, 2].map((k) => end[k]! - start[k]!);
    demand(dot(normal, along) <= 1e-3, 'normal faces the move');
    if (shape.kind === 'ray' && square > 0) {
      demand(Math.abs(dot(normal, endPos) - dist) < MOST_GAP, 'a ray ends at the plane of normal and dist');
    }
    demand(mask === 0 || (trace.contents & mask) !== 0, 'contents are among those that stop it');
    return problems;
  }
  const nothing = { ...createTrace(), endPos };
  const fields = Object.keys(nothing) as (keyof Trace)[];
  demand(`${flat(trace, fields)}` === `${flat(nothing, fields)}`, 'a miss has no fields of a hit');
  return problems;
}

/** Expects an answer that is not given as `out` to be a new one, which later moves leave as it is. */
export function expectOwnAnswers(tracer: Tracer, moves: readonly Move[]): void {
  const answers = moves.map(([start, end]) => tracer.trace(start, end));
  expect(new Set(answers).size).toBe(moves.length);
  for (const [k, [start, end]] of moves.entries()) {
    expectSame(flat(answers[k]!), flat(tracer.trace(start, end)));
  }
}

/** Expects boxes to keep copies of the corners that they are made of or changed to, by the given function. */
export function expectCopies(make: (mins: Vec3, maxs: Vec3) => Tracer, moves: readonly Move[]): void {
  const [mins, maxs] = [Float32Array.of(-16, -16, -24), Float32Array.of(16, 16, 32)];
  const tracer = make(mins, maxs);
  const before = answersOf(tracer, moves);
  mins.fill(-999);
  maxs.fill(999);
  expectSame(answersOf(tracer, moves), before);
}

/** Expects some contents, nothing at all among them, where a ray is free but never where it starts in solid. */
export function expectContents(world: PointClassifier, ray: Tracer, moves: readonly Move[]): void {
  const [free, solid] = [new Set<number>(), new Set<number>()];
  for (const [start, end] of moves) {
    const { endPos, normal, startSolid } = ray.trace(start, end);
    const behind = endPos.map((x, k) => x - normal[k]!);
    for (const point of startSolid ? [start] : [start, behind]) {
      const found = ray.trace(point, point).startSolid ? solid : free;
      found.add(world.contents(point));
    }
  }
  expect(solid.size).toBeGreaterThan(0);
  // Not of all contents: the void around a map may be solid without any brush that stops a ray.
  expect([...free].some((contents) => !solid.has(contents))).toBe(true);
}

/** Expects moves of no length, a unit behind where others were stopped, to be in solid all the way, at least some of them. */
export function expectSolid(tracer: Tracer, moves: readonly Move[]): void {
  let found = 0;
  for (const [start, end] of moves) {
    const { fraction, startSolid, endPos, normal } = tracer.trace(start, end);
    if (fraction === 1 || startSolid) continue;
    const behind = endPos.map((x, k) => x - normal[k]!);
    const inside = tracer.trace(behind, behind);
    expectSame(inside.allSolid, inside.startSolid);
    if (inside.startSolid) found++;
  }
  expect(found).toBeGreaterThan(0);
}
