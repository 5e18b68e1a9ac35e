import { inspect } from 'node:util';
import { expectFields, expectSame, moving } from '@bspkit/testkit/same';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  CONTENTS_EMPTY,
  CONTENTS_SOLID,
  createQuake1World,
  createTrace,
  type HullTrace,
  type HullTracer,
  hullBounds,
  type Quake1World,
} from '../src/index.ts';
import { traceHull } from '../src/reference/trace.ts';
import type { Quake1Tracer } from '../src/tracer.ts';
import {
  across,
  axialPlanes,
  boxTree,
  inKernels,
  type MadeTree,
  makeFile,
  point,
  roomFile,
  runs,
  solidBox,
  tree,
} from './make.ts';

const room = createQuake1World(roomFile());
const worldOf = (nodes: MadeTree): Quake1World => createQuake1World(makeFile([{ nodes }]));

/** Checks that a trace by each kernel equals the literal algorithm from raw arguments, bit for bit. */
function expectLiteral(tracer: HullTracer, start: readonly number[], end: readonly number[]): void {
  const { endPos, normal, ...rest } = traceHull(tracer as Quake1Tracer, start, end);
  inKernels(tracer, () => {
    // Often enough for a clearing to be looked for where it starts.
    for (let k = 0; k <= 25; k++) tracer.blocked(start, end);
    const trace = tracer.trace(start, end);
    expectFields(trace, rest, moving(start, end));
    expectSame([...trace.endPos, ...trace.normal], [...endPos, ...normal], moving(start, end));
  });
}

describe('hull traces', () => {
  it('equal the literal algorithm in any tree, bit for bit', () => {
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.tuple(point, point), { minLength: 20, maxLength: 20 }),
        (nodes, moves) => {
          const tracer = worldOf(nodes).hull(0);
          for (const [start, end] of moves) expectLiteral(tracer, start, end);
        },
      ),
      runs(120),
    );
  });

  it('equal it for short moves close to axial planes, and along them', () => {
    const off = fc.oneof(
      fc.constantFrom(1 / 32, 3 / 128, 1 / 64, 0.05, 0.7),
      fc.float({ min: -1, max: 1, noNaN: true }),
    );
    const by = fc.constantFrom(0, 0, 0.01, -0.01, 1, -1);
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.tuple(point, point, off, by, fc.nat()), { minLength: 20, maxLength: 20 }),
        (nodes, moves) => {
          const tracer = worldOf(nodes).hull(0);
          const planes = axialPlanes(nodes);
          for (const [start, end, off, by, n] of moves) {
            const { dist, type } = planes[n % planes.length] ?? across(2, 0);
            const sign = n % 2 ? 1 : -1;
            start[type] = Math.fround(dist + sign * off);
            end[type] = Math.fround(start[type]! + by);
            expectLiteral(tracer, start, end);
          }
        },
      ),
      runs(100),
    );
  });

  it('equal it for moves so long that float32 overflows', () => {
    const far = fc.tuple(...[0, 1, 2].map(() => fc.float({ noNaN: true, noDefaultInfinity: true })));
    fc.assert(
      fc.property(tree, far, far, (nodes, start, end) => expectLiteral(worldOf(nodes).hull(0), start, end)),
      runs(100),
    );
  });

  it('equal it for models that were moved', () => {
    fc.assert(
      fc.property(tree, point, point, point, (nodes, origin, start, end) => {
        const world = createQuake1World(makeFile([{ nodes: boxTree([-9, -9, -9], [9, 9, 9]) }, { nodes }]));
        expectLiteral(world.model(1).hull(0, { origin }), start, end);
      }),
      runs(100),
    );
  });

  it('equal it for boxes of any size, which take one of the hulls', () => {
    const size = fc.oneof(fc.integer({ min: 0, max: 48 }), fc.constantFrom(2.999, 32.001));
    fc.assert(
      fc.property(point, size, size, point, point, (mins, width, height, start, end) => {
        const maxs = [mins[0] + width, mins[1] + 7, mins[2] + height];
        expectLiteral(room.box(mins, maxs), start, end);
        expectLiteral(room.model(1).box(mins, maxs, { origin: [3, 0, -1] }), start, end);
        expectLiteral(boxEntity([-9, -4, -2], [6, 7, 8]).box(mins, maxs, { origin: [3, 0, -1] }), start, end);
      }),
      runs(100),
    );
  });

  it('say blocked when, and only when, a trace starts in solid or stops', () => {
    fc.assert(
      fc.property(tree, point, point, (nodes, start, end) => {
        inKernels(worldOf(nodes).hull(0), (tracer) => {
          const { startSolid, fraction } = tracer.trace(start, end);
          expectSame(tracer.blocked(start, end), startSolid || fraction < 1, moving(start, end));
        });
      }),
      runs(150),
    );
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

  it('that start in solid and leave it can still hit something', () => {
    const trace = room.hull(0).trace([0, 0, 0], [100, 40, 0]);
    expect(trace).toMatchObject({ startSolid: true, allSolid: false, inOpen: true });
    expect(trace.fraction).toBeLessThan(1);
    expect(trace.endPos[0]).toBeCloseTo(64, 1);
  });

  it("with QuakeWorld's rules have fraction 0 when they start in solid", () => {
    const tracer = room.hull(0, { rules: 'quakeworld' });
    expect(tracer.trace([0, 0, 0], [100, 40, 0])).toMatchObject({ startSolid: true, fraction: 0 });
    expect(tracer.trace([200, 0, 0], [300, 0, 0])).toMatchObject({ allSolid: true, fraction: 0 });
    expect(tracer.trace([0, 40, 0], [100, 40, 0]).fraction).toBeGreaterThan(0);
    expectLiteral(tracer, [0, 0, 0], [100, 40, 0]);
    expectLiteral(tracer, [200, 0, 0], [300, 0, 0]);
    expect(tracer.set({ rules: 'quake1' }).trace([200, 0, 0], [300, 0, 0]).fraction).toBe(1);
    expect(() => room.hull(0, { rules: 'doom' as 'quake1' })).toThrow(RangeError);
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

  it('fill an answer however it was made', () => {
    for (const tracer of [room.hull(1), room.preciseRay()]) {
      const [start, end] = [
        [40, 40, 0],
        [90, 40, 0],
      ];
      expect(tracer.trace(start!, end!, createTrace() as HullTrace)).toEqual(tracer.trace(start!, end!));
    }
  });

  it('are printed on one line', () => {
    expect(inspect(room.hull(0))).toBe('HullTracer { hull 0: ray }');
    expect(inspect(room.hull(1))).toBe('HullTracer { hull 1: box -16 -16 -24 to 16 16 32 }');
    expect(inspect(room.box([-8, -8, -8], [8, 8, 8]))).toBe(
      'HullTracer { hull 1 for a box -8 -8 -8 to 8 8 8: moves a box -8 -8 -8 to 24 24 48 }',
    );
    expect(inspect(room.preciseRay())).toBe('PreciseTracer { ray }');
    expect(inspect(room.preciseHull(1))).toBe('PreciseTracer { hull 1: box -16 -16 -24 to 16 16 32 }');
    expect(inspect(boxEntity([-8, -8, -8], [8, 8, 8]))).toBe('Quake1BoxEntity { -8 -8 -8 to 8 8 8 }');
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

  it('are chosen for a box only by its width, and say what is really moved', () => {
    const hullOf = (width: number): number => room.box([0, 0, 0], [width, 500, 500]).hull;
    expect([0, 2.99, 3, 32, 32.01].map(hullOf)).toEqual([0, 0, 1, 1, 2]);
    const tracer = room.box([-8, -8, -8], [8, 8, 8]);
    expect(tracer.hull).toBe(1);
    expect(tracer.shape).toEqual({
      kind: 'box',
      mins: Float32Array.of(-8, -8, -8),
      maxs: Float32Array.of(24, 24, 48),
    });
    // Its origin is (8, 8, 16) from that of the hull, so it stops that much earlier on this side.
    const player = room.hull(1).trace([-40, 40, 0], [100, 40, 0]).endPos[0]!;
    expect(tracer.trace([-40, 32, 0], [100, 32, 0]).endPos[0]).toBe(player - 8);
    expect(tracer.set({ mins: [-1, -1, -1], maxs: [1, 1, 1] }).hull).toBe(0);
    expect(() => tracer.set({ mins: [2, 0, 0], maxs: [1, 1, 1] })).toThrow(/mins\[0\]/);
  });

  it('change all or nothing', () => {
    const tracer = room.box([-8, -8, -8], [8, 8, 8]);
    const before = tracer.trace([-40, 32, 0], [100, 32, 0]);
    const wrong = { mins: [-1, -1, -1], maxs: [1, 1, 1], rules: 'x' as 'quake1' };
    expect(() => tracer.set(wrong)).toThrow(/rules must be 'quake1', 'quakeworld', 'halflife' or/);
    expect(() => tracer.set({ rules: 'quakeworld', maxs: [-9, 0, 0] })).toThrow(/mins\[0\]/);
    expect(tracer.trace([-40, 32, 0], [100, 32, 0])).toEqual(before);
    expect(tracer.set({ rules: 'quakeworld' }).trace([0, 0, 0], [9, 9, 9]).fraction).toBe(0);
    const bare = createQuake1World(makeFile([{ nodes: boxTree([-8, -8, -8], [8, 8, 8]) }]));
    const small = bare.box([-1, -1, -1], [1, 1, 1]);
    expect(() => small.set({ maxs: [9, 9, 9] })).toThrow(/made without clip nodes/);
    expect(small.hull).toBe(0);
  });

  it('refuse options that they do not have', () => {
    const typed = room.hull(1) as { set(settings: object): unknown };
    expect(() => typed.set({ mins: [-1, -1, -1] })).toThrow(
      "there is no option 'mins' here; the options are rules",
    );
    expect(() => typed.set({ origin: [0, 0, 0] })).toThrow(TypeError);
    expect(() => room.hull(1, { origin: [0, 0, 0] } as object)).toThrow(/no option 'origin'/);
    expect(() => room.box([0, 0, 0], [1, 1, 1], { angles: [0, 0, 0] } as object)).toThrow(TypeError);
    expect(() => room.preciseRay({ origin: [0, 0, 0] } as object)).toThrow(/no option 'origin'/);
    expect(() =>
      room
        .model(1)
        .ray()
        .place({ x: 1 } as object),
    ).toThrow(/no option 'x'/);
    expect(() => room.isInside([0, 0, 0], { wather: false } as object)).toThrow(TypeError);
    expect(() => room.model(1).preciseRay({ rules: 'quake1' } as object)).toThrow(/no option 'rules'/);
    expect(room.hull(1, { rules: undefined }).rules).toBe('quake1');
    expect(() => room.model(1).hull(1, { mask: -1 } as object)).toThrow(/no option 'mask'/);
    expect(room.model(1).hull(1, { rules: 'quakeworld' })).toMatchObject({ rules: 'quakeworld' });
  });
});

describe('models', () => {
  it('move with their origin, in place', () => {
    const tracer = room.model(1).hull(0);
    expect(tracer.trace([-40, 0, 0], [40, 0, 0]).endPos[0]).toBe(-4 - 1 / 32);
    tracer.place({ origin: [10, 0, 0] });
    const trace = tracer.trace([-40, 0, 0], [40, 0, 0]);
    expect(trace.endPos[0]).toBe(6 - 1 / 32);
    expect(trace.localEnd[0]).toBe(-4 - 1 / 32);
    expect(trace.model).toBe(1);
  });

  it('ignore angles, as the engine does', () => {
    const tracer = room.model(1).hull(0);
    const straight = tracer.trace([-40, 3, 1], [40, 3, 1]);
    expect(tracer.place({ angles: [10, 45, 20] }).trace([-40, 3, 1], [40, 3, 1])).toEqual(straight);
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
        // The same box cut by planes in another order: the same answer except for ties at its edges.
        fc.pre(trace.fraction === rest.fraction);
        expect(trace).toMatchObject({
          startSolid: rest.startSolid,
          allSolid: rest.allSolid,
          endPos: rest.endPos,
        });
      }),
    );
  });

  it('have contents where a trace would start in them', () => {
    fc.assert(
      fc.property(point, point, point, point, (p, a, b, origin) => {
        const entity = boxEntity(
          a.map((x, k) => Math.min(x, b[k]!)),
          a.map((x, k) => Math.max(x, b[k]!)),
        );
        const ray = entity.ray({ origin });
        for (const at of [p, a.map((x, k) => x + origin[k]!), b.map((x, k) => x + origin[k]!)]) {
          const { startSolid } = ray.trace(at, at);
          expectSame(entity.contents(at, { origin }), startSolid ? CONTENTS_SOLID : CONTENTS_EMPTY);
        }
      }),
    );
    const cube = boxEntity([-8, -8, -8], [8, 8, 8]);
    expect([cube.contents([-8, 0, 0]), cube.contents([8, 0, 0])]).toEqual([CONTENTS_SOLID, CONTENTS_EMPTY]);
    expect(cube.contents([20, 0, 0], { origin: [13, 0, 0] })).toBe(CONTENTS_SOLID);
  });

  it('have rays as everything else does, and print what moves', () => {
    const entity = boxEntity([-16, -16, -24], [16, 16, 32]);
    const ray = entity.ray();
    expect(ray.shape).toEqual({ kind: 'ray' });
    expect(() => ray.set({ mins: [0, 0, 0] } as object)).toThrow("no option 'mins'");
    expect(inspect(ray)).toBe('HullTracer { ray }');
    expect(inspect(entity.box([-1, -2, -3], [4, 5, 6]))).toBe('HullTracer { box -1 -2 -3 to 4 5 6 }');
    expect(inspect(entity)).toBe('Quake1BoxEntity { -16 -16 -24 to 16 16 32 }');
  });

  it('are outside on their greater faces and inside on their lesser ones', () => {
    const tracer = boxEntity([-8, -8, -8], [8, 8, 8]).ray();
    expect(tracer.trace([8, 0, 0], [8, 0, 0]).startSolid).toBe(false);
    expect(tracer.trace([-8, 0, 0], [-8, 0, 0]).startSolid).toBe(true);
  });

  it('change size for existing tracers', () => {
    const entity = boxEntity([-8, -8, -8], [8, 8, 8]);
    const tracer = entity.box([-16, -16, -24], [16, 16, 32], { origin: [100, 0, 0] });
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBe(76 - 1 / 32);
    entity.resize([-18, -8, -8], [8, 8, 8]);
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBe(66 - 1 / 32);
    tracer.set({ mins: [0, 0, 0], maxs: [0, 0, 0] }).place({ origin: [0, 0, 0], angles: [0, 45, 0] });
    const trace = tracer.trace([-40, 0, 0], [40, 0, 0]);
    expect([trace.endPos[0], trace.plane, trace.model]).toEqual([-18 - 1 / 32, -1, -1]);
    expect(tracer.shape.kind).toBe('box');
    expect(() => entity.resize([1, 0, 0], [0, 0, 0])).toThrow(/mins\[0\]/);
  });
});
