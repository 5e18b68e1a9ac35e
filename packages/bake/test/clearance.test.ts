import type { BspWorld } from '@bspkit/core';
import { expectSame } from '@bspkit/testkit/same';
import { describe, expect, it } from 'vitest';
import { type ClearanceResult, FITS, STANDS, walkableCells } from '../src/index.ts';
import { at, baked, openMap } from './in-map.ts';
import { MAPS } from './maps.ts';

describe.each(Object.keys(MAPS))('in a map of %s', async (name) => {
  const { map, world, ray, body, cells } = await openMap(name);

  it('clearance tells what is at each cell', async () => {
    const { mins, maxs } = world.bounds;
    const step = 64;
    const size = [0, 1, 2].map((k) => Math.min(8, Math.ceil((maxs[k]! - mins[k]!) / step)));
    const origin = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2 - (size[k]! * step) / 2);
    const parameters = { origin, step, size, reach: 512 };
    const result = await baked<ClearanceResult>({ kind: 'clearance', map, parameters });
    // Without others, rays leave along the axes alone.
    const straight = await baked<ClearanceResult>({
      ...{ kind: 'clearance', map },
      parameters: { ...parameters, rays: 0 },
    });
    const ways = [0, 1, 2].flatMap((axis) =>
      [-512, 512].map((far) => [0, 1, 2].map((k) => (k === axis ? far : 0))),
    );
    const tally = [0, 0, 0];
    for (let k = 0; k < result.fits.length; k++) {
      const [i, j, l] = [
        k % size[0]!,
        Math.floor(k / size[0]!) % size[1]!,
        Math.floor(k / size[0]! / size[1]!),
      ];
      const cell = [i, j, l].map((n, axis) => Math.fround(origin[axis]! + n * step));
      const { contents } = world as BspWorld & { contents?(point: number[]): number };
      if (contents) expectSame(result.contents[k], contents.call(world, cell) | 0, `cell ${k}`);
      expectSame((result.fits[k]! & FITS) !== 0, !body.blocked(cell, cell), `cell ${k}`);
      const down = ray.trace(cell, [cell[0]!, cell[1]!, cell[2]! - 512]);
      const floor = !down.startSolid && down.fraction < 1 ? down.endPos[2] : -Infinity;
      expectSame(result.floor[k], floor, `cell ${k}`);
      const free = ways.map((way) => {
        const end = cell.map((value, axis) => value + way[axis]!);
        const { startSolid, fraction } = ray.trace(cell, end);
        return startSolid ? 0 : 512 * Math.fround(fraction);
      });
      expectSame(straight.distance[k], Math.fround(Math.min(...free)), `cell ${k}`);
      expectSame(result.distance[k]! <= straight.distance[k]!, true, `cell ${k}`);
      if (down.startSolid) expectSame(result.distance[k], 0, `cell ${k}`);
      tally[0]! += result.fits[k]! & FITS ? 1 : 0;
      tally[1]! += result.fits[k]! & STANDS ? 1 : 0;
      tally[2]! += result.distance[k]! > 0 ? 1 : 0;
    }
    for (const many of tally) expect(many).toBeGreaterThan(0);
    expect(result.size).toEqual(size);
  });

  it('a body stands in a cell even if its floor is where two of them meet', async () => {
    const [x, y, z] = at(cells, 0);
    // By how much tracers keep away from floors in these games.
    for (const gap of [1 / 8, 1 / 32]) {
      const parameters = { origin: [x!, y!, z! - gap - 16], step: 32, size: [1, 1, 2], rays: 0 };
      const { fits } = await baked<ClearanceResult>({ kind: 'clearance', map, parameters });
      expect([gap, fits.some((bits) => (bits & STANDS) !== 0)]).toEqual([gap, true]);
    }
  });

  it.each([64, 56])(
    'a body stands in the cells that it walks to, %i high, under low ceilings too',
    async (step) => {
      const walked = walkableCells(world, body, { step, offset: step / 2 });
      const { mins, maxs } = world.bounds;
      const first = [0, 1, 2].map((k) => Math.floor(mins[k]! / step));
      const size = [0, 1, 2].map((k) => Math.ceil(maxs[k]! / step) - first[k]!);
      const parameters = { origin: first.map((k) => (k + 0.5) * step), step, size, rays: 0, reach: 1 };
      const { fits } = await baked<ClearanceResult>({ kind: 'clearance', map, parameters });
      let compared = 0;
      for (let k = 0; k < walked.length / 3; k++) {
        const [x, y, z] = Array.from(at(walked, k), (value, axis) => Math.floor(value / step) - first[axis]!);
        // Not all of the arena is in a map of UFO:AI: what is below 0 is not.
        if (z! < 0) continue;
        expectSame(fits[x! + size[0]! * (y! + size[1]! * z!)]! & STANDS, STANDS, `${at(walked, k)}`);
        compared++;
      }
      expect(compared).toBeGreaterThan(20);
      // And nowhere else: moves of some games that a floor stops at once do not tell that they begin in a wall.
      const out = body.createTrace();
      for (let k = 0; k < fits.length; k++) {
        if (!(fits[k]! & STANDS)) continue;
        const cell = [k % size[0]!, Math.floor(k / size[0]!) % size[1]!, Math.floor(k / size[0]! / size[1]!)];
        const [x, y, z] = cell.map((number, axis) => (number + first[axis]!) * step) as [
          number,
          number,
          number,
        ];
        let isRoom = false;
        for (let up = 0.25; up <= step && !isRoom; up += 0.25) {
          body.trace([x + step / 2, y + step / 2, z + up], [x + step / 2, y + step / 2, z - 0.25], out);
          isRoom = !out.startSolid && out.fraction < 1;
        }
        expectSame(isRoom, true, `${x} ${y} ${z}`);
      }
    },
  );

  it('a body stands in one cell alone, however near to its floor it is that two of them meet', async () => {
    const [x, y, z] = at(cells, 0);
    for (const below of [-0.1, -0.01, 0.001, 0.01, 0.03, 0.06, 0.11, 0.2]) {
      const parameters = { origin: [x!, y!, z! - below - 16], step: 32, size: [1, 1, 2], rays: 0 };
      const { fits } = await baked<ClearanceResult>({ kind: 'clearance', map, parameters });
      expect([below, fits.filter((bits) => (bits & STANDS) !== 0).length]).toEqual([below, 1]);
    }
  });
});
