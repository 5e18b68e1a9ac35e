import { defineRows, type RowKinds } from '@bspkit/core/format';
import { pushRows } from './quake1/push-rows.ts';
import { quakeWorldRows } from './quake1/rows.ts';
import { quakeServerRows } from './quake1/server-rows.ts';
import { thingRows } from './quake1/thing-rows.ts';
import { quake2Rows } from './quake2/rows.ts';
import { quake3Rows } from './quake3/rows.ts';

// The list of kinds of rows about players. Apart from the list of movers, because everyone's bundle would contain it there.

/** Makes scenes: `createScene` of `@bspkit/scene`, on which this package does not depend. */
export type SceneMaker = (
  world: never,
  options: { readonly rules: 'quake1' | 'quake2' | 'quake2-list' | 'quake3' },
) => unknown;

/** Kinds of query rows about players, by the id of the format that they are about. Some need a function that makes scenes. */
export const movementRows = (createScene: SceneMaker): Readonly<Record<string, RowKinds>> => ({
  quake1: defineRows({
    ...quakeWorldRows,
    ...quakeServerRows(createScene),
    things: thingRows(createScene),
    pushes: pushRows(createScene),
  }),
  quake2: defineRows(quake2Rows(createScene)),
  quake3: defineRows(quake3Rows(createScene)),
});
