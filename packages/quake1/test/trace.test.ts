import { createTraceBatch } from '@bspkit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  CONTENTS_SOLID,
  createHullTrace,
  createQuake1World,
  explain,
  type HullTrace,
  type HullTracer,
  hullBounds,
} from '../src/index.ts';
import { across, boxTree, makeFile, point, roomFile, solidBox, tree } from './make.ts';

const room = createQuake1World(roomFile());

/** The engine's answer in the hull's frame, by its literal algorithm, in the caller's frame. */
function literal(tracer: HullTracer, start: number[], end: number[], origin = [0, 0, 0]): Partial<HullTrace> {
  const { reference } = explain(tracer, start, end);
  const { fraction, endPos, startSolid, allSolid, inOpen, inWater, plane } = reference;
  const hit = plane >= 0 && fraction !== 1;
  const local = plane < 0 ? Float32Array.from(end) : endPos;
  return {
    ...{ fraction, startSolid, allSolid, inOpen, inWater, plane },
    endPos: Float32Array.from(local, (c, k) => (hit ? Math.fround(c + origin[k]!) : c)),
  };
}

describe('hull traces', () => {
  it('equal the literal algorithm in any tree, bit for bit', () => {
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.tuple(point, point), { minLength: 20, maxLength: 20 }),
        (nodes, moves) => {
          const tracer = createQuake1World(makeFile([{ nodes }])).hull(0);
          for (const [start, end] of moves) {
            expect(tracer.trace(start, end)).toMatchObject(literal(tracer, start, end));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('equal it for moves so long that float32 overflows', () => {
    const far = fc.tuple(...[0, 1, 2].map(() => fc.float({ noNaN: true, noDefaultInfinity: true })));
    fc.assert(
      fc.property(tree, far, far, (nodes, start, end) => {
        const tracer = createQuake1World(makeFile([{ nodes }])).hull(0);
        expect(tracer.trace(start, end)).toMatchObject(literal(tracer, start, end));
      }),
      { numRuns: 300 },
    );
  });

  it('equal it for models that stand elsewhere', () => {
    fc.assert(
      fc.property(tree, point, point, point, (nodes, origin, start, end) => {
        const world = createQuake1World(makeFile([{ nodes: boxTree([-9, -9, -9], [9, 9, 9]) }, { nodes }]));
        const tracer = world.model(1).hull(0, { origin });
        // The offset is 0 + origin, as the engine adds it.
        const offset = origin.map((c) => 0 + Math.fround(c));
        expect(tracer.trace(start, end)).toMatchObject(literal(tracer, start, end, offset));
      }),
      { numRuns: 300 },
    );
  });

  it('say blocked when, and only when, a trace starts in solid or stops', () => {
    fc.assert(
      fc.property(tree, point, point, (nodes, start, end) => {
        const tracer = createQuake1World(makeFile([{ nodes }])).hull(0);
        const { startSolid, fraction } = tracer.trace(start, end);
        expect(tracer.blocked(start, end)).toBe(startSolid || fraction < 1);
      }),
      { numRuns: 500 },
    );
  });

  it('come in batches that equal single traces', () => {
    const tracer = room.hull(1);
    const segments = new Float32Array(600).map((_, k) => ((k * 7919) % 121) - 60);
    const batch = tracer.traceBatch(segments);
    for (let i = 0; i < 100; i++) {
      const trace = tracer.trace(segments.subarray(6 * i), segments.subarray(6 * i + 3));
      expect(batch.fraction[i]).toBe(trace.fraction);
      expect([...batch.endPos.subarray(3 * i, 3 * i + 3)]).toEqual([...trace.endPos]);
      expect(batch.plane[i]).toBe(trace.plane);
    }
    expect(() => tracer.traceBatch(segments, createTraceBatch(99))).toThrow(/room for 99/);
  });

  it('stop 1/32 before a wall and report it', () => {
    const trace = room.hull(0).trace([0, 40, 0], [128, 40, 0]);
    expect(trace).toMatchObject({ startSolid: false, allSolid: false, inOpen: true, inWater: false });
    expect([...trace.endPos]).toEqual([64 - 1 / 32, 40, 0]);
    expect([...trace.normal]).toEqual([-1, 0, 0]);
    expect(trace.dist).toBe(-64);
    expect(trace.contents).toBe(CONTENTS_SOLID);
    expect(trace.model).toBe(0);
    const { normals, dists } = roomFile().planes;
    expect([...normals.subarray(3 * trace.plane, 3 * trace.plane + 3)]).toEqual([1, 0, 0]);
    expect(dists[trace.plane]).toBe(64);
  });

  it('wholly in solid leave fraction 1 and set both flags', () => {
    const trace = room.hull(0).trace([200, 0, 0], [300, 0, 0]);
    expect(trace).toMatchObject({ fraction: 1, startSolid: true, allSolid: true, inOpen: false, plane: -1 });
    expect([...trace.endPos]).toEqual([300, 0, 0]);
    expect(room.hull(0).blocked([200, 0, 0], [300, 0, 0])).toBe(true);
  });

  it('that start in solid and leave it may still hit', () => {
    const trace = room.hull(0).trace([0, 0, 0], [100, 40, 0]);
    expect(trace).toMatchObject({ startSolid: true, allSolid: false, inOpen: true });
    expect(trace.fraction).toBeLessThan(1);
    expect(trace.endPos[0]).toBeCloseTo(64, 1);
  });

  it('by the QuakeWorld rule have fraction 0 when they start in solid', () => {
    const tracer = room.hull(0, { rules: 'quakeworld' });
    expect(tracer.trace([0, 0, 0], [100, 40, 0])).toMatchObject({ startSolid: true, fraction: 0 });
    expect(tracer.trace([200, 0, 0], [300, 0, 0])).toMatchObject({ allSolid: true, fraction: 0 });
    expect(tracer.trace([0, 40, 0], [100, 40, 0]).fraction).toBeGreaterThan(0);
    expect(tracer.set({ rules: 'quake' }).trace([200, 0, 0], [300, 0, 0]).fraction).toBe(1);
    expect(() => room.hull(0, { rules: 'doom' as 'quake' })).toThrow(RangeError);
  });

  it('reset every field of an answer that is used again', () => {
    const out = createHullTrace();
    const tracer = room.hull(0);
    tracer.trace([0, 40, 0], [100, 40, 0], out);
    expect(tracer.trace([0, 40, 0], [1, 40, 0], out)).toEqual({
      ...createHullTrace(),
      endPos: Float32Array.of(1, 40, 0),
      inOpen: true,
    });
  });

  it('note water on the way', () => {
    const file = makeFile([
      { nodes: boxTree([-8, -8, -8], [8, 8, 8], { plane: across(2, 0), front: -1, back: -3 }) },
    ]);
    const tracer = createQuake1World(file).hull(0);
    expect(tracer.trace([0, 0, 4], [0, 0, -4])).toMatchObject({ inOpen: true, inWater: true, fraction: 1 });
    expect(tracer.trace([0, 0, 4], [4, 0, 4])).toMatchObject({ inOpen: true, inWater: false });
    expect(tracer.trace([0, 0, -4], [4, 0, -4])).toMatchObject({ inOpen: false, inWater: true });
  });

  it('refuse what is not finite, by name', () => {
    const tracer = room.hull(0);
    expect(() => tracer.trace([0, Number.NaN, 0], [0, 0, 0])).toThrow(/start\[1\]/);
    expect(() => tracer.trace([0, 0, 0], [0, 0, 1e39])).toThrow(/end\[2\]/);
    expect(() => tracer.blocked([Number.POSITIVE_INFINITY, 0, 0], [0, 0, 0])).toThrow(RangeError);
    expect(() => tracer.set({ origin: [0, 0, Number.NaN] })).toThrow(/origin\[2\]/);
  });
});

describe('hulls', () => {
  it('are those that the map has', () => {
    expect(room.hulls).toEqual(hullBounds(29));
    expect(() => room.hull(3)).toThrow(/hull must be a whole number in 0\.\.2/);
    expect(() => room.hull(0.5)).toThrow(RangeError);
    const bare = createQuake1World(makeFile([{ nodes: boxTree([-8, -8, -8], [8, 8, 8]) }]));
    expect(() => bare.hull(1)).toThrow(/made without clip nodes/);
    expect(() => bare.box([-16, -16, -24], [16, 16, 32])).toThrow(/made without clip nodes/);
    expect(createQuake1World(roomFile(30)).hulls).toEqual(hullBounds(30));
  });

  it('are chosen for a box by its width alone, and say what is truly moved', () => {
    const hullOf = (width: number): number => room.box([0, 0, 0], [width, 500, 500]).hull;
    expect([0, 2.99, 3, 32, 32.01].map(hullOf)).toEqual([0, 0, 1, 1, 2]);
    const tracer = room.box([-8, -8, -8], [8, 8, 8]);
    expect(tracer.hull).toBe(1);
    expect(tracer.shape).toEqual({
      kind: 'box',
      mins: Float32Array.of(-8, -8, -8),
      maxs: Float32Array.of(24, 24, 48),
    });
    // Its origin is (8, 8, 16) from that of the hull, so it stops so much earlier on this side.
    const player = room.hull(1).trace([-40, 40, 0], [100, 40, 0]).endPos[0]!;
    expect(tracer.trace([-40, 32, 0], [100, 32, 0]).endPos[0]).toBe(player - 8);
    expect(tracer.set({ mins: [-1, -1, -1], maxs: [1, 1, 1] }).hull).toBe(0);
    expect(() => tracer.set({ mins: [2, 0, 0], maxs: [1, 1, 1] })).toThrow(/mins\[0\]/);
  });

  it('of Half-Life are chosen by width and height', () => {
    const world = createQuake1World(roomFile(30));
    const hullOf = (width: number, height: number): number => world.box([0, 0, 0], [width, 0, height]).hull;
    expect([hullOf(8, 72), hullOf(32, 72), hullOf(32, 36), hullOf(64, 36)]).toEqual([0, 1, 3, 2]);
  });
});

describe('models', () => {
  it('move with their origin, in place', () => {
    const tracer = room.model(1).hull(0);
    expect(tracer.trace([-40, 0, 0], [40, 0, 0]).endPos[0]).toBe(-4 - 1 / 32);
    tracer.set({ origin: [10, 0, 0] });
    const trace = tracer.trace([-40, 0, 0], [40, 0, 0]);
    expect(trace.endPos[0]).toBe(6 - 1 / 32);
    expect(trace.model).toBe(1);
    expect(room.numModels).toBe(1);
    expect(() => room.model(2)).toThrow(RangeError);
  });

  it('have bounds as the engine keeps them', () => {
    expect(Array.from(room.model(1).bounds.mins)).toEqual([-101, -101, -101]);
    expect(Array.from(room.bounds.maxs)).toEqual([101, 101, 101]);
  });
});

describe('box entities', () => {
  it('equal a tree of the same box grown by the mover', () => {
    const entity = boxEntity([-8, -8, -8], [8, 8, 8]);
    const tracer = entity.box([-1, -2, -3], [4, 5, 6]);
    const same = createQuake1World(makeFile([{ nodes: solidBox([-12, -13, -14], [9, 10, 11]) }])).hull(0);
    fc.assert(
      fc.property(point, point, (start, end) => {
        const { plane: _plane, model: _model, ...rest } = same.trace(start, end);
        const trace = tracer.trace(start, end);
        // The same box cut in another order of planes: the same answer but for ties at its edges.
        fc.pre(trace.fraction === rest.fraction);
        expect(trace).toMatchObject({
          startSolid: rest.startSolid,
          allSolid: rest.allSolid,
          endPos: rest.endPos,
        });
      }),
    );
  });

  it('are outside on their greater faces and inside on their lesser ones', () => {
    const tracer = boxEntity([-8, -8, -8], [8, 8, 8]).ray();
    expect(tracer.trace([8, 0, 0], [8, 0, 0]).startSolid).toBe(false);
    expect(tracer.trace([-8, 0, 0], [-8, 0, 0]).startSolid).toBe(true);
  });

  it('change size for the tracers that there are', () => {
    const entity = boxEntity([-8, -8, -8], [8, 8, 8]);
    const tracer = entity.box([-16, -16, -24], [16, 16, 32], { origin: [100, 0, 0] });
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBe(76 - 1 / 32);
    entity.resize([-18, -8, -8], [8, 8, 8]);
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBe(66 - 1 / 32);
    tracer.set({ mins: [0, 0, 0], maxs: [0, 0, 0], origin: [0, 0, 0] });
    const trace = tracer.trace([-40, 0, 0], [40, 0, 0]);
    expect([trace.endPos[0], trace.plane, trace.model]).toEqual([-18 - 1 / 32, -1, -1]);
    expect(tracer.shape.kind).toBe('box');
    expect(() => entity.resize([1, 0, 0], [0, 0, 0])).toThrow(/mins\[0\]/);
  });
});
