import { checkCallback, failArgument } from '@bspkit/core/format';
import { treeBounds } from '../../box.ts';
import { type Brush, boundsOf, brushesBox } from '../../brushes.ts';
import { unionFaces } from '../../csg.ts';
import { createWarning } from '../../error.ts';
import { CONTENTS } from '../../flags.ts';
import { checkSquares } from '../../side-squares.ts';
import { createBoxSolid } from '../../solid.ts';
import {
  type CompileTarget,
  checkGrowing,
  checkLimits,
  defineTarget,
  type WriterInput,
  type WriterOutput,
} from '../../target.ts';
import { buildTree, isLeaf, splitOnce } from '../../tree.ts';
import type { WorkCounts } from '../../work.ts';
import { FILE_CONTENTS, FILE_SURFACE } from './flags.ts';
import { isWall, KINDS, listedBrushes, MIXES, treeBrush } from './kinds.ts';
import { ACTOR_CLIP, LIGHT_CLIP, REGULAR_MODELS, type UfoaiModel, WEAPON_CLIP } from './models.ts';
import { isPair, partModel, type Regions, type RegionTrees } from './regions.ts';
import { LIMITS, MOST_HEADS, MOST_SQUARES, UfoaiWriter } from './write.ts';

/** Eight levels of 64 units; the engine skips moves below or above all of them. */
const TOP = 512;

/** Options of UFO:AI maps only. */
export interface UfoaiOptions {
  /** Version of the file. By default 78, which release 2.5 of the game accepts; later builds only accept 79. */
  readonly version?: 78 | 79 | undefined;
  /**
   * Computes the table of where soldiers can go from the file without it, packed as a lump: `encodeRouting` of `computeRouting`
   * of `@bspkit/ufoai`. Without this function the table is empty: the map loads here, but the game refuses it.
   */
  readonly routing?: ((file: Uint8Array) => Uint8Array) | undefined;
}

/** UFO: Alien Invasion: IBSP version 78 or 79. */
export const ufoai: CompileTarget<'ufoai', UfoaiOptions> = /* @__PURE__ */ defineTarget({
  id: 'ufoai',
  name: 'UFO:AI',
  options: [
    {
      name: 'version',
      type: 'choice',
      choices: [78, 79],
      help: 'version of the file: 78 for release 2.5 (default), 79 for later builds',
    },
    { name: 'routing', type: 'function', help: 'leave the table of where soldiers can go empty' },
  ],
  contents: FILE_CONTENTS,
  surface: FILE_SURFACE,
  text: {
    valve: false,
    patches: false,
    signs: /\btex_common\/|"(maxlevel|info_(alien|human)_start)"/,
    sideNumbers: { detail: 0x8000000, levels: 8, complete: true },
  },
  reach: 4096,
  isKnown: ({ contents }) => (contents & KINDS) !== 0,
  write: writeUfoai,
});

function writeUfoai(input: WriterInput, { version = 78, routing }: UfoaiOptions): WriterOutput {
  if (version !== 78 && version !== 79) failArgument('version', '78 or 79', version);
  if (routing !== undefined) checkCallback(routing, 'routing');
  const models = input.models.models.map((model) => ({ ...model, brushes: model.brushes.map(treeBrush) }));
  const world = models[0]!;
  const box = boundsOf(world.brushes);
  if (box.mins[2] < 0 || box.maxs[2] > TOP) {
    const problem = `UFO:AI traces look at heights 0 to ${TOP}, the map reaches from ${box.mins[2]} to ${box.maxs[2]}`;
    input.warnings.push(createWarning('height', {}, problem));
  }
  const parts: Brush[][] = Array.from({ length: REGULAR_MODELS }, () => []);
  for (const brush of world.brushes) {
    parts[modelOf(brush)]!.push(brush);
  }
  for (const { brushes } of models.slice(1)) parts.push([...brushes]);
  const heads = parts.filter(({ length }) => length > 0).length;
  checkLimits({ 'models with brushes': heads }, { 'models with brushes': MOST_HEADS }, 'UFO:AI');
  checkPlanes(parts);
  checkSquares(parts.flat(), MOST_SQUARES, 'UFO:AI');
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  const work = input.countWork();
  let leafBrushes = 0;
  const onBrushes = (count: number): void => {
    leafBrushes += count;
    checkGrowing({ leafBrushes }, LIMITS, 'UFO:AI');
  };
  let done = 0;
  const built = parts.map((brushes, model): UfoaiModel => {
    const before = done;
    done += brushes.length;
    const isInline = model >= REGULAR_MODELS;
    return buildModel(input, brushes, isInline, work, onBrushes, (part) =>
      input.onProgress('levels', (before + part * brushes.length) / total),
    );
  });
  return new UfoaiWriter(input, built, version, routing).write();
}

/**
 * All planes of sides will be in the file, each with its opposite: if there are too many, that is found before trees are made.
 */
function checkPlanes(parts: readonly (readonly Brush[])[]): void {
  const pairs = new Set<number>();
  for (const { solid } of parts.flat()) for (const plane of solid.planes) pairs.add(plane & ~1);
  checkLimits({ planes: 2 * pairs.size }, { planes: LIMITS.planes }, 'UFO:AI');
}

/** The regular model that a brush of the world belongs to. */
function modelOf({ contents, levels }: Brush): number {
  if (isWall(contents)) return levels;
  if (contents & CONTENTS.playerclip) return ACTOR_CLIP;
  if (contents & CONTENTS.weaponclip) return WEAPON_CLIP;
  if (contents & CONTENTS.lightclip) return LIGHT_CLIP;
  return levels;
}

function buildModel(
  input: WriterInput,
  brushes: readonly Brush[],
  isInline: boolean,
  work: WorkCounts,
  onBrushes: (count: number) => void,
  onProgress: (part: number) => void,
): UfoaiModel {
  if (brushes.length === 0) return { brushes, trees: undefined, box: boundsOf(brushes) };
  const { planes } = input;
  let done = 0;
  const build = (regions: Regions): RegionTrees => {
    if (isPair(regions)) {
      return { low: build(regions.low), high: build(regions.high), box: regions.box };
    }
    const tree = buildTree({
      planes,
      brushes: regions.brushes,
      faces: unionFaces(planes, regions.brushes, MIXES, work),
      leafs: 'brushes',
      box: createBoxSolid(planes, treeBounds(regions.box)),
      costs: { oblique: 0, crowd: 6 },
      rule: MIXES,
      work,
      onLeaf: (leaf) => onBrushes(listedBrushes(leaf, regions.brushes).length),
    });
    done += regions.brushes.length;
    onProgress(Math.min(done / brushes.length, 1));
    return { ...regions, tree: isLeaf(tree) ? splitOnce(planes, tree) : tree };
  };
  return { brushes, trees: build(partModel(planes, brushes, isInline)), box: brushesBox(brushes) };
}
