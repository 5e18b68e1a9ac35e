import { breaking } from '@bspkit/testkit/broken';
import { QUAKE2_CRAFTED } from '@bspkit/testkit/crafted/quake2';

export type LumpName = keyof typeof QUAKE2_CRAFTED.lumps;

export const { lumpAt, withFloat, withLump, withNumber } = breaking(QUAKE2_CRAFTED);
