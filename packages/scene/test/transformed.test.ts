import type { Shape, Tracer } from '@bspkit/core';
import { between, createRandom, pick } from '@bspkit/geometry';
import { expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { expect, it } from 'vitest';
import { type BodyShape, createBody, createScene, type Scene, type SceneTrace } from '../src/index.ts';

// Bodies that are moved, mirrored, turned or scaled together with a move stop it at the same part of it, to the last bit: all numbers
// are eighths that float32 holds, before and after.

type Point = [number, number, number];

interface Transformation {
  /** Of directions and sizes; places are moved by `by` after that. */
  readonly map: (point: Point) => Point;
  readonly by?: Point;
  readonly scale?: number;
}

const scaled = (scale: number): Transformation => ({
  map: ([x, y, z]) => [scale * x, scale * y, scale * z],
  scale,
});

const TRANSFORMATIONS: Readonly<Record<string, Transformation>> = {
  moved: { map: (point) => point, by: [1024, -2048, 512] },
  'mirrored in x': { map: ([x, y, z]) => [-x, y, z] },
  'mirrored in y': { map: ([x, y, z]) => [x, -y, z] },
  'mirrored in z': { map: ([x, y, z]) => [x, y, -z] },
  'turned by a quarter': { map: ([x, y, z]) => [-y, x, z] },
  'scaled down': scaled(2 ** -20),
  'scaled up': scaled(2 ** 100),
};

const eighths = (random: () => number, low: number, high: number): number =>
  Math.round(8 * between(random, low, high)) / 8;

const around = (random: () => number, middle: Point, most: number): Point =>
  middle.map((x) => x + eighths(random, -most, most)) as Point;

/** Its width and depth are equal, as a capsule's radius is half its width, however it is turned. */
function shapeOf(random: () => number): BodyShape {
  const kind = pick(random, ['sphere', 'box', 'capsule'] as const);
  if (kind === 'sphere') return { kind, radius: eighths(random, 0, 40) };
  const mins = around(random, [0, 0, 0], 30);
  const [width, height] = [2 * eighths(random, 0, 30), 2 * eighths(random, 0, 40)];
  const depth = kind === 'box' ? eighths(random, 0, 50) : width;
  return { kind, mins, maxs: [mins[0] + width, mins[1] + depth, mins[2] + height] };
}

function transformed<S extends Shape>(shape: S, { map, scale = 1 }: Transformation): S {
  if (shape.kind === 'sphere') return { ...shape, radius: scale * shape.radius };
  if (!('mins' in shape)) return shape;
  const [a, b] = [map(Array.from(shape.mins) as Point), map(Array.from(shape.maxs) as Point)];
  return {
    ...shape,
    mins: a.map((x, k) => Math.min(x, b[k]!)),
    maxs: a.map((x, k) => Math.max(x, b[k]!)),
  };
}

const placed = ({ map, by = [0, 0, 0] }: Transformation, point: Point): Point =>
  map(point).map((x, k) => x + by[k]!) as Point;

function tracerOf(scene: Scene, shape: Shape, epsilon: number): Tracer<SceneTrace> {
  if (shape.kind === 'sphere') return scene.sphere(shape.radius, { epsilon });
  if (shape.kind === 'box') return scene.box(shape.mins, shape.maxs, { epsilon });
  if (shape.kind === 'capsule') return scene.capsule(shape.mins, shape.maxs, { epsilon });
  return scene.ray({ epsilon });
}

const told = ({ fraction, startSolid, allSolid, entity, startEntity }: SceneTrace): unknown[] => [
  fraction,
  startSolid,
  allSolid,
  entity,
  startEntity,
];

/** A scene of some bodies, a shape that moves among them, and moves near one of them. */
function draw(random: () => number) {
  const bodies = Array.from({ length: pick(random, [1, 2, 12]) }, () => ({
    shape: shapeOf(random),
    origin: around(random, [0, 0, 0], 200),
  }));
  const mover: Shape = random() < 0.2 ? { kind: 'ray' } : shapeOf(random);
  const { origin } = pick(random, bodies);
  const moves = Array.from({ length: 4 }, (): [Point, Point] => [
    around(random, origin, pick(random, [40, 200, 200])),
    around(random, origin, pick(random, [0, 60, 200])),
  ]);
  return { bodies, mover, moves, epsilon: pick(random, [0, 1 / 8, 1]) };
}

it.each(Object.entries(TRANSFORMATIONS))(
  'bodies stop moves at the same part of them if all is %s',
  (_, to) => {
    const random = createRandom(seedOf(1));
    const seen = { hits: 0, starts: 0, misses: 0 };
    for (let n = 0; n < 60; n++) {
      const { bodies, mover, moves, epsilon } = draw(random);
      const [plain, other] = [createScene(), createScene()];
      for (const { shape, origin } of bodies) {
        plain.add(createBody(shape), { origin });
        other.add(createBody(transformed(shape, to)), { origin: placed(to, origin) });
      }
      const before = tracerOf(plain, mover, epsilon);
      const after = tracerOf(other, transformed(mover, to), epsilon * (to.scale ?? 1));
      for (const [start, end] of moves) {
        const trace = before.trace(start, end);
        expectSame(told(after.trace(placed(to, start), placed(to, end))), told(trace), moving(start, end));
        seen[trace.startSolid ? 'starts' : trace.fraction < 1 ? 'hits' : 'misses']++;
      }
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(10);
  },
);

it('a body that moves against another stops where that would stop if it came from the other side', () => {
  const random = createRandom(seedOf(2));
  const opposite: Transformation = { map: ([x, y, z]) => [-x, -y, -z] };
  for (let n = 0; n < 120; n++) {
    const { bodies, mover, moves, epsilon } = draw(random);
    const { shape, origin } = bodies[0]!;
    if (mover.kind === 'ray') continue;
    const [scene, swapped] = [createScene(), createScene()];
    scene.add(createBody(shape), { origin });
    swapped.add(createBody(transformed(mover, opposite) as BodyShape));
    const [one, other] = [
      tracerOf(scene, mover, epsilon),
      tracerOf(swapped, transformed(shape, opposite), epsilon),
    ];
    const back = (point: Point): Point => point.map((x, k) => x - origin[k]!) as Point;
    for (const [start, end] of moves)
      expectSame(told(other.trace(back(start), back(end))), told(one.trace(start, end)), moving(start, end));
  }
});
