import { describe, expect, it } from 'vitest';
import { nothing, type Point, traceTree } from '../src/reference/index.ts';
import { boxPlanes, makeFile, openFile } from './world.ts';

describe('the literal algorithm', () => {
  const [RULES, ZERO] = [{ inDouble: false, touchMargin: 1, touchEpsilon: 0 }, [0, 0, 0] as Point];
  const FIRST = { nodes: 0, leafs: 0, brushes: 0, sides: 0 };

  /** Outcomes for a brush that a leaf lists `times` times, and how many numbers were read. */
  function trace(times: number, start: Point, end: Point): { outcomes: string[]; reads: number } {
    const memory = openFile(
      makeFile({
        brushes: [{ planes: boxPlanes([-8, -8, -8], [8, 8, 8]) }],
        leafs: [{ brushes: new Array<number>(times).fill(0), contents: 1 }],
        nodes: [{ plane: [1, 0, 0, 0], children: [-1, -1] }],
      }),
    );
    let reads = 0;
    const floats = new Proxy(memory.floats, {
      get(numbers, key) {
        reads++;
        return Reflect.get(numbers, key, numbers);
      },
    });
    const outcomes: string[] = [];
    traceTree(
      {
        ...{ memory: { ...memory, floats }, rules: RULES, first: FIRST, mask: 1, reject: 0, every: false },
        size: { mins: ZERO, maxs: ZERO, extents: ZERO, isPoint: true },
        move: { start, end, still: start === end },
        record: (step) => {
          if (step.kind === 'brush') outcomes.push(step.outcome);
        },
      },
      0,
      nothing(1),
    );
    return { outcomes, reads };
  }

  it('reads the sides of a brush once, however often leafs list it', () => {
    const beside: Point = [5, 20, 0];
    for (const end of [[5, 30, 0] as Point, beside]) {
      const once = trace(1, beside, end);
      const often = trace(100, beside, end);
      expect(once.outcomes).toEqual(['missed']);
      expect(often.outcomes).toEqual(['missed', ...new Array<string>(99).fill('again')]);
      expect(often.reads).toBe(once.reads);
    }
  });

  it('comes to what a box stands in from the root down, each leaf with its brushes until one holds it', () => {
    // From the left: a leaf, then a node with two more; a box in the middle reaches into all of them.
    const memory = openFile(
      makeFile({
        brushes: [
          { planes: boxPlanes([40, 40, 40], [48, 48, 48]) },
          { planes: boxPlanes([-8, -8, -8], [8, 8, 8]) },
        ],
        leafs: [
          { contents: 1, brushes: [0] },
          { contents: 1, brushes: [0, 1] },
          { contents: 1, brushes: [1] },
        ],
        nodes: [
          { plane: [1, 0, 0, 0], children: [1, -1] },
          { plane: [1, 0, 0, 2], children: [-3, -2] },
        ],
      }),
    );
    const extents: Point = [4, 4, 4];
    const told: string[] = [];
    traceTree(
      {
        ...{ memory, rules: RULES, first: FIRST, mask: 1, reject: 0, every: false },
        size: { mins: [-4, -4, -4], maxs: extents, extents, isPoint: false },
        move: { start: ZERO, end: ZERO, still: true },
        record: (step) => {
          if (step.kind === 'node') told.push(`node ${step.node} at ${step.depth}: ${step.children}`);
          if (step.kind === 'leaf') told.push(`leaf ${step.leaf} at ${step.depth}`);
          if (step.kind === 'brush') told.push(`brush ${step.brush} ${step.outcome}`);
        },
      },
      0,
      nothing(1),
    );
    expect(told).toEqual([
      'node 0 at 0: 0,1',
      'node 1 at 1: 0,1',
      'leaf 2 at 2',
      'brush 1 allSolid',
      'leaf 1 at 2',
      'leaf 0 at 1',
    ]);
  });
});
