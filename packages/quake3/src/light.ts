import {
  type Entity,
  type LightOptions,
  type LightSample,
  type LightSampler,
  parseEntities,
  type Vec3,
} from '@bspkit/core';
import {
  askedLight,
  checkFileOf,
  checkLightSample,
  createFullLight,
  createLightSample,
  sin,
} from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake3File } from './file.ts';
import { BRIGHTNESS } from './lightmaps.ts';

/** Bytes of a cell: light from all sides, light from one side, and two angles of the latter. */
const CELL_BYTES = 8;
/** Size of a cell in Quake units, unless the world's entity says otherwise. */
const CELL: readonly number[] = [64, 64, 128];
/** Below this sum of weights, cells are left out that lie in walls, and the others count for more. */
const WHOLE = 0.99;
/** Sines in the engine's table, and how many of these there are for each value of a byte. */
const SINES = 1024;
const SINES_PER_BYTE = SINES / 256;

/**
 * How light it is at points of a map, by the light grid in the file: how the engine lights players and items. Light is interpolated
 * between the eight cells around a point, of which those in walls are left out. Points outside the grid take its nearest cells.
 * `styles` and `smooth` are ignored. `brightness` is 4 by default, as for {@link lightmaps}; what would be brighter than 255 keeps
 * its hue, cell by cell.
 *
 * Source: R_SetupEntityLightingGrid of ioquake3, with float32 arithmetic. The engine then takes 0.6 times `ambient`, adds 32 / 255
 * to all three colours of it, and cuts off at 1.
 *
 * @throws BspError (`lump-size`) for a grid that does not fit the map's bounds, which the engine ignores; (`syntax`, `limit`) for
 *   entities that are not well-formed; RangeError or TypeError for wrong options.
 */
export function createLightSampler(file: Quake3File, options: LightOptions = {}): LightSampler {
  checkFileOf(file, 'quake3', 'readQuake3');
  const { brightness } = askedLight(options, BRIGHTNESS);
  return file.lightGrid.length === 0 ? createFullLight() : new GridLight(file, brightness);
}

/**
 * Size of a cell, as the engine reads it from the world's entity: keys may be in capitals, and where the text has no more numbers,
 * the usual size counts.
 */
function cellSize(world: Entity): Vec3 {
  const sizes = [...CELL];
  for (const key of Object.keys(world)) {
    if (key.toLowerCase() !== 'gridsize') continue;
    const numbers = (world[key]!.match(/\S+/g) ?? []).map(Number);
    for (let k = 0; k < 3 && Number.isFinite(numbers[k]); k++) sizes[k] = numbers[k]!;
  }
  return sizes;
}

class GridLight implements LightSampler {
  readonly isLit = true;
  private readonly _cells: Uint8Array;
  private readonly _brightness: number;
  /** Along each axis: where cells begin, 1 divided by their size, and how many there are. */
  private readonly _origin = new Float32Array(3);
  private readonly _scale = new Float32Array(3);
  private readonly _counts = new Float64Array(3);
  /** Sines of the angles that a byte can say. */
  private readonly _sines = new Float32Array(256);
  /** Along each axis: the cell before the point, and how far behind it the point is. */
  private readonly _cell = new Int32Array(3);
  private readonly _part = new Float32Array(3);

  constructor(file: Quake3File, brightness: number) {
    this._cells = file.lightGrid;
    this._brightness = brightness;
    const [world] = parseEntities(file.entities, 'quake3');
    const sizes = cellSize(world ?? {});
    const { mins, maxs } = file.models[0]!;
    const f = Math.fround;
    for (let k = 0; k < 3; k++) {
      const size = f(sizes[k]!);
      const first = f(size * Math.ceil(f(mins[k]! / size)));
      const last = f(size * Math.floor(f(maxs[k]! / size)));
      this._origin[k] = first;
      this._scale[k] = 1 / size;
      this._counts[k] = Math.trunc(f(f(f(last - first) / size) + 1));
    }
    const [across, along, up] = this._counts as ArrayLike<number> as [number, number, number];
    const { length } = this._cells;
    if (!(across > 0 && along > 0 && up > 0 && CELL_BYTES * across * along * up === length)) {
      const problem = `length ${length} is not that of ${across} x ${along} x ${up} cells`;
      checks.fail('lump-size', 'lightGrid', undefined, problem);
    }
    // The engine's table has 1024 sines, the last of them that of a whole turn, so they are not quite those of a byte's angles.
    for (let k = 0; k < 256; k++) {
      const degrees = f((SINES_PER_BYTE * k * 360) / (SINES - 1));
      this._sines[k] = sin((degrees * Math.PI) / 180);
    }
  }

  createSample(): LightSample {
    return createLightSample();
  }

  at(point: Vec3, out: LightSample = createLightSample()): LightSample {
    checkLightSample(point, out, this._cells);
    // All three are read before the first is written: reading them may run a getter that asks.
    const x = point[0]!;
    const y = point[1]!;
    const z = point[2]!;
    this._part[0] = x;
    this._part[1] = y;
    this._part[2] = z;
    for (let axis = 0; axis < 3; axis++) this._locate(axis);
    this._sum(out);
    return out;
  }

  /** Finds the cell before the point along an axis; what is outside the grid counts as in the cell at its edge. */
  private _locate(axis: number): void {
    const f = Math.fround;
    const place = f(f(this._part[axis]! - this._origin[axis]!) * this._scale[axis]!);
    const before = Math.floor(place);
    const part = place - before;
    this._cell[axis] = Math.min(Math.max(before, 0), this._counts[axis]! - 1);
    this._part[axis] = part >= 0 ? part : 0;
  }

  /** Sums the eight cells around the point. */
  private _sum(out: LightSample): void {
    const { ambient, directed, direction } = out;
    const bytes = this._cells;
    const cells = this._cell;
    const parts = this._part;
    const counts = this._counts;
    const sines = this._sines;
    const f = Math.fround;
    for (let k = 0; k < 3; k++) {
      ambient[k] = 0;
      directed[k] = 0;
      direction[k] = 0;
    }
    let total = 0;
    for (let corner = 0; corner < 8; corner++) {
      let weight = 1;
      let at = 0;
      let stride = CELL_BYTES;
      let isInside = true;
      for (let axis = 0; axis < 3; axis++) {
        const isBehind = (corner >> axis) & 1;
        const cell = cells[axis]! + isBehind;
        isInside &&= cell < counts[axis]!;
        weight = f(weight * (isBehind === 1 ? parts[axis]! : f(1 - parts[axis]!)));
        at += stride * cell;
        stride *= counts[axis]!;
      }
      // Cells in walls have no light from all sides.
      if (!isInside || bytes[at]! + bytes[at + 1]! + bytes[at + 2]! === 0) continue;
      total = f(total + weight);
      for (let from = 0; from < 6; from += 3) {
        const into = from === 0 ? ambient : directed;
        const most = Math.max(bytes[at + from]!, bytes[at + from + 1]!, bytes[at + from + 2]!);
        const isTooBright = this._brightness * most > 255;
        for (let k = 0; k < 3; k++) {
          const value = bytes[at + from + k]!;
          const shown = isTooBright ? Math.floor((255 * value) / most) : this._brightness * value;
          into[k]! += f(weight * shown);
        }
      }
      const around = bytes[at + 7]!;
      const down = bytes[at + 6]!;
      direction[0]! += f(f(sines[(around + 64) & 255]! * sines[down]!) * weight);
      direction[1]! += f(f(sines[around]! * sines[down]!) * weight);
      direction[2]! += f(sines[(down + 64) & 255]! * weight);
    }
    const x = direction[0]!;
    const y = direction[1]!;
    const z = direction[2]!;
    const square = f(f(f(x * x) + f(y * y)) + f(z * z));
    const turn = square > 0 ? f(1 / f(Math.sqrt(square))) : 0;
    const share = total > 0 && total < WHOLE ? f(1 / total) : 1;
    for (let k = 0; k < 3; k++) {
      ambient[k] = f(ambient[k]! * share) / 255;
      directed[k] = f(directed[k]! * share) / 255;
      direction[k]! *= turn;
    }
    out.surface = -1;
  }
}
