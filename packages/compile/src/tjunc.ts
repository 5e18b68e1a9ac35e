import { cross, lengthOf, subtract, type Vec, type Winding } from '@bspkit/geometry';
import { CORNER_GRID, snapCorner } from './corners.ts';
import type { SourcePlace } from './error.ts';
import { PointTree } from './point-tree.ts';
import type { TextureAxes } from './source.ts';
import { TripleTable } from './triples.ts';
import type { WorkCounts } from './work.ts';

// Where a corner of a face lies in the middle of another's edge, renderers round both edges differently, and pixels of what is
// behind show between them. So such a corner is put into the other face too: both then have the very same edges.

/**
 * The most corners of a face that got any. Some renderers keep 64. Others have room for 60 where they cut liquids into pieces, and
 * each cut adds corners.
 */
const MOST_CORNERS = 56;

/** How far from an edge, and from its ends, corners on it may be: a few times what their rounding makes of them. */
const NEAR = 1 / 64;

/** Texels between light samples. */
const LIGHT_STEP = 16;

/** A face as it is drawn. */
export interface DrawnFace {
  readonly winding: Winding;
  /** The axes along which the game lights it, sample by sample, as many as it is long and wide; absent if it does not. */
  readonly lightAxes: TextureAxes | undefined;
  /** The place of its brush. */
  readonly place: SourcePlace;
}

/**
 * Puts the corners that lie on edges of faces into these, for faces that are drawn together. Returns what to draw in place of each
 * face: its winding with rounded corners, on whose straight edges there may be more, or several where it would have too many. No
 * face gets longer or wider by it, not even by a light sample.
 */
export function fillEdges(faces: readonly DrawnFace[], work: WorkCounts): Winding[][] {
  const corners = new CornerTable();
  const loops = faces.map(({ winding }) => corners.loopOf(winding));
  const points = corners.points();
  const edges = new EdgeCorners(points);
  return faces.map((face, k) => {
    const loop = loops[k]!;
    const filled = loop.length < 3 ? undefined : fillLoop(face, loop, points, edges, work);
    return (filled ?? [loop]).map((one) => one.flatMap((corner) => cornerAt(points, corner)));
  });
}

type Loop = readonly number[];

const cornerAt = (points: Float64Array, corner: number): Vec => [
  points[3 * corner]!,
  points[3 * corner + 1]!,
  points[3 * corner + 2]!,
];

/** Numbers the corners of faces, rounded as files have them. */
class CornerTable {
  private readonly _numbers = new TripleTable();
  private readonly _points: number[] = [];

  /** The corners of a face, none of them twice in a row. */
  loopOf(winding: Winding): Loop {
    const loop: number[] = [];
    for (let i = 0; i < winding.length; i += 3) {
      const corner = this._number(winding[i]!, winding[i + 1]!, winding[i + 2]!);
      if (loop.at(-1) !== corner) loop.push(corner);
    }
    if (loop.length > 1 && loop[0] === loop.at(-1)) loop.pop();
    return loop;
  }

  points(): Float64Array {
    return Float64Array.from(this._points);
  }

  private _number(x: number, y: number, z: number): number {
    const at = [snapCorner(x), snapCorner(y), snapCorner(z)] as const;
    const key = at.map((value) => value * CORNER_GRID) as unknown as Vec;
    const known = this._numbers.get(...key);
    if (known > 0) return known - 1;
    const number = this._points.length / 3;
    this._points.push(...at);
    this._numbers.set(...key, number + 1);
    return number;
  }
}

/** For edges of faces, the corners that lie on them. */
class EdgeCorners {
  private readonly _tree: PointTree;
  private readonly _count: number;
  /** By the numbers of an edge's ends, the lesser first; in the order from there. */
  private readonly _known = new Map<number, Loop>();

  constructor(points: Float64Array) {
    this._tree = new PointTree(points);
    this._count = points.length / 3;
  }

  /** The corners between two others, in their order. */
  between(from: number, to: number): Loop {
    const key = Math.min(from, to) * this._count + Math.max(from, to);
    let found = this._known.get(key);
    if (!found) {
      found = this._find(from, to);
      this._known.set(key, found);
    }
    return from < to || found.length < 2 ? found : [...found].reverse();
  }

  private _find(from: number, to: number): Loop {
    const found: { readonly corner: number; readonly along: number }[] = [];
    this._tree.visitBetween(from, to, NEAR, (corner, along) => {
      found.push({ corner, along });
    });
    if (found.length === 0) return NO_CORNERS;
    return found.sort((a, b) => a.along - b.along || a.corner - b.corner).map(({ corner }) => corner);
  }
}

const NO_CORNERS: Loop = [];

/** A face with corners on its edges: for each corner, the number of the straight line from there to the next. */
interface Outline {
  readonly loop: Loop;
  readonly lines: readonly number[];
}

/** The outlines of a face once its edges are filled; `undefined` if no corner lies on them. */
function fillLoop(
  face: DrawnFace,
  loop: Loop,
  points: Float64Array,
  edges: EdgeCorners,
  work: WorkCounts,
): Loop[] | undefined {
  const filled: number[] = [];
  const lines: number[] = [];
  let fits: ((corner: number) => boolean) | undefined;
  // In a sliver of a face, a corner may lie on two edges, or on the one across from it.
  let own: Set<number> | undefined;
  for (let k = 0; k < loop.length; k++) {
    filled.push(loop[k]!);
    for (const corner of edges.between(loop[k]!, loop[(k + 1) % loop.length]!)) {
      own ??= new Set(loop);
      fits ??= face.lightAxes ? withinLight(face.lightAxes, loop, points) : () => true;
      if (own.has(corner) || !fits(corner)) continue;
      own.add(corner);
      filled.push(corner);
    }
    while (lines.length < filled.length) lines.push(k);
  }
  if (filled.length === loop.length) return undefined;
  work.add('corners', filled.length - loop.length, face.place);
  return divide({ loop: filled, lines }, points).map(fromBestCorner);
}

/** Whether a corner is within the light samples of a face, which go by its texture. */
function withinLight(axes: TextureAxes, loop: Loop, points: Float64Array): (corner: number) => boolean {
  const reach = ([0, 1] as const).map((axis) => {
    const all = loop.map((corner) => texelAt(axes, axis, points, corner));
    const low = all.reduce((least, texel) => Math.min(least, texel));
    const high = all.reduce((most, texel) => Math.max(most, texel));
    return { axis, low: Math.floor(low / LIGHT_STEP), high: Math.ceil(high / LIGHT_STEP) };
  });
  return (corner) =>
    reach.every(({ axis, low, high }) => {
      const texel = texelAt(axes, axis, points, corner) / LIGHT_STEP;
      return texel >= low && texel <= high;
    });
}

/** A coordinate of a texture in texels, rounded as by readers of the file. */
function texelAt({ s, t }: TextureAxes, axis: 0 | 1, points: Float64Array, corner: number): number {
  const numbers = axis === 0 ? s : t;
  const f = Math.fround;
  let sum = 0;
  for (let k = 0; k < 3; k++) sum = f(sum + f(f(points[3 * corner + k]!) * f(numbers[k]!)));
  return f(sum + f(numbers[3]));
}

/** An outline in parts of at most {@link MOST_CORNERS}, each cut across from corner to corner, where both parts are large. */
function divide(outline: Outline, points: Float64Array): Outline[] {
  const { loop, lines } = outline;
  const count = loop.length;
  if (count <= MOST_CORNERS) return [outline];
  const half = count >> 1;
  const from = largestCut(loop, half, points);
  const line = lines.reduce((most, number) => Math.max(most, number)) + 1;
  const part = (first: number, corners: number): Outline => {
    const all = Array.from({ length: corners }, (_, k) => (first + k) % count);
    return {
      loop: all.map((k) => loop[k]!),
      lines: all.map((k, n) => (n === corners - 1 ? line : lines[k]!)),
    };
  };
  return [part(from, half + 1), part(from + half, count - half + 1)].flatMap((one) => divide(one, points));
}

/** The corner from which a cut to the one `half` around the outline leaves most of its area on both sides. */
export function largestCut(loop: Loop, half: number, points: Float64Array): number {
  const count = loop.length;
  const origin = cornerAt(points, loop[0]!);
  const at = (k: number): Vec => subtract(cornerAt(points, loop[k % count]!), origin);
  // Sums of the triangles between a fixed point and each edge so far, as vectors.
  const sums: Vec[] = [[0, 0, 0]];
  for (let k = 0; k < 2 * count; k++) {
    const [x, y, z] = cross(at(k), at(k + 1));
    const sum = sums[k]!;
    sums.push([sum[0] + x, sum[1] + y, sum[2] + z]);
  }
  const areaOf = (from: number, corners: number): number => {
    const around = subtract(sums[from + corners]!, sums[from]!);
    const across = cross(at(from + corners), at(from));
    return lengthOf(around[0] + across[0], around[1] + across[1], around[2] + across[2]);
  };
  let best = 0;
  let most = -1;
  for (let k = 0; k < count; k++) {
    const least = Math.min(areaOf(k, half), areaOf(k + half, count - half));
    if (least <= most) continue;
    most = least;
    best = k;
  }
  return best;
}

/**
 * The corners of an outline from the one from which a fan has the fewest triangles without area: those of three corners on a line.
 * Renderers draw faces as fans from their first corner.
 */
function fromBestCorner({ loop, lines }: Outline): Loop {
  const count = loop.length;
  /** How many edges on one line begin at a corner, or end there. */
  const straight = (from: number, step: 1 | -1): number => {
    let edges = 1;
    const lineOf = (n: number): number => lines[(from + (step === 1 ? n : count - 1 - n)) % count]!;
    while (edges < count && lineOf(edges) === lineOf(0)) edges++;
    return edges;
  };
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < count && fewest > 2; k++) {
    const edges = straight(k, 1) + straight(k, -1);
    if (edges >= fewest) continue;
    fewest = edges;
    best = k;
  }
  return [...loop.slice(best), ...loop.slice(0, best)];
}
