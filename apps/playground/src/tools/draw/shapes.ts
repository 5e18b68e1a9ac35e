import type { Shape, Vec3 } from '@bspkit/core';

/** Line segments, six numbers each (start, then end), in Quake units. */
export type Segments = readonly number[];

/** Straight pieces of a drawn circle. */
const PIECES = 32;
/** Half the size of the cross that stands for a point, in Quake units. */
const CROSS = 4;

/** The twelve edges of a box. */
export function boxEdges(mins: Vec3, maxs: Vec3): number[] {
  const out: number[] = [];
  const corner = (bits: number): number[] => [0, 1, 2].map((k) => (bits & (1 << k) ? maxs : mins)[k]!);
  for (let bits = 0; bits < 8; bits++) {
    for (let axis = 0; axis < 3; axis++) {
      if (bits & (1 << axis)) continue;
      out.push(...corner(bits), ...corner(bits | (1 << axis)));
    }
  }
  return out;
}

/** An arc around a point: `from` and `to` are its two half axes, `turns` how much of a circle it is. */
function arc(center: Vec3, from: Vec3, to: Vec3, turns: number, out: number[]): void {
  const pieces = Math.ceil(PIECES * turns);
  const at = (piece: number): number[] => {
    const angle = (2 * Math.PI * turns * piece) / pieces;
    return [0, 1, 2].map((k) => center[k]! + Math.cos(angle) * from[k]! + Math.sin(angle) * to[k]!);
  };
  for (let piece = 0; piece < pieces; piece++) out.push(...at(piece), ...at(piece + 1));
}

/** An ellipsoid by its three circles. */
function ellipsoidLines(center: Vec3, [x, y, z]: ArrayLike<number> & Iterable<number>): number[] {
  const out: number[] = [];
  arc(center, [x!, 0, 0], [0, y!, 0], 1, out);
  arc(center, [x!, 0, 0], [0, 0, z!], 1, out);
  arc(center, [0, y!, 0], [0, 0, z!], 1, out);
  return out;
}

/** An upright capsule: two rings, two half circles at each end, four lines between. */
function capsuleLines(mins: Vec3, maxs: Vec3): number[] {
  const middle = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
  const height = (maxs[2]! - mins[2]!) / 2;
  const radius = Math.min((maxs[0]! - mins[0]!) / 2, height);
  const [x, y, z] = middle as [number, number, number];
  const out: number[] = [];
  for (const side of [-1, 1]) {
    const end = [x, y, z + side * (height - radius)];
    arc(end, [radius, 0, 0], [0, radius, 0], 1, out);
    arc(end, [radius, 0, 0], [0, 0, side * radius], 0.5, out);
    arc(end, [0, radius, 0], [0, 0, side * radius], 0.5, out);
  }
  const reach = height - radius;
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const) {
    out.push(x + dx * radius, y + dy * radius, z - reach, x + dx * radius, y + dy * radius, z + reach);
  }
  return out;
}

/** What a tracer moves, as line segments around the traced point. A ray is a small cross. */
export function shapeLines(shape: Shape): Segments {
  switch (shape.kind) {
    case 'ray':
      return [0, 1, 2].flatMap((axis) => {
        const end = [0, 1, 2].map((k) => (k === axis ? CROSS : 0));
        return [...end.map((x) => 0 - x), ...end];
      });
    case 'sphere':
      return ellipsoidLines([0, 0, 0], [shape.radius, shape.radius, shape.radius]);
    case 'ellipsoid':
      return ellipsoidLines([0, 0, 0], Array.from(shape.radii));
    case 'box':
      return boxEdges(shape.mins, shape.maxs);
    case 'capsule':
      return capsuleLines(shape.mins, shape.maxs);
  }
}

/** The points of a shape that leave lines behind when it is swept: what shows the way that it took. */
export function sweepPoints(shape: Shape): readonly (readonly number[])[] {
  switch (shape.kind) {
    case 'ray':
      return [[0, 0, 0]];
    case 'sphere':
      return axisPoints([0, 0, 0], [shape.radius, shape.radius, shape.radius]);
    case 'ellipsoid':
      return axisPoints([0, 0, 0], shape.radii);
    case 'capsule': {
      const half = [0, 1, 2].map((k) => (shape.maxs[k]! - shape.mins[k]!) / 2);
      return axisPoints(
        half.map((h, k) => shape.mins[k]! + h),
        half,
      );
    }
    case 'box':
      return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
        [0, 1, 2].map((k) => (bits & (1 << k) ? shape.maxs : shape.mins)[k]!),
      );
  }
}

const axisPoints = (center: Vec3, radii: Vec3): number[][] =>
  [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) => [0, 1, 2].map((k) => center[k]! + (k === axis ? side * radii[k]! : 0))),
  );
