import {
  type BakeOutcome,
  bakeLayer,
  type Color,
  rampColor,
  roundScale,
  type ValueLayer,
} from '@bspkit/bake/picture';
import type { Mesh } from '@bspkit/core';

/** Triangles with a colour at each corner: 0 to 255, three numbers each, as positions. */
export interface ColoredTriangles {
  readonly positions: Float32Array;
  readonly colors: Uint8Array;
  readonly indices: Uint32Array;
}

/** Values at their places, as they lie on surfaces. */
export interface PlacedValues {
  readonly layer: ValueLayer;
  /** Which way each place faces, three numbers each; `undefined` for those on floors. */
  readonly normals: Float32Array | undefined;
}

/** What of an occlusion bake's result is looked at here. */
interface Occlusion {
  readonly points: Float32Array;
  readonly normals: Float32Array | undefined;
  readonly visibility: Float32Array;
}

/** Most places that are drawn, each a square; of more, every second, third and so on. */
const MOST_SQUARES = 250_000;
/** How much of the room between cells a square fills, and how far in front of its surface it is, in Quake units. */
const [FILLED, IN_FRONT] = [0.94, 0.75];

/** A bake's values where they are in the map: all of them, on walls and ceilings too. */
export function placedValues(bake: BakeOutcome, from: readonly number[] | undefined): PlacedValues {
  const layer = bakeLayer(bake, { from });
  if (bake.kind !== 'occlusion') return { layer, normals: undefined };
  const { points, normals, visibility } = bake.result as Occlusion;
  return { layer: { ...layer, nouns: ['point', 'points'], positions: points, values: visibility }, normals };
}

/** The colour of a value. */
export function valueColor({ scale }: ValueLayer): (value: number) => Color {
  if ('classes' in scale) return (value) => scale.classes[value]!.color;
  const { high } = roundScale(scale);
  return (value) => rampColor(scale.ramp, value / high);
}

/**
 * Values as squares that lie on what they are of, or, where they are those of a mesh's own vertices, as that mesh.
 * `every` is 1, or k where only every k-th place is drawn.
 */
export function coloredTriangles(
  { layer, normals }: PlacedValues,
  mesh: Mesh | undefined,
): ColoredTriangles & { readonly every: number } {
  const { positions, values } = layer;
  const color = valueColor(layer);
  if (normals && mesh && isSame(positions, mesh.positions)) {
    const colors = new Uint8Array(positions.length);
    for (let k = 0; k < values.length; k++) colors.set(color(values[k]!), 3 * k);
    return { positions, colors, indices: drawnIndices(mesh), every: 1 };
  }
  const every = Math.ceil(values.length / MOST_SQUARES) || 1;
  const count = Math.ceil(values.length / every);
  const corners = new Float32Array(12 * count);
  const colors = new Uint8Array(12 * count);
  const indices = new Uint32Array(6 * count);
  // Cells are separate; surfaces are whole.
  const half = (layer.step * (normals ? 1 : FILLED)) / 2;
  for (let square = 0; square < count; square++) {
    const k = square * every;
    const normal = normals ? normals.subarray(3 * k, 3 * k + 3) : UP;
    const [across, along] = axesOf(normal);
    for (const [corner, [a, b]] of CORNERS.entries()) {
      const at = 12 * square + 3 * corner;
      for (let axis = 0; axis < 3; axis++) {
        corners[at + axis] =
          positions[3 * k + axis]! + IN_FRONT * normal[axis]! + half * (a * across[axis]! + b * along[axis]!);
      }
      colors.set(color(values[k]!), at);
    }
    indices.set(
      [0, 1, 2, 0, 2, 3].map((corner) => 4 * square + corner),
      6 * square,
    );
  }
  return { positions: corners, colors, indices, every };
}

const UP = [0, 0, 1];
const CORNERS: readonly (readonly [number, number])[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];

/**
 * Two vectors in a plane, the first level where that can be, counter-clockwise seen from its front: as long as places
 * of a grid lie apart on it, which follows the axes that the plane faces least.
 */
function axesOf(normal: ArrayLike<number>): readonly [readonly number[], readonly number[]] {
  const [x, y, z] = [normal[0]!, normal[1]!, normal[2]!];
  const level = Math.hypot(x, y);
  if (level < 1e-3) {
    return [
      [1, 0, 0],
      [0, Math.sign(z) || 1, 0],
    ];
  }
  const steep = Math.max(Math.abs(x), Math.abs(y));
  const isFloor = Math.abs(z) >= steep;
  const [wide, long] = isFloor ? [1, 1 / Math.abs(z)] : [level / steep, 1 / level];
  const [u, v] = [-y / level, x / level];
  return [
    [wide * u, wide * v, 0],
    [0 - long * z * v, long * z * u, long * level],
  ];
}

const isSame = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((x, k) => x === b[k]);

/** The triangles of the world that the game draws, but for skies. */
function drawnIndices({ indices, groups }: Mesh): Uint32Array {
  const drawn = groups.filter(({ model, isSky, isHidden }) => model === 0 && !isSky && !isHidden);
  const all = new Uint32Array(drawn.reduce((sum, { indexCount }) => sum + indexCount, 0));
  let at = 0;
  for (const { firstIndex, indexCount } of drawn) {
    all.set(indices.subarray(firstIndex, firstIndex + indexCount), at);
    at += indexCount;
  }
  return all;
}

/** The number of the place nearest to a point, within `reach`; -1 for none. */
export function nearestPlace(positions: ArrayLike<number>, point: ArrayLike<number>, reach: number): number {
  let [best, least] = [-1, reach * reach];
  for (let k = 0; 3 * k < positions.length; k++) {
    let away = 0;
    for (let axis = 0; axis < 3; axis++) {
      const by = positions[3 * k + axis]! - point[axis]!;
      away += by * by;
    }
    if (away < least) [best, least] = [k, away];
  }
  return best;
}
