import { defineRows, type RowKinds } from '@bspkit/core/format';
import { quake1Rows } from './quake1-rows.ts';
import { quake2Rows } from './quake2-rows.ts';
import { quake3Rows } from './quake3-rows.ts';

// The list of kinds of rows about scenes. Apart from the list of rules, because everyone's bundle would contain it there.

/** Kinds of query rows about scenes, by the id of the format that they are about. */
export const sceneRows: Readonly<Record<string, RowKinds>> = {
  quake1: /* @__PURE__ */ defineRows(quake1Rows),
  quake2: /* @__PURE__ */ defineRows(quake2Rows),
  quake3: /* @__PURE__ */ defineRows(quake3Rows),
};
