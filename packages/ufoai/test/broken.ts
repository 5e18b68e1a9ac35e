import { breaking } from '@bspkit/testkit/broken';
import { UFOAI_CRAFTED } from '@bspkit/testkit/crafted/ufoai';

export type LumpName = keyof typeof UFOAI_CRAFTED.lumps;

export const { lumpAt, withEntry, withFloat, withNumber } = breaking(UFOAI_CRAFTED);
