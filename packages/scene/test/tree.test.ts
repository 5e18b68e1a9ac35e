import { expectSame } from '@bspkit/testkit/same';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundsTree, T_HALF, T_HIGH, T_LOW, T_MIDDLE, T_WAY, TREE_QUERY } from '../src/tree.ts';

const BODIES = 200;

/** Random trees: many more in a proof run (BSPKIT_RUNS_TREE=2000). */
const RUNS = Number(process.env.BSPKIT_RUNS_TREE ?? 60);

/** A box swept from one point to another, as tracers ask. */
function queryOf(start: readonly number[], end: readonly number[], half: number): Float64Array {
  const query = new Float64Array(TREE_QUERY);
  for (let k = 0; k < 3; k++) {
    const [s, e] = [start[k]!, end[k]!];
    query[T_LOW + k] = Math.min(s, e) - half;
    query[T_HIGH + k] = Math.max(s, e) + half;
    query[T_MIDDLE + k] = (s + e) / 2;
    query[T_WAY + k] = e - s;
    query[T_HALF + k] = half;
  }
  return query;
}

/** Whether the swept box meets a box, by clipping the move by the grown box's slabs. */
function meets(start: readonly number[], end: readonly number[], half: number, box: Float32Array): boolean {
  let enter = 0;
  let leave = 1;
  for (let k = 0; k < 3; k++) {
    const [low, high] = [box[k]! - half - start[k]!, box[3 + k]! + half - start[k]!];
    const way = end[k]! - start[k]!;
    if (way === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    enter = Math.max(enter, Math.min(low / way, high / way));
    leave = Math.min(leave, Math.max(low / way, high / way));
  }
  return enter <= leave;
}

const at = fc.float({ min: -1000, max: 1000, noNaN: true });
const point = fc.tuple(at, at, at);
const step = fc.record({
  body: fc.integer({ min: 0, max: BODIES - 1 }),
  what: fc.constantFrom('put', 'put', 'shift', 'remove'),
  to: point,
  size: fc.tuple(fc.nat(60), fc.nat(60), fc.nat(400)),
});

describe('BoundsTree', () => {
  it('finds every body that a move meets, and none that it is far from, whatever was added, moved and removed', () => {
    let found = 0;
    const run = (
      steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
      from: number[],
      to: number[],
    ): void => {
      const tree = new BoundsTree();
      tree.grow(16);
      let room = 16;
      const inTree = new Set<number>();
      for (const { body, what, to: place, size } of steps) {
        if (body >= room) {
          room = BODIES;
          tree.grow(room);
        }
        if (what === 'remove') {
          if (inTree.delete(body)) tree.remove(body);
          continue;
        }
        for (let k = 0; k < 3; k++) {
          const low =
            what === 'shift' && inTree.has(body) ? tree.bounds[6 * body + k]! + size[k]! / 4 - 7 : place[k]!;
          tree.bounds[6 * body + k] = low;
          tree.bounds[6 * body + 3 + k] = low + size[k]!;
        }
        if (inTree.has(body)) tree.update(body);
        else tree.insert(body);
        inTree.add(body);
      }
      for (const [start, end] of [
        [from, to],
        [from, from.map((x, k) => x + to[k]! / 64)],
        [from, from],
      ] as const) {
        const list = new Int32Array(BODIES);
        const count = tree.collect(queryOf(start, end, 20), list);
        const bodies = new Set(list.subarray(0, count));
        expectSame(bodies.size, count);
        for (let body = 0; body < BODIES; body++) {
          const box = tree.bounds.subarray(6 * body, 6 * body + 6);
          const must = inTree.has(body) && meets(start, end, 20, box);
          if (must) expectSame(bodies.has(body), true);
          // A short move finds what is in the box around it; only rounding adds to that.
          if (bodies.has(body)) expectSame(inTree.has(body) && meets(start, end, 20 + 64, box), true);
          if (must) found++;
        }
      }
    };
    const all = fc.property(fc.array(step, { minLength: 1, maxLength: 400, size: 'max' }), point, point, run);
    fc.assert(all, { numRuns: RUNS });
    expect(found).toBeGreaterThan(4 * RUNS);
  });

  it.each([
    ['come in a row', (body: number) => [40 * body, 40 * body + 30]],
    ['are all in one place', () => [0, 30]],
    ['are each around the one before', (body: number) => [-body, 30 + body]],
    ['are each within the one before', (body: number) => [body - 2000, 2000 - body]],
  ])('stays shallow when bodies %s', (_, alongX) => {
    const tree = new BoundsTree();
    const count = 1024;
    tree.grow(count);
    for (let body = 0; body < count; body++) {
      const [low, high] = alongX(body);
      tree.bounds.set([low!, 0, 0, high!, 30, 30], 6 * body);
      tree.insert(body);
    }
    const { _children: children, _root: root } = tree as unknown as { _children: Int32Array; _root: number };
    const depth = (node: number): number =>
      (node & 1) === 0 ? 0 : 1 + Math.max(depth(children[2 * node]!), depth(children[2 * node + 1]!));
    expect(depth(root)).toBeLessThan(40);
  });

  it('is empty again when all are removed', () => {
    const tree = new BoundsTree();
    tree.grow(4);
    const found = new Int32Array(4);
    const query = queryOf([0, 0, 0], [0, 0, 0], 1);
    expect(tree.collect(query, found)).toBe(0);
    for (let body = 0; body < 4; body++) tree.insert(body);
    expect(tree.collect(query, found)).toBe(4);
    for (let body = 3; body >= 0; body--) tree.remove(body);
    expect(tree.collect(query, found)).toBe(0);
    tree.insert(2);
    expect([tree.collect(query, found), found[0]]).toEqual([1, 2]);
  });
});
