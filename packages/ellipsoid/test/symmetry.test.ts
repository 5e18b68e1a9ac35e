import type { Polygon } from '@bspkit/core';
import { between, createRandom, direction, type Vec } from '@bspkit/geometry';
import { expectBelow, expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld, EllipsoidSlider, type EllipsoidWorld } from '../src/index.ts';
import { pointIn, polygonOf, randomRoom, sourceOf } from './rooms.ts';

type Turn = (point: Vec) => Vec;

/** The same polygons elsewhere; mirrored, their corners run the other way. */
const turned = (polygons: readonly Polygon[], turn: Turn, isMirror = false): Polygon[] =>
  polygons.map(({ vertices, surface }) => {
    const corners = Array.from(
      { length: vertices.length / 3 },
      (_, k) => [...vertices.slice(3 * k, 3 * k + 3)] as Vec,
    ).map(turn);
    return polygonOf(isMirror ? [corners[0]!, ...corners.slice(1).reverse()] : corners, surface);
  });

/** Polygons that nothing comes near, which make another tree. */
const farAway: Polygon[] = Array.from({ length: 40 }, (_, k) =>
  polygonOf([
    [5_000, 100 * k, 0],
    [5_050, 100 * k, 9],
    [5_000, 100 * k + 50, 5],
  ]),
);

const same: Turn = (point) => point;
const WAYS: [string, (polygons: readonly Polygon[]) => Polygon[], Turn, number][] = [
  ['mirrored', (all) => turned(all, ([x, y, z]) => [-x, y, z], true), ([x, y, z]) => [-x, y, z], 1],
  ['turned', (all) => turned(all, ([x, y, z]) => [-y, x, z]), ([x, y, z]) => [-y, x, z], 1],
  ['with axes exchanged', (all) => turned(all, ([x, y, z]) => [y, z, x]), ([x, y, z]) => [y, z, x], 1],
  [
    'four times as large',
    (all) => turned(all, (p) => p.map((x) => 4 * x) as Vec),
    (p) => p.map((x) => 4 * x) as Vec,
    4,
  ],
  ['in another order', (all) => [...all].reverse(), same, 1],
  ['with others far away', (all) => [...all, ...farAway], same, 1],
];

describe('answers are the same', () => {
  it.each(WAYS)('in a world that is %s', (_, remake, turn, scale) => {
    const random = createRandom(seedOf(21));
    const counts = { hits: 0, slid: 0 };
    for (let room = 0; room < 2; room++) {
      const polygons = randomRoom(300 + room);
      const [world, other] = [polygons, remake(polygons)].map((all) =>
        createEllipsoidWorld(sourceOf(all)),
      ) as [EllipsoidWorld, EllipsoidWorld];
      expectSame(other.numDropped, world.numDropped);
      for (let k = 0; k < 50; k++) {
        const radii = [0, 1, 2].map(() => Math.fround(between(random, 2, 40))) as Vec;
        const start = pointIn(random, 450).map(Math.fround) as Vec;
        const length = between(random, 1, 600);
        const end = direction(random).map((x, i) => Math.fround(start[i]! + x * length)) as Vec;
        const [from, to] = [turn(start), turn(end)];
        const size = turn(radii).map(Math.abs) as Vec;
        const near = world.distance(start, radii)!;
        expectBelow(Math.abs(other.distance(from, size)!.distance / scale - near.distance), 1e-6);
        // What overlaps several alike may be stopped by any of them.
        if (near.distance === 0) continue;
        const trace = world.ellipsoid(radii).trace(start, end);
        const again = other.ellipsoid(size).trace(from, to);
        if (trace.fraction < 1) counts.hits++;
        expectBelow(Math.abs(again.fraction - trace.fraction) * length, 1e-3);
        const slide = new EllipsoidSlider(world, radii).slide(start, end);
        const more = new EllipsoidSlider(other, size, { gap: scale / 32 }).slide(from, to);
        if (slide.contacts > 1) counts.slid++;
        expectSame(more.contacts, slide.contacts);
        const place = turn([...slide.endPos] as Vec);
        for (let i = 0; i < 3; i++) expectBelow(Math.abs(more.endPos[i]! - place[i]!) / scale, 1e-2);
      }
    }
    expect(counts.hits).toBeGreaterThan(20);
    expect(counts.slid).toBeGreaterThan(3);
  });
});
