import { type BitTable, CONTENTS, SURFACE } from '../flags.ts';

/** Our contents as UFO:AI has them. Liquids are all water there, and sky is plain solid. */
export const UFOAI_CONTENTS: BitTable = [
  [CONTENTS.solid | CONTENTS.sky, 0x1],
  [CONTENTS.window, 0x2],
  [CONTENTS.ladder, 0x4],
  [CONTENTS.water | CONTENTS.slime | CONTENTS.lava, 0x20],
  [CONTENTS.playerclip, 0x10000],
  [CONTENTS.passable, 0x20000],
  [CONTENTS.terrain, 0x40000],
  [CONTENTS.lightclip, 0x80000],
  [CONTENTS.origin, 0x1000000],
  [CONTENTS.weaponclip, 0x2000000],
  [CONTENTS.detail, 0x8000000],
  [CONTENTS.translucent, 0x10000000],
];

/** UFO:AI's contents bits as ours: what map text says in numbers. */
export const UFOAI_TEXT_CONTENTS: BitTable = [
  [CONTENTS.solid, 0x1],
  [CONTENTS.water, 0x20],
  ...UFOAI_CONTENTS.filter(([, theirs]) => theirs !== 0x1 && theirs !== 0x20),
];

/** Our surface flags as UFO:AI has them. */
export const UFOAI_SURFACE: BitTable = [
  [SURFACE.light, 0x1],
  [SURFACE.slick, 0x2],
  [SURFACE.warp, 0x8],
  [SURFACE.blend33, 0x10],
  [SURFACE.blend66, 0x20],
  [SURFACE.flowing, 0x40],
  [SURFACE.nodraw, 0x80],
  [SURFACE.hint, 0x100],
  [SURFACE.skip, 0x200],
  [SURFACE.phong, 0x400],
  [SURFACE.burn, 0x800],
  [SURFACE.footstep, 0x1000],
  [SURFACE.alphatest, 0x2000000],
];
