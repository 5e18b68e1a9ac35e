import { inspect } from 'node:util';
import { arenaQuake3 } from '@bspkit/fixtures';
import { bspError } from '@bspkit/testkit/refusals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  createQuake3World,
  exactSphere,
  leafPolygons,
  patches,
  polygons,
  Quake3World,
  readQuake3,
  SURFACE_PATCH,
} from '../src/index.ts';
import { TRACES } from '../src/wasm/layout.ts';
import { visibilityLump, withEntry, withLump, withWord } from './broken.ts';
import { KERNELS } from './worlds.ts';

const bytes = arenaQuake3();
const file = readQuake3(bytes);
const world = createQuake3World(file);
const coordinate = fc.float({ min: -1500, max: 1500, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate);

describe("a world's data", () => {
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

  it('has the names of shaders for textures', () => {
    expect(world.textureNames()).toEqual(file.shaders.map(({ name }) => name));
  });

  it('prints one line, as do its tracers', () => {
    expect(inspect(world)).toMatch(/^Quake3World \{ \d+ leafs, 3 models \}$/);
    expect(inspect(world.model(1))).toBe('Quake3Model { *1, 1 brush }');
    expect(inspect(world.box([-15, -15, -24], [15, 15, 32]))).toBe(
      'Quake3Tracer { box -15 -15 -24 to 15 15 32 }',
    );
    expect(inspect(world.model(1).ray())).toBe('Quake3Tracer { ray }');
    expect(inspect(exactSphere(world, 4.5))).toBe('Quake3Tracer { exact sphere of radius 4.5 }');
    expect(inspect(boxEntity([-1, -2, -3], [4, 5, 6]))).toBe('Quake3BoxEntity { -1 -2 -3 to 4 5 6 }');
  });

  it.each(KERNELS)('counts its traces past 2^31: %s', (kernel) => {
    const fresh = createQuake3World(file, { kernel });
    const { memory } = fresh._target;
    const box = fresh.box([-15, -15, -24], [15, 15, 32]);
    const capsule = fresh.capsule({ radius: 15, height: 56 });
    const moves = Array.from({ length: 40 }, (_, k) => [
      [400 * Math.sin(k), 400 * Math.cos(3 * k), 100],
      [500 * Math.sin(5 * k), 500 * Math.cos(2 * k), 20 * k - 400],
    ]);
    const answers = (): unknown[] =>
      moves.flatMap(([start, end]) => [box.trace(start!, end!), capsule.trace(start!, end!)]);
    const before = answers();
    const [counter, at] = memory.hot ? [memory.hot.ints, TRACES / 4] : [memory.traces, 0];
    // The stamps of brushes met are now the numbers that come next after the count begins again.
    counter[at] = 0x7fffffff - 20;
    expect(answers()).toEqual(before);
    expect(counter[at]).toBe(60);
    expect(answers()).toEqual(before);
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
        const out = new Int32Array(around.length);
        const [mins, maxs] = [-1, 1].map((far) => at.map((x) => x + far)) as [number[], number[]];
        expect(world.boxLeafs(mins, maxs, out)).toBe(around.length);
        expect([...out]).toEqual(around);
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

describe('areas', () => {
  /** The arena with another area for each of its first leafs in the map: 0, 2, 3, 5; there is none of number 1 and 4. */
  const divided = (): Quake3World => {
    const leafs = Array.from({ length: world.numLeafs }, (_, leaf) => leaf).filter(
      (leaf) => world.area(leaf) >= 0,
    );
    const areas = [0, 2, 3, 5];
    return createQuake3World(
      readQuake3(areas.reduce((data, area, k) => withWord(data, 'leafs', 12 * leafs[k]! + 1, area), bytes)),
    );
  };

  it('are one more than the greatest, and none is connected with another at first', () => {
    expect(world.numAreas).toBe(1);
    const other = divided();
    expect(other.numAreas).toBe(6);
    for (let a = -1; a < 6; a++) {
      for (let b = -1; b < 6; b++) expect(other.areasConnected(a, b)).toBe(a === b && a >= 0);
    }
    expect([...other.areaBits(3)]).toEqual([0b1000]);
    expect([...other.areaBits(-1)]).toEqual([0xff]);
  });

  it('are connected while at least one portal is open between them, in each opened world by itself', () => {
    const other = divided();
    other.adjustAreaPortal(2, 0, true);
    other.adjustAreaPortal(3, 2, true);
    other.adjustAreaPortal(2, 3, true);
    expect(other.areasConnected(0, 3)).toBe(true);
    expect([...other.areaBits(0)]).toEqual([0b1101]);
    other.adjustAreaPortal(2, 3, false);
    expect(other.areasConnected(0, 3)).toBe(true);
    other.adjustAreaPortal(2, 3, false);
    expect(other.areasConnected(0, 3)).toBe(false);
    expect(other.areasConnected(0, 2)).toBe(true);
    const none = new RangeError('no area portal is open between areas 3 and 2');
    expect(() => other.adjustAreaPortal(3, 2, false)).toThrow(none);
    other.adjustAreaPortal(-1, 2, true);
    other.adjustAreaPortal(2, -1, false);
    expect(Quake3World.from(other.data).areasConnected(0, 2)).toBe(false);
    for (const area of [-2, 6, 0.5]) {
      expect(() => other.areasConnected(area, 0)).toThrow(
        new RangeError(`a must be a whole number in -1..${other.numAreas - 1}, got ${area}`),
      );
      expect(() => other.areaBits(area)).toThrow(RangeError);
      expect(() => other.adjustAreaPortal(0, area, true)).toThrow(RangeError);
    }
    expect(() => other.adjustAreaPortal(0, 2, 1 as never)).toThrow(TypeError);
    expect(() => other.adjustAreaPortal(0, 2, undefined as never)).toThrow(TypeError);
  });

  it('are connected as going from one to the next finds them, whatever opens and closes', () => {
    const other = divided();
    const open: [number, number][] = [];
    const area = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(fc.boolean(), area, area, fc.nat(), (isOpening, a, b, which) => {
        if (isOpening || open.length === 0) {
          open.push([a, b]);
          other.adjustAreaPortal(a, b, true);
        } else {
          const [[x, y]] = open.splice(which % open.length, 1) as [[number, number]];
          other.adjustAreaPortal(y, x, false);
        }
        const reached = new Set([a]);
        for (const from of reached) {
          for (const [x, y] of open) if (x === from || y === from) reached.add(x).add(y);
        }
        const connected = [0, 1, 2, 3, 4, 5].filter((to) => other.areasConnected(a, to));
        expect(connected).toEqual([...reached].sort());
        expect([...other.areaBits(a)]).toEqual([connected.reduce((bits, to) => bits | (1 << to), 0)]);
      }),
      { numRuns: 300 },
    );
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

  /** The arena cut into clusters by its leafs, each of which sees itself and the next one. */
  const clusters = 5;
  let vised = withLump(
    bytes,
    'visibility',
    visibilityLump(clusters, 4, (a, b) => b === a || b === (a + 1) % clusters),
  );
  for (const [leaf, cluster] of file.leafs.clusters.entries()) {
    if (cluster >= 0) vised = withWord(vised, 'leafs', 12 * leaf, leaf % clusters);
  }
  const cut = createQuake3World(readQuake3(vised));
  const open = [...file.leafs.clusters.keys()].filter((leaf) => cut.cluster(leaf) >= 0);
  const solid = [...file.leafs.clusters.keys()].find((leaf) => cut.cluster(leaf) < 0)!;

  it('has a visible set for each cluster, and by it for each leaf', () => {
    expect(cut.numClusters).toBe(clusters);
    expect(open.length).toBeGreaterThan(2 * clusters);
    for (let a = 0; a < clusters; a++) {
      for (let b = 0; b < clusters; b++) {
        const sees = b === a || b === (a + 1) % clusters;
        expect(cut.clusterVisible(a, b)).toBe(sees);
        expect((cut.clusterPvs(a)![b >> 3]! >> (b & 7)) & 1).toBe(sees ? 1 : 0);
      }
    }
    for (const from of open.slice(0, 12)) {
      for (const to of open) {
        expect(cut.visible(from, to)).toBe(cut.clusterVisible(cut.cluster(from), cut.cluster(to)));
      }
    }
    expect(cut.clusterPvs(-1)).toEqual(cut.clusterPvs(0));
    // It is the caller's own.
    const row = cut.clusterPvs(0)!;
    expect(row.some((byte) => byte !== 0)).toBe(true);
    row.fill(0);
    expect(cut.clusterPvs(0)).not.toEqual(row);
    expect(() => cut.clusterVisible(0, clusters)).toThrow('to must be');
    expect(() => cut.clusterVisible(-1, 0)).toThrow('from must be');
    expect(() => cut.visible(cut.numLeafs, 0)).toThrow('from must be');
    expect(() => cut.visible(0, -1)).toThrow('to must be');
  });

  it('sees everything from a leaf without a cluster, and such a leaf from nowhere', () => {
    for (const leaf of open) {
      expect(cut.visible(solid, leaf)).toBe(true);
      expect(cut.visible(leaf, solid)).toBe(false);
    }
    expect(cut.visible(solid, solid)).toBe(true);
  });

  it('has none in a map without visibility data, where all see all', () => {
    const unvised = createQuake3World(readQuake3(withEntry(bytes, 'visibility', { length: 0 })));
    expect(unvised.numClusters).toBe(0);
    expect(unvised.clusterPvs(0)).toBeUndefined();
    expect(unvised.clusterVisible(3, 99)).toBe(true);
    for (const leaf of open) {
      expect(unvised.visible(leaf, solid) && unvised.visible(solid, leaf)).toBe(true);
    }
    expect(() => unvised.visible(0, unvised.numLeafs)).toThrow(RangeError);
  });

  it('asks the visible set first', () => {
    let [seen, hidden] = [0, 0];
    const spots = eyes.flatMap(([x, y, z]) => [eyes[0]!, [x! + 60, y!, z!], [x!, y! - 60, z! + 9]]);
    for (const a of spots) {
      for (const b of spots) {
        const [from, to] = [cut.cluster(cut.leaf(a)), cut.cluster(cut.leaf(b))];
        const known = from < 0 || to < 0 || cut.clusterVisible(from, to);
        const clear = world.sight(a, b);
        expect(cut.sight(a, b)).toBe(known && clear);
        if (clear) known ? seen++ : hidden++;
      }
    }
    expect(Math.min(seen, hidden)).toBeGreaterThan(0);
  });
});

describe('polygons', () => {
  it('lie on their planes, counter-clockwise, in front of what they bound', () => {
    const drawn = polygons(world);
    expect(drawn.length).toBeGreaterThan(100);
    for (const { vertices, normal, dist, texture, surface } of drawn) {
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
    const surfaces = new Set(polygons(world).map(({ surface }) => surface));
    const leaf = world.leaf([0, 0, 64]);
    const near = leafPolygons(world, leaf);
    expect(near.length).toBeGreaterThan(0);
    for (const { surface } of near) expect(surfaces.has(surface)).toBe(true);
    const door = polygons(world.model(1));
    expect(door.length).toBeGreaterThan(0);
    for (const { surface } of door) expect(surfaces.has(surface)).toBe(false);
  });

  it('divide patches as finely as told', () => {
    const curves = (patchLevel: number): number =>
      polygons(world, { patchLevel }).filter(({ surface }) => file.surfaces[surface]!.type === SURFACE_PATCH)
        .length;
    const pieces = patches(world).reduce(
      (sum, { width, height }) => sum + ((width - 1) * (height - 1)) / 4,
      0,
    );
    expect(pieces).toBeGreaterThan(0);
    for (const level of [1, 3, 8]) expect(curves(level)).toBe(2 * pieces * level * level);
    expect(polygons(world)).toEqual(polygons(world, { patchLevel: 4 }));
    expect(() => polygons(world, { patchLevel: 65 })).toThrow(RangeError);
  });
});
