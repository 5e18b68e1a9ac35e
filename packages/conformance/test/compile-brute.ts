import { CONTENTS, commonMaterial, contentsNames, type Flags, type SourceBrush } from '@bspkit/compile';
import { type FixtureName, fixtureMap } from '@bspkit/fixtures';
import { between, createRandom, cross, dot, normalize, pick, type Random } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';

// The truth that compiled maps are checked against: source brushes as corners and edges, in doubles, and the separating axes
// between a moving box or sphere and a convex body. Nothing here comes from the compiler except names of contents.

export type Point = readonly [number, number, number];

/** A box relative to the moving point, or a sphere whose radius moves every plane outwards. */
export interface Mover {
  readonly mins: Point;
  readonly maxs: Point;
  readonly radius: number;
}

export const POINT: Mover = { mins: [0, 0, 0], maxs: [0, 0, 0], radius: 0 };

export const box = (mins: Point, maxs: Point): Mover => ({ mins, maxs, radius: 0 });

export const sphere = (radius: number): Mover => ({ ...POINT, radius });

/** A direction and how far the brush reaches along it. */
interface Axis {
  readonly n: Point;
  readonly least: number;
  readonly most: number;
}

export interface BruteBrush {
  readonly bits: number;
  readonly levels: number;
  /** Every axis that can separate the brush from a box. */
  readonly axes: readonly Axis[];
  /** Only the axes of its own planes: growing along these keeps edges sharp, which then reach far out. */
  readonly own: readonly Axis[];
  readonly mins: Point;
  readonly maxs: Point;
  /** Planes of the source, for points near them. */
  readonly planes: readonly { readonly n: Point; readonly d: number }[];
}

const AXES: readonly Point[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const brutes = new Map<FixtureName, readonly BruteBrush[]>();

/** The brushes of the world of one of our own maps; once in a process, as it compares the corners of each with all planes. */
export function brutesOf(name: FixtureName): readonly BruteBrush[] {
  const made = brutes.get(name) ?? fixtureMap(name).entities[0]!.brushes!.map(createBrute);
  brutes.set(name, made);
  return made;
}

/** Corners, as the points where three planes meet behind all others, and every axis that can separate a box from them. */
export function createBrute(source: SourceBrush): BruteBrush {
  const planes = source.sides.map(({ normal, dist }) => ({
    n: normalize(normal)!,
    d: dist,
  }));
  const corners: { point: Point; on: Set<number> }[] = [];
  for (let i = 0; i < planes.length; i++) {
    for (let j = i + 1; j < planes.length; j++) {
      for (let k = j + 1; k < planes.length; k++) {
        const [a, b, c] = [planes[i]!, planes[j]!, planes[k]!];
        const bc = cross(b.n, c.n);
        const det = dot(a.n, bc);
        if (Math.abs(det) < 1e-7) continue;
        const [ca, ab] = [cross(c.n, a.n), cross(a.n, b.n)];
        const at = (m: 0 | 1 | 2): number => (a.d * bc[m] + b.d * ca[m] + c.d * ab[m]) / det;
        const point: Point = [at(0), at(1), at(2)];
        if (planes.some(({ n, d }) => dot(n, point) > d + 0.002)) continue;
        const on = new Set(planes.flatMap(({ n, d }, p) => (Math.abs(dot(n, point) - d) < 0.002 ? [p] : [])));
        corners.push({ point, on });
      }
    }
  }
  const normals: Point[] = [...AXES, ...planes.map(({ n }) => n)];
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 1; j < corners.length; j++) {
      const [a, b] = [corners[i]!, corners[j]!];
      if ([...a.on].filter((plane) => b.on.has(plane)).length < 2) continue;
      const edge: Point = [a.point[0] - b.point[0], a.point[1] - b.point[1], a.point[2] - b.point[2]];
      if (dot(edge, edge) < 0.05 ** 2) continue;
      for (const axis of AXES) {
        const across = cross(edge, axis);
        if (dot(across, across) > 1e-14) normals.push(normalize(across)!);
      }
    }
  }
  const axisOf = (n: Point): Axis => {
    const reach = corners.map(({ point }) => dot(n, point));
    return { n, least: Math.min(...reach), most: Math.max(...reach) };
  };
  const axes: Axis[] = [];
  for (const n of normals) {
    if (!axes.some((axis) => Math.abs(dot(axis.n, n)) > 1 - 1e-12)) axes.push(axisOf(n));
  }
  const [x, y, z] = [axes[0]!, axes[1]!, axes[2]!];
  return {
    bits: bitsOf(source),
    levels: source.levels ?? 255,
    axes,
    // Only the brush's side of each plane bounds it.
    own: planes.map(({ n, d }) => ({ n, least: Number.NEGATIVE_INFINITY, most: d })),
    mins: [x.least, y.least, z.least],
    maxs: [x.most, y.most, z.most],
    planes,
  };
}

/**
 * Contents of a brush: from the brush itself, from its sides, or from the names of its materials; the first side that has some
 * counts.
 */
function bitsOf({ sides, contents, material }: SourceBrush): number {
  const bits = (flags: Flags): number => (typeof flags === 'number' ? flags : contentsNames.bits(flags));
  if (contents !== undefined) return bits(contents);
  const side = sides[0]!;
  if (side.contents !== undefined) return bits(side.contents);
  return bits(commonMaterial(side.material ?? material ?? 'default')?.contents ?? CONTENTS.solid);
}

/** At a greater distance than this, nothing is computed exactly: no epsilon reaches that far. */
const FAR = 16;

/**
 * How far a mover at a point is from a brush, at least: positive if apart, negative for the depth inside. The sign is exact for
 * boxes; a sphere moves planes outwards, as in the engines. Beyond {@link FAR}, any distance that one axis shows.
 */
export function separation(
  { axes: all }: BruteBrush,
  mover: Mover,
  at: Point,
  axes: readonly Axis[] = all,
): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const { n, least, most: top } of axes) {
    const [low, high] = reach(mover, n);
    const d = dot(n, at);
    most = Math.max(most, least - (d + high), d + low - top);
    if (most > FAR) break;
  }
  return most;
}

/** The fraction of a move at which a mover meets a brush grown by `grow` along some axes, by default all; 2 if it never does. */
function meet(
  { axes: all }: BruteBrush,
  mover: Mover,
  start: Point,
  end: Point,
  grow: number,
  axes: readonly Axis[] = all,
): number {
  let enter = 0;
  let leave = 1;
  for (const { n, least, most } of axes) {
    const [low, high] = reach(mover, n);
    const bottom = least - high - grow;
    const top = most - low + grow;
    // Shrunk away.
    if (bottom > top) return 2;
    const a = dot(n, start);
    const b = dot(n, end);
    if (Math.abs(a - b) < 1e-12) {
      if (a < bottom || a > top) return 2;
      continue;
    }
    const [t1, t2] = [(bottom - a) / (b - a), (top - a) / (b - a)];
    enter = Math.max(enter, Math.min(t1, t2));
    leave = Math.min(leave, Math.max(t1, t2));
    if (enter > leave) return 2;
  }
  return enter;
}

/** The least {@link meet} of many brushes; with `sharp`, only along the brushes' own planes. */
export function firstMeet(
  brushes: readonly BruteBrush[],
  mover: Mover,
  start: Point,
  end: Point,
  grow: number,
  sharp = false,
): number {
  let first = 2;
  for (const brush of brushes) {
    first = Math.min(first, meet(brush, mover, start, end, grow, sharp ? brush.own : brush.axes));
  }
  return first;
}

/** How far a mover reaches along a direction, against it and with it. */
function reach({ mins, maxs, radius }: Mover, n: Point): [number, number] {
  let low = -radius;
  let high = radius;
  for (let k = 0; k < 3; k++) {
    const x = n[k]!;
    low += x * (x > 0 ? mins[k]! : maxs[k]!);
    high += x * (x > 0 ? maxs[k]! : mins[k]!);
  }
  return [low, high];
}

/** A point in a box; every second call returns one near a plane of a brush instead. */
export function createPoints(
  brushes: readonly BruteBrush[],
  mins: Point,
  maxs: Point,
  seed: number,
): () => Point {
  const random = createRandom(seedOf(seed));
  let turn = 0;
  return () => {
    if (turn++ % 2 === 0) return pointIn(random, mins, maxs);
    const brush = pick(random, brushes);
    const { n, d } = pick(random, brush.planes);
    const point = pointIn(random, brush.mins, brush.maxs);
    const off = dot(n, point) - d - (random() - 0.5) * 4 * random();
    return [point[0] - off * n[0], point[1] - off * n[1], point[2] - off * n[2]];
  };
}

/** A point in a box. */
export const pointIn = (random: Random, mins: Point, maxs: Point): Point => [
  between(random, mins[0], maxs[0]),
  between(random, mins[1], maxs[1]),
  between(random, mins[2], maxs[2]),
];
