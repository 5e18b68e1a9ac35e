import type { Brush } from './brushes.ts';
import { CompileError, type SourcePlace } from './error.ts';

/** What is counted: see {@link WorkCounts}. */
type Work = 'pairs' | 'pieces' | 'faces' | 'listed' | 'corners';

/**
 * How much the compiler does for a map, how much more per side of a brush, and what it is called. PERF: text with n brushes can
 * make n² pairs and faces, and n³ pieces on the way to them. Accepted are 4 overlapping brushes of 1,000 sides, 100 of 30 sides, or
 * 450 bars in three rows that all cross. None of the 69 maps whose sources are in Debian's packages is refused.
 */
const MOST: Readonly<Record<Work, Readonly<{ map: number; side: number; name: string }>>> = {
  pairs: { map: 0x800000, side: 64, name: 'pairs of brushes whose boxes touch' },
  pieces: { map: 0x100000, side: 64, name: 'pieces that brushes and planes cut from sides' },
  faces: { map: 0x30000, side: 16, name: 'faces of brushes that overlap' },
  listed: { map: 0x20000, side: 16, name: 'brushes in lists of leafs' },
  corners: { map: 0x100000, side: 64, name: 'corners on edges of other faces' },
};

/**
 * Counts what is made of brushes on the way to a tree: pairs whose boxes touch, faces, pieces that sides are cut into, brushes that
 * leafs list. There is one for each purpose (a hull, say, or the faces that are drawn), which counts for all models of a map.
 * Formats without limits of their own would take any number.
 */
export class WorkCounts {
  private readonly _counts: Record<Work, number> = { pairs: 0, pieces: 0, faces: 0, listed: 0, corners: 0 };
  private readonly _sides: number;
  private readonly _most: Readonly<Partial<Record<Work, number>>>;

  /** @param sides - of all brushes in the source. `most` replaces limits computed from that. */
  constructor(sides: number, most: Readonly<Partial<Record<Work, number>>> = {}) {
    this._sides = sides;
    this._most = most;
  }

  /**
   * Throws `CompileError` (`limit`) when that is too many; with the `place` of the brush that made them, if it was a single one.
   */
  add(work: Work, count: number, place: SourcePlace = {}): void {
    this._counts[work] += count;
    const { map, side, name } = MOST[work];
    const most = this._most[work] ?? map + side * this._sides;
    if (this._counts[work] <= most) return;
    const problem = `the compiler takes on at most ${most} ${name}, but the map has more: let fewer brushes cross or touch each other`;
    throw new CompileError('limit', place, problem);
  }
}

/** Sides of brushes. */
export const countSides = (brushes: readonly Brush[]): number =>
  brushes.reduce((sum, { solid }) => sum + solid.planes.length, 0);
