import { hullPolygons, type Quake1World } from '@bspkit/quake1';
import { expectSame } from '@bspkit/testkit/same';
import { cellSight, type UfoaiWorld } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';
import { hullFacesOf, sightRulesOf } from '../../src/games/index.ts';
import { solidArrays, solidHulls } from '../../src/tools/hulls/solids.ts';
import { lookAt } from '../../src/tools/sight/rules.ts';
import { openFixture } from './maps.ts';

describe('sight from cell to cell', () => {
  it("is the game's own", async () => {
    const map = await openFixture('house', 'ufoai');
    const { rules } = await sightRulesOf(map)!();
    const look = rules.createLook(map.world);
    look.set({ levels: 0xff, clips: [] });
    const seen = new Set<number>();
    for (let x = 124; x < 138; x += 2) {
      for (let y = 126; y < 142; y += 3) {
        const sights = lookAt(rules, look, [131, 130, 0], [x, y, 1], 'standing');
        const share = sights.filter(({ isBlocked }) => !isBlocked).length / sights.length;
        expect(share).toBe(cellSight(map.world as UfoaiWorld, [131, 130, 0], [x, y, 1]));
        seen.add(share);
        for (const { isBlocked, stop, end } of sights) expect(stop.join() === end.join()).toBe(!isBlocked);
      }
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('looks through walls of levels that are left out', async () => {
    const map = await openFixture('house', 'ufoai');
    const { rules } = await sightRulesOf(map)!();
    const look = rules.createLook(map.world);
    const [from, to] = [
      [124, 130, 2],
      [134, 132, 2],
    ];
    const blocked = (levels: number): number => {
      look.set({ levels, clips: [] });
      return lookAt(rules, look, from!, to!, 'standing').filter(({ isBlocked }) => isBlocked).length;
    };
    expect(blocked(0xff)).toBe(3);
    // Walls of the third storey carry its level and those above.
    expect(blocked(0b11)).toBe(0);
    expect(blocked(0b100)).toBe(3);
  });

  it('is offered where a game has it alone', async () => {
    expect(sightRulesOf(await openFixture('arena', 'quake3'))).toBeUndefined();
  });
});

describe('hulls as solids', () => {
  it('are those that the map was compiled for, besides that of a point', async () => {
    const map = await openFixture('arena', 'quake1');
    expect(solidHulls(map)).toHaveLength(2);
    const { hullFaces } = await hullFacesOf(map)!();
    const faces = hullFaces(map.world, 1);
    expect(faces).toEqual(hullPolygons(map.world as Quake1World, 1));
    const { positions, shades, edges } = solidArrays(faces);
    const corners = faces.reduce((sum, { vertices }) => sum + vertices.length / 3, 0);
    expect(positions).toHaveLength(9 * (corners - 2 * faces.length));
    expect(edges).toHaveLength(6 * corners);
    const { vertices } = faces[0]!;
    expect(positions.subarray(0, 9)).toEqual(vertices.subarray(0, 9));
    expect(edges.slice(0, 6)).toEqual([...vertices.subarray(0, 6)]);
    expect(shades.every((shade) => shade > 0.2 && shade <= 1)).toBe(true);
    // Around each face, and back to where that began.
    let at = 0;
    for (const { vertices } of faces) {
      const own = Array.from({ length: vertices.length / 3 }, (_, k) => [
        ...vertices.subarray(3 * k, 3 * k + 3),
      ]);
      for (const [k, corner] of own.entries()) {
        expectSame(edges.slice(at, at + 6), [...corner, ...own[(k + 1) % own.length]!]);
        at += 6;
      }
    }
    expect(solidHulls(await openFixture('arena', 'quake3'))).toEqual([]);
  });
});
