import { type BitTable, CONTENTS, SURFACE } from '../flags.ts';

/** Our contents as Quake 3 has them. Windows and sky are solid there; UFO:AI's own kinds have no counterpart. */
export const QUAKE3_CONTENTS: BitTable = [
  [CONTENTS.solid | CONTENTS.window | CONTENTS.sky | CONTENTS.terrain, 1],
  [CONTENTS.lava, 8],
  [CONTENTS.slime, 0x10],
  [CONTENTS.water, 0x20],
  [CONTENTS.fog, 0x40],
  [CONTENTS.notteam1, 0x80],
  [CONTENTS.notteam2, 0x100],
  [CONTENTS.nobotclip, 0x200],
  [CONTENTS.areaportal, 0x8000],
  [CONTENTS.playerclip, 0x10000],
  [CONTENTS.monsterclip, 0x20000],
  [CONTENTS.teleporter, 0x40000],
  [CONTENTS.jumppad, 0x80000],
  [CONTENTS.clusterportal, 0x100000],
  [CONTENTS.donotenter, 0x200000],
  [CONTENTS.botclip, 0x400000],
  [CONTENTS.detail, 0x8000000],
  [CONTENTS.structural, 0x10000000],
  [CONTENTS.translucent | CONTENTS.window, 0x20000000],
  [CONTENTS.trigger, 0x40000000],
  [CONTENTS.nodrop, 0x80000000 | 0],
];

/** Our surface flags as Quake 3 has them. */
export const QUAKE3_SURFACE: BitTable = [
  [SURFACE.nodamage, 1],
  [SURFACE.slick, 2],
  [SURFACE.sky, 4],
  [SURFACE.ladder, 8],
  [SURFACE.noimpact, 0x10],
  [SURFACE.nomarks, 0x20],
  [SURFACE.flesh, 0x40],
  [SURFACE.nodraw, 0x80],
  [SURFACE.hint, 0x100],
  [SURFACE.skip, 0x200],
  [SURFACE.nolightmap, 0x400],
  [SURFACE.pointlight, 0x800],
  [SURFACE.metalsteps, 0x1000],
  [SURFACE.nosteps, 0x2000],
  [SURFACE.nonsolid, 0x4000],
  [SURFACE.lightfilter, 0x8000],
  [SURFACE.alphashadow, 0x10000],
  [SURFACE.nodlight, 0x20000],
  [SURFACE.dust, 0x40000],
];
