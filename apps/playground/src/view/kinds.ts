/** How a surface is drawn: as a wall, see-through, or only on request. */
export type SurfaceKind = 'solid' | 'liquid' | 'sky' | 'hidden';

export const KINDS: readonly SurfaceKind[] = ['solid', 'liquid', 'sky', 'hidden'];

// Games call these things by the same few names, whatever their numbers.
const LIQUIDS = /^(water|slime|lava|fog|current\w*)$/;
const HIDDEN = /^(nodraw|hint|skip|caulk|trigger|origin)$/i;

/** How surfaces are drawn that have contents and flags of these names. */
export function kindOf(contents: readonly string[], flags: readonly string[]): SurfaceKind {
  if (flags.includes('sky') || contents.includes('sky')) return 'sky';
  if (flags.some((name) => HIDDEN.test(name))) return 'hidden';
  return contents.some((name) => LIQUIDS.test(name)) ? 'liquid' : 'solid';
}
