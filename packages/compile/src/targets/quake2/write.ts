import { reverseWinding, type Winding } from '@bspkit/geometry';
import { AREA_PORTAL, type Areas } from '../../areas.ts';
import { sidePlanes } from '../../bevels.ts';
import { roundBox } from '../../box.ts';
import { type Brush, boundsOf } from '../../brushes.ts';
import { type Face, unionFaces } from '../../csg.ts';
import { EdgeTable } from '../../edges.ts';
import type { SourcePlace } from '../../error.ts';
import { SURFACE } from '../../flags.ts';
import { addOnce, listOf } from '../../lists.ts';
import { entitiesText } from '../../models.ts';
import { cutAndFill, cutFace, type NodePiece } from '../../node-pieces.ts';
import { type NodeFace, NodeTable } from '../../node-table.ts';
import { openLeafs } from '../../open-leafs.ts';
import { nearestSide, PlaneTable } from '../../plane-table.ts';
import { SideSquares } from '../../side-squares.ts';
import { checkPieces, type LitFace } from '../../subdivide.ts';
import {
  checkGrowing,
  checkLimits,
  type WriterInput,
  type WriterOutput,
  warnOfModels,
} from '../../target.ts';
import { TexInfoTable } from '../../tex-infos.ts';
import { isDrawn } from '../../texture.ts';
import { isLeaf, type Tree, type TreeLeaf, type TreeNode } from '../../tree.ts';
import { checkDepth, countTrees } from '../../tree-counts.ts';
import { seenSide, visitNodes } from '../../tree-walk.ts';
import type { WorkCounts } from '../../work.ts';
import { LumpWriter, writeFile } from '../../writer.ts';
import { FILE_SURFACE } from './flags.ts';
import { DRAWING, fileContents, isClip, isLiquid, isSolid } from './kinds.ts';

/** A model with its tree. */
export interface Quake2Model {
  readonly brushes: readonly Brush[];
  readonly tree: Tree;
  /** The faces that are drawn, if they are known. */
  readonly drawn: readonly Face[] | undefined;
  /** Whether a leaf is solid, by brushes or because it is outside the map. */
  readonly isFilled: (leaf: TreeLeaf) => boolean;
  /** For the world only. */
  readonly areas: Areas | undefined;
}

/** What the engine accepts of IBSP; it needs some room for the box of entities after the map's own. */
export const NARROW_LIMITS = {
  models: 1024,
  brushes: 8191,
  sides: 65530,
  planes: 32767,
  nodes: 65530,
  leafs: 65536,
  leafBrushes: 65535,
  leafFaces: 65535,
  faces: 65535,
  texInfos: 8192,
  vertexes: 65535,
  edges: 65535,
  areas: 256,
  areaPortals: 256,
  // The zero at their end included; yquake2 adds another one, so it takes one byte less than the original.
  'bytes of entities': 262_143,
} as const;

/** What engines accept of QBSP. */
export const WIDE_LIMITS: Readonly<Record<keyof typeof NARROW_LIMITS, number>> = {
  models: 131_072,
  brushes: 1_048_576,
  sides: 4_194_304,
  planes: 1_048_576,
  nodes: 1_048_576,
  leafs: 1_048_576,
  leafBrushes: 1_048_576,
  leafFaces: 1_048_576,
  faces: 1_048_576,
  texInfos: 1_048_576,
  vertexes: 4_194_304,
  edges: 1_048_576,
  areas: 256,
  areaPortals: 1024,
  'bytes of entities': 13_631_487,
};

/** Whether IBSP can hold a map. */
export const fitsNarrow = (counts: Readonly<Record<string, number>>): boolean =>
  Object.entries(NARROW_LIMITS).every(([name, limit]) => (counts[name] ?? 0) <= limit);

/** Models in the engine's table, whose number 0 is none; readers of files hold more. */
const MOST_MODELS = 255;

export const NARROW = 'IBSP version 38';
export const WIDE = 'QBSP';

/** The most squares of brushes' numbers of sides, in all or per side of a larger map; our readers accept no more. */
export const MOST_SQUARES = 6_000_000;
export const SQUARES_OF_SIDE = 32;

/** The most nodes on a way down; our readers accept no more. */
const MOST_DEPTH = 1024;

/** The visible faces of a model, by their nodes. */
interface PlacedFaces {
  readonly faces: Map<TreeNode, NodeFace[]>;
  /** Those that are lit; parts of them may still look outside. */
  readonly lit: readonly LitFace[];
}

/** Writes IBSP version 38, or with `wide` records QBSP. */
export class Quake2Writer {
  private readonly _input: WriterInput;
  private readonly _models: readonly Quake2Model[];
  private readonly _planeTable: PlaneTable;
  private readonly _wide: boolean;
  private readonly _edges: EdgeTable;
  private readonly _nodes: NodeTable;
  private readonly _texInfos: TexInfoTable;
  private readonly _faces: LumpWriter;
  private readonly _leafs: LumpWriter;
  private readonly _leafFaces: LumpWriter;
  private readonly _leafBrushes: LumpWriter;
  private readonly _modelLump = new LumpWriter();
  private readonly _brushes = new LumpWriter(12);
  private readonly _sides: LumpWriter;
  /** Counts corners that are put into edges; absent if none are. */
  private readonly _work: WorkCounts | undefined;
  private readonly _squares = new SideSquares(MOST_SQUARES, 'Quake 2', SQUARES_OF_SIDE);

  constructor(input: WriterInput, models: readonly Quake2Model[], wide: boolean) {
    this._input = input;
    this._models = models;
    this._wide = wide;
    this._work = input.tjunc ? input.countWork() : undefined;
    this._edges = new EdgeTable(wide);
    this._faces = new LumpWriter(wide ? 28 : 20);
    this._leafs = new LumpWriter(wide ? 52 : 28);
    this._leafFaces = new LumpWriter(wide ? 4 : 2);
    this._leafBrushes = new LumpWriter(wide ? 4 : 2);
    this._sides = new LumpWriter(wide ? 8 : 4);
    this._planeTable = new PlaneTable(input.planes, { typed: true, pairs: true });
    this._nodes = new NodeTable(this._planeTable, () => this._faces.count);
    this._texInfos = new TexInfoTable(input, FILE_SURFACE, true);
  }

  write(): WriterOutput {
    // First, as nodes are written one below the other: thousands would be more than the stack holds.
    const tree = countTrees(this._models.map(({ tree }) => tree));
    checkDepth(tree.depth, MOST_DEPTH, 'Quake 2');
    const entities = new LumpWriter().text(this._entities());
    this._check({ 'bytes of entities': entities.length });
    // Leaf 0 is solid, leaf 1 is nothing: the engine expects both.
    const nowhere = [0, 0, 0, 0, 0, 0];
    this._leafRecord(1, [-1, 0], nowhere, [0, 0, 0, 0]);
    this._leafRecord(0, [-1, 0], nowhere, [0, 0, 0, 0]);
    const work = this._input.countWork();
    const placed = this._models.map((model) => this._placeFaces(model, work));
    checkPieces(placed.flatMap(({ lit }) => lit));
    for (const [k, model] of this._models.entries()) this._model(model, placed[k]!.faces);
    this._edges.close();
    // Readers need a texture, although clip brushes have none.
    if (this._texInfos.size === 0) {
      const [brush] = this._models.flatMap(({ brushes }) => brushes);
      this._texInfos.number(brush!.sides[0]!);
    }
    const nodes = new LumpWriter();
    for (const [plane, front, back, ...rest] of this._nodes.records) {
      nodes.i32(plane!, front!, back!);
      this._bounds(nodes, rest.slice(0, 6));
      this._numbers(nodes, rest.slice(6));
    }
    const { areas, areaPortals } = writeAreas(this._models[0]!.areas!);
    const counts = {
      planes: this._planeTable.size,
      vertexes: this._edges.vertexCount,
      nodes: this._nodes.records.length,
      texInfos: this._texInfos.size,
      faces: this._faces.count,
      leafs: this._leafs.count,
      leafFaces: this._leafFaces.count,
      leafBrushes: this._leafBrushes.count,
      edges: this._edges.edgeCount,
      surfEdges: this._edges.surfEdges.count,
      models: this._models.length,
      brushes: this._brushes.count,
      sides: this._sides.count,
      areas: areas.count,
      areaPortals: areaPortals.count,
    };
    checkLimits(counts, this._wide ? WIDE_LIMITS : NARROW_LIMITS, this._wide ? WIDE : NARROW);
    if (!this._wide) warnOfModels(this._input, counts.models, MOST_MODELS);
    const none = new LumpWriter();
    const bytes = writeFile(new LumpWriter().text(this._wide ? 'QBSP' : 'IBSP').i32(38), [
      entities,
      this._planeTable.lump,
      this._edges.vertexes,
      // One cluster that sees and hears itself.
      new LumpWriter().i32(1, 12, 12).u8(1),
      nodes,
      this._texInfos.lump,
      this._faces,
      none,
      this._leafs,
      this._leafFaces,
      this._leafBrushes,
      this._edges.edges,
      this._edges.surfEdges,
      this._modelLump,
      this._brushes,
      this._sides,
      none,
      areas,
      areaPortals,
    ]);
    return { bytes, counts, tree, brushes: this._models.flatMap(({ brushes }) => brushes) };
  }

  /** The entities' text, in which area portals have their numbers. */
  private _entities(): string {
    const { entities, sources } = this._input.models;
    const { portals } = this._models[0]!.areas!;
    const styles = new Map(portals.map(({ number, place }) => [place.entity, String(number)]));
    const numbered = entities.map((entity, k) => {
      const number = k === 0 ? undefined : styles.get(sources[k]!.entity);
      if (number !== undefined) return { ...entity, style: number };
      if (entity.classname !== AREA_PORTAL) return entity;
      // The style of one that divides nothing may be the number of another: doors would open that.
      const { style, ...rest } = entity;
      return rest;
    });
    return entitiesText(numbered);
  }

  private _model(model: Quake2Model, faces: PlacedFaces['faces']): void {
    const { brushes, tree } = model;
    const firstBrush = this._brushes.count;
    const firstFace = this._faces.count;
    for (const brush of brushes) this._brush(brush);
    const head = this._tree(model, tree as TreeNode, firstBrush, faces);
    const { mins, maxs } = boundsOf(brushes);
    this._modelLump.f32(...mins, ...maxs, 0, 0, 0).i32(head, firstFace, this._faces.count - firstFace);
  }

  private _brush(brush: Brush): void {
    const { planes } = this._input;
    const all = sidePlanes(planes, brush);
    this._squares.add(all.length, brush.place);
    this._brushes.i32(this._sides.count, all.length, fileContents(brush));
    for (const plane of all) {
      const texInfo = isClip(brush) ? -1 : this._texInfos.number(nearestSide(planes, brush, plane));
      this._numbers(this._sides, [this._planeTable.number(plane), texInfo]);
    }
  }

  /** Writes nodes, leafs and faces. Returns the number of the first node. */
  private _tree(model: Quake2Model, tree: TreeNode, firstBrush: number, faces: PlacedFaces['faces']): number {
    const marks = new Map<TreeLeaf, number[]>();
    const pieces = this._work && cutAndFill(faces, this._work);
    // Written when the marks of all are known.
    const leafs: TreeLeaf[] = [];
    const firstLeaf = this._leafs.count;
    const child = (part: Tree): number => (isLeaf(part) ? -(firstLeaf + leafs.push(part)) : node(part));
    const node = (part: TreeNode): number =>
      this._nodes.add(part, {
        box: roundBox(part.box),
        faces: () => {
          for (const face of faces.get(part) ?? [])
            for (const piece of pieces?.get(face) ?? cutFace(face)) this._piece(model, part, piece, marks);
        },
        child,
      });
    const head = node(tree);
    for (const leaf of leafs) this._leaf(model, leaf, firstBrush, marks.get(leaf) ?? []);
    return head;
  }

  /** Cuts the drawn faces along the tree and sorts them by their nodes. */
  private _placeFaces(model: Quake2Model, work: WorkCounts): PlacedFaces {
    const { brushes, tree, drawn } = model;
    const { planes } = this._input;
    const faces: PlacedFaces['faces'] = new Map();
    const lit: LitFace[] = [];
    const all = drawn ?? unionFaces(planes, brushes, DRAWING, work);
    for (const { plane, winding, brush, side: number, back, front } of all) {
      const { sides, place } = brushes[brush]!;
      const side = sides[number]!;
      if (front === DRAWING.solid || !isDrawn(side)) continue;
      // By the flag, as the engine: it lights the surface of water that is not said to move.
      const isLit = (side.surface & SURFACE.warp) === 0;
      const put = (plane: number, whole: Winding): void =>
        visitNodes(planes, tree, plane, whole, (node, winding) => {
          // What looks outside is not drawn.
          if (this._seenFrom(model, node, { plane, winding }).length === 0) return;
          listOf(faces, node).push({ plane, winding, side, kind: back, isLit, place });
          if (isLit) lit.push({ winding, side, place });
        });
      put(plane, winding);
      // The surface of a liquid is also seen from inside.
      if (isLiquid(back)) put(plane ^ 1, reverseWinding(winding));
    }
    return { faces, lit };
  }

  private _piece(model: Quake2Model, node: TreeNode, piece: NodePiece, marks: Map<TreeLeaf, number[]>): void {
    const seen = this._seenFrom(model, node, piece);
    // A piece of a visible face may still look outside.
    if (seen.length === 0) return;
    for (const outline of piece.outlines) this._face(piece, outline, seen, marks);
  }

  /** The leafs from which a face on a node is seen: not those outside the map. */
  private _seenFrom(
    { tree, isFilled }: Quake2Model,
    node: TreeNode,
    face: Pick<NodeFace, 'plane' | 'winding'>,
  ): TreeLeaf[] {
    const { planes } = this._input;
    const open = openLeafs(planes, tree, seenSide(planes, node, face.plane), face, (leaf) => !isSolid(leaf));
    return [...open].filter((leaf) => !isFilled(leaf));
  }

  private _face(
    { plane, side, kind, place }: NodePiece,
    outline: Winding,
    seen: readonly TreeLeaf[],
    marks: Map<TreeLeaf, number[]>,
  ): void {
    const edges = this._edges.add(outline, kind);
    if (!edges) return;
    const number = this._faces.count;
    this._numbers(this._faces, [this._planeTable.number(plane & ~1), plane & 1]);
    this._faces.i32(edges.first);
    this._numbers(this._faces, [edges.count, this._texInfos.number(side)]);
    this._faces
      // Without light: the engine shows such faces at full brightness.
      .u8(0, 255, 255, 255)
      .i32(-1);
    for (const leaf of seen) addOnce(marks, leaf, number);
    const { vertexCount: vertexes, edgeCount: edgesSoFar } = this._edges;
    this._check({ faces: this._faces.count, vertexes, edges: edgesSoFar }, place);
  }

  private _leaf(
    { brushes, isFilled, areas }: Quake2Model,
    leaf: TreeLeaf,
    firstBrush: number,
    marks: readonly number[],
  ): void {
    const filled = isFilled(leaf);
    const { mins, maxs } = roundBox(leaf.box);
    // Clips do not divide leafs, so they are listed wherever they reach. In solid, nothing else matters.
    const counted = leaf.brushes.filter((brush) => leaf.holders.includes(brush) || isClip(brushes[brush]!));
    const contents = filled ? 1 : counted.reduce((bits, brush) => bits | fileContents(brushes[brush]!), 0);
    const isInWorld = areas !== undefined && !filled;
    this._leafRecord(
      contents,
      [isInWorld ? 0 : -1, isInWorld ? areas.of(leaf) : 0],
      [...mins, ...maxs],
      [this._leafFaces.count, marks.length, this._leafBrushes.count, leaf.brushes.length],
    );
    for (const mark of marks) this._numbers(this._leafFaces, [mark]);
    for (const brush of leaf.brushes) this._numbers(this._leafBrushes, [firstBrush + brush]);
    this._check({
      nodes: this._nodes.records.length,
      leafs: this._leafs.count,
      leafFaces: this._leafFaces.count,
      leafBrushes: this._leafBrushes.count,
    });
  }

  /** Throws `CompileError` (`limit`) for a count that is too great. */
  private _check(counts: Readonly<Record<string, number>>, place?: SourcePlace): void {
    checkGrowing(counts, this._wide ? WIDE_LIMITS : NARROW_LIMITS, this._wide ? WIDE : NARROW, place);
  }

  private _leafRecord(
    contents: number,
    place: readonly number[],
    bounds: readonly number[],
    lists: readonly number[],
  ): void {
    this._leafs.i32(contents);
    this._numbers(this._leafs, place);
    this._bounds(this._leafs, bounds);
    this._numbers(this._leafs, lists);
  }

  /** Writes numbers of 16 bits, or of 32 in a wide file. */
  private _numbers(lump: LumpWriter, values: readonly number[]): void {
    if (this._wide) lump.i32(...values);
    else lump.i16(...values);
  }

  /** Writes whole numbers, or floats in a wide file. Trees reach a little farther than brushes, and so than 16 bits. */
  private _bounds(lump: LumpWriter, values: readonly number[]): void {
    if (this._wide) lump.f32(...values);
    else lump.i16(...values.map((x) => Math.max(-0x8000, Math.min(x, 0x7fff))));
  }
}

/** Areas from 0, which is that of solid leafs, and portals from 1: each is in the lists of both its areas. */
function writeAreas({ count, portals }: Areas): { areas: LumpWriter; areaPortals: LumpWriter } {
  const areas = new LumpWriter(8);
  const areaPortals = new LumpWriter(8).i32(0, 0);
  for (let area = 0; area < count; area++) {
    const own = portals.filter((portal) => portal.areas.includes(area));
    areas.i32(own.length, areaPortals.count);
    for (const {
      number,
      areas: [one, other],
    } of own)
      areaPortals.i32(number, one === area ? other : one);
  }
  return { areas, areaPortals };
}
