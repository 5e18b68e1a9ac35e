import { describe, expect, it } from 'vitest';
import * as compile from '../src/index.ts';

const { boxBrush, CompileError } = compile;
const box = boxBrush([0, 0, 0], [8, 8, 8]);
const JUNK: readonly unknown[] = [
  undefined,
  null,
  Number.NaN,
  -1,
  0.5,
  1e300,
  '',
  'x',
  true,
  [],
  {},
  [null],
  [1, 2],
  [0, 0, 0],
  [8, 8, 8],
  [[0, 0, 0]],
  { entities: 5 },
  { sides: 5 },
  { typo: 1 },
  { format: 'quake3' },
  { format: 'quake3', typo: 1 },
  box,
  [box],
  '+x',
  () => 3,
  Symbol('junk'),
  10n,
];

// Every exported function, called with what it cannot use.
const functions = Object.entries(compile).filter(
  ([, value]) => typeof value === 'function' && value !== CompileError,
) as unknown as [string, (...values: unknown[]) => unknown][];

/** What an engine says of a mistake that nobody looked for. */
const BARE = /cannot|can't|reading|not a function|not iterable|not defined|undefined is|convert|Invalid/i;

function* calls(): Generator<unknown[]> {
  yield [];
  for (const a of JUNK) {
    yield [a];
    for (const b of JUNK) yield [a, b];
  }
  const some = JUNK.filter((_, i) => i % 3 === 0);
  for (const a of some) for (const b of some) for (const c of some) yield [a, b, c, c, a];
}

describe('junk', () => {
  it.each(functions)('given to %s is refused by name, or does no harm', (_, call) => {
    let refused = 0;
    for (const values of calls()) {
      try {
        call(...values);
      } catch (error) {
        refused++;
        const isOurs =
          error instanceof CompileError || error instanceof TypeError || error instanceof RangeError;
        if (!isOurs || BARE.test(error.message)) {
          throw new Error(`${String(error)} for ${values.map(String).join(' | ')}`, { cause: error });
        }
      }
    }
    expect(refused).toBeGreaterThan(10);
  });

  it('given to the compile of a target is refused by name', () => {
    for (const { compile: call } of compile.COMPILE_TARGETS) {
      for (const [map, options] of calls()) {
        try {
          call(map as never, options as never);
        } catch (error) {
          expect((error as Error).message).not.toMatch(BARE);
        }
      }
    }
  });

  it.each<[string, () => unknown, RegExp]>([
    ['boxBrush', () => boxBrush([0, 0, 0], [1, 1, 1], { materal: 'x' } as object), /no option 'materal'/],
    [
      'hullBrush',
      () =>
        compile.hullBrush([
          [0, 0, 0],
          [0, 'x', 0],
        ] as never),
      /^points\[1\]\[1\] must/,
    ],
    [
      'hullBrush',
      () => compile.hullBrush(Array.from({ length: 257 }, () => [0, 0, 0])),
      /^points must be 256/,
    ],
    ['prismBrush', () => compile.prismBrush([[0, 0], 5] as never, 0, 8), /^outline\[1\] must be two numbers/],
    ['prismBrush', () => compile.prismBrush([], 0, Number.NaN), /^top must/],
    ['regularOutline', () => compile.regularOutline([0, 0], -1, 4), /^radius must/],
    ['regularOutline', () => compile.regularOutline([0, 0], 8, 1e9), /^corners must/],
    ['pillarBrush', () => compile.pillarBrush([0, 0, 0], 8, 8, 2), /^corners must be a whole number from 3/],
    ['frustumBrush', () => compile.frustumBrush([0, 0, 0], 8, -8, 8, 4), /^topRadius must/],
    ['rampBrush', () => compile.rampBrush([0, 0, 0], [8, 8, 8], 'up' as '+x'), /^heading must be '\+x'/],
    ['stairBrushes', () => compile.stairBrushes([0, 0, 0], [8, 8, 8], Infinity, '+x'), /^steps must/],
    ['roomBrushes', () => compile.roomBrushes([0, 0, 0], [8, 8, 8], 0), /^thickness must/],
    ['moveBrush', () => compile.moveBrush(box, 5 as never), /^by must be three numbers/],
    ['parseMap', () => compile.parseMap(5 as never), /^text must be a string/],
    ['parseMap', () => compile.parseMap('', { flags: 'x' } as object), /no option 'flags'/],
    ['formatMap', () => compile.formatMap({ entities: [] }, { flags: 'x' } as object), /no option 'flags'/],
    ['commonMaterial', () => compile.commonMaterial(5 as never), /^name must be a string/],
    [
      'compileMap',
      () => compile.compileMap([box], { format: 'quake3', materials: () => 5 as never }),
      /^material 'default' must be an object/,
    ],
  ])('given to %s is named', (_, call, message) => {
    expect(call).toThrow(message);
  });
});
