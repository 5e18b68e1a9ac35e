import { arenaQuake3 } from '@bspkit/fixtures';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQuake3World, Quake3World, readQuake3 } from '../src/index.ts';
import { bspError, withEntry } from './broken.ts';

const bytes = arenaQuake3();
const file = readQuake3(bytes);
const world = createQuake3World(file);
const coordinate = fc.float({ min: -1500, max: 1500, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate);

describe("a world's data", () => {
  it('opens elsewhere with the same answers, shared or not', () => {
    const shared = createQuake3World(file, { shared: true });
    expect(shared.data).toBeInstanceOf(SharedArrayBuffer);
    for (const other of [Quake3World.from(structuredClone(world.data)), Quake3World.from(shared.data)]) {
      expect(other.numModels).toBe(world.numModels);
      expect(other.entities()).toEqual(world.entities());
      expect(other.shaderNames()).toEqual(file.shaders.map(({ name }) => name));
      const [start, end] = [
        [0, 0, 64],
        [300, 200, -400],
      ];
      expect(other.ray().trace(start, end)).toEqual(world.ray().trace(start, end));
    }
  });

  it('is the same for the same file', () => {
    expect(new Uint8Array(createQuake3World(readQuake3(bytes)).data)).toEqual(new Uint8Array(world.data));
  });

  it('is checked when it is opened', () => {
    const words = new Int32Array(world.data.slice(0) as ArrayBuffer);
    const broken = (word: number, value: number): ArrayBuffer => {
      const copy = words.slice();
      copy[word] = value;
      return copy.buffer;
    };
    expect(bspError(() => Quake3World.from(new ArrayBuffer(0))).code).toBe('truncated');
    expect(bspError(() => Quake3World.from(broken(0, 1))).code).toBe('magic');
    expect(bspError(() => Quake3World.from(broken(1, 99))).code).toBe('version');
    expect(bspError(() => Quake3World.from(broken(8, -1))).code).toBe('lump-range');
    expect(bspError(() => Quake3World.from(words.buffer.slice(0, -4))).code).toBe('truncated');
  });

  it('does not let tracers disturb each other', () => {
    const [box, ray] = [world.box([-15, -15, -24], [15, 15, 32]), world.ray()];
    const first = box.trace([0, 0, 64], [300, 200, -400]);
    ray.trace([10, 0, 64], [-300, 200, -400]);
    box.set({ mins: [-1, -1, -1], maxs: [1, 1, 1] }).set({ mins: [-15, -15, -24], maxs: [15, 15, 32] });
    expect(box.trace([0, 0, 64], [300, 200, -400])).toEqual(first);
  });
});

describe('points and leafs', () => {
  it('every point has a leaf, and boxes around it touch that leaf', () => {
    fc.assert(
      fc.property(point, (at) => {
        const leaf = world.leaf(at);
        expect(leaf).toBeGreaterThanOrEqual(0);
        expect(leaf).toBeLessThan(world.numLeafs);
        const around = world.boxLeafs(
          at.map((x) => x - 1),
          at.map((x) => x + 1),
        );
        expect(around).toContain(leaf);
        expect(new Set(around).size).toBe(around.length);
        expect(world.area(leaf)).toBeGreaterThanOrEqual(-1);
      }),
    );
  });

  it('contents agree with the brushes themselves', () => {
    fc.assert(
      fc.property(point, (at) => {
        let expected = 0;
        const inline = file.models
          .slice(1)
          .flatMap(({ firstBrush, numBrushes }) =>
            Array.from({ length: numBrushes }, (_, k) => firstBrush + k),
          );
        for (let brush = 0; brush < file.brushes.count; brush++) {
          if (inline.includes(brush)) continue;
          const first = file.brushes.firstSides[brush]!;
          const planes = [...file.sides.planes.subarray(first, first + file.brushes.numSides[brush]!)];
          const inside = planes.every((plane) => {
            const normal = file.planes.normals.subarray(3 * plane, 3 * plane + 3);
            return (
              normal[0]! * at[0]! + normal[1]! * at[1]! + normal[2]! * at[2]! <=
              file.planes.dists[plane]! + 1e-3
            );
          });
          if (inside) expected |= file.shaders[file.brushes.shaders[brush]!]!.contents;
        }
        // On a plane within rounding either answer is right, so only what is surely outside may not be reported.
        expect(world.contents(at) & ~expected).toBe(0);
      }),
      { numRuns: 500 },
    );
    expect(world.contents([0, 0, -8]) & 1).toBe(1);
    expect(world.contents([256, 256, -50]) & 0x20).toBe(0x20);
  });
});

describe('sight', () => {
  const eyes = [
    [0, -200, 64],
    [-300, 100, 64],
    [700, 0, 64],
    [256, 256, -50],
  ];

  it('goes through the air and not through walls', () => {
    expect(world.sight([0, -200, 64], [0, -300, 90])).toBe(true);
    expect(world.sight([0, -200, 64], [0, -200, -100])).toBe(false);
    for (const a of eyes) {
      for (const b of eyes) {
        expect(world.sight(a, b)).toBe(!world.ray().blocked(a, b));
      }
    }
  });

  it('asks the visible set first', () => {
    const blind = withEntry(bytes, 'entities', {});
    const view = new DataView(blind.buffer);
    const offset = view.getInt32(8 + 8 * 16, true);
    const length = view.getInt32(12 + 8 * 16, true);
    if (length === 0) return;
    blind.fill(0, offset + 8, offset + length);
    const dark = createQuake3World(readQuake3(blind));
    expect(dark.sight(eyes[0]!, [10, -200, 64])).toBe(false);
    expect(dark.visible(0, 0)).toBe(false);
    expect(world.visible(0, 0)).toBe(true);
    expect(() => world.visible(0, world.numClusters)).toThrow(RangeError);
    expect(world.clusterPvs(-1)).toEqual(world.clusterPvs(0));
  });
});

describe('polygons', () => {
  it('lie on their planes, counter-clockwise, in front of what they bound', () => {
    const polygons = world.polygons();
    expect(polygons.length).toBeGreaterThan(100);
    for (const { vertices, normal, dist, texture, surface } of polygons) {
      for (let k = 0; k < vertices.length; k += 3) {
        const d =
          normal[0]! * vertices[k]! + normal[1]! * vertices[k + 1]! + normal[2]! * vertices[k + 2]! - dist;
        expect(Math.abs(d)).toBeLessThan(0.01);
      }
      const [a, b, c] = [0, 3, 6].map((k) => vertices.subarray(k, k + 3)) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      const [u, v] = [b.map((x, k) => x - a[k]!), c.map((x, k) => x - a[k]!)] as [Float32Array, Float32Array];
      const turn = [0, 1, 2].map(
        (k) => u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!,
      );
      expect(turn[0]! * normal[0]! + turn[1]! * normal[1]! + turn[2]! * normal[2]!).toBeGreaterThan(0);
      expect(texture).toBe(file.surfaces[surface]!.shader);
    }
  });

  it('of a leaf are among those of the world, and those of a model are not', () => {
    const surfaces = new Set(world.polygons().map(({ surface }) => surface));
    const leaf = world.leaf([0, 0, 64]);
    const near = world.leafPolygons(leaf);
    expect(near.length).toBeGreaterThan(0);
    for (const { surface } of near) expect(surfaces.has(surface)).toBe(true);
    const door = world.model(1).polygons();
    expect(door.length).toBeGreaterThan(0);
    for (const { surface } of door) expect(surfaces.has(surface)).toBe(false);
  });
});
