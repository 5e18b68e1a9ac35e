import { hullPolygons, type Quake1World } from '@bspkit/quake1';
import { cellSight, type UfoaiWorld } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';
import { hullFacesOf, sightRulesOf } from '../../src/games/index.ts';
import { solidArrays, solidHulls } from '../../src/tools/hulls/solids.ts';
import { lookAt, walkableCells } from '../../src/tools/sight/rules.ts';
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
        for (const { isBlocked, stop, end } of sights) if (!isBlocked) expect(stop).toEqual(end);
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

  it('finds the cells to stand in: floors under enough room, on every level', async () => {
    const map = await openFixture('house', 'ufoai');
    const { rules } = await sightRulesOf(map)!();
    const ground = rules.createGround(map.world);
    const world = map.world as UfoaiWorld;
    const counts: number[] = [];
    for (let level = 0; level < 3; level++) {
      const cells = [...walkableCells(rules, ground, map.world.bounds, level)].flat();
      counts.push(cells.length);
      for (const { cell, floor, room } of cells) {
        const [x, y, z] = rules.middleOf(cell) as [number, number, number];
        expect(floor).toBeGreaterThanOrEqual(z - 32);
        expect(floor).toBeLessThan(z + 32);
        expect(room).toBeGreaterThanOrEqual(24);
        // There is something below the feet, and nothing where the torso is.
        expect(world.box([-1.9, -1.9, -1], [1.9, 1.9, 0]).blocked([x, y, floor], [x, y, floor])).toBe(true);
        expect(world.box([-10, -10, 16], [10, 10, 23]).blocked([x, y, floor], [x, y, floor])).toBe(false);
      }
    }
    expect(Math.min(...counts)).toBeGreaterThan(20);
    // The middle of a wall is no such place.
    expect(ground(rules.cellAt([256, 100, 30]))?.floor ?? -1).not.toBe(0);
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
    expect(shades.every((shade) => shade > 0.2 && shade <= 1)).toBe(true);
    expect(solidHulls(await openFixture('arena', 'quake3'))).toEqual([]);
  });
});
