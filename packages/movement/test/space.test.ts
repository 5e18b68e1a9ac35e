import { createTrace } from '@bspkit/core';
import { expect, it } from 'vitest';
import { entityOf, startEntityOf } from '../src/space.ts';

const traceOf = (parts: { fraction: number; startSolid?: boolean; entity?: number; startEntity?: number }) =>
  Object.assign(createTrace(), parts);

it.each([
  [{ fraction: 1 }, -1],
  // With the rules of some games, scenes name the world here.
  [{ fraction: 1, entity: 0 }, -1],
  [{ fraction: 1, startSolid: true }, -1],
  [{ fraction: 1, startSolid: true, entity: 3 }, 3],
  [{ fraction: 0.5 }, 0],
  [{ fraction: 0.5, entity: 3 }, 3],
  [{ fraction: 0, startSolid: true }, 0],
])('a trace says what it hit, whether it names bodies or not: %j', (parts, entity) => {
  expect(entityOf(traceOf(parts))).toBe(entity);
});

it('a trace says what it started in', () => {
  expect(startEntityOf(traceOf({ fraction: 0, startSolid: true }))).toBe(0);
  expect(startEntityOf(traceOf({ fraction: 0, startSolid: true, startEntity: 3 }))).toBe(3);
});
