import { defineTracer, type Tracer, type Vec3 } from '@bspkit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type OpenSpace,
  openQueries,
  type PlayerOptions,
  planeQueries,
  playerQueries,
  stepQueries,
  uniformQueries,
} from '../src/index.ts';
import { ground } from './tracers.ts';

const bounds = { mins: [-64, -32, 0], maxs: [64, 96, 128] };
const planes = [
  { normal: [0, 0, 1], dist: 16 },
  { normal: [0.6, 0.8, 0], dist: -4 },
];
const upper = ({ 2: z }: ArrayLike<number>): boolean => z! > 64;

const points = (segments: Float32Array): Float32Array[] =>
  Array.from({ length: segments.length / 3 }, (_, k) => segments.subarray(3 * k, 3 * k + 3));

const isWithin = (point: Float32Array, slack = 0): boolean =>
  point.every((x, k) => x >= bounds.mins[k]! - slack && x <= bounds.maxs[k]! + slack);

const generators: Record<string, (count: number, seed: number) => Float32Array> = {
  uniform: (count, seed) => uniformQueries(count, { bounds, seed }),
  open: (count, seed) => openQueries(count, { bounds, open: upper, seed }),
  'open by tracing': (count, seed) =>
    openQueries(count, { bounds, open: ground(16), origins: [[0, 0, 90]], seed }),
  shots: (count, seed) => openQueries(count, { bounds, open: upper, seed, shots: 0.5 }),
  steps: (count, seed) => stepQueries(count, { bounds, open: upper, seed }),
  planes: (count, seed) => planeQueries(count, { bounds, planes, seed }),
  player: (count, seed) => playerQueries(count, { tracer: ground(16), bounds, seed }),
};

describe.each(Object.entries(generators))('%s queries', (_, generate) => {
  it('are as many as requested, finite, and the same only for the same seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer(), (count, seed) => {
        const segments = generate(count, seed);
        expect(segments).toHaveLength(6 * count);
        expect(segments.every(Number.isFinite)).toBe(true);
        expect(generate(count, seed)).toEqual(segments);
        expect(generate(count, seed + 1)).not.toEqual(segments);
      }),
      { numRuns: 30 },
    );
  });

  it('begin with those of any smaller count', () => {
    expect(generate(40, 5).subarray(0, 60)).toEqual(generate(10, 5));
  });

  it('may be none', () => {
    expect(generate(0, 1)).toHaveLength(0);
  });

  it.each([-1, 1.5, Number.NaN])('cannot be %s', (count) => {
    expect(() => generate(count, 1)).toThrow(/^count must be a whole number/);
  });

  it('need a whole seed', () => {
    expect(() => generate(1, 0.5)).toThrow(/^seed must be a whole number/);
  });
});

describe('uniform queries', () => {
  it('fill their bounds evenly', () => {
    const all = points(uniformQueries(4000, { bounds }));
    expect(all.every((point) => isWithin(point))).toBe(true);
    for (const k of [0, 1, 2]) {
      const low = all.filter((point) => point[k]! < (bounds.mins[k]! + bounds.maxs[k]!) / 2).length;
      expect(Math.abs(low - 4000)).toBeLessThan(200);
    }
  });

  it('need bounds in order', () => {
    expect(() => uniformQueries(1, { bounds: { mins: [0, 0, 1], maxs: [1, 1, 0] } })).toThrow(/^mins\[2\]/);
  });
});

describe('open queries', () => {
  it('begin and end in the open', () => {
    expect(points(openQueries(500, { bounds, open: upper })).every(upper)).toBe(true);
  });

  it('take a tracer as the test', () => {
    const all = points(openQueries(500, { bounds, open: ground(40) }));
    expect(all.every((point) => point[2]! >= 40)).toBe(true);
  });

  it('found by tracing stay on the origins’ side of a wall', () => {
    const tracer = wall(10);
    const reach = (origin: number[]): number[] => {
      const space: OpenSpace = { bounds, open: tracer, origins: [origin] };
      return points(openQueries(400, space)).map((point) => point[0]!);
    };
    expect(Math.max(...reach([0, 0, 50]))).toBeLessThan(10);
    expect(Math.min(...reach([20, 0, 50]))).toBeGreaterThan(10);
  });

  it('found by tracing stay in their bounds', () => {
    const space: OpenSpace = { bounds, open: ground(16), origins: [[0, 0, 90]] };
    expect(points(openQueries(400, space)).every((point) => isWithin(point))).toBe(true);
  });

  it('found by tracing are still many when more have been found than are remembered', () => {
    const space: OpenSpace = { bounds, open: ground(16), origins: [[0, 0, 90]] };
    const all = points(openQueries(4000, space));
    expect(all.every((point) => isWithin(point) && point[2]! >= 16)).toBe(true);
    expect(new Set(all.map((point) => point.join(' '))).size).toBeGreaterThan(7900);
  });

  it('take the answer of a tracer from what it returns, as comparisons do', () => {
    const tracer = ground(16);
    const careless: Tracer = { ...tracer, trace: (start, end) => tracer.trace(start, end) };
    const space: OpenSpace = { bounds, open: tracer, origins: [[0, 0, 90]] };
    expect(openQueries(50, { ...space, open: careless })).toEqual(openQueries(50, space));
  });

  it('take the first three numbers of an origin', () => {
    const reach = (origin: number[]): Float32Array =>
      openQueries(50, { bounds, open: ground(16), origins: [origin] });
    expect(reach([0, 0, 90, 1])).toEqual(reach([0, 0, 90]));
  });

  it('are not changed by what the test writes', () => {
    const meddling = (point: Vec3): boolean => {
      const isOpen = upper(point);
      (point as Float32Array).fill(Number.NaN);
      return isOpen;
    };
    expect(openQueries(50, { bounds, open: meddling })).toEqual(openQueries(50, { bounds, open: upper }));
  });

  it('are refused if nothing is open', () => {
    expect(() => openQueries(1, { bounds, open: () => false })).toThrow(
      new RangeError('open must be true somewhere in bounds, but it is at none of 10000 points'),
    );
    const origins = [[0, 0, 3]];
    expect(() => openQueries(1, { bounds, open: ground(40), origins })).toThrow(
      new RangeError('origins must include a point in the open, but none is'),
    );
  });
});

describe('shots', () => {
  const lengths = (shots: number): number[] => {
    const all = points(openQueries(400, { bounds, open: upper, shots }));
    expect(all.every((point, k) => k % 2 === 1 || upper(point))).toBe(true);
    return all.flatMap((start, k) =>
      k % 2 === 1 ? [] : Math.hypot(...start.map((x, axis) => x - all[k + 1]![axis]!)),
    );
  };

  it('are as many as their share says, and 8192 units long', () => {
    const far = (shots: number): number =>
      lengths(shots).filter((length) => Math.abs(length - 8192) < 0.01).length;
    expect(far(0)).toBe(0);
    expect(Math.abs(far(0.25) - 100)).toBeLessThan(40);
    expect(far(1)).toBe(400);
  });

  it.each([-0.1, 1.1, Number.NaN])('cannot be a share of %s', (shots) => {
    expect(() => openQueries(1, { bounds, open: upper, shots })).toThrow(
      new RangeError(`shots must be a number, 0 to 1, got ${shots}`),
    );
  });
});

describe('step queries', () => {
  const all = points(stepQueries(2000, { bounds, open: ground(16), origins: [[0, 0, 90]] }));
  const starts = all.filter((_, k) => k % 2 === 0);
  const moves = starts.map((start, k) => start.map((x, axis) => all[2 * k + 1]![axis]! - x));

  it('are as long as a frame allows, and go somewhere', () => {
    const lengths = moves.map((move) => Math.hypot(...move));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(40.001);
    expect(Math.min(...lengths)).toBeGreaterThan(0.2);
  });

  it('are runs, falls and looks for ground', () => {
    const upright = moves.filter(([x, y]) => x === 0 && y === 0);
    const looks = upright.filter(([, , z]) => Math.abs(z! + 0.25) < 1e-4);
    expect(Math.abs(upright.length - 1000)).toBeLessThan(150);
    expect(Math.abs(looks.length - 500)).toBeLessThan(120);
    expect(upright.every(([, , z]) => z! < 0)).toBe(true);
    const runs = moves.filter((move) => !upright.includes(move));
    expect(Math.min(...runs.map(([x, y]) => Math.hypot(x!, y!)))).toBeGreaterThan(320 / 125 - 0.01);
  });

  it('begin in places of their own, even if an origin is on the ground', () => {
    const space: OpenSpace = { bounds, open: ground(16), origins: [[0, 0, 16]] };
    const begins = points(stepQueries(500, space)).filter((_, k) => k % 2 === 0);
    expect(new Set(begins.map((start) => start.join())).size).toBe(500);
    expect(starts.every((start) => isWithin(start) && start[2]! >= 16)).toBe(true);
  });
});

describe('arguments', () => {
  type Loose = (...values: unknown[]) => unknown;
  const loose = {
    uniformQueries,
    openQueries,
    stepQueries,
    planeQueries,
    playerQueries,
  } as unknown as Record<string, Loose>;
  const tracer = ground(0);

  it.each(Object.keys(loose))('%s names those in the wrong order, and missing bounds', (name) => {
    const generate = loose[name]!;
    expect(() => generate({ bounds, tracer }, 100)).toThrow(
      new TypeError('count must be a whole number from 0 to 357913941, got an object'),
    );
    expect(() => generate(100, undefined)).toThrow(new TypeError('options must be an object, got undefined'));
    expect(() => generate(100, {})).toThrow(
      new TypeError('bounds must be an object with mins and maxs, got undefined'),
    );
    expect(() => generate(100, { bounds: [0, 0, 0] })).toThrow(
      new TypeError('bounds must be an object with mins and maxs, got an array'),
    );
  });

  it('of the wrong kind are named too', () => {
    expect(() => openQueries(1, { bounds } as never)).toThrow(
      new TypeError('open must be a function or a tracer, got undefined'),
    );
    expect(() => playerQueries(1, { bounds } as never)).toThrow(
      new TypeError('tracer must be a tracer, got undefined'),
    );
    expect(() => planeQueries(1, { bounds, planes: 7 } as never)).toThrow(
      new TypeError('planes must be an array, got 7'),
    );
  });
});

describe('plane queries', () => {
  it('have an end within a quarter of a unit of a plane', () => {
    const all = points(planeQueries(500, { bounds, planes }));
    for (let k = 0; k < all.length; k += 2) {
      const near = [all[k]!, all[k + 1]!].flatMap((point) =>
        planes.map(({ normal, dist }) =>
          Math.abs(point.reduce((dot, x, axis) => dot + x * normal[axis]!, 0) - dist),
        ),
      );
      expect(Math.min(...near)).toBeLessThan(0.2501);
    }
  });

  it('are at polygons if these are given', () => {
    const vertices = Float32Array.of(0, 0, 16, 8, 0, 16, 8, 8, 16, 0, 8, 16);
    const polygon = { vertices, normal: Float32Array.of(0, 0, 1), dist: 16, ...NO_SURFACE };
    const all = points(planeQueries(300, { bounds, planes: [polygon], length: 0 }));
    for (const [x, y, z] of all as unknown as [number, number, number][]) {
      expect(x >= 0 && x <= 8 && y >= 0 && y <= 8 && Math.abs(z - 16) <= 0.51).toBe(true);
    }
    // All over them: in each quarter about as often.
    for (const [left, low] of [
      [0, 0],
      [0, 4],
      [4, 0],
      [4, 4],
    ] as const) {
      const inside = all.filter(([x, y]) => x! >= left && x! < left + 4 && y! >= low && y! < low + 4);
      expect(inside.length / all.length).toBeCloseTo(0.25, 1);
    }
  });

  it('are no longer than `length`, apart from the move along the plane', () => {
    const all = points(planeQueries(300, { bounds, planes, length: 10 }));
    for (let k = 0; k < all.length; k += 2) {
      expect(Math.hypot(...all[k]!.map((x, axis) => x - all[k + 1]![axis]!))).toBeLessThan(11);
    }
  });

  it('lead across the plane, along it or anywhere', () => {
    const plane = { normal: Float32Array.of(0, 0, 1), dist: 16 };
    const all = points(planeQueries(400, { bounds, planes: [plane as never], length: 100 }));
    const ways = { across: 0, along: 0, anywhere: 0 };
    for (let k = 0; k < all.length; k += 2) {
      const [near, far] = [all[k]!, all[k + 1]!].sort((a, b) => Math.abs(a[2]! - 16) - Math.abs(b[2]! - 16));
      if (near![0] === far![0] && near![1] === far![1]) ways.across++;
      else if (Math.abs(far![2]! - 16) < 0.2501) ways.along++;
      else ways.anywhere++;
    }
    expect(ways.across).toBeGreaterThan(60);
    expect(ways.along).toBeGreaterThan(60);
    expect(ways.anywhere).toBeGreaterThan(140);
  });

  it('need planes', () => {
    expect(() => planeQueries(1, { bounds, planes: [] })).toThrow(
      new RangeError('planes must hold at least one plane'),
    );
    const listed = { ...planes[0]!, vertices: [0, 0, 16, 8, 0, 16, 8, 8, 16] } as never;
    expect(() => planeQueries(1, { bounds, planes: [listed] })).toThrow(
      new TypeError('planes[0].vertices must be a Float32Array of three numbers per corner, got an array'),
    );
    const withCorners = (...vertices: number[]): (() => Float32Array) => {
      const polygon = { ...planes[0]!, vertices: Float32Array.from(vertices), ...NO_SURFACE };
      return () => planeQueries(1, { bounds, planes: [planes[0]!, polygon as never] });
    };
    expect(withCorners(0, 0, 16, 8, Number.NaN, 16, 8, 8, 16)).toThrow(
      new RangeError('planes[1].vertices[4] must be a finite float32, got NaN'),
    );
    expect(withCorners(0, 0, 16, 8, 0, 16, 8, 8, 16, 0, 8)).toThrow(
      new RangeError('planes[1].vertices must hold three numbers per corner, got 11 numbers'),
    );
  });
});

const NO_SURFACE = { texture: -1, contents: 0, surface: -1 };

describe('player queries', () => {
  const options: PlayerOptions = { tracer: ground(16), bounds, origins: [[0, 0, 40]] };

  it('are short, and look for ground a quarter of a unit down', () => {
    const segments = playerQueries(600, options);
    const moves = Array.from({ length: 600 }, (_, k) => {
      const [sx, sy, sz, ex, ey, ez] = segments.subarray(6 * k) as unknown as number[];
      return [ex! - sx!, ey! - sy!, ez! - sz!] as const;
    });
    expect(Math.max(...moves.map((move) => Math.hypot(...move)))).toBeLessThan(20);
    expect(moves.filter(([x, y, z]) => x === 0 && y === 0 && z === -0.25).length).toBeGreaterThan(150);
    expect(moves.filter(([x, y]) => Math.hypot(x, y) > 5).length).toBeGreaterThan(150);
  });

  it('fall to the ground and then stay on it', () => {
    const starts = points(playerQueries(600, options)).filter((_, k) => k % 2 === 0);
    const landed = starts.findIndex((point) => point[2]! < 16.5);
    expect(landed).toBeGreaterThan(0);
    expect(starts.filter((point) => point[2]! < 16.5).length).toBeGreaterThan(100);
    expect(starts.every((point) => point[2]! >= 16)).toBe(true);
  });

  it.each(['x', 'y'])('climb steps along %s', (name) => {
    const tracer = stairs(name === 'x' ? 0 : 1);
    const square = { mins: [-64, -64, 0], maxs: [64, 64, 128] };
    const heights = points(playerQueries(4000, { ...options, tracer, bounds: square })).map(
      (point) => point[2]!,
    );
    expect(Math.min(...heights)).toBeLessThan(1);
    expect(Math.max(...heights)).toBeGreaterThan(40);
    // Within a frame: jumps rise about four units in one frame. Each frame begins with a look for ground.
    const [starts, ends] = [0, 1].map((end) => heights.filter((_, k) => k % 2 === end));
    const frames = starts!.filter((z, k) => Math.abs(z - ends![k]! - 0.25) < 1e-4);
    const rises = frames.slice(1).map((z, k) => z - frames[k]!);
    // The tracer looks every 18 / 32 of a unit as it goes down a step.
    expect(rises.filter((rise) => Math.abs(rise - 8) < 18 / 32).length).toBeGreaterThan(10);
  });

  it('run along walls that they meet', () => {
    const across = (point: ArrayLike<number>): number => 0.6 * point[0]! + 0.8 * point[1]!;
    const tracer = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        const [from, to] = [across(start), across(end)];
        if (to < 0.125 && to < from) {
          out.fraction = Math.max(0, (from - 0.125) / (from - to));
          out.normal.set([0.6, 0.8, 0]);
        }
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
        return out;
      },
    });
    const all = points(playerQueries(2000, { ...options, tracer }));
    const moves = Array.from({ length: 2000 }, (_, k) =>
      all[2 * k + 1]!.map((x, axis) => x - all[2 * k]![axis]!),
    );
    const along = moves.filter(
      (_, k) => k > 0 && tracer.trace(all[2 * k - 2]!, all[2 * k - 1]!).fraction < 1,
    );
    for (const move of along) expect(across(move)).toBeCloseTo(0, 4);
    expect(along.filter(([x, y]) => Math.hypot(x!, y!) > 1).length).toBeGreaterThan(30);
  });

  it('start over when they are stuck in solid, after a look for ground', () => {
    const { trace } = ground(16);
    const swamp: Tracer = {
      ...ground(16),
      trace: (start, end, out) => Object.assign(trace(start, end, out), { startSolid: true }),
    };
    const all = points(playerQueries(50, { tracer: swamp, bounds }));
    for (let k = 0; k < 100; k += 2) {
      const [x, y, z] = all[k]! as unknown as Vec3;
      expect(all[k + 1]).toEqual(Float32Array.of(x!, y!, z! - 0.25));
    }
    expect(new Set(all.map(String)).size).toBe(100);
  });

  it('start over when they leave the bounds', () => {
    const starts = points(playerQueries(3000, options)).filter((_, k) => k % 2 === 0);
    expect(starts.every((point) => isWithin(point, 20))).toBe(true);
  });
});

/** A thin wall across x. */
function wall(at: number): Tracer {
  return defineTracer({
    shape: { kind: 'ray' },
    trace(start, end, out) {
      out.endPos.set(end);
      if (start[0]! < at === end[0]! < at) return out;
      out.fraction = (at - start[0]!) / (end[0]! - start[0]!);
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      out.endPos[0] = at + (start[0]! < at ? -1 / 8 : 1 / 8);
      out.normal[0] = start[0]! < at ? -1 : 1;
      return out;
    },
  });
}

/** Ground that rises by 8 units every 16 units along an axis, from -64 on, found by small steps. */
function stairs(axis: 0 | 1): Tracer {
  const height = (x: number): number => 8 * Math.max(0, Math.floor((x + 64) / 16));
  return defineTracer({
    shape: { kind: 'ray' },
    trace(start, end, out) {
      const at = (t: number): number[] => [0, 1, 2].map((k) => start[k]! + t * (end[k]! - start[k]!));
      const isSolid = (t: number): boolean => {
        const place = at(t);
        return place[2]! < height(place[axis]!) - 1e-3;
      };
      out.startSolid = isSolid(0);
      let last = 0;
      for (let step = 1; step <= 32; step++) {
        const t = step / 32;
        if (isSolid(t)) {
          out.fraction = last;
          const place = at(last);
          const next = height(at(t)[axis]!);
          const isWall = next > height(place[axis]!) && place[2]! < next;
          out.normal.set(isWall ? [0, 1, 2].map((k) => (k === axis ? -1 : 0)) : [0, 0, 1]);
          break;
        }
        last = t;
      }
      out.endPos.set(at(out.fraction));
      return out;
    },
  });
}
