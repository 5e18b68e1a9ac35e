import { cutWinding, type Winding, windingArea } from '@bspkit/geometry';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeWindings } from '../src/merge.ts';

/** Corners of a flat polygon at height 0, clockwise seen from above. */
const flat = (...corners: readonly (readonly [number, number])[]): Winding =>
  corners.flatMap(([x, y]) => [x, y, 0]);
const UP = [0, 0, 1];
const area = (windings: readonly Winding[]): number =>
  windings.reduce((sum, winding) => sum + windingArea(winding)[2], 0);

describe('merging faces', () => {
  const left = flat([0, 0], [0, 8], [8, 8], [8, 0]);
  const right = flat([8, 0], [8, 8], [20, 8], [20, 0]);

  it('joins two that share an edge, and drops corners on straight edges', () => {
    expect(mergeWindings([left, right], UP)).toEqual([flat([0, 0], [0, 8], [20, 8], [20, 0])]);
  });

  it('keeps apart those that are not convex together, or share only a part of an edge', () => {
    expect(mergeWindings([left, flat([8, 0], [8, 8], [20, 12], [20, 0])], UP)).toHaveLength(2);
    expect(mergeWindings([left, flat([8, 0], [8, 7], [20, 7], [20, 0])], UP)).toHaveLength(2);
  });

  it('puts a cut square together again, whatever the cuts', () => {
    const cut = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 63 }));
    fc.assert(
      fc.property(fc.array(cut, { maxLength: 5 }), (cuts) => {
        let parts = [flat([0, 0], [0, 64], [64, 64], [64, 0])];
        for (const [along, at] of cuts) {
          parts = parts.flatMap((part) => {
            const { front, back } = cutWinding(part, along ? 1 : 0, along ? 0 : 1, 0, at);
            return [front, back].filter((piece) => piece !== undefined);
          });
        }
        const merged = mergeWindings(parts, UP);
        expect(merged.length).toBeLessThanOrEqual(parts.length);
        expect(area(merged)).toBeCloseTo(64 * 64, 6);
        for (const winding of merged) expect(windingArea(winding)[2]).toBeGreaterThan(0);
      }),
    );
  });

  it('joins the same ones among many as when each is tried with all others', () => {
    // A sheet of squares with holes: too many for trying each with all others.
    const sheet = Array.from({ length: 20 * 20 }, (_, k) => ({ x: 3 * (k % 20), y: 5 * Math.floor(k / 20) }))
      .filter((_, k) => (k * 7919) % 11 !== 0)
      .map(({ x, y }) => flat([x, y], [x, y + 5], [x + 3, y + 5], [x + 3, y]));
    let merged: Winding[] = [];
    for (const winding of sheet) {
      let grown = winding;
      for (let i = 0; i < merged.length; i++) {
        const [whole, apart] = mergeWindings([merged[i]!, grown], UP);
        if (apart) continue;
        grown = whole!;
        merged = merged.filter((_, k) => k !== i);
        i = -1;
      }
      merged.push(grown);
    }
    expect(mergeWindings(sheet, UP)).toEqual(merged);
  });
});
