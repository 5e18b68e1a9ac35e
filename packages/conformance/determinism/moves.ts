import type { Bounds, Trace } from '@bspkit/core';
import { between, type Random } from '@bspkit/geometry';

/** How far beyond the bounds moves start and end. */
const MARGIN = 48;

/**
 * Seeded moves through a map: from anywhere, or from where the last one ended, which is close to a surface; long, short, along an
 * axis, or of no length. They depend on previous answers, so if one bit differs, everything that follows does.
 */
export class Moves {
  readonly start: Float32Array = new Float32Array(3);
  readonly end: Float32Array = new Float32Array(3);
  private readonly _random: Random;
  private readonly _low: number[];
  private readonly _high: number[];
  private _goesOn = false;

  constructor(random: Random, { mins, maxs }: Bounds) {
    this._random = random;
    this._low = Array.from(mins, (x) => x - MARGIN);
    this._high = Array.from(maxs, (x) => x + MARGIN);
  }

  next(): void {
    const { start, end, _random: random } = this;
    if (!this._goesOn || random() < 0.3) this._anywhere(start);
    const kind = random();
    if (kind < 0.4) this._anywhere(end);
    else {
      const reach = kind < 0.6 ? 24 : 600;
      const axis = kind < 0.8 ? -1 : Math.floor(3 * random());
      for (let k = 0; k < 3; k++) {
        const step = axis < 0 || axis === k ? between(random, -reach, reach) : 0;
        end[k] = start[k]! + (kind < 0.95 ? step : 0);
      }
    }
  }

  /** Takes an answer: the next move may start where it ended. */
  follow({ startSolid, endPos }: Trace): void {
    this._goesOn = !startSolid;
    this.start.set(endPos);
  }

  private _anywhere(point: Float32Array): void {
    for (let k = 0; k < 3; k++) point[k] = between(this._random, this._low[k]!, this._high[k]!);
  }
}
