import { type BspWorld, entityVector, type Mesh, type UnsharedBytes } from '@bspkit/core';
import { checkArrayOf, checkKind, checkText, isArrayOf, showValue } from '@bspkit/core/format';
import { cross, lengthOf, subtract } from '@bspkit/geometry';
import { packFloats } from './arrays.ts';
import { checkPoints, checkPositive } from './check.ts';
import { type Axis, type Corner, eachRun, type Triangle } from './triangle-cells.ts';

/** Points for a bake. */
export interface BakePoints {
  /** Three numbers each, in Quake units. */
  readonly points: Float32Array;
  /** Three numbers each, of unit length; `undefined` for points that are not on surfaces. */
  readonly normals: Float32Array | undefined;
}

/**
 * Converts points or normals to the bytes of a job's input, 12 bytes each. Throws RangeError unless there are three
 * numbers each.
 */
export function pointBytes(points: ArrayLike<number>): UnsharedBytes {
  checkPoints(points, 'points');
  return packFloats(points);
}

/** The most points that are taken from a file, or from a map's surfaces. */
const MOST_POINTS = 2 ** 24;
/** The most rows of squares across surfaces that may have no point: real maps have about two per triangle. */
const MOST_EMPTY_ROWS = 2 ** 22;

/** What points are taken from. */
const MESH = "a mesh, such as mesh() of a map's package makes";

const NAME = /^["']?[a-z_]/i;
/** A key in JSON, perhaps with its value: otherwise a list of objects in one line would be a line of names. */
const KEY = /^(["']).*\1:/;
/** What programs write for a missing number: it makes a broken point, not a name. */
const NO_NUMBER = /^(nan|inf(inity)?|null|none|undefined)$/i;
/** Lines end as in Unix, Windows or old Macintoshes. */
const LINE_END = /\r\n?|\n/;

/**
 * Points from a text: three numbers a line, or six with normals, between commas, semicolons, blanks or brackets; or JSON, a list
 * of such lists, after the last of which may be a comma. Blank lines and those that begin with `#` are skipped, and so is a first
 * line of names. A text of only such lines, or an empty list, has no points.
 * @throws SyntaxError naming the line that is wrong, in JSON the list, or the first of nothing but brackets and commas where no
 *   other has a point; TypeError for anything but a text.
 */
export function parsePoints(text: string): BakePoints {
  checkText(text, 'text');
  const numbers: number[] = [];
  /** Numbers per point; 0 before the first. */
  let width = 0;
  let isFirst = true;
  /** The first line of nothing but brackets and commas. */
  let bare: number | undefined;
  const { lines, called } = linesOf(text);
  const fail = (place: number, problem: string): never => {
    throw new SyntaxError(`${called} ${place + 1} ${problem}`);
  };
  for (const [k, line] of lines.entries()) {
    const words = wordsOf(line);
    if (words[0] === '' && line.trim() !== '') bare ??= k;
    if (words[0] === '' || words[0]!.startsWith('#')) continue;
    const isHead = isFirst && words.every(isName);
    isFirst = false;
    if (isHead) continue;
    const values = words.map(Number);
    const problem = problemOf(values, words, width);
    if (problem) fail(k, problem);
    width = values.length;
    if (numbers.length >= width * MOST_POINTS) fail(k, `is one more than ${MOST_POINTS} points`);
    if (width === 6 && !makeUnit(values)) fail(k, 'has a normal of no length');
    for (const value of values) numbers.push(value);
  }
  if (width === 0 && bare !== undefined && !/^\s*\[\s*\]\s*$/.test(text)) fail(bare, 'has no numbers');
  const count = width === 0 ? 0 : numbers.length / width;
  const pick = (from: number): Float32Array =>
    Float32Array.from({ length: 3 * count }, (_, i) => numbers[Math.floor(i / 3) * width + from + (i % 3)]!);
  return { points: pick(0), normals: width === 6 ? pick(3) : undefined };
}

/** What is between commas, semicolons, blanks and brackets; one empty word if that is nothing. */
const wordsOf = (line: string): string[] =>
  line
    .replace(/[[\](){},;\s]+/g, ' ')
    .trim()
    .split(' ');

const isName = (word: string): boolean => NAME.test(word) && !NO_NUMBER.test(word) && !KEY.test(word);

/** What is wrong with the numbers that were read from words, if others had `width`; `undefined` if they can be a point. */
function problemOf(values: readonly number[], words: readonly string[], width: number): string | undefined {
  const wrong = values.findIndex((value) => !Number.isFinite(Math.fround(value)));
  if (wrong >= 0) {
    const how = KEY.test(words[wrong]!) ? ': a point in JSON is a list of numbers, as [1, 2, 3]' : '';
    return `${showValue(words[wrong])} is not a number${how}`;
  }
  const count = values.length;
  if (count !== 3 && count !== 6)
    return `has ${count} ${count === 1 ? 'number' : 'numbers'}, but needs 3 or 6`;
  return width !== 0 && count !== width ? `has ${count} numbers, but others have ${width}` : undefined;
}

/** A text's lines; of a list in JSON, a line for each of its lists. And what errors call one. */
function linesOf(text: string): { readonly lines: readonly string[]; readonly called: 'line' | 'list' } {
  const mayBeList = /^\s*\[\s*\[/.test(text);
  const lists = mayBeList ? listsOf(text) : undefined;
  if (lists) return { lines: lists.map((list) => JSON.stringify(list)), called: 'list' };
  const lines = text.split(LINE_END);
  if (!mayBeList) return { lines, called: 'line' };
  // Then these are brackets around single lines. Two lists in one line are a point and its normal, but not where a list was cut off.
  for (const [k, line] of lines.entries()) {
    // Each blank belongs to one part of it only: matching takes as long as the line.
    if (/\]\s*(?:[,;]\s*)?\[/.test(line) && !listsOf(line))
      throw new SyntaxError(`line ${k + 1} has several lists, but is not JSON`);
  }
  return { lines, called: 'line' };
}

/** The lists in JSON, in which commas may follow the last of a list too; `undefined` for a text that is not a list in JSON. */
function listsOf(text: string): unknown[] | undefined {
  // Without a byte order mark, which only JSON does not take for white space.
  const bare = text.trim().replace(/,$/, '');
  for (const json of [bare, bare.replace(/,(?=\s*\])/g, '')]) {
    try {
      const lists: unknown = JSON.parse(json);
      return Array.isArray(lists) ? lists : undefined;
    } catch {
      // Perhaps without commas; or it is not JSON at all.
    }
  }
  return undefined;
}

/** Makes the last three of six numbers a normal of length 1. Returns false if they have no length. */
function makeUnit(values: number[]): boolean {
  const [x, y, z] = values.slice(3) as [number, number, number];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-6)) return false;
  for (let k = 3; k < 6; k++) values[k]! /= length;
  return true;
}

/**
 * The origins of a map's entities.
 *
 * @param classname - which entities: a class name, or the beginning of one before `*`; by default all that have an origin.
 * @throws BspError when the entities' text does not parse; TypeError for a `classname` that is no text.
 */
export function entityPoints(world: BspWorld, classname = '*'): BakePoints {
  checkKind(typeof world?.entities === 'function', world, 'world', 'a world, as openBsp opens it');
  checkText(classname, 'classname');
  const isWanted = (name = ''): boolean =>
    classname.endsWith('*') ? name.startsWith(classname.slice(0, -1)) : name === classname;
  const points = world
    .entities()
    .filter((entity) => isWanted(entity.classname))
    .flatMap((entity) => entityVector(entity, 'origin') ?? []);
  return { points: Float32Array.from(points), normals: undefined };
}

/** The vertices of a mesh with their normals, in its order, so that each answer belongs to a vertex. */
export function meshPoints(mesh: Mesh): BakePoints {
  const { positions, normals } = mesh ?? {};
  const isMesh = isArrayOf(positions, Float32Array) && isArrayOf(normals, Float32Array);
  checkKind(isMesh, mesh, 'mesh', MESH);
  checkArrayOf(positions, Float32Array, 'mesh.positions');
  checkArrayOf(normals, Float32Array, 'mesh.normals');
  return { points: Float32Array.from(positions), normals: Float32Array.from(normals) };
}

/**
 * Points all over the drawn surfaces of the world, with the normals of their triangles: on each triangle the middles of a grid's
 * squares, or its own middle if none of them is on it. A square's middle on the edge between two triangles belongs to one of them.
 * Skies, and what the game does not draw, are left out.
 *
 * @param spacing - distance between the grid's lines, which follow the two axes that a triangle faces least, in Quake units, more
 *   than 0.
 * @throws RangeError for a `spacing` that is not above 0; when there would be more than 2^24 points; and when more than 2^22 rows
 *   of squares have none, as those across very long and thin triangles.
 */
export function surfacePoints(mesh: Mesh, spacing: number): BakePoints {
  const { positions, indices, groups } = mesh ?? {};
  const isMesh =
    isArrayOf(positions, Float32Array) && isArrayOf(indices, Uint32Array) && Array.isArray(groups);
  checkKind(isMesh, mesh, 'mesh', MESH);
  checkArrayOf(positions, Float32Array, 'mesh.positions');
  checkArrayOf(indices, Uint32Array, 'mesh.indices');
  checkPositive(spacing, 'spacing');
  const count = countPoints(mesh, spacing);
  const points = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  let at = 0;
  for (const { corners, normal, axes } of drawnFaces(mesh)) {
    const [first, second, third] = corners;
    const [a, b, c] = axes;
    const put = (p: number, q: number): void => {
      points[at + a] = p;
      points[at + b] = q;
      points[at + c] = first[c] - (normal[a] * (p - first[a]) + normal[b] * (q - first[b])) / normal[c];
      normals.set(normal, at);
      at += 3;
    };
    const before = at;
    eachRun(corners, a, b, spacing, (row, from, end) => {
      for (let k = from; k < end; k++) put((k + 0.5) * spacing, (row + 0.5) * spacing);
    });
    if (at > before) continue;
    const middle = (axis: Axis): number => (first[axis] + second[axis] + third[axis]) / 3;
    put(middle(a), middle(b));
  }
  return { points, normals };
}

/** How many points surfaces have. Before any is made, this checks the limits of all triangles together. */
function countPoints(mesh: Mesh, spacing: number): number {
  let [count, emptyRows] = [0, 0];
  const refuse = (what: string): never => {
    throw new RangeError(`spacing ${spacing} makes ${what}: use a larger one`);
  };
  for (const { corners, axes } of drawnFaces(mesh)) {
    const before = count;
    eachRun(corners, axes[0], axes[1], spacing, (_, from, end) => {
      count += end - from;
      if (from === end) emptyRows++;
      if (count > MOST_POINTS) refuse(`more than ${MOST_POINTS} points`);
      if (emptyRows > MOST_EMPTY_ROWS)
        refuse(`more than ${MOST_EMPTY_ROWS} rows without a point on thin triangles`);
    });
    if (count === before && ++count > MOST_POINTS) refuse(`more than ${MOST_POINTS} points`);
  }
  return count;
}

/** A triangle with its normal, the two axes that it faces least, and the one that it faces most. */
interface Face {
  readonly corners: Triangle;
  readonly normal: Corner;
  readonly axes: readonly [Axis, Axis, Axis];
}

/** The triangles of the world that are drawn and have an area. */
function* drawnFaces({ groups, indices, positions }: Mesh): Generator<Face> {
  const corner = (at: number): Corner => {
    const vertex = 3 * indices[at]!;
    return [positions[vertex]!, positions[vertex + 1]!, positions[vertex + 2]!];
  };
  for (const { model, isSky, isHidden, firstIndex, indexCount } of groups) {
    if (model !== 0 || isSky || isHidden) continue;
    for (let at = firstIndex; at < firstIndex + indexCount; at += 3) {
      const corners = [corner(at), corner(at + 1), corner(at + 2)] as const;
      const [first, second, third] = corners;
      const [x, y, z] = cross(subtract(second, first), subtract(third, first));
      const size = lengthOf(x, y, z);
      if (!(size > 1e-6)) continue;
      const normal = [x / size, y / size, z / size] as const;
      yield { corners, normal, axes: axesOf(normal) };
    }
  }
}

function axesOf(normal: Corner): Face['axes'] {
  const [x, y, z] = normal.map(Math.abs) as [number, number, number];
  if (z >= x && z >= y) return [0, 1, 2];
  return y >= x ? [0, 2, 1] : [1, 2, 0];
}
