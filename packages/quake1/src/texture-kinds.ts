import {
  CONTENTS_EMPTY,
  CONTENTS_LAVA,
  CONTENTS_SKY,
  CONTENTS_SLIME,
  CONTENTS_SOLID,
  CONTENTS_WATER,
} from './constants.ts';

/** What a texture stands for. Quake's files have no flags for it: compilers and the engine go by names. */
export interface TextureKind {
  /** Contents of brushes that are made of it. */
  readonly contents: number;
  readonly isSky: boolean;
  readonly isLiquid: boolean;
  /** Whether it is for tools, and not drawn. */
  readonly isHidden: boolean;
}

/** Textures for tools, in today's compilers. */
const HIDDEN = /^(clip|trigger|aaatrigger|skip|hint|hintskip|origin|null|nodraw)$/;

/** What a texture of this name is: `sky…`; liquids begin with `*`, in Half-Life with `!` too; tools' textures by name. */
export function textureKind(name: string): TextureKind {
  const word = name.toLowerCase();
  const isSky = word.startsWith('sky');
  const isLiquid = /^[*!]/.test(word);
  const isHidden = HIDDEN.test(word);
  let contents = isHidden ? CONTENTS_EMPTY : CONTENTS_SOLID;
  if (isSky) contents = CONTENTS_SKY;
  else if (/^[*!]lava/.test(word)) contents = CONTENTS_LAVA;
  else if (/^[*!]slime/.test(word)) contents = CONTENTS_SLIME;
  else if (isLiquid) contents = CONTENTS_WATER;
  return { contents, isSky, isLiquid, isHidden };
}
