import type { Brush } from './brushes.ts';
import { CompileError, type SourcePlace } from './error.ts';

/**
 * Adds up the squares of brushes' numbers of sides. The work of readers and tracers grows with these, as each side of a brush is
 * cut by all its others, so our readers accept only so many in a file.
 */
export class SideSquares {
  private readonly _most: number;
  private readonly _format: string;
  private readonly _perSide: number;
  private _sum = 0;
  private _sides = 0;

  /** @param perSide - how many there may be for each side, if that is more than `most`. */
  constructor(most: number, format: string, perSide = 0) {
    this._most = most;
    this._format = format;
    this._perSide = perSide;
  }

  /** Counts a brush as it is in the file. Throws CompileError (`limit`) with the `place` of the first one that is too many. */
  add(sides: number, place: SourcePlace): void {
    this._sum += sides * sides;
    this._sides += sides;
    const most = Math.max(this._most, this._perSide * this._sides);
    if (this._sum <= most) return;
    const problem =
      `with the ${sides} sides of this brush, squares of brushes' sides make ${this._sum} together, ` +
      `where ${this._format} may have ${most}: make it of fewer sides`;
    throw new CompileError('limit', place, problem);
  }
}

/** Refuses brushes whose own sides alone are too many, before trees are made from them: a file has additional sides. */
export function checkSquares(brushes: readonly Brush[], most: number, format: string, perSide = 0): void {
  const squares = new SideSquares(most, format, perSide);
  for (const { solid, place } of brushes) squares.add(solid.planes.length, place);
}
