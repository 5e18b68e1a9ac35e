import type { RowKinds } from '@bspkit/core/format';
import { movementRows } from '@bspkit/movement/rows';
import { joinKinds } from '@bspkit/rows';
import { createScene } from '@bspkit/scene';
import { sceneRows } from '@bspkit/scene/rows';

/** Kinds of rows that packages other than the formats answer, by game. */
export const ROW_KINDS: Readonly<Record<string, RowKinds>> = /* @__PURE__ */ joinKinds(
  sceneRows,
  /* @__PURE__ */ movementRows(createScene),
);
