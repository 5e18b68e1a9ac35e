import { expectFields, expectSame, moving } from '@bspkit/testkit/same';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  createQuake1World,
  type HullRules,
  type HullTracer,
  playerHull,
  pointContents,
  type Quake1World,
} from '../src/index.ts';
import type { Quake1PreciseTracer } from '../src/precise-tracer.ts';
import type { ReferenceRay } from '../src/reference/note.ts';
import { traceHull, tracePrecise } from '../src/reference/trace.ts';
import type { Quake1Tracer } from '../src/tracer.ts';
import { across, boxTree, inKernels, type MadeTree, makeFile, point, roomFile, runs, tree } from './make.ts';

// The rules of Half-Life according to public sources; no engine was asked.

const RULES: readonly HullRules[] = ['quake1', 'quakeworld', 'halflife', 'halflife-player'];
const room = createQuake1World(roomFile(30));
const worldOf = (nodes: MadeTree): Quake1World => createQuake1World(makeFile([{ nodes }], 30));

/** Checks that a trace by each kernel equals the literal algorithm from raw arguments. */
function expectLiteral(tracer: HullTracer, start: readonly number[], end: readonly number[]): void {
  const { endPos, normal, ...rest } = traceHull(tracer as Quake1Tracer, start, end);
  // Turned in two ways that are written differently, a zero may come out with either sign.
  const unsigned = (values: Iterable<number>): number[] => [...values].map((value) => value + 0);
  inKernels(tracer, () => {
    const trace = tracer.trace(start, end);
    expectFields(trace, rest, moving(start, end));
    expectSame(
      unsigned([...trace.endPos, ...trace.normal]),
      unsigned([...endPos, ...normal]),
      moving(start, end),
    );
    const { startSolid, fraction } = trace;
    if (!Number.isNaN(fraction))
      expectSame(tracer.blocked(start, end), startSolid || fraction < 1, moving(start, end));
  });
}

/** Trees that have translucent ends too. */
const translucent: fc.Arbitrary<MadeTree> = tree.map((made) => {
  let ends = 0;
  const change = (node: MadeTree): MadeTree => {
    if (typeof node === 'number') return node === -3 && ++ends % 2 === 0 ? -15 : node;
    return { plane: node.plane, front: change(node.front), back: change(node.back) };
  };
  return change(made);
});
const angle = fc.oneof(
  fc.constantFrom(0, 0, 90, -90, 180, 45),
  fc.double({ min: -360, max: 360, noNaN: true }),
);
const angles = fc.tuple(angle, angle, angle);

describe('Half-Life traces equal the literal algorithm', () => {
  it.each(RULES)('with rules %s, of turned models, in any tree', (rules) => {
    fc.assert(
      fc.property(translucent, point, angles, point, point, (nodes, origin, turned, start, end) => {
        const world = createQuake1World(
          makeFile([{ nodes: boxTree([-9, -9, -9], [9, 9, 9]) }, { nodes }], 30),
        );
        const tracer = world.model(1).hull(0, { origin, angles: turned, rules });
        expectLiteral(tracer, start, end);
        expectLiteral(tracer.place({ angles: [0, 0, 0] }), start, end);
      }),
      runs(100),
    );
  });

  it.each(RULES)('with rules %s, for moves so long that float32 overflows', (rules) => {
    const far = fc.tuple(...[0, 1, 2].map(() => fc.float({ noNaN: true, noDefaultInfinity: true })));
    fc.assert(
      fc.property(translucent, far, far, (nodes, start, end) => {
        expectLiteral(worldOf(nodes).hull(0, { rules }), start, end);
      }),
      runs(75),
    );
  });

  it.each(RULES)('with rules %s, for boxes of any size', (rules) => {
    const size = fc.oneof(fc.integer({ min: 0, max: 72 }), fc.constantFrom(8.001, 36.01));
    fc.assert(
      fc.property(point, size, size, point, point, (mins, width, height, start, end) => {
        const maxs = [mins[0] + width, mins[1], mins[2] + height];
        expectLiteral(room.box(mins, maxs, { rules }), start, end);
        expectLiteral(boxEntity([-9, -4, -2], [6, 7, 8]).box(mins, maxs, { rules }), start, end);
      }),
      runs(75),
    );
  });

  it('for precise rays through turned models', () => {
    fc.assert(
      fc.property(tree, point, angles, point, point, (nodes, origin, turned, start, end) => {
        const world = createQuake1World(
          makeFile([{ nodes: boxTree([-9, -9, -9], [9, 9, 9]) }, { nodes }], 30),
        );
        const tracer = world.model(1).preciseRay({ origin, angles: turned });
        const literal = (from: readonly number[], to: readonly number[]): ReferenceRay =>
          tracePrecise(tracer as unknown as Quake1PreciseTracer, from, to);
        const trace = tracer.trace(start, end);
        const isSame = ({ time, startsOutside }: ReferenceRay, digits: number): boolean =>
          startsOutside === trace.startSolid && Math.abs(trace.fraction - time) < 10 ** -digits;
        // A ray in a plane or through an edge is on either side of it, by how its turned ends are rounded: as one beside it.
        if (!isSame(literal(start, end), 12)) {
          const beside = [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => {
            const by = [corner & 1, corner & 2, corner & 4].map((bit) => (bit ? 1e-9 : -1e-9));
            const moved = [start, end].map((point) => point.map((x, k) => x + by[k]!));
            return literal(moved[0]!, moved[1]!);
          });
          expect(beside.some((ray) => isSame(ray, 6))).toBe(true);
        }
        // Between the caller's own ends, however the model is turned.
        const { fraction } = trace;
        const along = start.map((from, k) => (fraction === 1 ? end[k]! : from + fraction * (end[k]! - from)));
        expectSame(trace.endPos, Float32Array.from(along));
      }),
      runs(100),
    );
  });
});

describe('Half-Life', () => {
  it('has the rules for maps of version 30', () => {
    for (const tracer of [room.hull(1), room.box([0, 0, 0], [1, 1, 1]), room.model(1).ray()]) {
      expect(tracer.rules).toBe('halflife');
    }
    expect(room.hull(1, { rules: 'quake1' }).rules).toBe('quake1');
    expect(createQuake1World(roomFile(29)).hull(1).rules).toBe('quake1');
  });

  it('chooses hulls for boxes by width and height, and for players by usehull', () => {
    const hullOf = (width: number, height: number): number => room.box([0, 0, 0], [width, 0, height]).hull;
    expect([hullOf(8, 72), hullOf(32, 72), hullOf(32, 36), hullOf(64, 36)]).toEqual([0, 1, 3, 2]);
    expect([hullOf(8.001, 72), hullOf(36, 36.01), hullOf(36.01, 1)]).toEqual([1, 1, 2]);
    expect([0, 1, 2, 3].map(playerHull)).toEqual([1, 3, 0, 2]);
    expect(() => playerHull(4)).toThrow(RangeError);
  });

  it('moves a small box as the point at its origin, where Quake takes its lowest corner', () => {
    const box = room.box([-4, -4, -4], [4, 4, 4]);
    expect(box.shape).toEqual({ kind: 'box', mins: new Float32Array(3), maxs: new Float32Array(3) });
    expect(box.trace([40, 40, 0], [40, 40, -100]).endPos[2]).toBeCloseTo(-64 + 1 / 32, 5);
    box.set({ rules: 'quake1' });
    expect(box.shape).toMatchObject({ mins: Float32Array.of(-4, -4, -4) });
    expect(box.trace([40, 40, 0], [40, 40, -100]).endPos[2]).toBeCloseTo(-60 + 1 / 32, 5);
  });

  it('ends a move at a fraction of the way between its own ends', () => {
    const f = Math.fround;
    const [start, end] = [
      [40.1, 40.2, 0.3],
      [90.7, 33.3, -20.9],
    ] as const;
    const { fraction, endPos } = room.hull(0).trace(start, end);
    expect(fraction).toBeLessThan(1);
    expect([...endPos]).toEqual(start.map((s, k) => f(f(s) + f(fraction * f(f(end[k]!) - f(s))))));
  });

  it('counts translucent contents as nothing on the server, as water for players', () => {
    const world = worldOf(boxTree([-8, -8, -8], [8, 8, 8], -15));
    const ask = (rules: HullRules): unknown => {
      const { inOpen, inWater, allSolid } = world.hull(0, { rules }).trace([0, 0, 0], [4, 0, 0]);
      return [inOpen, inWater, allSolid];
    };
    expect(ask('halflife')).toEqual([false, false, false]);
    expect(ask('halflife-player')).toEqual([false, true, false]);
    expect(ask('quake1')).toEqual([false, true, false]);
  });

  it('turns its models', () => {
    // 8 by 8 by 8 around the origin: turned by 45 degrees, its edge is at 4 times the root of 2.
    const door = room.model(1).hull(0, { angles: [0, 45, 0] });
    const { endPos, normal } = door.trace([-40, 0.5, 0], [40, 0.5, 0]);
    expect(endPos[0]).toBeCloseTo(-4 * Math.SQRT2 + 0.5 - (1 / 32) * Math.SQRT2, 3);
    expect(normal[0]).toBeCloseTo(-Math.SQRT1_2, 6);
    expect(normal[1]).toBeCloseTo(Math.SQRT1_2, 6);
    const precise = room
      .model(1)
      .preciseRay({ angles: [0, 45, 0] })
      .trace([-40, 0.5, 0], [40, 0.5, 0]);
    expect(precise.endPos[0]).toBeCloseTo(-4 * Math.SQRT2 + 0.5, 4);
    expect(precise.normal[1]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(door.place({ angles: [0, 0, 0] }).trace([-40, 0.5, 0], [40, 0.5, 0]).endPos[0]).toBeCloseTo(
      -4 - 1 / 32,
      4,
    );
  });

  it('ends a trace on the server where float32 overflows, after looking behind the last plane', () => {
    const world = (front: number): Quake1World =>
      worldOf({
        plane: across(0, 0),
        front: -1,
        back: { plane: across(2, Math.fround(3.2e38)), front, back: -1 },
      });
    // Cut at x = 0, the move is infinitely high; the fraction at which it meets the plane is NaN.
    const [start, end] = [
      [10, 0, -3e38],
      [-10, 0, 3e38],
    ];
    for (const front of [-1, -2]) {
      const tracer = world(front).hull(0);
      expectLiteral(tracer, start!, end!);
      expect(tracer.trace(start!, end!)).toMatchObject({ plane: front === -2 ? 0 : -1, startSolid: false });
    }
  });

  it('leaves players that start in solid where they are', () => {
    const tracer = room.hull(0, { rules: 'halflife-player' });
    for (const end of [
      [100, 40, 0],
      [1, 1, 1],
    ]) {
      const trace = tracer.trace([0, 0, 0], end);
      expect(trace).toMatchObject({ startSolid: true, fraction: 0 });
      expect([...trace.endPos]).toEqual([0, 0, 0]);
    }
  });

  it('takes a hull of one node to be open space in player movement', () => {
    const world = worldOf({ plane: across(0, 0), front: -2, back: -2 });
    const tracer = world.hull(0, { rules: 'halflife-player' });
    expect(tracer.trace([5, 0, 0], [-5, 0, 0])).toMatchObject({
      fraction: 1,
      startSolid: false,
      inOpen: true,
    });
    expect(tracer.blocked([5, 0, 0], [-5, 0, 0])).toBe(false);
    expect(tracer.set({ rules: 'halflife' }).blocked([5, 0, 0], [-5, 0, 0])).toBe(true);
  });
});

describe('the point query', () => {
  it('folds currents into water, and leaves other contents as they are', () => {
    const at = (contents: number): number =>
      pointContents(worldOf(boxTree([-8, -8, -8], [8, 8, 8], contents)), [0, 0, 0]);
    expect([-1, -2, -8, -9, -14, -15].map(at)).toEqual([-1, -2, -8, -3, -3, -15]);
    expect(pointContents(createQuake1World(roomFile()), [40, 40, 0])).toBe(-1);
  });

  it('includes liquids that are entities, unless in solid', () => {
    const liquid = { model: room.model(1), contents: -4 };
    expect(pointContents(room, [40, 40, 0], [liquid])).toBe(-1);
    expect(pointContents(room, [40, 40, 0], [{ ...liquid, origin: [42, 40, 1] }])).toBe(-4);
    expect(pointContents(room, [0, 0, 0], [{ ...liquid, origin: [0, 0, 0] }])).toBe(-2);
    expect(() => pointContents(room, [40, 40, 0], [{ ...liquid, origin: [Number.NaN, 0, 0] }])).toThrow(
      /origin/,
    );
  });
});
