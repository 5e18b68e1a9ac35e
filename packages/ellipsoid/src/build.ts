import type { Polygon, PolygonSource } from '@bspkit/core';
import {
  checkCallback,
  checkChoice,
  checkFlag,
  checkKind,
  checkObject,
  checkOptions,
  createBuffer,
  failArgument,
  isArrayOf,
} from '@bspkit/core/format';
import type { Memory } from './kernel/memory.ts';
import {
  DROPPED_WORD,
  LEAF_WORDS,
  layout,
  NODE_WORDS,
  PIECE_CORNERS,
  PIECE_NUM_CORNERS,
  PIECE_POLYGON,
  PIECE_WORDS,
  POLYGON_BEFORE,
  POLYGON_CONTENTS,
  POLYGON_CORNERS,
  POLYGON_NUM_CORNERS,
  POLYGON_NUMBER,
  POLYGON_SURFACE,
  POLYGON_TEXTURE,
  POLYGON_WORDS,
} from './layout.ts';
import { addPieces, isWhole, PIECE_NUMBERS, pieceOf, polygonFault, TRIANGLE_NUMBERS } from './polygon.ts';
import { PolygonTable } from './polygon-table.ts';
import { checkSource } from './source.ts';
import { buildTree } from './tree.ts';

/** Options for making a world of ellipsoids. */
export interface EllipsoidWorldOptions {
  /**
   * Which polygons of the source block; by default those that it calls solid. What the source lacks, such as clip brushes in the
   * polygons of a format, this cannot add: the README says what is missing, and how to add it.
   */
  readonly keep?: ((polygon: Polygon) => boolean) | undefined;
  /** What to do with polygons that are degenerate or not convex: dropped and counted by default, or refused. */
  readonly broken?: 'drop' | 'refuse' | undefined;
  /** Put the data into a `SharedArrayBuffer`, so that workers can use it without a copy. */
  readonly shared?: boolean | undefined;
}

const OPTIONS: readonly string[] = ['keep', 'broken', 'shared'] satisfies (keyof EllipsoidWorldOptions)[];

/** Lays the polygons of a source out in one buffer. Throws as `createEllipsoidWorld` says. */
export function buildData(source: PolygonSource, options: EllipsoidWorldOptions = {}): ArrayBufferLike {
  checkSource(source);
  checkOptions(options, OPTIONS);
  const { keep = (polygon: Polygon): boolean => source.isSolid(polygon), broken = 'drop', shared } = options;
  checkCallback(keep, 'keep');
  checkChoice(broken, 'broken', ['drop', 'refuse']);
  checkFlag(shared, 'shared');
  const all = polygonsOf(source);
  const kept: Kept[] = [];
  const pieces: number[] = [];
  let dropped = 0;
  for (let number = 0; number < all.length; number++) {
    const polygon = all[number]!;
    checkObject(polygon, `polygons()[${number}]`, 'a polygon');
    if (!keep(polygon)) continue;
    const fault = polygonFault(polygon, number) ?? addPieces(pieces, polygon, kept.length);
    if (fault === undefined) kept.push({ polygon, number });
    else if (broken === 'refuse') throw new RangeError(`polygons()[${number}] is ${fault}`);
    else dropped++;
  }
  if (kept.length === 0) {
    const why = dropped > 0 ? `: ${dropped} of ${all.length} are degenerate or not convex` : '';
    throw new RangeError(`source has no polygons that an ellipsoid could touch${why}`);
  }
  return writeData(source, all.length, kept, pieces, dropped, shared ?? false);
}

interface Kept {
  readonly polygon: Polygon;
  /** Among all polygons of the source. */
  readonly number: number;
}

function writeData(
  source: PolygonSource,
  total: number,
  kept: readonly Kept[],
  pieces: readonly number[],
  dropped: number,
  shared: boolean,
): ArrayBufferLike {
  const tree = buildTree(boxesOf(pieces, kept));
  const leafs = leafRuns(
    source,
    kept.map(({ polygon }) => polygon),
    total,
  );
  let corners = kept.reduce((sum, { polygon }) => sum + polygon.vertices.length, 0);
  for (let k = 1; k < pieces.length; k += PIECE_NUMBERS)
    if (!isWhole(pieces[k]!)) corners += TRIANGLE_NUMBERS;
  const { places, words } = layout.plan({
    pieces: tree.order.length,
    nodes: tree.links.length,
    polygons: kept.length,
    corners: corners / 3,
    leafs: source.numLeafs,
    leafPolygons: leafs.polygons.length,
  });
  // An even number of words, as doubles need it.
  const data = createBuffer(4 * (words + (words & 1)), shared);
  const ints = new Int32Array(data);
  const floats = new Float32Array(data);
  const doubles = new Float64Array(data);
  layout.write(ints, places);
  ints[DROPPED_WORD] = dropped;

  // Those of pieces first, in the order of the tree, so that what is asked for together is together.
  let corner = places.corners.first;
  for (let k = 0; k < tree.order.length; k++) {
    const piece = PIECE_NUMBERS * tree.order[k]!;
    const [number, second] = [pieces[piece]!, pieces[piece + 1]!];
    const polygon = places.polygons.first + POLYGON_WORDS * number;
    const { corners: own, normal, dist } = pieceOf(kept[number]!.polygon.vertices, second)!;
    const at = places.pieces.first + PIECE_WORDS * k;
    for (let axis = 0; axis < 3; axis++) doubles[(at >> 1) + axis] = normal[axis]!;
    doubles[(at >> 1) + 3] = dist;
    ints[at + PIECE_CORNERS] = corner;
    ints[at + PIECE_NUM_CORNERS] = own.length / 3;
    ints[at + PIECE_POLYGON] = polygon;
    if (isWhole(second)) ints[polygon + POLYGON_CORNERS] = corner;
    floats.set(own, corner);
    corner += own.length;
  }
  let before = 0;
  for (let k = 0; k < kept.length; k++) {
    const { polygon, number } = kept[k]!;
    const at = places.polygons.first + POLYGON_WORDS * k;
    for (let axis = 0; axis < 3; axis++) floats[at + axis] = polygon.normal[axis]!;
    floats[at + 3] = polygon.dist;
    ints[at + POLYGON_NUM_CORNERS] = polygon.vertices.length / 3;
    ints[at + POLYGON_BEFORE] = before;
    before += polygon.vertices.length / 3;
    ints[at + POLYGON_TEXTURE] = polygon.texture;
    ints[at + POLYGON_CONTENTS] = polygon.contents;
    ints[at + POLYGON_SURFACE] = polygon.surface;
    ints[at + POLYGON_NUMBER] = number;
    if (ints[at + POLYGON_CORNERS] !== 0) continue;
    ints[at + POLYGON_CORNERS] = corner;
    floats.set(polygon.vertices, corner);
    corner += polygon.vertices.length;
  }
  for (let k = 0; k < tree.links.length; k++) {
    const at = places.nodes.first + NODE_WORDS * k;
    for (let i = 0; i < 6; i++) floats[at + i] = tree.bounds[6 * k + i]!;
    const [link, count] = [tree.links[k]!, tree.counts[k]!];
    ints[at + 6] =
      count > 0 ? places.pieces.first + PIECE_WORDS * link : places.nodes.first + NODE_WORDS * link;
    ints[at + 7] = count;
  }
  for (let leaf = 0; leaf < source.numLeafs; leaf++) {
    ints[places.leafs.first + LEAF_WORDS * leaf] = places.leafPolygons.first + leafs.firsts[leaf]!;
    ints[places.leafs.first + LEAF_WORDS * leaf + 1] = leafs.firsts[leaf + 1]! - leafs.firsts[leaf]!;
  }
  for (let k = 0; k < leafs.polygons.length; k++) {
    ints[places.leafPolygons.first + k] = places.polygons.first + POLYGON_WORDS * leafs.polygons[k]!;
  }
  return data;
}

function boxesOf(pieces: readonly number[], kept: readonly Kept[]): Float64Array {
  const count = pieces.length / PIECE_NUMBERS;
  const boxes = new Float64Array(6 * count);
  for (let k = 0; k < count; k++) {
    const piece = PIECE_NUMBERS * k;
    const { corners } = pieceOf(kept[pieces[piece]!]!.polygon.vertices, pieces[piece + 1]!)!;
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [Infinity, -Infinity];
      for (let at = axis; at < corners.length; at += 3) {
        low = Math.min(low, corners[at]!);
        high = Math.max(high, corners[at]!);
      }
      boxes[6 * k + axis] = low;
      boxes[6 * k + 3 + axis] = high;
    }
  }
  return boxes;
}

/**
 * The most polygons that all leafs list together: this many per polygon and leaf, and some more. Leafs of real maps list 7 times
 * as many as there are at most, but in a crafted map every leaf may list a curve of thousands of triangles.
 */
const LISTED_PER_POLYGON = 32;
const LISTED_PER_LEAF = 64;
const LISTED_SLACK = 2 ** 20;

/** The kept polygons of each leaf, by their numbers up to `total`, run by run. */
function leafRuns(
  source: PolygonSource,
  kept: readonly Polygon[],
  total: number,
): { firsts: number[]; polygons: number[] } {
  const table = new PolygonTable(kept);
  const most = LISTED_PER_POLYGON * total + LISTED_PER_LEAF * source.numLeafs + LISTED_SLACK;
  const firsts = [0];
  const polygons: number[] = [];
  let listed = 0;
  for (let leaf = 0; leaf < source.numLeafs; leaf++) {
    const own = source.leafPolygons(leaf);
    const name = `source.leafPolygons(${leaf})`;
    checkKind(Array.isArray(own), own, name, 'an array of polygons');
    listed += own.length;
    if (listed > most) {
      const problem = `list more than ${most} polygons together, of ${total} that there are`;
      throw new RangeError(`source.leafPolygons() of ${source.numLeafs} leafs ${problem}`);
    }
    for (let k = 0; k < own.length; k++) {
      const polygon = own[k]!;
      if (!isArrayOf(polygon?.vertices, Float32Array)) {
        failArgument(`${name}[${k}]`, 'a polygon', polygon, false);
      }
      const number = table.find(polygon);
      if (number >= 0) polygons.push(number);
    }
    firsts.push(polygons.length);
  }
  return { firsts, polygons };
}

/**
 * Throws `TypeError` unless a source is the one that a world's data was made from: its polygons are the same, and are in the same
 * leafs.
 */
export function checkSameSource(memory: Memory, source: PolygonSource): void {
  const { ints, places } = memory;
  const all = polygonsOf(source);
  const kept: Polygon[] = [];
  for (let k = 0; k < places.polygons.count; k++) {
    const at = places.polygons.first + POLYGON_WORDS * k;
    const number = ints[at + POLYGON_NUMBER]!;
    if (!isWritten(memory, at, all[number])) failSource(`polygons()[${number}]`);
    kept.push(all[number]!);
  }
  const { firsts, polygons } = leafRuns(source, kept, all.length);
  for (let leaf = 0; leaf < places.leafs.count; leaf++) {
    const at = places.leafs.first + LEAF_WORDS * leaf;
    const first = ints[at]!;
    const count = firsts[leaf + 1]! - firsts[leaf]!;
    let isSame = ints[at + 1] === count;
    for (let k = 0; isSame && k < count; k++) {
      isSame = ints[first + k] === places.polygons.first + POLYGON_WORDS * polygons[firsts[leaf]! + k]!;
    }
    if (!isSame) failSource(`leafPolygons(${leaf})`);
  }
}

/** Whether a polygon is the one at a place. */
function isWritten({ ints, floats }: Memory, at: number, polygon: Polygon | undefined): boolean {
  const vertices = polygon?.vertices;
  if (!isArrayOf(vertices, Float32Array) || vertices.length !== 3 * ints[at + POLYGON_NUM_CORNERS]!)
    return false;
  const corners = ints[at + POLYGON_CORNERS]!;
  // A 32-bit number may have been given with or without a sign.
  return (
    (polygon!.surface | 0) === ints[at + POLYGON_SURFACE] &&
    vertices.every((x, k) => x === floats[corners + k])
  );
}

function failSource(what: string): never {
  throw new TypeError(
    `source must be the one that data was made from, got that of another map: ${what} differs`,
  );
}

function polygonsOf(source: PolygonSource): readonly Polygon[] {
  const all = source.polygons();
  checkKind(Array.isArray(all), all, 'source.polygons()', 'an array of polygons');
  return all;
}
