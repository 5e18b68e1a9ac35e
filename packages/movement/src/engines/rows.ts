import type { RowKinds } from '@bspkit/core/format';
import { quakeWorldRows } from './quake1/rows.ts';
import { quakeServerRows, type SceneMaker } from './quake1/server-rows.ts';
import { quake3Rows } from './quake3/rows.ts';

// The list of those who answer rows about players. Not beside that of the movers: it would weigh on everyone's bundle.

export type { SceneMaker } from './quake1/server-rows.ts';

/** Kinds of query rows about players, by the id of the format that they are about. Some need scenes to be made for them. */
export const movementRows = (createScene: SceneMaker): Readonly<Record<string, RowKinds>> => ({
  quake1: { ...quakeWorldRows, ...quakeServerRows(createScene) },
  quake3: quake3Rows,
});
