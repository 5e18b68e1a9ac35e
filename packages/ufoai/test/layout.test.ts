import { ANSWERS, MOVE_BRUSH, MOVE_SIDE, SEGMENT_BYTES } from '@bspkit/brushes';
import { expect, it } from 'vitest';
import { LINE_STACK, MOVE_CROSSING, MOVE_HEAD, MOVE_LEAF, MOVE_TILE } from '../src/wasm/layout.ts';

it('numbers in the place of a move have words of their own there, and lines have no answers that only boxes have', () => {
  const numbers = [MOVE_BRUSH, MOVE_SIDE, MOVE_TILE, MOVE_LEAF];
  expect(new Set(numbers.filter((at) => at % 4 === 0 && at < SEGMENT_BYTES)).size).toBe(numbers.length);
  expect([MOVE_HEAD, MOVE_CROSSING]).toEqual([MOVE_TILE, MOVE_LEAF]);
  const { dist, contents, normal, allSolid } = ANSWERS;
  expect(LINE_STACK).toBe(Math.min(dist!, contents!, normal!, allSolid!));
});
