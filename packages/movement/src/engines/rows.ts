import type { RowKinds } from '@bspkit/core/format';
import { quake3Rows } from './quake3/rows.ts';

// The list of those who answer rows about players. Not beside that of the movers: it would weigh on everyone's bundle.

/** Kinds of query rows about players, by the id of the format that they are about. */
export const movementRows: Readonly<Record<string, RowKinds>> = { quake3: quake3Rows };
