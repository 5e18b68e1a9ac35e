import type { FlagNames } from '@bspkit/core';
import { createFlagNames } from '@bspkit/core/format';

export const TOY_SOLID = 1;
export const TOY_WATER = 2;
export const TOY_SLICK = 1;

/** Distance that moves keep from surfaces. */
export const EPSILON = 1 / 32;

export const contentsNames: FlagNames = createFlagNames({ solid: TOY_SOLID, water: TOY_WATER });
export const surfaceNames: FlagNames = createFlagNames({ slick: TOY_SLICK });
