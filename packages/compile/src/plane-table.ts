import type { Brush, Side } from './brushes.ts';
import type { PlaneSet } from './planes.ts';
import { LumpWriter } from './writer.ts';

/** How a format stores planes. */
export interface PlaneTableOptions {
  /** Whether the record ends with the plane's type. */
  readonly typed: boolean;
  /** Whether both planes of a pair are stored; otherwise only the even one. */
  readonly pairs: boolean;
}

/** The planes that a file needs, numbered in the order in which they are first used. */
export class PlaneTable {
  readonly lump: LumpWriter = new LumpWriter();
  private readonly _planes: PlaneSet;
  private readonly _options: PlaneTableOptions;
  private readonly _numbers = new Map<number, number>();

  constructor(planes: PlaneSet, options: PlaneTableOptions) {
    this._planes = planes;
    this._options = options;
  }

  /** Planes written so far. */
  get size(): number {
    return (this._options.pairs ? 2 : 1) * this._numbers.size;
  }

  /** Number in the file of a plane of the set; if pairs are not stored, that of its even plane. */
  number(plane: number): number {
    const { pairs, typed } = this._options;
    const even = plane & ~1;
    let number = this._numbers.get(even);
    if (number === undefined) {
      number = this.size;
      this._numbers.set(even, number);
      const { nx, ny, nz, dist } = this._planes;
      for (const p of pairs ? [even, even + 1] : [even]) {
        this.lump.f32(nx[p]!, ny[p]!, nz[p]!, dist[p]!);
        if (typed) this.lump.i32(this._planes.type(p));
      }
    }
    return pairs ? number + (plane & 1) : number;
  }
}

/** The brush's own side on a plane; for a bevel, the side that faces most nearly the same way. */
export function nearestSide(planes: PlaneSet, { solid, sides }: Brush, plane: number): Side {
  let best = 0;
  let bestCosine = -2;
  solid.planes.forEach((own, i) => {
    const cosine =
      own === plane
        ? 2
        : planes.nx[own]! * planes.nx[plane]! +
          planes.ny[own]! * planes.ny[plane]! +
          planes.nz[own]! * planes.nz[plane]!;
    if (cosine > bestCosine) {
      best = i;
      bestCosine = cosine;
    }
  });
  return sides[best]!;
}
