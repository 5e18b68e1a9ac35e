import type { Box } from '../../box.ts';
import type { Brush } from '../../brushes.ts';
import type { RegionTrees } from './regions.ts';

/** Models that are always present: one for each combination of levels, and three for clips. */
export const REGULAR_MODELS = 259;
export const LIGHT_CLIP = 256;
export const WEAPON_CLIP = 257;
export const ACTOR_CLIP = 258;

/** A model of the file; one without brushes has no trees. */
export interface UfoaiModel {
  readonly brushes: readonly Brush[];
  readonly trees: RegionTrees | undefined;
  readonly box: Box;
}
