import type { BspWorld, Mesh, PolygonSource } from '@bspkit/core';
import { entityVector } from '@bspkit/core';
import { checkCallback, checkFinite, checkObject, checkText, failArgument } from '@bspkit/core/format';

/** Points that a bake is about. */
export interface BakePoints {
  /** Three numbers each, in Quake units. */
  readonly points: Float32Array;
  /** Three numbers each, of unit length; `undefined` for points that lie on nothing. */
  readonly normals: Float32Array | undefined;
}

/** Most points that a file, or a map's surfaces, are taken for. */
const MOST_POINTS = 2 ** 24;

/**
 * Points of a text: three numbers a line, or six with normals, between commas, semicolons, blanks or brackets. Blank lines
 * and those that begin with `#` are passed over, and so is a first line of names.
 * @throws SyntaxError naming the line that is wrong; TypeError for what is no text.
 */
export function parsePoints(text: string): BakePoints {
  checkText(text, 'text');
  const numbers: number[] = [];
  let width = 0;
  for (const [k, line] of text.split('\n').entries()) {
    const words = line
      .replace(/[[\](){},;\s]+/g, ' ')
      .trim()
      .split(' ');
    if (words[0] === '' || words[0]!.startsWith('#')) continue;
    if (width === 0 && numbers.length === 0 && words.every((word) => /^["']?[a-z_]/i.test(word))) continue;
    const values = words.map(Number);
    const wrong = values.findIndex((value) => !Number.isFinite(Math.fround(value)));
    if (wrong >= 0) fail(k, `'${words[wrong]!.slice(0, 40)}' is not a number`);
    if (values.length !== 3 && values.length !== 6) fail(k, `has ${values.length} numbers, but needs 3 or 6`);
    if (width !== 0 && values.length !== width) fail(k, `has ${values.length} numbers, others have ${width}`);
    width = values.length;
    if (numbers.length >= width * MOST_POINTS) fail(k, `is one more than ${MOST_POINTS} points`);
    if (width === 6) unit(values, k);
    for (const value of values) numbers.push(value);
  }
  const count = width === 0 ? 0 : numbers.length / width;
  const pick = (from: number): Float32Array =>
    Float32Array.from({ length: 3 * count }, (_, i) => numbers[Math.floor(i / 3) * width + from + (i % 3)]!);
  return { points: pick(0), normals: width === 6 ? pick(3) : undefined };
}

function unit(values: number[], line: number): void {
  const [x, y, z] = values.slice(3) as [number, number, number];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-6)) fail(line, 'has a normal of no length');
  for (let k = 3; k < 6; k++) values[k]! /= length;
}

function fail(line: number, problem: string): never {
  throw new SyntaxError(`line ${line + 1} ${problem}`);
}

/**
 * The origins of a map's entities.
 *
 * @param classname - which entities: a class name, or the beginning of one before `*`; all that have an origin by default.
 * @throws BspError when the entities' text does not parse; TypeError for a `classname` that is no text.
 */
export function entityPoints(world: BspWorld, classname = '*'): BakePoints {
  checkObject(world, 'world');
  checkText(classname, 'classname');
  const isWanted = (name = ''): boolean =>
    classname.endsWith('*') ? name.startsWith(classname.slice(0, -1)) : name === classname;
  const points = world
    .entities()
    .filter((entity) => isWanted(entity.classname))
    .flatMap((entity) => entityVector(entity, 'origin') ?? []);
  return { points: Float32Array.from(points), normals: undefined };
}

/** The vertices of a mesh with their normals, in its order, so that each answer is a vertex's. */
export function meshPoints(mesh: Mesh): BakePoints {
  checkObject(mesh, 'mesh');
  const { positions, normals } = mesh;
  return { points: Float32Array.from(positions), normals: Float32Array.from(normals) };
}

/**
 * Points all over the surfaces that stop players, in a grid on each, or in its middle where that is smaller than the grid.
 *
 * @param spacing - distance between points along the two axes that a surface faces least, in Quake units, more than 0.
 * @throws RangeError for a `spacing` that cannot be, and when there would be more than 2^24 points.
 */
export function surfacePoints(source: PolygonSource, spacing: number): BakePoints {
  checkCallback(source?.polygons, 'source.polygons');
  checkFinite(spacing, 'spacing');
  if (!(spacing > 0)) failArgument('spacing', 'more than 0', spacing);
  const points: number[] = [];
  const normals: number[] = [];
  for (const polygon of source.polygons()) {
    if (!source.isSolid(polygon)) continue;
    const { vertices, normal, dist } = polygon;
    const before = points.length;
    const [a, b, c] = axesOf(normal);
    const put = (p: number, q: number): void => {
      const point = [0, 0, 0];
      point[a] = p;
      point[b] = q;
      point[c] = (dist - normal[a]! * p - normal[b]! * q) / normal[c]!;
      points.push(...point);
      normals.push(normal[0]!, normal[1]!, normal[2]!);
    };
    const corners = vertices.length / 3;
    const [mins, maxs, middle] = [
      [Infinity, Infinity],
      [-Infinity, -Infinity],
      [0, 0],
    ];
    for (let k = 0; k < corners; k++) {
      for (const [at, axis] of [a, b].entries()) {
        const value = vertices[3 * k + axis]!;
        mins[at] = Math.min(mins[at]!, value);
        maxs[at] = Math.max(maxs[at]!, value);
        middle[at]! += value / corners;
      }
    }
    const first = mins.map((value) => Math.ceil(value / spacing));
    const last = maxs.map((value) => Math.floor(value / spacing));
    const cells = Math.max(0, last[0]! - first[0]! + 1) * Math.max(0, last[1]! - first[1]! + 1);
    if (points.length / 3 + cells > MOST_POINTS) {
      throw new RangeError(`spacing ${spacing} makes more than ${MOST_POINTS} points: take a larger one`);
    }
    for (let j = first[1]!; j <= last[1]!; j++) {
      for (let i = first[0]!; i <= last[0]!; i++) {
        if (isInside(vertices, a, b, i * spacing, j * spacing)) put(i * spacing, j * spacing);
      }
    }
    if (points.length === before) put(middle[0]!, middle[1]!);
  }
  return { points: Float32Array.from(points), normals: Float32Array.from(normals) };
}

/** The two axes that a normal faces least, and the one that it faces most. */
function axesOf(normal: Float32Array): readonly [number, number, number] {
  const [x, y, z] = Array.from(normal, Math.abs) as [number, number, number];
  if (z >= x && z >= y) return [0, 1, 2];
  return y >= x ? [0, 2, 1] : [1, 2, 0];
}

/** Whether a point lies within a convex polygon, both seen along an axis: on one side of all edges. */
function isInside(vertices: Float32Array, a: number, b: number, p: number, q: number): boolean {
  let side = 0;
  for (let k = 0; k < vertices.length; k += 3) {
    const next = (k + 3) % vertices.length;
    const [x, y] = [vertices[k + a]!, vertices[k + b]!];
    const turn = (vertices[next + a]! - x) * (q - y) - (vertices[next + b]! - y) * (p - x);
    if (turn === 0) continue;
    if (side !== 0 && turn > 0 !== side > 0) return false;
    side = turn;
  }
  return true;
}
