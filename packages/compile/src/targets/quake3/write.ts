import type { Winding } from '@bspkit/geometry';
import { findAreas, isPortal, warnOfIdlePortals } from '../../areas.ts';
import { addBox, orPoint, roundBox, treeBounds } from '../../box.ts';
import { type Brush, brushesBox } from '../../brushes.ts';
import { splitCorners } from '../../corners.ts';
import { type ContentsRule, type Face, seesSame, unionFaces } from '../../csg.ts';
import { CompileError, type CompileWarning, createWarning, quoted, shortened } from '../../error.ts';
import { CONTENTS } from '../../flags.ts';
import { floodOutside, type Occupant, occupantsOf, warnOfLeak } from '../../flood.ts';
import { addOnce } from '../../lists.ts';
import { entitiesText, type Model, type Models, type Patch } from '../../models.ts';
import { openLeafs, visitAround } from '../../open-leafs.ts';
import { PlaneTable } from '../../plane-table.ts';
import { checkSquares } from '../../side-squares.ts';
import { createBoxSolid } from '../../solid.ts';
import { checkGrowing, checkLimits, type WriterInput, type WriterOutput } from '../../target.ts';
import { isDrawn } from '../../texture.ts';
import { fillEdges } from '../../tjunc.ts';
import { buildTree, type Cells, isLeaf, splitOnce, type Tree, type TreeLeaf } from '../../tree.ts';
import { checkDepth, countTrees } from '../../tree-counts.ts';
import type { WorkCounts } from '../../work.ts';
import { LumpWriter, writeFile } from '../../writer.ts';
import { BrushTable, MOST_SQUARES, ShaderTable, SQUARES_OF_SIDE } from './brushes.ts';
import { checkPatches } from './patch-limits.ts';
import { patchBox, SurfaceTable } from './surfaces.ts';
import { fanOf, triangulate } from './triangles.ts';

const OPAQUE = CONTENTS.solid | CONTENTS.terrain | CONTENTS.sky;
const SEEN = CONTENTS.window | CONTENTS.water | CONTENTS.slime | CONTENTS.lava | CONTENTS.fog;
/**
 * Limits of the format's first tools, and the engine's own limit of 256 models. The engine loads more brushes and sides than
 * those tools wrote: ioquake3 was given 34,226 brushes, and a game's own map with 319,072 sides.
 */
const LIMITS = { planes: 0x20000, leafs: 0x20000, models: 256 } as const;
/** The most nodes on a way down; our readers accept no more. */
const MOST_DEPTH = 1024;
/** The most corners of a face that the engine keeps. */
const CORNERS = 64;

/** The class of entities that show a model from a file, and the bit of their `spawnflags` that makes it solid. */
const MODEL_CLASS = 'misc_model';
const MODEL_STOPS = 2;

/** The class of solid. */
const BLOCKED = 1 << 30;

/** The tree is split along whatever blocks the view, and around area portals. */
const STRUCTURE: ContentsRule = {
  classOf: (bits) => (bits & OPAQUE ? BLOCKED : bits & CONTENTS.areaportal),
  solid: BLOCKED,
};

/** What is drawn: solid hides everything, and each combination of other contents borders on every other. */
const DRAWING: ContentsRule = {
  classOf: (bits) => (bits & OPAQUE ? BLOCKED : bits & SEEN),
  solid: BLOCKED,
};

/** Whether a brush shapes the tree. */
const isStructural = ({ contents }: Brush): boolean => !(contents & CONTENTS.detail);

const isOpen = ({ bits }: TreeLeaf): boolean => (bits & OPAQUE) === 0;

/** Warns of models from files that the game's own compilers would turn into brushes. */
function warnOfModels({ entities, sources }: Models, warnings: CompileWarning[]): void {
  for (const [k, { classname, model = '', spawnflags }] of entities.entries()) {
    if (classname !== MODEL_CLASS || !(Number(spawnflags) & MODEL_STOPS)) continue;
    const problem = `is to be solid, but of models such as ${shortened(model)} nothing is compiled; nobody is stopped by it`;
    warnings.push(createWarning('model-left-out', sources[k]!, problem));
  }
}

/** Writes IBSP version 46. */
export class Quake3Writer {
  private readonly _input: WriterInput;
  private readonly _planeTable: PlaneTable;
  private readonly _shaders: ShaderTable;
  private readonly _brushes: BrushTable;
  private readonly _surfaces: SurfaceTable;
  private readonly _models = new LumpWriter();
  private readonly _nodes: number[][] = [];
  private readonly _leafs = new LumpWriter(48);
  private readonly _leafSurfaces = new LumpWriter(4);
  private readonly _leafBrushes = new LumpWriter(4);
  /** Patches by the numbers of their surfaces. */
  private readonly _patches = new Map<number, Patch>();
  /** Surfaces of each leaf of the tree, in ascending order. */
  private readonly _surfacesOf = new Map<TreeLeaf, number[]>();
  /** Faces from which the world's tree is made, if the same faces are also drawn. */
  private _shared: readonly Face[] | undefined;
  private readonly _drawing: WorkCounts;
  /** Counts corners that are put into edges. */
  private _filling: WorkCounts | undefined;
  /** Open leafs outside a sealed map. */
  private _outside: ReadonlySet<TreeLeaf> = new Set();
  /** Area of each open leaf. */
  private _areaOf: (leaf: TreeLeaf) => number = () => 0;

  constructor(input: WriterInput) {
    this._input = input;
    this._drawing = input.countWork();
    this._planeTable = new PlaneTable(input.planes, { typed: false, pairs: true });
    this._shaders = new ShaderTable(input);
    this._brushes = new BrushTable(input.planes, this._planeTable, this._shaders);
    this._surfaces = new SurfaceTable(input.planes, this._shaders);
  }

  write(): WriterOutput {
    const { models } = this._input;
    const world = models.models[0]!;
    const brushes = models.models.flatMap((model) => model.brushes);
    checkSquares(brushes, MOST_SQUARES, 'Quake 3', SQUARES_OF_SIDE);
    checkPatches(
      models.models.flatMap(({ patches }) => patches),
      this._input.warnings,
    );
    warnOfIdlePortals(models.models, isStructural, this._input.warnings);
    warnOfModels(models, this._input.warnings);
    const tree = this._worldTree(world);
    // First, as nodes are written one below the other: thousands would be more than the stack holds.
    const treeCounts = countTrees([tree]);
    checkDepth(treeCounts.depth, MOST_DEPTH, 'Quake 3');
    for (const [index, model] of models.models.entries()) {
      this._model(model, index === 0 ? tree : undefined, brushes.length);
    }
    // Leaf 0 is unused, as in the engine's own files.
    this._leafs.i32(...Array.from({ length: 12 }, () => 0));
    this._node(tree);
    const nodes = new LumpWriter();
    for (const node of this._nodes) nodes.i32(...node);
    // One cluster that sees itself.
    const visibility = new LumpWriter().i32(1, 8).u8(1, 0, 0, 0, 0, 0, 0, 0);
    const counts = {
      shaders: this._shaders.size,
      planes: this._planeTable.size,
      nodes: this._nodes.length,
      leafs: this._leafs.count,
      leafSurfaces: this._leafSurfaces.count,
      leafBrushes: this._leafBrushes.count,
      models: models.models.length,
      brushes: this._brushes.brushes.count,
      sides: this._brushes.sides.count,
      surfaces: this._surfaces.count,
      vertexes: this._surfaces.vertexes.count,
    };
    checkLimits(counts, LIMITS, 'Quake 3');
    const none = new LumpWriter();
    const bytes = writeFile(new LumpWriter().text('IBSP').i32(46), [
      new LumpWriter().text(entitiesText(models.entities)),
      this._shaders.lump,
      this._planeTable.lump,
      nodes,
      this._leafs,
      this._leafSurfaces,
      this._leafBrushes,
      this._models,
      this._brushes.brushes,
      this._brushes.sides,
      this._surfaces.vertexes,
      this._surfaces.indexes,
      none,
      this._surfaces.surfaces,
      none,
      none,
      visibility,
    ]);
    return { bytes, counts, tree: treeCounts, brushes, patches: this._patches };
  }

  private _worldTree({ brushes, patches }: Model): Tree {
    const { planes, models, warnings, countWork, onProgress } = this._input;
    const work = countWork();
    const box = patches.reduce((sum, patch) => addBox(sum, patchBox(patch)), brushesBox(brushes));
    const structural = brushes.filter(isStructural);
    const faces = unionFaces(planes, structural, STRUCTURE, work, (done) =>
      onProgress('structure', done / structural.length),
    );
    if (structural.length === brushes.length && seesSame(brushes, STRUCTURE, DRAWING)) this._shared = faces;
    // Leaf 0 of the file is not one of the tree's.
    let leafs = 1;
    // Detail does not shape leafs, so it does not make a leaf solid either.
    const shaping = brushes.map((brush) => (isStructural(brush) ? brush : { ...brush, contents: 0 }));
    const isDivided = structural.some(isPortal);
    const occupants = occupantsOf(models);
    const root = createBoxSolid(planes, treeBounds(box));
    const cells: Cells = new Map();
    const keepsCells = isDivided || occupants.length > 0;
    const made = buildTree({
      planes,
      brushes: shaping,
      faces,
      leafs: 'brushes',
      box: root,
      costs: { oblique: 0.6, crowd: 3 },
      rule: STRUCTURE,
      work,
      onLeaf: (leaf, cell) => {
        checkGrowing({ leafs: ++leafs }, LIMITS, 'Quake 3');
        if (keepsCells && isOpen(leaf)) cells.set(leaf, cell);
      },
      onProgress: (part) => onProgress('tree', part),
    });
    const tree = isLeaf(made) ? splitOnce(planes, made, cells) : made;
    if (isDivided) this._divide(tree, cells, shaping, occupants);
    if (occupants.length > 0) {
      const { leak, reached, standing } = floodOutside(planes, tree, cells, root.planes, isOpen, occupants);
      if (leak) warnOfLeak(warnings, leak, '; its outside is drawn, too');
      else if (standing.length > 0) this._outside = reached;
    }
    return tree;
  }

  /** Finds the areas between portals. Unlike here, files of other games have solid as the first area. */
  private _divide(tree: Tree, cells: Cells, brushes: readonly Brush[], occupants: readonly Occupant[]): void {
    const { planes, warnings } = this._input;
    // Whatever entity they belong to: the game finds out by position which door stands in a portal.
    const areas = findAreas(planes, tree, cells, brushes, isOpen, occupants, () => true, warnings);
    this._areaOf = (leaf) => areas.of(leaf) - 1;
  }

  /** @param total - brushes of all models. */
  private _model({ brushes, patches }: Model, tree: Tree | undefined, total: number): void {
    const { planes, material, onProgress } = this._input;
    const firstSurface = this._surfaces.count;
    const firstBrush = this._brushes.brushes.count;
    const box = patches.reduce((sum, patch) => addBox(sum, patchBox(patch)), brushesBox(brushes));
    for (const brush of brushes) {
      this._brushes.add(brush);
      checkGrowing({ planes: this._planeTable.size }, LIMITS, 'Quake 3', brush.place);
    }
    const shared = tree && this._shared;
    const onBrush = (done: number): void => onProgress('surfaces', (firstBrush + done) / total);
    const faces = shared ?? unionFaces(planes, brushes, DRAWING, this._drawing, onBrush);
    if (shared && total > 0) onBrush(brushes.length);
    const pieces = faces.flatMap((face): Face[] => {
      const isSeen = face.front !== DRAWING.solid && isDrawn(brushes[face.brush]!.sides[face.side]!);
      return isSeen && !(tree && this._looksOutside(tree, face))
        ? splitCorners(face.winding, CORNERS).map((winding) => ({ ...face, winding }))
        : [];
    });
    const outlines = this._outlines(pieces, brushes);
    for (const [k, piece] of pieces.entries()) {
      for (const outline of outlines?.[k] ?? [piece.winding]) {
        const triangles = outlines ? triangulate(outline) : fanOf(outline.length / 3);
        const number = this._surfaces.addFace(
          { ...piece, winding: outline },
          brushes[piece.brush]!,
          triangles,
        );
        if (!tree) continue;
        for (const leaf of openLeafs(planes, tree, tree, piece, isOpen))
          addOnce(this._surfacesOf, leaf, number);
      }
    }
    for (const patch of patches) {
      const known = material(patch.material);
      if (!known) {
        throw new CompileError(
          'unknown-material',
          patch.place,
          `material ${quoted(patch.material)} is not known`,
        );
      }
      const number = this._surfaces.addPatch(patch, known);
      this._patches.set(number, patch);
      if (!tree) continue;
      visitAround(tree, patchBox(patch), 1, (leaf) => {
        if (isOpen(leaf)) addOnce(this._surfacesOf, leaf, number);
      });
    }
    const { mins, maxs } = orPoint(box);
    this._models
      .f32(...mins, ...maxs)
      .i32(firstSurface, this._surfaces.count - firstSurface)
      .i32(firstBrush, this._brushes.brushes.count - firstBrush);
  }

  /** Whether nobody inside a sealed map can see a face. */
  private _looksOutside(tree: Tree, face: Face): boolean {
    if (this._outside.size === 0) return false;
    const leafs = openLeafs(this._input.planes, tree, tree, face, isOpen);
    return [...leafs].every((leaf) => this._outside.has(leaf));
  }

  /** What is drawn of faces if the corners of each are put into the edges of all others. */
  private _outlines(faces: readonly Face[], brushes: readonly Brush[]): Winding[][] | undefined {
    if (!this._input.tjunc) return undefined;
    this._filling ??= this._input.countWork();
    const drawn = faces.map(({ winding, brush }) => ({
      ...{ winding, lightAxes: undefined, place: brushes[brush]!.place },
    }));
    // Too thin for three corners, once they are rounded.
    return fillEdges(drawn, this._filling).map((windings) => windings.filter(({ length }) => length >= 9));
  }

  /** Writes a part of the tree, front before back, and returns its number as a child. */
  private _node(tree: Tree): number {
    const { mins, maxs } = roundBox(tree.box);
    if (isLeaf(tree)) {
      const number = this._leafs.count;
      const surfaces = this._surfacesOf.get(tree) ?? [];
      const isSolid = (tree.bits & OPAQUE) !== 0;
      this._leafs
        .i32(isSolid ? -1 : 0, isSolid ? -1 : this._areaOf(tree), ...mins, ...maxs)
        .i32(this._leafSurfaces.count, surfaces.length)
        .i32(this._leafBrushes.count, tree.brushes.length);
      for (const surface of surfaces) this._leafSurfaces.i32(surface);
      for (const brush of tree.brushes) this._leafBrushes.i32(brush);
      return -1 - number;
    }
    const number = this._nodes.length;
    const node = [this._planeTable.number(tree.plane), 0, 0, ...mins, ...maxs];
    this._nodes.push(node);
    node[1] = this._node(tree.front);
    node[2] = this._node(tree.back);
    return number;
  }
}
