import {
  boxBrush,
  COMPILE_TARGETS,
  type CompileFormat,
  compileMap,
  type MapSource,
  pillarBrush,
  rampBrush,
  roomBrushes,
} from '@bspkit/compile';
import type { BspWorld, RayWorld } from '@bspkit/core';
import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { areasBy, between, createRandom } from '@bspkit/geometry';
import { readQuake1 } from '@bspkit/quake1';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';

/** Faces that meet in the middle of edges: blocks against walls and each other, a door for itself, corners off any grid. */
const source: MapSource = {
  entities: [
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        ...roomBrushes([-512, -512, 0], [512, 512, 384], 16, { material: 'wall' }),
        boxBrush([-480, -512, 0], [-300, -400, 96], { material: 'block' }),
        boxBrush([-400, -400, 0], [-320, -360, 64], { material: 'block' }),
        rampBrush([-100, -100, 0], [90, 30, 60], '+y', { material: 'ramp' }),
        pillarBrush([300, 192, 0], 47, 192, 9, { material: 'pillar' }),
        pillarBrush([300, 192, 192], 90, 192, 5, { material: 'pillar' }),
        boxBrush([-200, 300, 0], [200, 512, 48], { material: '*pool' }),
      ],
    },
    { properties: { classname: 'info_player_start', origin: '0 -300 64' } },
    {
      properties: { classname: 'func_door' },
      brushes: [
        boxBrush([400, -300, 64], [440, -200, 128], { material: 'door' }),
        boxBrush([400, -280, 128], [440, -230, 160], { material: 'door' }),
      ],
    },
  ],
};

type Point = readonly [number, number, number];

/** How often a corner of a face lies in the middle of another's edge. */
function countJunctions(format: BspFormat, bytes: Uint8Array): number {
  const { positions, indices, surfaces } = format.mesh!(format.read(bytes));
  const at = (vertex: number): Point =>
    [...positions.subarray(3 * vertex, 3 * vertex + 3)] as unknown as Point;
  const corners = new Map<string, Point>();
  // Edges that only one triangle of a face has.
  const edges = new Map<string, readonly [Point, Point]>();
  for (let k = 0; k < indices.length; k++) {
    const [from, to] = [k, k % 3 === 2 ? k - 2 : k + 1].map((n) => at(indices[n]!)) as [Point, Point];
    corners.set(from.join(), from);
    const face = surfaces[Math.floor(k / 3)];
    if (!edges.delete(`${face}: ${to} ${from}`)) edges.set(`${face}: ${from} ${to}`, [from, to]);
  }
  let count = 0;
  for (const [from, to] of edges.values()) {
    const way = to.map((x, k) => x - from[k]!);
    const square = way.reduce((sum, x) => sum + x * x, 0);
    for (const corner of corners.values()) {
      const own = corner.map((x, k) => x - from[k]!);
      const part = own.reduce((sum, x, k) => sum + x * way[k]!, 0) / square;
      const aside = own.reduce((sum, x, k) => sum + (x - part * way[k]!) * (x - part * way[k]!), 0);
      const margin = 0.02 / Math.sqrt(square);
      if (part > margin && part < 1 - margin && aside < 0.0001) count++;
    }
  }
  return count;
}

describe.each(COMPILE_TARGETS.map(({ id }) => id))(
  'corners in edges of other faces: %s',
  async (id: CompileFormat) => {
    const format = await (FORMATS as readonly BspFormatEntry[]).find((entry) => entry.id === id)!.load();
    const compile = (tjunc?: boolean) => compileMap(source, { format: id, tjunc });
    const plain = compile(false);
    const filled = compile();

    it('are put there by default', () => {
      expect(countJunctions(format, plain.bytes)).toBeGreaterThan(40);
      expect(countJunctions(format, filled.bytes)).toBe(0);
      expect(compile(true).bytes).toEqual(filled.bytes);
    });

    it('leave faces where they are', () => {
      const [before, after] = [plain, filled].map(({ bytes }) => format.mesh!(format.read(bytes)));
      const sum = (mesh: typeof before): Map<number, number> =>
        areasBy(mesh!, (triangle) => mesh!.surfaces[triangle]!);
      const [old, now] = [sum(before), sum(after)];
      expect([...now.keys()]).toEqual([...old.keys()]);
      for (const [face, area] of old) expect(Math.abs(now.get(face)! - area)).toBeLessThan(1e-4 * area + 0.5);
      expect(after!.groups.map(({ name, model }) => [name, model])).toEqual(
        before!.groups.map(({ name, model }) => [name, model]),
      );
    });

    it('change no answer', () => {
      const [before, after] = [plain, filled].map(({ bytes }) => format.createWorld([format.read(bytes)]));
      const random = createRandom(seedOf(3));
      const point = (): Point =>
        [between(random, -500, 500), between(random, -500, 500), between(random, 1, 380)].map(
          Math.fround,
        ) as unknown as Point;
      const kinds = Object.values(format.tracers).length;
      expect(kinds).toBeGreaterThan(0);
      let named = 0;
      const [one, other] = [before!, after!].map((world) => (world as BspWorld & RayWorld).ray());
      for (let k = 0; k < 2000; k++) {
        const start = point();
        const end = point().map((x, k) => Math.fround(x + 4 * (x - start[k]!)));
        const expected = one!.trace(start, end);
        const actual = other!.trace(start, end);
        expectSame({ ...actual }, { ...expected });
        expectSame(format.point(after!, start), format.point(before!, start));
        const [was, is] = [format.surfaceAt(before!, expected), format.surfaceAt(after!, actual)];
        expect([is?.name, is?.flags, is?.polygon?.surface]).toEqual([
          was?.name,
          was?.flags,
          was?.polygon?.surface,
        ]);
        if (was?.polygon) named++;
      }
      expect(named).toBeGreaterThan(500);
    });

    it('leave the brushes of the file as they are', () => {
      const [before, after] = [plain, filled].map(({ bytes }) => format.read(bytes));
      const keepsNone = id === 'quake1';
      if (keepsNone) expect(() => format.brushPolygons!(after!)).toThrow('no list of its brushes');
      else expect(format.brushPolygons!(after!)).toEqual(format.brushPolygons!(before!));
    });
  },
);

it('corners in edges leave the size of light samples as it is', () => {
  // As many samples as a face is long, by the rule of compilers that light it later.
  const extents = (tjunc: boolean): number[][] => {
    const { faces, texInfos, edges, surfEdges, vertexes } = readQuake1(
      compileMap(source, { format: 'quake1', tjunc }).bytes,
    );
    return Array.from({ length: faces.count }, (_, face) =>
      [0, 4].flatMap((axis) => {
        const texels = Array.from({ length: faces.numEdges[face]! }, (_, k) => {
          const edge = surfEdges[faces.firstEdges[face]! + k]!;
          const vertex = edge < 0 ? edges[1 - 2 * edge]! : edges[2 * edge]!;
          const at = 8 * faces.texInfos[face]! + axis;
          const [x, y, z] = vertexes.positions.subarray(3 * vertex, 3 * vertex + 3);
          const [a, b, c, d] = texInfos.vectors.subarray(at, at + 4);
          return Math.fround(
            Math.fround(Math.fround(Math.fround(x! * a!) + Math.fround(y! * b!)) + Math.fround(z! * c!)) + d!,
          );
        });
        return [Math.floor(Math.min(...texels) / 16), Math.ceil(Math.max(...texels) / 16)];
      }),
    );
  };
  expect(extents(true)).toEqual(extents(false));
});
