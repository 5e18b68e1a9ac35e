import { arenaQuake2, compileFixture } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { bspError } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import { quake2 } from '../src/descriptor.ts';
import { quake2Format } from '../src/format.ts';
import { createQuake2World, lightmaps, mesh, readQuake2 } from '../src/index.ts';
import { lumpAt, withFloat, withLump, withNumber } from './broken.ts';
import { widened } from './wide.ts';
import { roomsMap } from './worlds.ts';

const arena = arenaQuake2();
const maps = [
  ['arena', arena],
  ['house', compileFixture('house', 'quake2').bytes],
  ['rooms', roomsMap()],
] as const;

/** A map's file and what it says, and the same of its wide form. */
function bothOf(map: Uint8Array) {
  return [map, widened(map)].map((bytes) => {
    const { version, lumps, ...file } = readQuake2(bytes);
    return { version, lumps, file, data: createQuake2World(readQuake2(bytes)).data };
  });
}

describe('a file with 32-bit records', () => {
  it.each(maps)('%s has the same world as the one without', (_, map) => {
    const [narrow, wide] = bothOf(map);
    expect([narrow!.version, wide!.version]).toEqual([38, 'QBSP']);
    expect(wide!.file).toEqual(narrow!.file);
    expect(Buffer.compare(Buffer.from(wide!.data), Buffer.from(narrow!.data))).toBe(0);
  });

  const real = realMapNames('quake2');
  it.skipIf(real.length === 0)('of the game has the same world, faces and light', { timeout: 60_000 }, () => {
    for (const name of real) {
      const map = readRealMap(name);
      const [narrow, wide] = bothOf(map);
      expect(Buffer.compare(Buffer.from(wide!.data), Buffer.from(narrow!.data)), name).toBe(0);
      const files = [map, widened(map)].map((bytes) => readQuake2(bytes));
      const [plain, large] = files.map((file) => mesh(file));
      expect(large!.positions.length, name).toBeGreaterThan(0);
      for (const [part, values] of Object.entries(plain!)) {
        if (!ArrayBuffer.isView(values)) continue;
        const other = large![part as 'positions'];
        expect(Buffer.compare(Buffer.from(other.buffer), Buffer.from(values.buffer)), `${name} ${part}`).toBe(
          0,
        );
      }
      const [dark, light] = files.map((file) => lightmaps(file));
      expect(light?.pixels, name).toEqual(dark?.pixels);
    }
  });

  it.each(maps)('%s has the same faces', (_, map) => {
    expect(mesh(readQuake2(widened(map)))).toEqual(mesh(readQuake2(map)));
  });

  it('is recognised, and described', () => {
    const bytes = widened(arena);
    expect(quake2Format.detect(bytes)).toBe('QBSP 38');
    const file = quake2.read(bytes);
    const { version, lumps } = quake2.info(file, quake2.createWorld([file]));
    expect(version).toBe('QBSP 38');
    const records = (name: string): number | undefined => lumps.find((lump) => lump.name === name)?.records;
    const plain = readQuake2(arena);
    expect([records('nodes'), records('leafs')]).toEqual([plain.nodes.count, plain.leafs.count]);
  });

  it('may have more planes than sides of the other have numbers for', () => {
    const flat = new Float32Array([0, 0, 1, 0, 0]);
    const [narrow, wide] = [arena, widened(arena)].map((map) => {
      const { offset, length } = lumpAt(map, 'planes');
      const planes = new Uint8Array(20 * 70_000);
      for (let k = 0; k < 70_000; k++) planes.set(new Uint8Array(flat.buffer), 20 * k);
      planes.set(map.subarray(offset, offset + length));
      return withLump(map, 'planes', planes);
    });
    expect(readQuake2(withNumber(wide!, 'sides', 0, 69_999)).sides.planes[0]).toBe(69_999);
    expect(bspError(() => readQuake2(withNumber(wide!, 'sides', 0, 70_000)))).toMatchObject({
      lump: 'sides',
    });
    expect(bspError(() => readQuake2(withNumber(narrow!, 'sides', 0, 32_768, 2)))).toMatchObject({
      lump: 'sides',
    });
  });

  it.each([
    ['nodes', 0, 1 << 20, 'plane'],
    ['nodes', 44 + 4, 0, 'is below itself'],
    ['leafs', 52 + 4, -2, 'cluster -2'],
    ['leafs', 52 + 8, 99, 'area 99'],
    ['leafs', 52 + 44, -1, 'leaf brushes'],
    ['leafBrushes', 0, 70_000, 'brush'],
    ['sides', 0, -1, 'plane'],
    ['sides', 4, 70_000, 'texture'],
  ] as const)('%s at byte %i: %i is refused', (lump, at, value, words) => {
    const error = bspError(() => readQuake2(withNumber(widened(arena), lump, at, value)));
    expect(error).toMatchObject({ format: 'quake2', lump });
    expect(error.message).toContain(words);
  });

  it('is refused where a record is cut, the version another, or a number too high', () => {
    const wide = widened(arena);
    const other = wide.slice();
    other[4] = 39;
    const error = bspError(() => readQuake2(other));
    expect(error.code).toBe('version');
    expect(error.message).toContain('the file is a map of an unknown game (QBSP 39)');
    expect(error.message).toContain('not a Quake 2 map (IBSP 38 or QBSP 38)');
    const cut = wide.slice();
    new DataView(cut.buffer).setInt32(12 + 8 * 8, lumpAt(wide, 'leafs').length - 4, true);
    expect(bspError(() => readQuake2(cut))).toMatchObject({ code: 'lump-size', lump: 'leafs' });
    const areas = withLump(wide, 'areas', new Uint8Array(8 * 5000));
    const area = bspError(() => readQuake2(withNumber(areas, 'leafs', 52 + 8, 4096)));
    expect(area).toMatchObject({ code: 'index', lump: 'leafs', index: 1 });
    expect(area.message).toContain('area 4096 is not in 0..4095');
    const unseen = withLump(wide, 'visibility', new Uint8Array(0));
    const cluster = bspError(() => readQuake2(withNumber(unseen, 'leafs', 52 + 4, 1 << 19)));
    expect(cluster.message).toContain('cluster 524288 is not in 0..524287');
  });

  it('holds the cluster and area of each leaf, however high', () => {
    const wide = withLump(widened(roomsMap()), 'areas', new Uint8Array(8 * 4096));
    const far = withNumber(
      withNumber(withLump(wide, 'visibility', new Uint8Array(0)), 'leafs', 52 + 4, (1 << 19) - 1),
      'leafs',
      52 + 8,
      4095,
    );
    const portals = withLump(far, 'areaPortals', new Uint8Array(0));
    const world = createQuake2World(readQuake2(portals));
    expect([world.cluster(1), world.area(1), world.numClusters]).toEqual([(1 << 19) - 1, 4095, 1 << 19]);
    expect(world.cluster(0)).toBe(-1);
    const bounds = readQuake2(withFloat(portals, 'leafs', 52 + 12, -70_000.5)).leafs;
    expect(bounds.mins[3]).toBe(-70_000.5);
  });
});
