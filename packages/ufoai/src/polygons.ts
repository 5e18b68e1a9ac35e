import type { Polygon } from '@bspkit/core';
import { ALL_LEVELS, REGULAR_MODELS } from './constants.ts';
import type { WorldMemory } from './kernel.ts';
import { MODEL_ROOT, SECTIONS } from './layout.ts';

/** Which brushes become polygons. */
export interface PolygonOptions {
  /** Level bits; brushes of these levels and of none. All of them unless told. */
  readonly levels?: number | undefined;
  /** Whether clip brushes come too; false unless told. */
  readonly clips?: boolean | undefined;
  /** Only this tile. */
  readonly tile?: number | undefined;
}

/** Farther out than any map reaches, in Quake units. */
const FAR = 1 << 16;
/** How far behind a plane a corner still counts as on it, in Quake units. */
const ON_PLANE = 1 / 256;
/** A polygon with less area than this, in square Quake units, is what a bevel side leaves. */
const MIN_AREA = 1e-3;

/** Faces of the brushes of some levels, as polygons that face away from the brush: what boxes and points collide with. */
export function levelPolygons(memory: WorldMemory, options: PolygonOptions = {}): Polygon[] {
  const { levels = ALL_LEVELS, clips = false, tile } = options;
  const { ints, places } = memory;
  const brushes = new Set<number>();
  for (let head = 0; head < places.lineHeads.count; head++) {
    const at = places.lineHeads.first + SECTIONS.lineHeads * head;
    const level = ints[at]!;
    if (level >= REGULAR_MODELS || (tile !== undefined && ints[at + 1] !== tile)) continue;
    if (level > ALL_LEVELS ? !clips : level !== 0 && (level & levels) === 0) continue;
    collectBrushes(memory, ints[at + 11]!, brushes);
  }
  return brushPolygons(memory, brushes);
}

/** The same for an inline model, in its own frame (that of its tile, where it stands in place). */
export function modelPolygons(memory: WorldMemory, place: number): Polygon[] {
  const brushes = new Set<number>();
  const root = memory.ints[place + MODEL_ROOT]!;
  if (root >= 0) collectBrushes(memory, root, brushes);
  return brushPolygons(memory, brushes);
}

/** The same for the brushes that a leaf lists, by its number among all tiles' leafs. */
export function leafPolygons(memory: WorldMemory, leaf: number): Polygon[] {
  const brushes = new Set<number>();
  collectBrushes(memory, -1 - leaf, brushes);
  return brushPolygons(memory, brushes);
}

function collectBrushes({ ints, places }: WorldMemory, root: number, brushes: Set<number>): void {
  const stack = [root];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    if (child >= 0) {
      const node = places.nodes.first + SECTIONS.nodes * child;
      stack.push(ints[node + 3]!, ints[node + 2]!);
      continue;
    }
    const leaf = places.leafs.first + SECTIONS.leafs * (-1 - child);
    for (let k = 0; k < ints[leaf + 2]!; k++) brushes.add(ints[ints[leaf + 1]! + k]!);
  }
}

function brushPolygons({ ints, floats }: WorldMemory, brushes: Iterable<number>): Polygon[] {
  const polygons: Polygon[] = [];
  for (const brush of brushes) {
    const first = ints[brush + 1]!;
    const sides = Array.from({ length: ints[brush + 2]! }, (_, k) => first + SECTIONS.sides * k);
    for (const side of sides) {
      let winding = planeWinding(floats, side);
      for (const other of sides) {
        if (other !== side && winding.length > 0) winding = keepBehind(winding, floats, other);
      }
      if (area(winding) < MIN_AREA) continue;
      polygons.push({
        vertices: Float32Array.from(winding),
        normal: floats.slice(side, side + 3),
        dist: floats[side + 3]!,
        texture: Math.max(-1, ints[side + 5]!),
        contents: ints[brush]!,
        surface: -1,
      });
    }
  }
  return polygons;
}

type Triple = [number, number, number];

const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A great square on a side's plane, counter-clockwise seen from its front. */
function planeWinding(floats: Float32Array, side: number): number[] {
  const normal: Triple = [floats[side]!, floats[side + 1]!, floats[side + 2]!];
  const dist = floats[side + 3]!;
  const u = cross(normal, Math.abs(normal[2]) < 0.8 ? [0, 0, 1] : [1, 0, 0]);
  const length = Math.hypot(...u);
  const across = u.map((x) => (x / length) * FAR) as Triple;
  const up = cross(normal, across);
  const corners: [number, number][] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  return corners.flatMap(([a, b]) => normal.map((n, k) => n * dist + a * across[k]! + b * up[k]!));
}

/** What of a polygon lies behind a side's plane, or on it. */
function keepBehind(winding: readonly number[], floats: Float32Array, side: number): number[] {
  const count = winding.length / 3;
  const heights = Array.from({ length: count }, (_, k) => {
    const [x, y, z] = winding.slice(3 * k, 3 * k + 3) as Triple;
    return x * floats[side]! + y * floats[side + 1]! + z * floats[side + 2]! - floats[side + 3]!;
  });
  const kept: number[] = [];
  for (let k = 0; k < count; k++) {
    const next = (k + 1) % count;
    const [a, b] = [heights[k]!, heights[next]!];
    if (a <= ON_PLANE) kept.push(...winding.slice(3 * k, 3 * k + 3));
    if ((a > ON_PLANE && b < -ON_PLANE) || (a < -ON_PLANE && b > ON_PLANE)) {
      const t = a / (a - b);
      for (let axis = 0; axis < 3; axis++) {
        const from = winding[3 * k + axis]!;
        kept.push(from + t * (winding[3 * next + axis]! - from));
      }
    }
  }
  return kept;
}

function area(winding: readonly number[]): number {
  const sum: Triple = [0, 0, 0];
  const edge = (k: number): Triple =>
    [0, 1, 2].map((axis) => winding[3 * k + axis]! - winding[axis]!) as Triple;
  for (let k = 1; k + 1 < winding.length / 3; k++) {
    for (const [axis, x] of cross(edge(k), edge(k + 1)).entries()) sum[axis]! += x;
  }
  return Math.hypot(...sum) / 2;
}
