import type { Side } from '../../brushes.ts';
import { listOf } from '../../lists.ts';
import { fitName, type WriterInput } from '../../target.ts';
import { LumpWriter } from '../../writer.ts';
import { EMPTY, SKY, SOLID } from './flags.ts';

/** Texture flag of liquids and sky: no lightmap, and no limit to the size of a face. */
const SPECIAL = 1;

interface Texture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The textures and texture axes that a file needs. The pictures are plain checks: maps are lit and textured elsewhere, but the
 * engine needs a texture on every face.
 */
export class TextureTable {
  readonly infos: LumpWriter = new LumpWriter();
  private readonly _input: WriterInput;
  private readonly _numbers = new Map<string, number>();
  /** The numbers that sides already have, by kind. */
  private readonly _ofSides = new Map<Side, number[]>();
  /** Numbers of textures, by name. */
  private readonly _textureNumbers = new Map<string, number>();
  private readonly _textures: Texture[] = [];
  private readonly _isHalflife: boolean;

  constructor(input: WriterInput, isHalflife: boolean) {
    this._input = input;
    this._isHalflife = isHalflife;
  }

  /** Texture infos written so far. */
  get size(): number {
    return this._numbers.size;
  }

  /** Textures written so far. */
  get textureCount(): number {
    return this._textures.length;
  }

  /** Number of the texture info of a face, `kind` being the class of the contents that the face bounds. */
  number(side: Side, kind: number): number {
    // PERF: asked for every piece of every face, and a key of so many numbers takes time to write.
    const numbers = listOf(this._ofSides, side);
    numbers[kind] ??= this._find(side, kind);
    return numbers[kind];
  }

  private _find(side: Side, kind: number): number {
    const name = fitName(textureName(side.material.name, kind, this._isHalflife), 15, this._input);
    const { s, t } = side.texture;
    const key = `${name} ${s[0]} ${s[1]} ${s[2]} ${s[3]} ${t[0]} ${t[1]} ${t[2]} ${t[3]}`;
    let number = this._numbers.get(key);
    if (number === undefined) {
      number = this.size;
      this._numbers.set(key, number);
      this.infos.f32(...s, ...t).i32(this._texture(name, kind), kind === SOLID ? 0 : SPECIAL);
    }
    return number;
  }

  private _texture(name: string, kind: number): number {
    const known = this._textureNumbers.get(name);
    if (known !== undefined) return known;
    const number = this._textures.push({ name, ...sizeOf(kind) }) - 1;
    this._textureNumbers.set(name, number);
    return number;
  }

  /** The textures lump: a directory, then each texture with its three smaller copies. */
  lump(): LumpWriter {
    const pictures = this._textures.map((texture) => drawTexture(texture, this._isHalflife));
    const lump = new LumpWriter().i32(pictures.length);
    let offset = 4 + 4 * pictures.length;
    for (const picture of pictures) {
      lump.i32(offset);
      offset += picture.length;
    }
    for (const picture of pictures) lump.append(picture.bytes);
    return lump;
  }
}

/**
 * Engines recognise liquids by a leading `*`, or `!` in Half-Life, and sky by `sky`. They expect frames after `+`, and Half-Life
 * textures to choose from at random after `-`, and stop if some are missing.
 */
function textureName(material: string, kind: number, isHalflife: boolean): string {
  const base = material.slice(material.lastIndexOf('/') + 1).replace(isHalflife ? /^[+-]/ : /^\+/, '_');
  const plain = base.replace(/^[*!]/, '');
  let name = base;
  if (kind === SKY && !/^sky/i.test(base)) name = `sky_${base}`;
  else if (kind !== SKY && kind !== SOLID) name = `${isHalflife ? '!' : '*'}${plain}`;
  else if (kind === SOLID && /^([*!]|sky)/i.test(base)) name = `_${plain}`;
  return name.toLowerCase();
}

/** The engine draws sky and liquids only from textures of one size. */
const sizeOf = (kind: number): { width: number; height: number } =>
  kind === SKY ? { width: 256, height: 128 } : { width: 64, height: kind === EMPTY ? 16 : 64 };

/** Half-Life's textures have palettes of their own, of up to 256 colours. */
const PALETTE_COLORS = 256;
/** The two greys that pictures are made of. */
const DARK = 5;
const LIGHT = 8;

function drawTexture({ name, width, height }: Texture, isHalflife: boolean): LumpWriter {
  const picture = new LumpWriter().text(name, 16).i32(width, height);
  let offset = 40;
  for (let level = 0; level < 4; level++) {
    picture.i32(offset);
    offset += (width >> level) * (height >> level);
  }
  for (let level = 0; level < 4; level++) {
    const pixels = new Uint8Array((width >> level) * (height >> level));
    for (let i = 0; i < pixels.length; i++) {
      const x = (i % (width >> level)) << level;
      const y = Math.floor(i / (width >> level)) << level;
      // In checks of 8 texels.
      pixels[i] = ((x >> 3) + (y >> 3)) & 1 ? LIGHT : DARK;
    }
    picture.append(pixels);
  }
  if (isHalflife) {
    // The same greys as in Quake's palette, whose first row runs from black to white.
    const palette = Uint8Array.from({ length: 3 * PALETTE_COLORS }, (_, i) =>
      Math.min(16 * Math.floor(i / 3), 255),
    );
    // Padded to a multiple of four bytes.
    picture.i16(PALETTE_COLORS).append(palette).i16(0);
  }
  return picture;
}
