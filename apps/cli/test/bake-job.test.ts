import { describe, expect, it } from 'vitest';
import { parametersOf } from '../src/bake-job.ts';

/** The grid of a part of a map, along x. */
function gridOf(step: number, from: number, to: number): { readonly first: number; readonly cells: number } {
  const map = { world: { bounds: { mins: [0, 0, 0], maxs: [8, 8, 8] } } } as never;
  const { origin, size } = parametersOf(map, { kind: 'clearance', step, bounds: [from, 0, 0, to, 8, 8] });
  return { first: (origin as number[])[0]!, cells: (size as number[])[0]! };
}

describe('the grid of clearance', () => {
  it('has the cells between two of its lines, and no others, however wide these are', () => {
    for (const step of [8, 64, 38.4, 33.3, 25.6, 12.8, 0.3]) {
      for (let line = -40; line < 40; line++) {
        // As somebody writes them: 0.3, which three times 0.1 is not.
        const [from, to] = [line, line + 7].map((at) => Number((at * step).toFixed(3)));
        expect(gridOf(step, from!, to!)).toEqual({ first: (line + 0.5) * step, cells: 7 });
      }
    }
  });

  it('has the cells that are partly within bounds', () => {
    expect(gridOf(64, -1, 65)).toEqual({ first: -32, cells: 3 });
    expect(gridOf(64, 0, 64.01)).toEqual({ first: 32, cells: 2 });
    expect(gridOf(64, 64, 64)).toEqual({ first: 96, cells: 1 });
  });
});
