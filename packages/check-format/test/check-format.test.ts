import { defineTracer, type Trace, type Tracer, type Vec3 } from '@bspkit/core';
import { defineFormat } from '@bspkit/core/format';
import { TOY_SOLID, TOY_WATER, type ToyBox, type ToyWorld, toy, toyMap, writeToy } from '@bspkit/testkit/toy';
import { describe, expect, it } from 'vitest';
import { checkContents, checkCopies, checkOwnAnswers, checkSolid, problemsOf } from '../src/answers.ts';
import { checkFormat } from '../src/index.ts';

// The suite for formats notices mistakes that authors make: here in tracers that spoil the answers of a toy world's.

const world: ToyWorld = toy.createWorld([toy.read(toyMap())]);
const at = (...numbers: number[]): Float32Array => Float32Array.from(numbers);
/** Onto the floor, against a wall, through the open, out of the pillar. */
const moves = [
  [at(0, -128, 64), at(30, -160, -64)],
  [at(-200, 0, 100), at(-400, 10, 90)],
  [at(100, 0, 100), at(120, 30, 60)],
  [at(0, 0, 64), at(100, 0, 64)],
] as const;
const [down] = moves;

const plain = defineTracer({
  shape: { kind: 'ray' },
  trace: (start, end, out) => world.ray().trace(start, end, out),
});

/** A ray whose answers are changed. */
function spoilt(spoil: (trace: Trace) => void): Tracer {
  return defineTracer({
    shape: plain.shape,
    trace(start, end, out) {
      plain.trace(start, end, out);
      spoil(out);
      return out;
    },
  });
}

describe('an answer', () => {
  const problems = (tracer: Tracer, [start, end]: readonly [Vec3, Vec3] = down): string[] =>
    problemsOf(tracer.trace(start, end), start, end, tracer, world, TOY_SOLID).map(
      (text) => text.split(':')[0]!,
    );

  it('of the toy is right', () => {
    for (const move of moves) expect(problems(plain, move)).toEqual([]);
  });

  it.each<[what: string, spoil: (trace: Trace) => void, says: string]>([
    [
      'whose normal looks the wrong way',
      ({ normal }) => normal.set(normal.map((x) => -x)),
      'normal does not face the move',
    ],
    [
      'whose plane is another one',
      (trace) => {
        trace.dist += 1;
      },
      'a ray does not end at the plane of normal and dist',
    ],
    [
      'without contents',
      (trace) => {
        trace.contents = 0;
      },
      'contents are none of those that stop it',
    ],
    [
      'with part of a brush',
      (trace) => {
        trace.brush = 0.5;
      },
      `brush is not a whole number from -1 to ${Number.MAX_SAFE_INTEGER}`,
    ],
    [
      'with a number below that of nothing',
      (trace) => {
        trace.side = -2;
      },
      `side is not a whole number from -1 to ${Number.MAX_SAFE_INTEGER}`,
    ],
    [
      'with a model that the map does not have',
      (trace) => {
        trace.model = world.numModels + 1;
      },
      `model is not a whole number from -1 to ${world.numModels}`,
    ],
    [
      'with a fraction too small',
      (trace) => {
        trace.fraction *= 0.99;
      },
      'endPos is not where the fraction says',
    ],
  ])('%s is not', (_, spoil, says) => {
    expect(problems(spoilt(spoil))).toContain(says);
  });
});

describe('answers', () => {
  it('are new ones, with arrays of their own', () => {
    const one = plain.createTrace();
    const same = {
      ...plain,
      trace: (start: Vec3, end: Vec3, out?: Trace) => plain.trace(start, end, out ?? one),
    };
    const shared = spoilt((trace) => {
      one.normal.set(trace.normal);
      trace.normal = one.normal;
    });
    checkOwnAnswers(plain, moves);
    for (const tracer of [same, shared]) expect(() => checkOwnAnswers(tracer as Tracer, moves)).toThrow();
  });

  it('do not change with the corners that a box was made of', () => {
    const keeping = (mins: Vec3, maxs: Vec3): Tracer =>
      defineTracer({
        shape: { kind: 'box', mins, maxs },
        trace: (start, end, out) => world.box(mins, maxs).trace(start, end, out),
      });
    checkCopies((mins, maxs) => world.box(mins, maxs), moves);
    expect(() => checkCopies(keeping, moves)).toThrow();
  });
});

describe('what is solid', () => {
  it('is noticed by moves that start in it', () => {
    const never = spoilt((trace) => {
      trace.startSolid = false;
      trace.allSolid = false;
    });
    const partly = spoilt((trace) => {
      trace.allSolid = false;
    });
    checkSolid(plain, moves);
    for (const tracer of [never, partly]) expect(() => checkSolid(tracer, moves)).toThrow();
    expect(() => checkSolid(plain, [moves[2]])).toThrow('none of 1 moves is stopped on its way');
    expect(() => checkContents(world, never, moves)).toThrow('no ray of 4 starts in solid');
  });

  it('has contents of its own', () => {
    const of = (contents: (point: Vec3) => number) => ({ leaf: () => 0, contents });
    checkContents(world, plain, moves);
    expect(() =>
      checkContents(
        of(() => 0),
        plain,
        moves,
      ),
    ).toThrow();
  });
});

/** A format whose maps have no models, so that no kind of tracer has an option for them. */
const still = defineFormat({
  ...toy,
  tracers: {
    ...toy.tracers,
    kinds: toy.tracers.kinds.map((kind) => ({ ...kind, options: ['mask'] })),
    options: toy.tracers.options.filter(({ name }) => name === 'mask'),
  },
});
const { id, name, versions, detect } = still;
const entry = {
  ...{ id, name, versions, detect },
  loadReader: () => Promise.resolve(still),
  load: () => Promise.resolve(still),
};
const boxes: ToyBox[] = [
  { mins: [-272, -272, -16], maxs: [272, 272, 0] },
  { mins: [-32, -32, 0], maxs: [32, 32, 128] },
  { mins: [96, 96, 0], maxs: [224, 224, 24], contents: TOY_WATER },
];
await checkFormat(entry, [{ name: 'without models', bytes: writeToy(boxes) }]);
