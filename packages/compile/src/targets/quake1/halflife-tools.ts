import type { ToolMaterial } from '../../materials.ts';

/** Solid, but not drawn. */
const HIDDEN: ToolMaterial = { material: { surface: 'nodraw' } };
const CLIP: ToolMaterial = { material: { contents: 'playerclip', surface: 'nodraw' } };
/** Left out by the game's compilers, which take the brush for what its other sides say. */
const SKIPPED: ToolMaterial = { material: { contents: 0, surface: 'nodraw,skip' }, says: 'nothing' };

const clipIn = (hull: number): ToolMaterial => ({ ...CLIP, hulls: [hull] });

/** Water that carries players. */
const flowing = (current: number): ToolMaterial => ({
  material: { contents: 'water', surface: 'warp' },
  current,
});

/** What Half-Life's compilers make of the textures that come with them, where that is not what all games do. */
export const HALFLIFE_TOOLS: Readonly<Record<string, ToolMaterial>> = /* @__PURE__ */ (() => ({
  null: HIDDEN,
  aaatrigger: HIDDEN,
  black_hidden: HIDDEN,
  solidhint: HIDDEN,
  // About corners that hulls of the game's compilers round up; those of ours are exact.
  bevel: HIDDEN,
  bevelbrush: HIDDEN,
  bevelhint: HIDDEN,
  clipbevel: CLIP,
  clipbevelbrush: CLIP,
  cliphull1: clipIn(1),
  cliphull2: clipIn(2),
  cliphull3: clipIn(3),
  noclip: { ...HIDDEN, hulls: [0] },
  contentwater: { material: { contents: 'water', surface: 'nodraw' }, says: 'all' },
  contentempty: { material: { contents: 0, surface: 'nodraw' }, says: 'all' },
  skip: SKIPPED,
  splitface: SKIPPED,
  // Ladders are entities, whose brushes are as solid as others.
  ladder: { material: {} },
  // Gives an entity its bounds.
  boundingbox: { material: { contents: 0, surface: 'nodraw' } },
  '!cur_0': flowing(0),
  '!cur_90': flowing(1),
  '!cur_180': flowing(2),
  '!cur_270': flowing(3),
  '!cur_up': flowing(4),
  '!cur_dwn': flowing(5),
}))();
