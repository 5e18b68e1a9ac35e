import type { Polygon } from '@bspkit/core';
import { lengthOf } from '@bspkit/geometry';
import { SURFACE_MESH, SURFACE_PATCH, SURFACE_PLANAR } from './constants.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  SHADER_CONTENTS,
  SHADER_WORDS,
  SURFACE_HEIGHT,
  SURFACE_INDEXES,
  SURFACE_NUM_INDEXES,
  SURFACE_SHADER,
  SURFACE_VERTEXES,
  SURFACE_WIDTH,
  SURFACE_WORDS,
} from './layout.ts';

/** A triangle with less area than this, in square Quake units, is left out: its normal would be meaningless. */
const MIN_AREA = 1e-6;

/**
 * Reads the triangles of surfaces one by one. Only {@link polygon} allocates, and {@link begin} for a patch with more points than
 * any before. It keeps no map, so one reader serves all.
 */
export class TriangleReader {
  /** The triangle that was read last: three corners, clockwise seen from its front, as in the format. */
  readonly corners: Float64Array = new Float64Array(9);
  /** Its plane, as polygons have it: normal and distance. */
  readonly plane: Float32Array = new Float32Array(4);
  /** The points of a patch, row by row, and how many cells a row has. */
  private _grid: Float64Array = new Float64Array(0);
  private _columns = 0;

  /** Turns to a surface, and returns how many triangles it has. */
  begin({ ints, floats, places }: WorldMemory, surface: number, patchLevel: number): number {
    const at = places.surfaces.first + SURFACE_WORDS * surface;
    const type = ints[at]!;
    if (type === SURFACE_PATCH) {
      const first = places.vertexes.first + 3 * ints[at + SURFACE_VERTEXES]!;
      return this._fillGrid(floats, first, ints[at + SURFACE_WIDTH]!, ints[at + SURFACE_HEIGHT]!, patchLevel);
    }
    if (type !== SURFACE_PLANAR && type !== SURFACE_MESH) return 0;
    return Math.floor(ints[at + SURFACE_NUM_INDEXES]! / 3);
  }

  /** Reads the corners of a triangle of the surface that it was turned to last. */
  read({ ints, floats, places }: WorldMemory, surface: number, triangle: number): void {
    const at = places.surfaces.first + SURFACE_WORDS * surface;
    if (ints[at] === SURFACE_PATCH) {
      this._readGrid(triangle);
      return;
    }
    const first = places.vertexes.first + 3 * ints[at + SURFACE_VERTEXES]!;
    const index = places.indexes.first + ints[at + SURFACE_INDEXES]! + 3 * triangle;
    for (let k = 0; k < 3; k++) this._take(k, floats, first + 3 * ints[index + k]!);
  }

  /** Finds the plane of the triangle; false if it has next to no area. */
  measure(): boolean {
    const { corners, plane } = this;
    const ax = corners[0]!;
    const ay = corners[1]!;
    const az = corners[2]!;
    const ux = corners[6]! - ax;
    const uy = corners[7]! - ay;
    const uz = corners[8]! - az;
    const vx = corners[3]! - ax;
    const vy = corners[4]! - ay;
    const vz = corners[5]! - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = lengthOf(nx, ny, nz);
    if (!(length / 2 >= MIN_AREA)) return false;
    plane[0] = nx / length;
    plane[1] = ny / length;
    plane[2] = nz / length;
    plane[3] = 0 + (ax * nx) / length + (ay * ny) / length + (az * nz) / length;
    return true;
  }

  /** The triangle that was measured last, which is one of a surface. */
  polygon({ ints, places }: WorldMemory, surface: number): Polygon {
    const { corners, plane } = this;
    const texture = ints[places.surfaces.first + SURFACE_WORDS * surface + SURFACE_SHADER]!;
    const contents = ints[places.shaders.first + SHADER_WORDS * texture + SHADER_CONTENTS]!;
    const vertices = new Float32Array(9);
    for (let k = 0; k < 3; k++) {
      vertices[k] = corners[k]!;
      vertices[3 + k] = corners[6 + k]!;
      vertices[6 + k] = corners[3 + k]!;
    }
    return { vertices, normal: plane.slice(0, 3), dist: plane[3]!, texture, contents, surface };
  }

  private _take(corner: number, from: Float32Array | Float64Array, at: number): void {
    for (let k = 0; k < 3; k++) this.corners[3 * corner + k] = from[at + k]!;
  }

  /** A patch's points, of which {@link _readGrid} makes two triangles per cell. Returns how many triangles these are. */
  private _fillGrid(
    floats: Float32Array,
    first: number,
    width: number,
    height: number,
    level: number,
  ): number {
    const columns = ((width - 1) / 2) * level;
    const rows = ((height - 1) / 2) * level;
    const size = 3 * (columns + 1) * (rows + 1);
    if (this._grid.length < size) this._grid = new Float64Array(size);
    this._columns = columns;
    let to = 0;
    for (let row = 0; row <= rows; row++) {
      const top = Math.min(Math.floor(row / level), (height - 3) / 2);
      weigh(DOWN, row / level - top);
      for (let column = 0; column <= columns; column++, to += 3) {
        const left = Math.min(Math.floor(column / level), (width - 3) / 2);
        weigh(ACROSS, column / level - left);
        fillPoint(this._grid, to, floats, first + 3 * (2 * top * width + 2 * left), 3 * width);
      }
    }
    return 2 * rows * columns;
  }

  private _readGrid(triangle: number): void {
    const cell = triangle >> 1;
    const a = 3 * (cell + Math.floor(cell / this._columns));
    const d = a + 3 * (this._columns + 1);
    const isFirst = (triangle & 1) === 0;
    this._take(0, this._grid, isFirst ? a : d + 3);
    this._take(1, this._grid, isFirst ? d : a + 3);
    this._take(2, this._grid, isFirst ? d + 3 : a);
  }
}

/** How much the three control points of a quadratic curve weigh, in a patch's two directions. */
const ACROSS: Float64Array = /* @__PURE__ */ new Float64Array(3);
const DOWN: Float64Array = /* @__PURE__ */ new Float64Array(3);

/** Weighs the control points of a quadratic curve at `t`. */
function weigh(weights: Float64Array, t: number): void {
  weights[0] = (1 - t) * (1 - t);
  weights[1] = 2 * t * (1 - t);
  weights[2] = t * t;
}

/** A point by the weights of 3 x 3 control points, of which the first is at `first` and rows are `stride` apart. */
function fillPoint(to: Float64Array, at: number, control: Float32Array, first: number, stride: number): void {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let j = 0; j < 3; j++) {
    const down = DOWN[j]!;
    for (let i = 0; i < 3; i++) {
      const weight = ACROSS[i]! * down;
      const from = first + j * stride + 3 * i;
      x += weight * control[from]!;
      y += weight * control[from + 1]!;
      z += weight * control[from + 2]!;
    }
  }
  to[at] = x;
  to[at + 1] = y;
  to[at + 2] = z;
}
