import { checkKind } from '@bspkit/core/format';
import { AREA_PORTAL, type Areas, findAreas, PORTAL_CLASSES, warnOfIdlePortals } from '../../areas.ts';
import { treeBounds } from '../../box.ts';
import { type Brush, brushesBox } from '../../brushes.ts';
import { type Face, seesSame, unionFaces } from '../../csg.ts';
import { createWarning } from '../../error.ts';
import { floodOutside, occupantsOf, warnOfOutside } from '../../flood.ts';
import { withSolidTriggers } from '../../models.ts';
import { checkSquares } from '../../side-squares.ts';
import { createBoxSolid } from '../../solid.ts';
import {
  type CompileTarget,
  checkGrowing,
  checkLimits,
  defineTarget,
  type WriterInput,
  type WriterOutput,
  writeWithin,
} from '../../target.ts';
import { buildTree, type Cells, isLeaf, splitOnce, type Tree, type TreeLeaf } from '../../tree.ts';
import type { WorkCounts } from '../../work.ts';
import { CURRENTS, FILE_CONTENTS, FILE_SURFACE } from './flags.ts';
import { DRAWING, isKnown, isSolid, STRUCTURE, withFlow } from './kinds.ts';
import {
  fitsNarrow,
  MOST_SQUARES,
  NARROW,
  NARROW_LIMITS,
  type Quake2Model,
  Quake2Writer,
  SQUARES_OF_SIDE,
  WIDE,
  WIDE_LIMITS,
} from './write.ts';

/** Options of Quake 2 maps only. */
export interface Quake2Options {
  /**
   * Whether to write QBSP, with its 32-bit records, which many of today's engines accept. By default `auto`: if IBSP cannot hold
   * the map. With `false`, such a map is an error.
   */
  readonly qbsp?: boolean | 'auto' | undefined;
}

/** Quake 2: IBSP version 38, or QBSP. */
export const quake2: CompileTarget<'quake2', Quake2Options> = /* @__PURE__ */ defineTarget({
  id: 'quake2',
  name: 'Quake 2',
  options: [{ name: 'qbsp', type: 'on', help: 'write QBSP even if IBSP is enough' }],
  contents: FILE_CONTENTS,
  surface: FILE_SURFACE,
  text: {
    valve: true,
    patches: false,
    signs:
      /^\ufeff?\/\/ Game: Quake 2$|\) e\du\d\/|"(item_armor_jacket|weapon_hyperblaster|func_areaportal)"/m,
    // Written out: bundlers keep code that reads a property of an object, and the whole target with it.
    sideNumbers: { detail: 0x8000000, currents: CURRENTS, complete: true },
  },
  // Bounds are signed 16-bit numbers; where they are floats, engines accept no more either.
  reach: 32767,
  worldClasses: PORTAL_CLASSES,
  isKnown,
  write: writeQuake2,
});

function writeQuake2(input: WriterInput, { qbsp = 'auto' }: Quake2Options): WriterOutput {
  checkKind(qbsp === 'auto' || typeof qbsp === 'boolean', qbsp, 'qbsp', "true, false or 'auto'");
  const { models } = input.models;
  const total = models.reduce((sum, { brushes }) => sum + brushes.length, 0);
  warnOfIdlePortals(models, () => true, input.warnings);
  const known = models.map(({ brushes }, index) => {
    const own = index === 0 ? brushes : withSolidTriggers(brushes);
    return own.map(withFlow);
  });
  // Trees of so many brushes take time, so this is checked first.
  const counts = { models: models.length, brushes: known.reduce((sum, brushes) => sum + brushes.length, 0) };
  const [limits, name] = qbsp === false ? ([NARROW_LIMITS, NARROW] as const) : ([WIDE_LIMITS, WIDE] as const);
  checkLimits(counts, { models: limits.models, brushes: limits.brushes }, name);
  checkSquares(known.flat(), MOST_SQUARES, 'Quake 2', SQUARES_OF_SIDE);
  const work = input.countWork();
  // Leafs 0 and 1 of the file belong to no tree.
  const made = { leafs: 2, leafBrushes: 0 };
  const onLeaf = ({ brushes }: TreeLeaf): void => {
    made.leafs++;
    made.leafBrushes += brushes.length;
    checkGrowing(made, limits, name);
  };
  let before = 0;
  const built = models.map(({ brushes }, index): Quake2Model => {
    const own = known[index]!;
    const onProgress = (part: number): void =>
      input.onProgress('trees', (before + part * brushes.length) / total);
    const cells: Cells | undefined = index === 0 ? new Map() : undefined;
    const { tree, faces } = buildModel(input, own, cells, work, onLeaf, onProgress);
    before += brushes.length;
    const drawn = seesSame(own, STRUCTURE, DRAWING) ? faces : undefined;
    return { brushes: own, tree, drawn, ...divide(input, tree, cells, own) };
  });
  // Most counts are only known once it is written; if there are too many brushes or models, IBSP is not even tried.
  if (qbsp === false || (qbsp === 'auto' && fitsNarrow(counts))) {
    const write = (): WriterOutput => new Quake2Writer(input, built, false).write();
    const narrow = qbsp === false ? write() : writeWithin(write);
    if (narrow) return narrow;
  }
  return new Quake2Writer(input, built, true).write();
}

function buildModel(
  { planes }: WriterInput,
  brushes: readonly Brush[],
  cells: Cells | undefined,
  work: WorkCounts,
  onLeaf: (leaf: TreeLeaf) => void,
  onProgress: (part: number) => void,
): { tree: Tree; faces: readonly Face[] } {
  const faces = unionFaces(planes, brushes, STRUCTURE, work);
  const tree = buildTree({
    planes,
    brushes,
    faces,
    leafs: 'brushes',
    box: createBoxSolid(planes, treeBounds(brushesBox(brushes))),
    costs: { oblique: 0, crowd: 6 },
    rule: STRUCTURE,
    work,
    onLeaf: (leaf, cell) => {
      onLeaf(leaf);
      if (!isSolid(leaf)) cells?.set(leaf, cell);
    },
    onProgress,
  });
  return { tree: isLeaf(tree) ? splitOnce(planes, tree, cells) : tree, faces };
}

/** Finds what is outside the map, and its areas: only for the world. */
function divide(
  { planes, models, warnings }: WriterInput,
  tree: Tree,
  cells: Cells | undefined,
  brushes: readonly Brush[],
): Pick<Quake2Model, 'isFilled' | 'areas'> {
  if (!cells) return { isFilled: isSolid, areas: undefined };
  const occupants = occupantsOf(models);
  const outside = flood(planes, tree, cells, brushes, occupants);
  const { reached, standing, leak } = outside;
  warnOfOutside(warnings, outside);
  const fillsOutside = !leak && standing.length > 0;
  const isFilled = (leaf: TreeLeaf): boolean => isSolid(leaf) || (fillsOutside && reached.has(leaf));
  const worldEntity = models.sources[0]!.entity;
  const isOfWorld = (entity: number): boolean => entity === worldEntity || !isPortalEntity(models, entity);
  const isOpen = (leaf: TreeLeaf): boolean => !isFilled(leaf);
  const areas: Areas = findAreas(planes, tree, cells, brushes, isOpen, occupants, isOfWorld, warnings);
  for (const { place } of areas.portals) {
    if (!isOfWorld(place.entity ?? 0)) continue;
    const problem = 'the area portal belongs to no func_areaportal, so no door opens it';
    warnings.push(createWarning('area-portal', place, problem));
  }
  return { isFilled, areas };
}

const isPortalEntity = ({ entities, sources }: WriterInput['models'], entity: number): boolean =>
  entities[sources.findIndex((source) => source.entity === entity)]?.classname === AREA_PORTAL;

/** What is reached from outside; empty if nothing shows what is inside. */
function flood(
  planes: WriterInput['planes'],
  tree: Tree,
  cells: Cells,
  brushes: readonly Brush[],
  occupants: ReturnType<typeof occupantsOf>,
): ReturnType<typeof floodOutside> {
  if (occupants.length === 0) return { reached: new Set(), standing: [], leak: undefined };
  const root = createBoxSolid(planes, treeBounds(brushesBox(brushes))).planes;
  return floodOutside(planes, tree, cells, root, (leaf) => !isSolid(leaf), occupants);
}
