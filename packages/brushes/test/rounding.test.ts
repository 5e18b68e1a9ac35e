import { between, createRandom } from '@bspkit/geometry';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { B_HEAD } from '../src/block.ts';
import { R_ALL_SOLID, R_SIDE, S_CULL } from '../src/index.ts';
import { nothing, type Point, traceTree } from '../src/reference/index.ts';
import { boxPlanes, makeFile, openFile, type Plane, traceBox } from './world.ts';

const f = Math.fround;
const FIRST = { nodes: 0, leafs: 0, brushes: 0, sides: 0 };
const random = createRandom(seedOf(11));
const draw = (most: number): number => f(between(random, -most, most));
const three = (most: number): Point => [draw(most), draw(most), draw(most)];

/** A plane that faces anywhere, so far from a point. */
function facing(middle: Point, away: number): Plane {
  const n = three(1);
  const length = Math.hypot(...n);
  const [x, y, z] = n.map((k) => f(k / length)) as unknown as Point;
  return [x, y, z, f(x * middle[0] + y * middle[1] + z * middle[2] + away)];
}

/** Brushes around a place far out, and a tree of their planes. */
function world(far: number) {
  const middle: Point = [far, -far, far];
  const brushes = [0, 1, 2].map(() => {
    const center = middle.map((x) => f(x + draw(40))) as unknown as Point;
    const planes = boxPlanes(
      center.map((x) => x - 24),
      center.map((x) => x + 24),
    );
    return { planes: [...planes, ...[16, 18, 20, 22].map((away) => facing(center, away))] };
  });
  const nodes = brushes.map(({ planes }, k) => ({
    plane: planes[6]!,
    children: [k < 2 ? k + 1 : -1, -2 - k] as const,
  }));
  const leafs = [
    [0, 1, 2],
    [0, 1],
    [1, 2],
    [2, 0],
  ].map((listed) => ({ brushes: listed, contents: 1 }));
  return {
    middle,
    planes: brushes.flatMap(({ planes }) => planes),
    file: makeFile({ brushes, nodes, leafs }),
  };
}

describe('what is first measured without rounding', () => {
  // Rounding is at its coarsest at the limit where bounds are trusted; beyond that everything is rounded at once.
  it.each([
    { far: 8000, trusted: 1, inDouble: false },
    { far: 8000, trusted: 1, inDouble: true },
    { far: 12000, trusted: 0, inDouble: false },
  ])('answers as the literal algorithm does, however near to planes: %o', ({ far, trusted, inDouble }) => {
    let hits = 0;
    for (let k = 0; k < 40; k++) {
      const { middle, planes, file } = world(far);
      const memory = openFile(file, { inDouble });
      /** A point that a box is within a hair of a plane at, or of the epsilon in front of it. */
      const place = (half: number): Point => {
        const [x, y, z, dist] = planes[Math.floor(between(random, 0, planes.length))]!;
        const p = middle.map((at) => at + draw(60)) as unknown as Point;
        const wanted = dist + half * (Math.abs(x) + Math.abs(y) + Math.abs(z)) + draw(0.002);
        const off = wanted + (random() < 0.5 ? 0 : 0.03125) - (x * p[0] + y * p[1] + z * p[2]);
        return [f(p[0] + off * x), f(p[1] + off * y), f(p[2] + off * z)];
      };
      for (let move = 0; move < 100; move++) {
        const half = move % 2 === 0 ? 0 : f(between(random, 0, 16));
        const [start, end] = [place(half), place(half)];
        const answer = traceBox(memory, start, end, half);
        const found = nothing(1);
        const size = {
          mins: [-half, -half, -half] as Point,
          maxs: [half, half, half] as Point,
          extents: [half, half, half] as Point,
          isPoint: half === 0,
        };
        const rest = { first: FIRST, mask: -1, reject: 0, every: false, record: () => {} };
        traceTree(
          { memory, rules: memory.rules, size, move: { start, end, still: false }, ...rest },
          0,
          found,
        );
        expectSame(memory.boxState[S_CULL], trusted);
        const told = {
          ...answer,
          allSolid: memory.boxState[B_HEAD + R_ALL_SOLID] !== 0,
          side: memory.boxState[B_HEAD + R_SIDE],
        };
        expectSame(told, {
          fraction: found.fraction,
          normal: [...found.normal],
          startSolid: found.startSolid,
          contents: found.contents,
          hit: found.brush !== undefined,
          allSolid: found.allSolid,
          side: found.side?.place ?? 0,
        });
        if (answer.hit) hits++;
      }
    }
    expect(hits).toBeGreaterThan(500);
  });
});

it('position tests round at every step, as the engine does', () => {
  let inside = 0;
  for (let k = 0; k < 40; k++) {
    const middle: Point = [4000, -4000, 4000];
    const planes = [
      ...boxPlanes(
        middle.map((x) => x - 24),
        middle.map((x) => x + 24),
      ),
      facing(middle, 9),
    ];
    const [x, y, z, dist] = planes[6]!;
    const memory = openFile(
      makeFile({ brushes: [{ planes }], nodes: [], leafs: [{ brushes: [0], contents: 1 }] }),
    );
    for (let place = 0; place < 100; place++) {
      const half = f(between(random, 0, 16));
      const reach = half * (Math.abs(x) + Math.abs(y) + Math.abs(z));
      const p = middle.map((at) => at + draw(8)) as unknown as Point;
      const off = dist + reach + draw(0.002) - (x * p[0] + y * p[1] + z * p[2]);
      const at = [0, 1, 2].map((i) => f(p[i]! + off * [x, y, z][i]!)) as unknown as Point;
      const { startSolid } = traceBox(memory, at, at, half, -1);
      // The corner that reaches deepest moves the plane.
      const [cx, cy, cz] = [x, y, z].map((n) => (n < 0 ? half : -half));
      const corner = f(f(f(cx! * x) + f(cy! * y)) + f(cz! * z));
      const side = f(f(f(f(at[0] * x) + f(at[1] * y)) + f(at[2] * z)) - f(dist - corner));
      expectSame(startSolid, side <= 0);
      if (startSolid) inside++;
    }
  }
  expect(inside).toBeGreaterThan(1000);
});
