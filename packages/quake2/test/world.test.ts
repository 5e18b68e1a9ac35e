import { arenaQuake2 } from '@bspkit/fixtures';
import { between, createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  BOX_MODEL,
  boxEntity,
  CONTENTS_MONSTER,
  createQuake2World,
  explain,
  leafPolygons,
  mesh,
  polygons,
  Quake2World,
  readQuake2,
  surfaceAt,
} from '../src/index.ts';
import { roomsMap } from './worlds.ts';

const file = readQuake2(roomsMap());
const world = createQuake2World(file);
const [west, middle, east, outside] = [
  [-200, 0, 0],
  [0, 0, 0],
  [200, 0, 0],
  [400, 0, 0],
] as const;
const leafs = [west, middle, east, outside].map((at) => world.leaf(at));
const [a, b, c, solid] = leafs as [number, number, number, number];

describe('points', () => {
  it('have leafs with clusters, areas and contents', () => {
    expect(new Set(leafs).size).toBe(4);
    expect(leafs.map((leaf) => world.cluster(leaf))).toEqual([0, 1, 2, -1]);
    expect(leafs.map((leaf) => world.area(leaf))).toEqual([1, 2, 3, 0]);
    expect([west, outside].map((at) => world.contents(at))).toEqual([0, 1]);
  });

  it('on a plane are in front of it', () => {
    expect(world.leaf([-100, 0, 0])).toBe(b);
    expect(world.leaf([-100.001, 0, 0])).toBe(a);
  });

  it('in a model have its contents, where it stands', () => {
    const door = world.model(1);
    expect([door.number, `${door}`]).toEqual([1, `Quake2Model { *1, head node ${door.headNode} }`]);
    // Its tree is one leaf, which is everywhere.
    expect(door.contents(west, { origin: [5, 5, 5], angles: [0, 90, 0] })).toBe(0x8000001);
    expect(door.headNode).toBeLessThan(0);
  });
});

describe('boxes', () => {
  it('touch leafs, in tree order, and are parted by a node', () => {
    expect(world.boxLeafs([-150, -9, -9], [150, 9, 9])).toEqual([c, b, a]);
    expect(world.headNode([-150, -9, -9], [150, 9, 9])).toBe(0);
    expect(world.boxLeafs([-9, -9, -9], [9, 9, 9])).toEqual([b]);
    expect(world.headNode([-9, -9, -9], [9, 9, 9])).toBe(-1);
    expect(world.boxLeafs([-100, 0, 0], [-100, 0, 0])).toEqual([b]);
    expect(() => world.boxLeafs([1, 0, 0], [0, 0, 0])).toThrow(RangeError);
    const out = new Int32Array(2);
    expect(world.boxLeafs([-150, -9, -9], [150, 9, 9], out)).toBe(3);
    expect([...out]).toEqual([c, b]);
  });

  it('are parted by a node if they touch several leafs, along every axis', () => {
    const arena = createQuake2World(readQuake2(arenaQuake2()));
    const random = createRandom(seedOf(1));
    let parted = 0;
    for (let k = 0; k < 600; k++) {
      const mins = [0, 1, 2].map((axis) =>
        between(random, arena.bounds.mins[axis]!, arena.bounds.maxs[axis]!),
      );
      // Long in one direction.
      const maxs = mins.map((x, axis) => x + (axis === k % 3 ? between(random, 0, 150) : 1));
      const isParted = arena.headNode(mins, maxs) >= 0;
      expect(isParted).toBe(arena.boxLeafs(mins, maxs).length > 1);
      if (isParted) parted++;
    }
    expect(parted).toBeGreaterThan(50);
  });
});

describe('sets', () => {
  it('of clusters: what is seen, and what is heard farther', () => {
    expect([0, 1, 2].map((to) => world.clusterVisible(0, to))).toEqual([true, true, false]);
    expect([0, 1, 2].map((to) => world.clusterHearable(0, to))).toEqual([true, true, true]);
    expect([...world.clusterPvs(0)]).toEqual([0b011]);
    expect([...world.clusterPhs(0)]).toEqual([0b111]);
    expect([...world.clusterPvs(-1)]).toEqual([0]);
    expect(world.clusterVisible(-1, 0) || world.clusterVisible(0, -1)).toBe(false);
    expect(() => world.clusterPvs(3)).toThrow(RangeError);
    expect(() => world.clusterVisible(0, 3)).toThrow(RangeError);
  });

  it('of leafs, of which those without a cluster see everything and are seen from nowhere', () => {
    expect([a, b, c, solid].map((to) => world.visible(a, to))).toEqual([true, true, false, false]);
    expect(world.hearable(a, c)).toBe(true);
    expect([a, b, c].every((to) => world.visible(solid, to))).toBe(true);
  });

  it('of all that is below a node', () => {
    expect(world.headVisible(0, 0)).toBe(true);
    // Cluster 0, too.
    expect(world.headVisible(-1 - a, 1)).toBe(true);
    expect(world.headVisible(-1 - c, 0)).toBe(false);
    expect(world.headHearable(-1 - c, 0)).toBe(true);
    expect(world.headVisible(-1 - a, -1)).toBe(false);
    expect(() => world.headVisible(world.numNodes, 0)).toThrow(RangeError);
  });

  it('that a map does not have hide nothing', () => {
    const arena = readQuake2(arenaQuake2());
    const open = createQuake2World({ ...arena, visibility: undefined });
    const count = open.numClusters;
    expect(open.clusterVisible(0, count - 1)).toBe(true);
    expect([...open.clusterPhs(0)].every((byte) => byte === 0xff)).toBe(true);
    expect([...open.clusterPvs(-1)].every((byte) => byte === 0)).toBe(true);
  });

  it('settle lines of sight', () => {
    expect(world.sight(west, middle)).toBe(true);
    expect(world.sight(west, east)).toBe(false);
    expect(world.ray().blocked(west, east)).toBe(false);
    expect(world.sight(west, outside)).toBe(false);
  });
});

describe('areas', () => {
  it('are connected through open portals, in each opened world by itself', () => {
    const other = Quake2World.from(world.data);
    expect([world.numAreas, world.numAreaPortals]).toEqual([4, 5]);
    const connected = (): boolean[] => [
      other.areasConnected(1, 2),
      other.areasConnected(2, 3),
      other.areasConnected(1, 3),
      other.areasConnected(0, 0),
      other.areasConnected(0, 1),
    ];
    expect(connected()).toEqual([false, false, false, true, false]);
    other.setAreaPortal(1, true);
    expect(connected()).toEqual([true, false, false, true, false]);
    other.setAreaPortal(2, true);
    expect(connected()).toEqual([true, true, true, true, false]);
    expect([...other.areaBits(1)]).toEqual([0b1110]);
    expect([...other.areaBits(0)]).toEqual([0b1111]);
    other.setAreaPortal(1, false);
    expect(connected()).toEqual([false, true, false, true, false]);
    expect([...other.areaBits(3)]).toEqual([0b1100]);
    expect(world.areasConnected(2, 3)).toBe(false);
    expect(() => other.setAreaPortal(6, true)).toThrow(RangeError);
    expect(() => other.setAreaPortal(1, 1 as never)).toThrow(TypeError);
    expect(() => other.setAreaPortal(1, undefined as never)).toThrow(TypeError);
    expect(() => other.areasConnected(0, 4)).toThrow(RangeError);
  });
});

describe('a map without areas', () => {
  it('has all leafs in area 0, which is connected with itself', () => {
    const { leafs: all, ...rest } = readQuake2(arenaQuake2());
    const none = new Int32Array(0);
    const undivided = createQuake2World({
      ...rest,
      leafs: { ...all, areas: new Int32Array(all.count) },
      areas: { count: 0, firstPortals: none, numPortals: none },
      areaPortals: { count: 0, portals: none, areas: none },
    });
    const area = undivided.area(undivided.leaf([0, -200, 100]));
    expect([area, undivided.numAreas]).toEqual([0, 0]);
    expect(undivided.areasConnected(area, area)).toBe(true);
    expect(undivided.areaBits(area)).toEqual(new Uint8Array(0));
    expect(() => undivided.areasConnected(0, 1)).toThrow(RangeError);
  });
});

describe('box entities', () => {
  it('are monsters that never turn', () => {
    const entity = boxEntity([-8, -8, 0], [8, 8, 40]);
    const ray = entity.ray({ mask: CONTENTS_MONSTER, origin: [100, 0, 0] });
    const trace = ray.place({ angles: [0, 45, 0] }).trace([0, 0, 10], [200, 0, 10]);
    expect(trace).toMatchObject({ contents: CONTENTS_MONSTER, texture: -1, plane: -1, model: 1024 });
    expect(trace.endPos[0]).toBe(92 - 1 / 32);
    expect(entity.contents([100, 0, 10], { origin: [100, 0, 0] })).toBe(CONTENTS_MONSTER);
    expect(entity.contents([100, 0, 10])).toBe(0);
    entity.resize([-16, -16, 0], [16, 16, 40]);
    expect(ray.trace([0, 0, 10], [200, 0, 10]).endPos[0]).toBe(84 - 1 / 32);
    expect(ray.blocked([100, 0, 10], [100, 0, 10])).toBe(true);
  });
});

describe('very short moves', () => {
  it('pass into a wall that they begin in front of by less than 1/32, where no longer than what is missing to that', () => {
    const world = createQuake2World(readQuake2(arenaQuake2()));
    for (const tracer of [world.ray(), world.box([-4, -4, 0], [4, 4, 8])]) {
      const fall = (by: number) => tracer.trace([-256, 0, 1 / 128], [-256, 0, 1 / 128 - by]);
      expect(fall(3 / 128)).toMatchObject({ fraction: 1, startSolid: false });
      expect(fall(4 / 128)).toMatchObject({ fraction: 0, startSolid: false });
      const below = fall(3 / 128).endPos;
      expect(below[2]).toBe(-1 / 64);
      expect(tracer.trace(below, [-256, 0, -1])).toMatchObject({ fraction: 1, startSolid: true });
    }
  });
});

describe('surfaces', () => {
  const arena = readQuake2(arenaQuake2());
  const hall = createQuake2World(arena);

  it('are found for what was hit', () => {
    const trace = hall.ray().trace([0, -200, 100], [0, -200, -100]);
    const surface = surfaceAt(hall, trace);
    expect(surface?.name).toBe('arena/floor');
    expect([...surface!.polygon!.normal]).toEqual([0, 0, 1]);
    expect(surfaceAt(hall, hall.ray().trace([0, -200, 100], [0, -200, 90]))).toBeUndefined();
    expect(explain(hall.ray(), [0, -200, 100], [0, -200, -100]).steps.length).toBeGreaterThan(3);
  });

  it.each([
    { texture: 0, found: { texture: 0, name: 'first', flags: 8 } },
    { texture: 1, found: { texture: 1, name: 'second', flags: 16 } },
    { texture: -1, found: { texture: -1, name: '', flags: 0 } },
    { texture: -5, found: { texture: -1, name: '', flags: 0 } },
  ])('have the texture of their side, $texture, its name and flags', ({ texture, found }) => {
    const [texInfo] = arena.textures;
    const world = createQuake2World({
      ...arena,
      textures: [
        { ...texInfo!, name: 'first', surfaceFlags: 8 },
        { ...texInfo!, name: 'second', surfaceFlags: 16 },
        ...arena.textures.slice(2),
      ],
      sides: { ...arena.sides, textures: arena.sides.textures.map(() => texture) },
    });
    const surface = surfaceAt(world, world.ray().trace([0, -200, 100], [0, -200, -100]));
    expect(surface).toMatchObject({ ...found, polygon: { texture: found.texture } });
  });

  it('are not found for box entities, whose number a file may have for a model', () => {
    const { models, ...rest } = arena;
    const door = models[1]!;
    const crowded = createQuake2World({
      ...rest,
      models: Array.from({ length: BOX_MODEL + 1 }, (_, k) => models[k] ?? door),
    });
    const entity = boxEntity([-8, -8, -8], [8, 8, 8]);
    const trace = entity.ray({ mask: CONTENTS_MONSTER }).trace([0, 0, 50], [0, 0, -50]);
    expect(trace).toMatchObject({ model: crowded.numModels, brush: 0, side: 4 });
    expect(surfaceAt(crowded, trace)).toBeUndefined();
  });

  it('are faces to be drawn, and sides of brushes to collide with', () => {
    const drawn = mesh(arena);
    expect(drawn.texCoordUnit).toBe('texel');
    expect(new Set(drawn.groups.map(({ model }) => model)).size).toBe(4);
    expect(drawn.groups.some(({ isLiquid }) => isLiquid)).toBe(true);
    expect(drawn.groups.some(({ isSky }) => isSky)).toBe(true);
    // Looking into water, or out of it, its faces bound water.
    for (const { isLiquid, contents } of drawn.groups) if (isLiquid) expect(contents & 0x38).not.toBe(0);
    const all = polygons(hall, { mask: -1 });
    expect(polygons(hall).length).toBeLessThanOrEqual(all.length);
    const leaf = hall.leaf([0, -200, -1]);
    expect(leafPolygons(hall, leaf).length).toBeGreaterThan(0);
  });

  it.each([400, 4096])('are there in a map %d times as large', (times) => {
    const { planes, ...rest } = arena;
    const large = createQuake2World({
      ...rest,
      planes: { ...planes, dists: planes.dists.map((x) => x * times) },
    });
    const [near, far] = [hall, large].map((world) => polygons(world, { mask: -1 }));
    expect(far!.length).toBeGreaterThanOrEqual(near!.length);
    const corners = (all: typeof far): number => Math.max(...all!.flatMap(({ vertices }) => [...vertices]));
    expect(corners(far)).toBe(times * corners(near));
    const made = mesh(
      { ...rest, planes: { ...planes, dists: planes.dists.map((x) => x * times) } },
      { by: 'brush' },
    );
    expect(Math.max(...made.positions)).toBe(corners(far));
  });
});
