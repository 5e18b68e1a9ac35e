import type { Bounds } from '@bspkit/core';
import { between, createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { BoxTree } from '../src/box-tree.ts';

const random = createRandom(seedOf(5));
const boxAt = (at: readonly number[], size: number): Bounds => ({
  mins: at.map((x) => x - size),
  maxs: at.map((x) => x + size),
});
const anywhere = (): number[] => [0, 1, 2].map(() => Math.round(between(random, -40, 40)));

const meet = (one: Bounds, other: Bounds): boolean =>
  [0, 1, 2].every((k) => one.mins[k]! <= other.maxs[k]! && one.maxs[k]! >= other.mins[k]!);

describe('a tree of boxes', () => {
  it('finds all that meet a box, be it at a side, in ascending order', () => {
    const boxes = Array.from({ length: 300 }, (_, k) =>
      k % 7 === 0 ? undefined : boxAt(anywhere(), Math.round(between(random, 0, k % 50 === 1 ? 60 : 4))),
    );
    const tree = new BoxTree(boxes);
    for (let query = 0; query < 200; query++) {
      const box = boxAt(anywhere(), query % 10);
      const wanted = boxes.flatMap((each, number) => (each && meet(each, box) ? [number] : []));
      expect(tree.meeting(box)).toEqual(wanted);
      expect(tree.countMeeting(box, 300)).toBe(wanted.length);
      expect(tree.countMeeting(box, 9)).toBe(Math.min(9, wanted.length));
    }
  });

  it('has room for any number in one place, for boxes without end, and for none', () => {
    const everywhere = boxAt([0, 0, 0], Infinity);
    expect(
      new BoxTree(Array.from({ length: 100 }, () => everywhere)).meeting(boxAt([9, 9, 9], 1)),
    ).toHaveLength(100);
    expect(new BoxTree([]).meeting(everywhere)).toEqual([]);
    expect(new BoxTree([undefined]).meeting(everywhere)).toEqual([]);
  });

  it('is looked into where the other box is', () => {
    let looks = 0;
    const boxes = Array.from({ length: 4096 }, (_, k) => {
      const { mins, maxs } = boxAt([(k % 64) * 10, Math.floor(k / 64) * 10, 0], 4);
      return {
        maxs,
        get mins() {
          looks++;
          return mins;
        },
      };
    });
    const tree = new BoxTree(boxes);
    looks = 0;
    for (const { mins, maxs } of boxes.slice(0, 100)) expect(tree.meeting({ mins, maxs })).toHaveLength(1);
    expect(looks).toBeLessThan(100 * 40);
    looks = 0;
    for (let k = 0; k < 100; k++) expect(tree.countMeeting(boxAt([0, 0, 0], 1000), 20)).toBe(20);
    expect(looks).toBeLessThan(100 * 100);
  });
});
