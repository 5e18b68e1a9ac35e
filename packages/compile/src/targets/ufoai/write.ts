import { checkArrayOf } from '@bspkit/core/format';
import { cutWinding, type Winding } from '@bspkit/geometry';
import { beveledPlanes } from '../../bevels.ts';
import { type Box, roundBox } from '../../box.ts';
import type { Brush, Side } from '../../brushes.ts';
import { type Face, unionFaces } from '../../csg.ts';
import { EdgeTable } from '../../edges.ts';
import type { SourcePlace } from '../../error.ts';
import { listOf } from '../../lists.ts';
import { entitiesText } from '../../models.ts';
import { NodeTable } from '../../node-table.ts';
import { nearestSide, PlaneTable } from '../../plane-table.ts';
import { SideSquares } from '../../side-squares.ts';
import { checkGrowing, checkLimits, type WriterInput, type WriterOutput } from '../../target.ts';
import { TexInfoTable } from '../../tex-infos.ts';
import { isDrawn } from '../../texture.ts';
import { fillEdges } from '../../tjunc.ts';
import { isLeaf, type Tree, type TreeLeaf, type TreeNode } from '../../tree.ts';
import { checkDepth, countTrees } from '../../tree-counts.ts';
import { visitNodes } from '../../tree-walk.ts';
import type { WorkCounts } from '../../work.ts';
import { LumpWriter, writeFile } from '../../writer.ts';
import { findCells, type Head } from './cells.ts';
import { FILE_SURFACE } from './flags.ts';
import { DRAWING, fileContents, HIDING, isBlocked, listedBrushes } from './kinds.ts';
import { ACTOR_CLIP, LIGHT_CLIP, REGULAR_MODELS, type UfoaiModel } from './models.ts';
import { longestWay, type RegionTree, type RegionTrees } from './regions.ts';
import { routingLump } from './routing.ts';

/** Limits of 16-bit numbers; a plane's is signed where the engine reads it. */
export const LIMITS = {
  planes: 0x7fff,
  texInfos: 0x7fff,
  faces: 0xffff,
  edges: 0xffff,
  vertexes: 0xffff,
  leafBrushes: 0xffff,
  brushes: 0xffff,
} as const;

/** The most squares of brushes' numbers of sides; our readers accept no more. */
export const MOST_SQUARES = 0x100000;

/** The most models with trees, which the game's lines walk one after the other; our readers accept no more. */
export const MOST_HEADS = 1024;

/** The most nodes on a way down, including unions; our readers accept no more. */
const MOST_DEPTH = 1024;

/** Distance between light samples, as a power of 2: 16 units. */
const LIGHT_SCALE = 4;

/** A piece of a face that is drawn. */
interface PlacedFace {
  readonly face: Face;
  readonly side: Side;
  readonly winding: Winding;
  /** What is written: its winding, or its outline with the corners of other faces on it, perhaps in parts. */
  outlines: readonly Winding[];
  /** The place of its brush. */
  readonly place: SourcePlace;
}

type PlacedFaces = Map<TreeNode, PlacedFace[]>;

/** Writes models as a file. */
export class UfoaiWriter {
  private readonly _input: WriterInput;
  private readonly _models: readonly UfoaiModel[];
  private readonly _version: number;
  private readonly _routing: ((file: Uint8Array) => Uint8Array) | undefined;
  private readonly _drawing: WorkCounts;
  private readonly _planeTable: PlaneTable;
  private readonly _edges = new EdgeTable(false);
  private readonly _nodes: NodeTable;
  private readonly _texInfos: TexInfoTable;
  private readonly _faces = new LumpWriter(20);
  private readonly _leafs = new LumpWriter(24);
  private readonly _leafBrushes = new LumpWriter(2);
  private readonly _modelLump = new LumpWriter();
  private readonly _brushes = new LumpWriter(12);
  private readonly _sides = new LumpWriter(4);
  private readonly _squares = new SideSquares(MOST_SQUARES, 'UFO:AI');
  private readonly _normals = new LumpWriter();
  private readonly _leafContents = new Map<TreeLeaf, number>();
  /** Planes of the sides of each brush written. */
  private readonly _sidePlanes: (readonly number[])[] = [];
  /** The trees that the game's own compiler would look at. */
  private readonly _heads: Head[] = [];

  constructor(
    input: WriterInput,
    models: readonly UfoaiModel[],
    version: number,
    routing: ((file: Uint8Array) => Uint8Array) | undefined,
  ) {
    this._input = input;
    this._drawing = input.countWork();
    this._models = models;
    this._version = version;
    this._routing = routing;
    this._planeTable = new PlaneTable(input.planes, { typed: true, pairs: true });
    this._nodes = new NodeTable(this._planeTable, () => this._faces.count);
    this._texInfos = new TexInfoTable(input, FILE_SURFACE, false);
  }

  write(): WriterOutput {
    // First, as nodes are written one below the other: thousands would be more than the stack holds.
    const regions = this._models.flatMap(({ trees }) => trees ?? []);
    const tree = countTrees(regions.flatMap((trees) => [...allTrees(trees)]));
    checkDepth(Math.max(...regions.map(longestWay)), MOST_DEPTH, 'UFO:AI');
    // Leaf 0 is solid, leaf 1 is nothing: the engine expects both.
    this._leafs.i32(1).i16(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    this._leafs.i32(0).i16(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const placed = this._models.map(({ brushes, trees }) =>
      trees ? this._placeFaces(brushes, trees) : new Map(),
    );
    if (this._input.tjunc) this._fillEdges(placed);
    for (const [index, model] of this._models.entries()) this._model(model, placed[index]!, index);
    const nodes = new LumpWriter();
    for (const [plane, front, back, ...rest] of this._nodes.records)
      nodes.i32(plane!, front!, back!).i16(...rest);
    const counts = {
      planes: this._planeTable.size,
      vertexes: this._edges.vertexCount,
      nodes: this._nodes.records.length,
      unions: this._nodes.records.filter(([plane]) => plane === -1).length,
      texInfos: this._texInfos.size,
      faces: this._faces.count,
      leafs: this._leafs.count,
      leafBrushes: this._leafBrushes.count,
      edges: this._edges.edgeCount,
      surfEdges: this._edges.surfEdges.count,
      models: this._models.length,
      brushes: this._brushes.count,
      sides: this._sides.count,
    };
    checkLimits(counts, LIMITS, 'UFO:AI');
    // Nothing is lit, but without a scale the game assumes samples one unit apart and refuses long faces.
    const light = new LumpWriter().u8(LIGHT_SCALE);
    const entities = new LumpWriter().text(entitiesText(this._input.models.entities));
    const write = (routing: LumpWriter): Uint8Array =>
      writeFile(new LumpWriter().text('IBSP').i32(this._version), [
        entities,
        this._planeTable.lump,
        this._edges.vertexes,
        routing,
        nodes,
        this._texInfos.lump,
        this._faces,
        light,
        light,
        this._leafs,
        this._leafBrushes,
        this._edges.edges,
        this._edges.surfEdges,
        this._modelLump,
        this._brushes,
        this._sides,
        this._normals,
      ]);
    let bytes = write(routingLump(findCells(this._input.planes, this._heads)));
    if (this._routing) {
      const table = this._routing(bytes);
      checkArrayOf(table, Uint8Array, 'what routing returns');
      bytes = write(new LumpWriter().append(table));
    }
    return { bytes, counts, tree, brushes: this._models.flatMap(({ brushes }) => brushes) };
  }

  private _model({ brushes, trees, box }: UfoaiModel, placed: PlacedFaces, index: number): void {
    const firstBrush = this._brushes.count;
    const firstFace = this._faces.count;
    for (const brush of brushes) this._brush(brush);
    const head = trees ? this._regions(trees, placed, firstBrush) : -1;
    if (trees && isRouted(index, this._faces.count - firstFace)) this._addHeads(trees, firstBrush);
    this._modelLump
      .f32(...box.mins, ...box.maxs, 0, 0, 0)
      .i32(head, firstFace, this._faces.count - firstFace);
  }

  private _addHeads(trees: RegionTrees, firstBrush: number): void {
    if ('low' in trees) {
      this._addHeads(trees.low, firstBrush);
      this._addHeads(trees.high, firstBrush);
      return;
    }
    this._heads.push({
      tree: trees.tree,
      contentsOf: (leaf) => this._leafContents.get(leaf)!,
      sidesOf: (brush) => this._sidePlanes[firstBrush + trees.brushes[brush]!.number]!,
      contentsOfBrush: (brush) => fileContents(trees.brushes[brush]!),
    });
  }

  private _brush(brush: Brush): void {
    const { planes } = this._input;
    const all = beveledPlanes(planes, brush);
    this._squares.add(all.length, brush.place);
    this._brushes.i32(this._sides.count, all.length, fileContents(brush));
    this._sidePlanes.push(all);
    for (const plane of all) {
      this._sides.i16(
        this._planeTable.number(plane),
        this._texInfos.number(nearestSide(planes, brush, plane)),
      );
    }
  }

  /** Cuts the drawn faces of a model along its trees and sorts them by their nodes. */
  private _placeFaces(brushes: readonly Brush[], trees: RegionTrees): PlacedFaces {
    const { planes } = this._input;
    const placed: PlacedFaces = new Map();
    for (const face of unionFaces(planes, brushes, DRAWING, this._drawing)) {
      const { sides, place } = brushes[face.brush]!;
      const side = sides[face.side]!;
      if (face.front === HIDING || !isDrawn(side)) continue;
      visitRegions(trees, face.winding, (tree, part) => {
        visitNodes(planes, tree, face.plane, part, (node, winding) => {
          listOf(placed, node).push({ face, side, winding, outlines: [winding], place });
        });
      });
    }
    return placed;
  }

  /** Puts the corners of faces into the edges of others: those of all levels together, which are one world. */
  private _fillEdges(placed: readonly PlacedFaces[]): void {
    const work = this._input.countWork();
    for (const part of [
      placed.slice(0, REGULAR_MODELS),
      ...placed.slice(REGULAR_MODELS).map((one) => [one]),
    ]) {
      const faces = part.flatMap((one) => [...one.values()].flat());
      const drawn = faces.map(({ winding, side, place }) => ({ winding, lightAxes: side.texture, place }));
      for (const [k, outlines] of fillEdges(drawn, work).entries()) faces[k]!.outlines = outlines;
    }
  }

  /** Writes trees in pairs under union nodes, which have no plane. Returns the number of the first node. */
  private _regions(regions: RegionTrees, faces: PlacedFaces, firstBrush: number): number {
    if ('tree' in regions) return this._tree(regions, faces, firstBrush);
    const { mins, maxs } = roundBox(regions.box);
    const number = this._nodes.reserve();
    const low = this._regions(regions.low, faces, firstBrush);
    const high = this._regions(regions.high, faces, firstBrush);
    this._nodes.records[number] = [-1, low, high, ...mins, ...maxs, 0, 0];
    return number;
  }

  private _tree(region: RegionTree, faces: PlacedFaces, firstBrush: number): number {
    const child = (part: Tree): number => (isLeaf(part) ? this._leaf(part, region, firstBrush) : node(part));
    const node = (part: TreeNode): number =>
      this._nodes.add(part, {
        box: overlap(part.box, region.box),
        faces: () => {
          for (const face of faces.get(part) ?? [])
            for (const outline of face.outlines) this._face(face, outline);
        },
        child,
      });
    return node(region.tree);
  }

  private _leaf(leaf: TreeLeaf, region: RegionTree, firstBrush: number): number {
    const { mins, maxs } = overlap(leaf.box, region.box);
    const first = this._leafBrushes.count;
    // In solid, brushes may end anywhere: all that reach into it are listed. Brushes that it hides are not listed at all.
    const blocked = isBlocked(leaf);
    const brushes = listedBrushes(leaf, region.brushes);
    const counted = blocked ? brushes : brushes.filter((brush) => leaf.holders.includes(brush));
    const contents = counted.reduce((bits, brush) => bits | fileContents(region.brushes[brush]!), 0);
    for (const brush of brushes) this._leafBrushes.i16(firstBrush + region.brushes[brush]!.number);
    this._leafContents.set(leaf, contents);
    const number = this._leafs.count;
    this._leafs.i32(contents).i16(0, ...mins, ...maxs, first, brushes.length, 0);
    return -1 - number;
  }

  private _face({ face: { plane }, side, place }: PlacedFace, outline: Winding): void {
    const edges = this._edges.add(outline, 0);
    if (!edges) return;
    const { nx, ny, nz } = this._input.planes;
    while (this._normals.length < 12 * this._edges.vertexCount) {
      this._normals.f32(nx[plane]!, ny[plane]!, nz[plane]!);
    }
    this._faces
      .i16(this._planeTable.number(plane & ~1), plane & 1)
      .i32(edges.first)
      .i16(edges.count, this._texInfos.number(side))
      // Lit neither by day nor at night.
      .i32(-1, -1);
    const { vertexCount: vertexes, edgeCount: edgesSoFar } = this._edges;
    checkGrowing({ faces: this._faces.count, vertexes, edges: edgesSoFar }, LIMITS, 'UFO:AI', place);
  }
}

/** Whether the game's own compiler uses a model for the map's bounds: of the clips, only light and actor clip. */
const isRouted = (model: number, faces: number): boolean =>
  model === LIGHT_CLIP || model === ACTOR_CLIP || (model < REGULAR_MODELS && faces > 0);

function overlap(a: Box, b: Box): Box {
  const max = (k: 0 | 1 | 2): number => Math.max(a.mins[k], b.mins[k]);
  const min = (k: 0 | 1 | 2): number => Math.max(Math.min(a.maxs[k], b.maxs[k]), max(k));
  return roundBox({ mins: [max(0), max(1), max(2)], maxs: [min(0), min(1), min(2)] });
}

function* allTrees(regions: RegionTrees): Generator<Tree> {
  if ('tree' in regions) {
    yield regions.tree;
    return;
  }
  yield* allTrees(regions.low);
  yield* allTrees(regions.high);
}

/** Visits the trees that a face is in, each with its part of the face. */
function visitRegions(
  regions: RegionTrees,
  winding: Winding,
  visit: (tree: TreeNode, winding: Winding) => void,
): void {
  if ('tree' in regions) {
    visit(regions.tree, winding);
    return;
  }
  const axis = regions.low.box.maxs[0] <= regions.high.box.mins[0] + 0.01 ? 0 : 1;
  const at = (regions.low.box.maxs[axis] + regions.high.box.mins[axis]) / 2;
  const cut = cutWinding(winding, axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, 0, at);
  // A face between two regions is at the end of one of them.
  if (!cut.front && !cut.back) visitRegions(regions.low, winding, visit);
  if (cut.back) visitRegions(regions.low, cut.back, visit);
  if (cut.front) visitRegions(regions.high, cut.front, visit);
}
