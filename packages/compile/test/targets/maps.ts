import {
  type BrushOptions,
  boxBrush,
  type CompileFormat,
  type CompileOptions,
  compileMap,
  type MapSource,
  roomBrushes,
  type SourceBrush,
  type SourceEntity,
} from '../../src/index.ts';

export const wall: BrushOptions = { material: 'base/wall' };
export const start: SourceEntity = { properties: { classname: 'info_player_start', origin: '64 64 32' } };
export const room = (): SourceBrush[] => roomBrushes([0, 0, 0], [512, 384, 192], 16, wall);

export const door: SourceEntity = {
  properties: { classname: 'func_door', note: "say 'hello'" },
  brushes: [
    boxBrush([200, 100, 0], [208, 164, 96], wall),
    boxBrush([196, 96, 40], [204, 104, 48], { material: 'common/origin' }),
  ],
};

/** A wall across the room with a doorway. */
export const split = (x: number): SourceBrush[] => [
  boxBrush([x, 0, 0], [x + 16, 96, 192], wall),
  boxBrush([x, 160, 0], [x + 16, 384, 192], wall),
];

/** An area portal in that doorway. */
export const gate = (x: number): SourceBrush =>
  boxBrush([x + 4, 96, 0], [x + 12, 160, 192], { material: 'common/areaportal' });

export function map(
  extra: readonly SourceBrush[] = [],
  entities: readonly SourceEntity[] = [start],
): MapSource {
  return {
    entities: [{ properties: { classname: 'worldspawn' }, brushes: [...room(), ...extra] }, ...entities],
  };
}

export const compile = (
  source: MapSource | readonly SourceBrush[],
  format: CompileFormat,
  options: Partial<CompileOptions> = {},
) => compileMap(source, { ...options, format } as CompileOptions);

/** Twice the area of a polygon along its normal; positive when it runs clockwise seen from the front. */
export function clockwise(corners: readonly (readonly number[])[], normal: readonly number[]): number {
  let sum = 0;
  const [o] = corners;
  for (let i = 1; i + 1 < corners.length; i++) {
    const [a, b] = [corners[i]!, corners[i + 1]!].map((c) => c.map((x, k) => x - o![k]!)) as [
      number[],
      number[],
    ];
    sum -= normal[0]! * (a[1]! * b[2]! - a[2]! * b[1]!) + normal[1]! * (a[2]! * b[0]! - a[0]! * b[2]!);
    sum -= normal[2]! * (a[0]! * b[1]! - a[1]! * b[0]!);
  }
  return sum;
}
