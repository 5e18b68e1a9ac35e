import { packTexts } from '@bspkit/core/format';
import { TOY_SLICK, TOY_SOLID, TOY_WATER } from './constants.ts';
import { BOX_WORDS, HEADER_BYTES } from './file.ts';
import { MAGIC, VERSION } from './identity.ts';

/** A box of a toy map. */
export interface ToyBox {
  /** Model that it belongs to; the world by default. */
  readonly model?: number;
  readonly mins: readonly [number, number, number];
  readonly maxs: readonly [number, number, number];
  /** Contents, solid by default, and surface flags. */
  readonly contents?: number;
  readonly flags?: number;
  /** Number of its texture, the first one by default. */
  readonly texture?: number;
}

/** Writes a toy map. */
export function writeToy(
  boxes: readonly ToyBox[],
  textures: readonly string[] = ['plain'],
  entities = '{\n"classname" "worldspawn"\n}\n',
): Uint8Array {
  const words = new DataView(new ArrayBuffer(4 * BOX_WORDS * boxes.length));
  for (const [
    k,
    { model = 0, mins, maxs, contents = TOY_SOLID, flags = 0, texture = 0 },
  ] of boxes.entries()) {
    const at = 4 * BOX_WORDS * k;
    words.setInt32(at, model, true);
    for (const [i, x] of [...mins, ...maxs].entries()) words.setFloat32(at + 4 + 4 * i, x, true);
    for (const [i, x] of [contents, flags, texture].entries()) words.setInt32(at + 28 + 4 * i, x, true);
  }
  const lumps = [new TextEncoder().encode(entities), packTexts(textures), new Uint8Array(words.buffer)];
  const bytes = new Uint8Array(lumps.reduce((sum, lump) => sum + lump.length, HEADER_BYTES));
  const header = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  header.setInt32(4, VERSION, true);
  let at = HEADER_BYTES;
  for (const [k, lump] of lumps.entries()) {
    header.setInt32(8 + 8 * k, at, true);
    header.setInt32(12 + 8 * k, lump.length, true);
    bytes.set(lump, at);
    at += lump.length;
  }
  return bytes;
}

/** A room of 512 by 512 by 256 units with a pillar, a pool, a slick slab, and a lift (`*1`). */
export function toyMap(): Uint8Array {
  const walls: ToyBox[] = [
    { mins: [-272, -272, -16], maxs: [272, 272, 0] },
    { mins: [-272, -272, 256], maxs: [272, 272, 272] },
    { mins: [-272, -272, 0], maxs: [-256, 272, 256] },
    { mins: [256, -272, 0], maxs: [272, 272, 256] },
    { mins: [-256, -272, 0], maxs: [256, -256, 256] },
    { mins: [-256, 256, 0], maxs: [256, 272, 256] },
  ];
  return writeToy(
    [
      ...walls,
      { mins: [-32, -32, 0], maxs: [32, 32, 128], texture: 1 },
      { mins: [96, 96, 0], maxs: [224, 224, 24], contents: TOY_WATER, texture: 2 },
      { mins: [-224, 96, 0], maxs: [-96, 224, 16], flags: TOY_SLICK, texture: 1 },
      { model: 1, mins: [-200, -200, 0], maxs: [-120, -120, 8], texture: 1 },
    ],
    ['plain', 'marble', 'water'],
    [
      '{\n"classname" "worldspawn"\n"message" "A toy"\n}',
      '{\n"classname" "func_plat"\n"model" "*1"\n}',
      '{\n"classname" "info_player_start"\n"origin" "0 -128 32"\n}\n',
    ].join('\n'),
  );
}
