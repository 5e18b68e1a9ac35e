import { describe, expect, it } from 'vitest';
import { createChecks } from '../src/format/index.ts';
import { codeOf } from './errors.ts';

describe('checks', () => {
  const checks = createChecks<'nodes' | 'leafs'>('test');
  const full = new Uint8Array(1);

  it('name format, lump, record, and what they found', () => {
    expect(() => checks.filled({ nodes: full, leafs: new Uint8Array() }, ['nodes', 'leafs'])).toThrow(
      'test: leafs: is empty, but a map needs it',
    );
    expect(() => checks.finite('nodes', [0, 1, 2, Number.NaN], 2)).toThrow('test: nodes 1: holds NaN');
    expect(() => checks.finite('nodes', [0, 1, 2, Number.NaN], 2, 7)).toThrow('test: nodes 8: holds NaN');
    expect(() => checks.indexes('nodes', 'plane', [0, 3, 4], 4)).toThrow('nodes 2: plane 4 is not in 0..3');
    expect(() => checks.indexes('nodes', 'plane', [0, -1], 4, 2)).toThrow('nodes 0: plane -1');
    expect(() => checks.index('nodes', 5, 'plane', 0, 0)).toThrow('nodes 5: plane 0, but there are none');
    expect(() => checks.ranges('leafs', 'faces', [0, 2], [2, 3], 4)).toThrow(
      'leafs 1: faces 2 to 5 are not within 0..4',
    );
    expect(codeOf(() => checks.range('leafs', 0, 'faces', 0, -1, 4))).toBe('index');
    checks.filled({ nodes: full, leafs: full }, ['nodes', 'leafs']);
    checks.finite('nodes', [1, -0], 1);
    checks.indexes('nodes', 'plane', [0, 3], 4);
    checks.ranges('leafs', 'faces', [0, 4], [4, 0], 4);
  });

  it('refuse numbers that are out of all proportion', () => {
    expect(() => checks.finite('nodes', [0, -(2 ** 25)], 1)).toThrow(
      'nodes 1: holds -33554432, which is not within',
    );
    expect(() => checks.finite('nodes', [Number.POSITIVE_INFINITY], 1)).toThrow(
      'which is not a finite number',
    );
    checks.finite('nodes', [-(2 ** 24), 2 ** 24], 1);
  });

  it('refuse normals that are not of unit length', () => {
    const unit = [0.6, 0, 0.8].map(Math.fround);
    checks.normals('nodes', [1, 0, 0, ...unit, 0, -1, 0]);
    expect(() => checks.normals('nodes', [1, 0, 0, 0.6, 0, 0.81])).toThrow(
      'nodes 1: normal 0.6 0 0.81 has length',
    );
    for (const odd of [0, 2, 1.00001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(codeOf(() => checks.normals('nodes', [0, odd, 0]))).toBe('value');
    }
  });

  it('refuse records that together list far more than there is', () => {
    checks.owned('leafs', 'faces', [100, 0, 100], 100);
    checks.owned('leafs', 'faces', [16_384], 0);
    checks.owned('leafs', 'faces', new Int32Array(36).fill(1000), 5000);
    expect(() => checks.owned('leafs', 'faces', new Int32Array(37).fill(1000), 5000)).toThrow(
      'leafs: list 37000 faces, but there are only 5000: at most 4 times as many and 16384 more are accepted',
    );
    const ranges = (records: number): void =>
      checks.ranges('leafs', 'faces', new Int32Array(records), new Int32Array(records).fill(100), 100);
    ranges(160);
    expect(codeOf(() => ranges(1000))).toBe('limit');
  });

  it('refuse records too long for work that grows with the square of their length', () => {
    checks.squares('leafs', 'sides', [6, 8], 100);
    expect(() => checks.squares('leafs', 'sides', [6, 9], 100)).toThrow(
      'leafs: have too many sides each: the squares of their numbers make 117, and at most 100 is accepted',
    );
  });

  const depth = (children: number[], heads: number[], shared = false, most = 10): number =>
    checks.depth('nodes', Int32Array.from(children), heads, { most, shared });

  it('measure trees', () => {
    expect(depth([], [-1])).toBe(0);
    expect(depth([-1, -2], [0])).toBe(1);
    expect(depth([1, 2, -1, -1, 3, -1, -1, -1], [0])).toBe(3);
    expect(depth([-1, -1, -1, 3, -1, -1, -1, -1], [0, 1, 2])).toBe(2);
  });

  it('refuse cycles, and shared branches unless they are allowed', () => {
    expect(codeOf(() => depth([0, -1], [0]))).toBe('cycle');
    expect(codeOf(() => depth([1, -1, 0, -1], [0], true))).toBe('cycle');
    const diamond = [1, 2, 3, -1, -1, 3, -1, -1];
    expect(codeOf(() => depth(diamond, [0]))).toBe('cycle');
    expect(depth(diamond, [0], true)).toBe(3);
    expect(codeOf(() => depth([1, 1, -1, -1], [0]))).toBe('cycle');
    expect(depth([1, 1, -1, -1], [0, 1, 1], true)).toBe(2);
    // The lower one is met first on the stack, then again from above.
    expect(codeOf(() => depth([1, 2, 2, -1, -1, -1], [0]))).toBe('cycle');
    expect(codeOf(() => depth([-1, -1], [0, 0]))).toBe('cycle');
  });

  it('refuse trees that are too deep, however deep, without recursion', () => {
    const chain = Array.from({ length: 400_000 }, (_, k) => (k % 2 === 0 ? k / 2 + 1 : -1));
    chain[chain.length - 2] = -1;
    expect(codeOf(() => depth(chain, [0]))).toBe('limit');
    expect(depth(chain, [0], false, 200_000)).toBe(200_000);
  });
});

describe('trees of shared branches', () => {
  const checks = createChecks<'nodes'>('test');
  /** Both children of each node are the next node: 2^n ways down, and at the last node one for each of its ways. */
  const doubling = (levels: number): Int32Array =>
    Int32Array.from({ length: 2 * levels }, (_, k) => (k >> 1 < levels - 1 ? (k >> 1) + 1 : -1));
  const measure = (levels: number): number =>
    checks.depth('nodes', doubling(levels), [0], { most: 4096, shared: true });

  it('are refused where walks would not end', () => {
    expect(measure(19)).toBe(19);
    expect(codeOf(() => measure(22))).toBe('limit');
    expect(() => measure(2000)).toThrow('shared branches make Infinity nodes of 2000');
    // Whichever of the trees it is, and the deepest of them is what counts.
    for (const heads of [
      [0, 21],
      [21, 0],
    ]) {
      const measured = (levels: number): number =>
        checks.depth('nodes', doubling(levels), heads, { most: 22, shared: true });
      expect(codeOf(() => measured(22))).toBe('limit');
      const [first, last] = heads.map((head) => Math.min(head, 18));
      const { depth } = checks;
      expect(depth('nodes', doubling(19), [first!, last!], { most: 19, shared: true })).toBe(19);
    }
  });
});
