import { type Bounds, checkBounds, entityVector } from '@bspkit/core';
import type { Box } from '../box.ts';
import { type Brush, boundsOf } from '../brushes.ts';
import { type CompileWarning, createWarning } from '../error.ts';
import { CONTENTS } from '../flags.ts';
import { entitiesText, type Model } from '../models.ts';
import { checkLimits, checkReach, type WriterInput, type WriterOutput } from '../output.ts';
import type { Vec } from '../vec.ts';
import { buildHull, CLIP_RULE, DRAWN_RULE, EMPTY, expandBrush, type Hull } from './hull.ts';
import { fitsNarrow, NARROW_LIMITS, Quake1Writer } from './write.ts';

/** A box that a clip hull is made for, in Quake units relative to the mover's origin. */
export type HullSize = Bounds;

/** The boxes of Quake's hulls 1 and 2: players and small monsters, and large ones. */
export const QUAKE1_HULLS: readonly HullSize[] = [
  { mins: [-16, -16, -24], maxs: [16, 16, 32] },
  { mins: [-32, -32, -24], maxs: [32, 32, 64] },
];

/** What Quake 1 needs besides. */
export interface Quake1Input extends WriterInput {
  readonly hulls: readonly HullSize[];
  /** Whether 32-bit records are used: always, never, or when 16-bit ones do not suffice. */
  readonly bsp2: boolean | 'auto';
}

/** A model's hulls: the drawn world, then the clip hulls. */
export interface HullModel {
  readonly hulls: readonly Hull[];
  /** Brushes that the faces of hull 0 refer to. */
  readonly brushes: readonly Brush[];
  readonly box: Box;
}

const WORLD_LIMIT = 32000;

/** Writes BSP version 29, or BSP2. */
export function compileQuake1(input: Quake1Input): WriterOutput {
  const { models, entities } = input.models;
  checkHulls(input.hulls);
  for (const { brushes } of models) checkReach(boundsOf(brushes), WORLD_LIMIT, 'Quake 1');
  const occupants = entities.flatMap((entity): Vec[] => {
    const origin = entity.model?.startsWith('*') ? undefined : entityVector(entity, 'origin');
    return origin ? [origin] : [];
  });
  const built = models.map((model, index) => buildModel(input, model, index, occupants));
  const text = entitiesText(entities);
  if (input.bsp2 !== true) {
    const narrow = new Quake1Writer(input.planes, built, text, false).write();
    if (input.bsp2 === false) checkLimits(narrow.counts, NARROW_LIMITS, 'BSP version 29');
    if (fitsNarrow(narrow.counts)) return narrow;
  }
  return new Quake1Writer(input.planes, built, text, true).write();
}

function checkHulls(hulls: readonly HullSize[]): void {
  if (hulls.length > 3) throw new RangeError(`hulls must be three or fewer, got ${hulls.length}`);
  for (const { mins, maxs } of hulls) checkBounds(mins, maxs);
}

function buildModel(input: Quake1Input, model: Model, index: number, occupants: readonly Vec[]): HullModel {
  const { planes, hulls, warnings, onProgress } = input;
  for (const patch of model.patches) {
    warnings.push(createWarning('patch-left-out', patch.place, 'Quake 1 has no curves; left out'));
  }
  // Only the world has an outside.
  let inside = index === 0 ? occupants : [];
  const name = index === 0 ? 'hull' : `model ${index} hull`;
  const brushes = model.brushes.map((brush): Brush => {
    const asSolid = index > 0 && (brush.contents & CONTENTS.trigger) !== 0;
    return asSolid ? { ...brush, contents: CONTENTS.solid } : brush;
  });
  const drawn = buildHull({
    planes,
    brushes,
    rule: DRAWN_RULE,
    occupants: inside,
    onProgress: (part) => onProgress(`${name} 0`, part),
  });
  if (index === 0) warnOfLeak(warnings, drawn, inside);
  if (drawn.leak) inside = [];
  const stopping = brushes.filter((brush) => CLIP_RULE.classOf(brush.contents) !== EMPTY);
  const clips = hulls.map((size, k) =>
    buildHull({
      planes,
      brushes: stopping.map((brush) => expandBrush(planes, brush, size)),
      rule: CLIP_RULE,
      occupants: inside,
      onProgress: (part) => onProgress(`${name} ${k + 1}`, part),
    }),
  );
  return { hulls: [drawn, ...clips], brushes, box: boundsOf(brushes) };
}

function warnOfLeak(warnings: CompileWarning[], { leak }: Hull, occupants: readonly Vec[]): void {
  if (leak) {
    const [start, end] = [leak[0]!, leak.at(-1)!];
    const problem = `the map leaks: from ${pointText(start)} there is a way out at ${pointText(end)}`;
    warnings.push({ ...createWarning('leak', {}, `${problem}; the outside is not filled`), path: leak });
  } else if (occupants.length === 0) {
    const problem = 'no entity has an origin, so the outside is not told from the inside and not filled';
    warnings.push(createWarning('no-occupants', {}, problem));
  }
}

const pointText = (point: Vec): string => `(${point.map((x) => Math.round(x)).join(' ')})`;
