import type { Vec } from '@bspkit/geometry';
import { REACH } from './box.ts';
import { CompileError, type SourcePlace } from './error.ts';
import type { SourcePatch } from './source.ts';

/** The most control points in a row, and in all, that the engine can hold. */
const LONGEST = 31;

/** What is wrong with a patch's grid, if anything. */
export function patchProblem(width: number, height: number): string | undefined {
  for (const [name, count] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (!(Number.isInteger(count) && count >= 3 && count <= LONGEST && count % 2 === 1)) {
      return `${name} must be an odd number in 3..${LONGEST}, found ${count}`;
    }
  }
  return undefined;
}

/**
 * Throws `CompileError` (`patch`) unless a patch has a possible grid and all of its points, which are finite.
 *
 * @param origin - of its model: as with brushes, what is too far from that would be lost in the game.
 */
export function checkPatch(patch: SourcePatch, place: SourcePlace, origin: Vec = [0, 0, 0]): void {
  const { width, height, points } = patch;
  const problem = patchProblem(width, height);
  if (problem) throw new CompileError('patch', place, problem);
  if (points.length !== width * height) {
    throw new CompileError('patch', place, `a grid of ${width} by ${height} has ${points.length} points`);
  }
  if (!points.every((point) => point.every(Number.isFinite))) {
    throw new CompileError('patch', place, 'a point is not finite');
  }
  for (const from of [[0, 0, 0], origin]) {
    const far = points.find((point) => from.some((x, k) => Math.abs(point[k]! - x) > REACH));
    if (!far) continue;
    const whose = from === origin ? ` from ${origin.join(' ')}, the origin of its model` : '';
    throw new CompileError(
      'limit',
      place,
      `the point ${far.slice(0, 3).join(' ')} lies beyond ${REACH} units${whose}`,
    );
  }
}
