import { describe, expect, it } from 'vitest';
import * as compile from '../src/index.ts';

const { boxBrush } = compile;
const box = boxBrush([0, 0, 0], [8, 8, 8]);

// What packages/conformance tries with every function, here with each function's own error message.

describe('wrong arguments', () => {
  it.each<[string, () => unknown, RegExp | string]>([
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
    [
      'prismBrush',
      () => compile.prismBrush(compile.regularOutline([0, 0], 64, 129), 0, 8),
      /^outline must be 128 corners or fewer, got 129/,
    ],
    ['prismBrush', () => compile.prismBrush([], 0, Number.NaN), /^top must/],
    ['regularOutline', () => compile.regularOutline([0, 0], -1, 4), /^radius must/],
    ['regularOutline', () => compile.regularOutline([0, 0], 8, 1e9), /^corners must/],
    ['pillarBrush', () => compile.pillarBrush([0, 0, 0], 8, 8, 2), /^corners must be a whole number from 3/],
    ['frustumBrush', () => compile.frustumBrush([0, 0, 0], 8, -8, 8, 4), /^topRadius must/],
    [
      'frustumBrush',
      () => compile.frustumBrush([0, 0, 0], 8, 8, 8, 129),
      /^corners must be .* from 3 to 128/,
    ],
    ['rampBrush', () => compile.rampBrush([0, 0, 0], [8, 8, 8], 'up' as '+x'), /^heading must be '\+x'/],
    ['stairBrushes', () => compile.stairBrushes([0, 0, 0], [8, 8, 8], Infinity, '+x'), /^steps must/],
    ['roomBrushes', () => compile.roomBrushes([0, 0, 0], [8, 8, 8], 0), /^thickness must/],
    [
      'roomBrushes',
      () => compile.roomBrushes([0, 8, 0], [8, 8, 8], 4),
      'mins[1] must be below maxs[1], got 8 and 8',
    ],
    [
      'stairBrushes',
      () => compile.stairBrushes([8, 0, 0], [4, 8, 8], 4, '+x'),
      'mins[0] must be below maxs[0], got 8 and 4',
    ],
    ['moveBrush', () => compile.moveBrush(box, 5 as never), /^by must be three numbers/],
    ['parseMap', () => compile.parseMap(5 as never), /^text must be a string/],
    ['parseMap', () => compile.parseMap('', { flags: 'x' } as object), /no option 'flags'/],
    ['formatMap', () => compile.formatMap({ entities: [] }, { flags: 'x' } as object), /no option 'flags'/],
    [
      'contentsFromFile',
      () => compile.contentsFromFile({ solid: 1, wall: 2 } as object, 1),
      /^table has an unknown name, 'wall'/,
    ],
    ['surfaceFromFile', () => compile.surfaceFromFile({ slick: 0.5 }, 1), /^table.slick must be/],
    ['commonMaterial', () => compile.commonMaterial(5 as never), /^name must be a string/],
    [
      'compileMap',
      () => compile.compileMap([box], { format: 'quake3', materials: () => 5 as never }),
      /^materials\('default'\) must be an object/,
    ],
    ...(
      [
        [
          { content: 'water' },
          "materials['moss'] has no 'content'; what it may have is contents, surface, value",
        ],
        [
          { contents: 'water,mud' },
          "materials['moss'].contents: unknown name 'mud'; known names are solid, window",
        ],
        [{ contents: [5] }, "materials['moss'].contents[0] must be a string, got 5"],
        [{ surface: null }, "materials['moss'].surface must be bits or names, got null"],
        [{ surface: 2 ** 32 }, "materials['moss'].surface must be a whole number of 32 bits"],
        [{ value: 'bright' }, "materials['moss'].value must be a whole number"],
        [{ width: 0 }, "materials['moss'].width must be a number above 0, got 0"],
        [{ height: '64' }, "materials['moss'].height must be a number above 0, got '64'"],
        [[], "materials['moss'] must be an object, got an array"],
      ] as const
    ).flatMap(([moss, message]): [string, () => unknown, string][] => {
      const materials = { moss } as never;
      return [
        ['checkMaterials', () => compile.checkMaterials(materials), message],
        ['compileMap', () => compile.compileMap([box], { format: 'quake3', materials }), message],
        ['formatMap', () => compile.formatMap({ entities: [] }, { materials }), message],
      ];
    }),
  ])('of %s are named', (_, call, message) => {
    expect(call).toThrow(message);
  });
});
