import { houseUfoai } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import {
  ACTOR_STANDING,
  ALL_LEVELS,
  cellToWorld,
  contentsNames,
  createUfoaiWorld,
  EYE_CROUCHING,
  explain,
  levelOf,
  levels,
  levelsBetween,
  MASK_SHOT,
  readUfoai,
  surfaceNames,
  worldToCell,
} from '../src/index.ts';
import { MapBuilder, writeMap } from './writer.ts';

const house = createUfoaiWorld([{ file: readUfoai(houseUfoai()) }]);

describe('cells and levels', () => {
  it('have their middles where the game has them', () => {
    expect(cellToWorld([128, 128, 0])).toEqual([16, 16, 32]);
    expect(cellToWorld([0, 255, 7])).toEqual([-4080, 4080, 480]);
    for (const cell of [
      [0, 0, 0],
      [255, 255, 7],
      [12, 200, 3],
    ]) {
      expect(worldToCell(cellToWorld(cell))).toEqual(cell);
    }
    expect(worldToCell([-5000, 5000, 9999])).toEqual([0, 255, 7]);
    expect(() => cellToWorld([0, 256, 0])).toThrow('cell[1] must be a whole number in 0..255, got 256');
    expect(() => worldToCell([Number.NaN, 0, 0])).toThrow(RangeError);
  });

  it('are told from heights', () => {
    expect([-10, 0, 63.9, 64, 511, 9999].map(levelOf)).toEqual([1, 1, 1, 2, 8, 8]);
    expect(levelsBetween(10, 150)).toBe(levels(1, 2, 3));
    expect(levelsBetween(150, 10)).toBe(levels(1, 2, 3));
    expect(levelsBetween(-100, 9999)).toBe(ALL_LEVELS);
  });

  it('see each other over low walls and not through high ones', () => {
    const builder = new MapBuilder();
    const low = builder.box([112, -64, 0, 120, 64, 30], 0x101);
    const high = builder.box([192, -64, 0, 200, 64, 64], 0x101);
    const models = { 1: MapBuilder.union([low, high], [112, -64, 0, 200, 64, 64]) };
    const world = createUfoaiWorld([{ file: readUfoai(writeMap({ ...builder, models })) }]);
    const [a, b, c] = [
      [129, 128, 0],
      [132, 128, 0],
      [135, 128, 0],
    ] as const;
    expect(world.cellSight(a, b)).toBeCloseTo(2 / 3, 6);
    expect(world.cellSight(a, b, { eye: EYE_CROUCHING, heights: [-4] })).toBe(0);
    expect(world.cellSight(a, b, { eye: EYE_CROUCHING, heights: [EYE_CROUCHING] })).toBe(1);
    expect(world.cellSight(b, c)).toBe(0);
    expect(world.cellSight(b, c, { levels: levels(2) })).toBe(1);
    expect(() => world.cellSight([0, 0, 8], a)).toThrow('from[2]');
    expect(() => world.cellSight(a, b, { heights: [] })).toThrow(RangeError);
  });
});

describe('the house', () => {
  it('lists its heads', () => {
    const heads = house.heads();
    expect(heads.map((head) => head.kind).filter((kind) => kind.endsWith('Clip'))).toEqual([
      'lightClip',
      'weaponClip',
      'actorClip',
    ]);
    expect(heads.filter((head) => head.kind === 'phantom')).toHaveLength(house.numModels);
    for (const head of heads.filter(({ kind }) => kind !== 'phantom')) expect(head.nodes).toBeGreaterThan(0);
    // Windows hold brushes and do not stop lines.
    expect(heads.some((head) => head.stumps > 0)).toBe(true);
  });

  it('has walls that stop both sight and boxes, and tells contents', () => {
    const [start, end] = [
      [256, 50, 30],
      [256, 200, 30],
    ];
    const line = house.line().trace(start!, end!);
    expect([line.blocked, line.endPos[1], ...line.normal]).toEqual([true, 96, 0, -1, 0]);
    expect(house.sight(start!, end!)).toBe(false);
    expect(house.sight(start!, [200, 60, 30])).toBe(true);
    const { mins, maxs } = ACTOR_STANDING;
    const box = house.box(mins, maxs).trace(start!, end!);
    expect(box.endPos[1]).toBeCloseTo(96 - 9 - 1 / 32, 4);
    expect(contentsNames.names(box.contents)).toContain('solid');
    expect(contentsNames.names(house.contents([256, 100, 30]))).toContain('solid');
    expect(house.contents([256, 50, 30])).toBe(0);
    expect(contentsNames.bits('shot')).toBe(MASK_SHOT);
    expect(surfaceNames.bits('noDraw,light')).toBe(0x81);
  });

  it('gives polygons by level, facing out of their brushes', () => {
    const all = house.polygons();
    const clips = house.polygons({ clips: true });
    const ground = house.polygons({ levels: levels(1) });
    expect(all.length).toBeGreaterThan(ground.length);
    expect(clips.length).toBeGreaterThan(all.length);
    expect(house.polygons({ tile: 0 })).toHaveLength(all.length);
    expect(() => house.polygons({ tile: 1 })).toThrow(RangeError);
    for (const { vertices, normal, dist, contents } of clips) {
      expect(contents).not.toBe(0);
      const corner = (k: number): number[] => [...vertices.subarray(3 * k, 3 * k + 3)];
      for (let k = 0; k < vertices.length / 3; k++) {
        const height = corner(k).reduce((sum, x, axis) => sum + x * normal[axis]!, -dist);
        expect(Math.abs(height)).toBeLessThan(0.02);
      }
      // Counter-clockwise seen from the front: the first corner's turn is along the normal.
      const [a, b, c] = [corner(0), corner(1), corner(2)];
      const u = a.map((x, k) => b[k]! - x);
      const v = b.map((x, k) => c[k]! - x);
      const turn = [0, 1, 2].reduce(
        (sum, k) =>
          sum + (u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!) * normal[k]!,
        0,
      );
      expect(turn).toBeGreaterThan(0);
    }
  });

  it('gives the polygons of a leaf', () => {
    const counts = Array.from({ length: house.numLeafs }, (_, leaf) => house.leafPolygons(leaf).length);
    expect(Math.max(...counts)).toBeGreaterThan(5);
    expect(() => house.leafPolygons(house.numLeafs)).toThrow(RangeError);
  });

  it('explains traces', () => {
    const [start, end] = [
      [256, 50, 30],
      [256, 200, 30],
    ];
    const line = explain(house.line(), start!, end!);
    expect(line.heads.length).toBeGreaterThan(1);
    expect(line.steps.map((step) => step.kind)).toContain('leaf');
    expect(line.reference.blocked).toBe(true);
    expect([...line.trace.endPos]).toEqual(line.reference.hit);
    const box = explain(house.box([-9, -9, -24], [9, 9, 20]), start!, end!);
    const hit = box.steps.filter((step) => step.kind === 'brush' && step.outcome === 'hit').at(-1);
    expect(hit).toMatchObject({ kind: 'brush', brush: box.trace.brush, side: box.trace.side });
    expect(box.reference?.fraction).toBe(box.trace.fraction);
    expect(explain(house.point(), start!, start!).reference).toBeUndefined();
    const door = explain(house.model(1).point(), [352, 50, 30], [352, 200, 30]);
    expect(door.heads).toEqual([{ tile: 0, level: 259, step: 0 }]);
    expect(door.reference?.fraction).toBe(door.trace.fraction);
  });
});

describe('batches', () => {
  it('answer as single traces do', () => {
    const tracer = house.line({ actorClip: true });
    const segments = Float32Array.from({ length: 600 }, (_, k) => 300 + 280 * Math.sin(k * 1.7));
    const batch = tracer.traceBatch(segments);
    for (let k = 0; k < 100; k++) {
      const trace = tracer.trace(
        segments.subarray(6 * k, 6 * k + 3),
        segments.subarray(6 * k + 3, 6 * k + 6),
      );
      expect(batch.fraction[k]).toBe(trace.fraction);
      expect([...batch.endPos.subarray(3 * k, 3 * k + 3)]).toEqual([...trace.endPos]);
    }
    expect(() => tracer.traceBatch(new Float32Array(5))).toThrow(RangeError);
  });
});
