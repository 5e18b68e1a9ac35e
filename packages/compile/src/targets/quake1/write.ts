import { reverseWinding, type Winding } from '@bspkit/geometry';
import { type Box, roundBox } from '../../box.ts';
import type { Brush } from '../../brushes.ts';
import type { Face } from '../../csg.ts';
import { EdgeTable } from '../../edges.ts';
import type { SourcePlace } from '../../error.ts';
import { addOnce, listOf } from '../../lists.ts';
import { cutAndFill, cutFace, type NodePiece } from '../../node-pieces.ts';
import { type NodeFace, NodeTable } from '../../node-table.ts';
import { openLeafs } from '../../open-leafs.ts';
import { PlaneTable } from '../../plane-table.ts';
import type { PlaneSet } from '../../planes.ts';
import type { LitFace } from '../../subdivide.ts';
import {
  checkGrowing,
  checkLimits,
  type WriterInput,
  type WriterOutput,
  warnOfModels,
} from '../../target.ts';
import { isDrawn } from '../../texture.ts';
import { isLeaf, type Tree, type TreeLeaf, type TreeNode } from '../../tree.ts';
import { checkDepth, countTrees } from '../../tree-counts.ts';
import { seenSide, visitNodes } from '../../tree-walk.ts';
import type { WorkCounts } from '../../work.ts';
import { LumpWriter, writeFile } from '../../writer.ts';
import { CONTENTS_OF, EMPTY, SKY, SOLID } from './flags.ts';
import { type ClipHull, type Hull, type HullModel, uniformity } from './hull.ts';
import { TextureTable } from './textures.ts';

/**
 * What versions 29 and 30 can hold. Most numbers have 16 bits, and the engine reads those of mark surfaces with a sign. Half of a child's
 * numbers are leafs, or contents. The engine's buffers for visibility have room for so many leafs of the world.
 */
export const NARROW_LIMITS = {
  planes: 0x7fff,
  nodes: 0x7fff,
  clipNodes: 0x7fff,
  leafs: 0x7fff,
  visibleLeafs: 8192,
  vertexes: 0xffff,
  faces: 0x7fff,
  markSurfaces: 0x7fff,
  texInfos: 0x7fff,
} as const;

/** What files are written as. */
export type Version = 29 | 30 | 'BSP2';

/** Models in the tables of Quake and Half-Life, whose number 0 is none; engines that read BSP2 have more. */
const MOST_MODELS: Readonly<Partial<Record<Version, number>>> = { 29: 255, 30: 511 };

/** The most nodes on a way down a hull; our readers accept no more. */
const MOST_DEPTH = 2048;

/** Clip nodes that models need. */
export function countClipNodes(models: readonly HullModel[]): number {
  // Even a hull of a single class has one node.
  const count = ({ nodes }: ClipHull): number => Math.max(nodes.length / 3, 1);
  return models.flatMap(({ clips }) => clips).reduce((sum, clip) => sum + count(clip), 0);
}

/** Whether a face is the surface of a liquid, seen from inside and outside. */
const isSurface = ({ front, back }: Face): boolean => back > EMPTY && back < SKY && front !== SOLID;

/** Whether a face is drawn; the face of a liquid is also drawn from behind. */
const isSeen = ({ front, back }: Face): boolean => front !== SOLID && front < back;

/** The drawn faces of all models that are lit, whole. */
export const litFaces = (models: readonly HullModel[]): LitFace[] =>
  models.flatMap(({ drawn, brushes }) =>
    drawn.faces.flatMap((face): LitFace[] => {
      const { sides, place } = brushes[face.brush]!;
      const side = sides[face.side]!;
      if (face.back !== SOLID || !isSeen(face) || !isDrawn(side)) return [];
      return [{ winding: face.winding, side, place }];
    }),
  );

/** Writes hulls as a file; the records of BSP2 are wider. */
export class Quake1Writer {
  private readonly _input: WriterInput;
  private readonly _planes: PlaneSet;
  private readonly _models: readonly HullModel[];
  private readonly _text: string;
  private readonly _version: Version;
  private readonly _wide: boolean;
  private readonly _planeTable: PlaneTable;
  private readonly _textures: TextureTable;
  private readonly _edges: EdgeTable;
  private readonly _nodes: NodeTable;
  private readonly _clipNodes: LumpWriter;
  /** Counts corners that are put into edges; absent if none are. */
  private readonly _work: WorkCounts | undefined;
  private readonly _faces = new LumpWriter();
  private readonly _leafs = new LumpWriter();
  private readonly _marks = new LumpWriter();
  private readonly _modelLump = new LumpWriter();
  private _leafCount = 0;
  private _visibleLeafs = 0;
  private _faceCount = 0;

  constructor(input: WriterInput, models: readonly HullModel[], text: string, version: Version) {
    const wide = version === 'BSP2';
    this._input = input;
    this._planes = input.planes;
    this._work = input.tjunc ? input.countWork() : undefined;
    this._textures = new TextureTable(input, version === 30);
    this._models = models;
    this._text = text;
    this._version = version;
    this._wide = wide;
    this._planeTable = new PlaneTable(input.planes, { typed: true, pairs: false });
    this._nodes = new NodeTable(this._planeTable, () => this._faceCount);
    this._edges = new EdgeTable(wide);
    this._clipNodes = new LumpWriter(wide ? 12 : 8);
  }

  write(): WriterOutput {
    // All solid space shares leaf 0.
    this._leaf(CONTENTS_OF[SOLID]!, { mins: [0, 0, 0], maxs: [0, 0, 0] }, []);
    for (const { drawn, clips } of this._models) {
      const depths = [countTrees([drawn.tree]).depth, ...clips.map(({ depth }) => depth)];
      checkDepth(Math.max(...depths), MOST_DEPTH, this._input.game);
    }
    for (const model of this._models) this._model(model);
    this._edges.close();
    const nodes = new LumpWriter();
    for (const [plane, front, back, ...rest] of this._nodes.records) {
      nodes.i32(plane!);
      this._small(nodes, front!, back!);
      this._bounds(nodes, rest.slice(0, 3), rest.slice(3, 6));
      this._small(nodes, rest[6]!, rest[7]!);
    }
    const counts = {
      planes: this._planeTable.size,
      textures: this._textures.textureCount,
      vertexes: this._edges.vertexCount,
      nodes: this._nodes.records.length,
      texInfos: this._textures.size,
      faces: this._faceCount,
      clipNodes: this._clipNodes.count,
      leafs: this._leafCount,
      visibleLeafs: this._visibleLeafs,
      markSurfaces: this._marks.length / (this._wide ? 4 : 2),
      edges: this._edges.edgeCount,
      surfEdges: this._edges.surfEdges.count,
      models: this._models.length,
    };
    const version = this._version;
    if (!this._wide) checkLimits(counts, NARROW_LIMITS, `BSP version ${version}`);
    warnOfModels(this._input, counts.models, MOST_MODELS[version] ?? Number.POSITIVE_INFINITY);
    const none = new LumpWriter();
    const head = version === 'BSP2' ? new LumpWriter().text(version) : new LumpWriter().i32(version);
    const bytes = writeFile(head, [
      new LumpWriter().text(this._text),
      this._planeTable.lump,
      this._textures.lump(),
      this._edges.vertexes,
      none,
      nodes,
      this._textures.infos,
      this._faces,
      none,
      this._clipNodes,
      this._leafs,
      this._marks,
      this._edges.edges,
      this._edges.surfEdges,
      this._modelLump,
    ]);
    return { bytes, counts, tree: countTrees([this._models[0]!.drawn.tree]), brushes: [] };
  }

  private _model({ drawn, clips, brushes, box }: HullModel): void {
    const firstFace = this._faceCount;
    const firstLeaf = this._leafCount;
    const isWorld = this._modelLump.length === 0;
    const heads = [this._drawnHull(drawn, brushes), ...clips.map((clip) => this._clipHull(clip))];
    // A hull that was not requested stops nothing.
    const hullsOfGame = this._version === 30 ? 4 : 3;
    while (heads.length < hullsOfGame) heads.push(this._clipNode(0, -1, -1));
    const { mins, maxs } = roundBox(box);
    if (isWorld) this._visibleLeafs = this._leafCount - firstLeaf;
    this._modelLump
      // The engine widens them by 1 as it loads them.
      .f32(...mins.map((x) => x + 1), ...maxs.map((x) => x - 1), 0, 0, 0)
      .i32(heads[0]!, heads[1]!, heads[2]!, heads[3] ?? 0)
      .i32(isWorld ? this._visibleLeafs : 0)
      .i32(firstFace, this._faceCount - firstFace);
  }

  /** Writes nodes, leafs and faces. Returns the number of the first node. */
  private _drawnHull(hull: Hull, brushes: readonly Brush[]): number {
    const classOf = uniformity(hull);
    const isSolid = (part: Tree): boolean => classOf(part) === SOLID;
    const faces = this._placeFaces(hull, brushes, isSolid);
    const pieces = this._work && cutAndFill(faces, this._work);
    const marks = new Map<TreeLeaf, number[]>();
    // Written when the marks of all are known.
    const leafs: TreeLeaf[] = [];
    const firstLeaf = this._leafCount;
    const child = (part: Tree): number => {
      if (isSolid(part)) return -1;
      return isLeaf(part) ? -(firstLeaf + leafs.push(part)) : node(part);
    };
    const node = (part: TreeNode): number =>
      this._nodes.add(part, {
        box: roundBox(part.box),
        faces: () => {
          for (const face of faces.get(part) ?? [])
            for (const piece of pieces?.get(face) ?? cutFace(face)) this._piece(part, piece, hull, marks);
        },
        child,
      });
    const head = isLeaf(hull.tree) ? this._onlyNode(hull.tree, child(hull.tree)) : node(hull.tree);
    for (const leaf of leafs)
      this._leaf(CONTENTS_OF[hull.classes.get(leaf)!]!, roundBox(leaf.box), marks.get(leaf) ?? []);
    return head;
  }

  /** Writes a node for a tree of one leaf, which is on both sides of it. Returns its number. */
  private _onlyNode({ box }: TreeLeaf, leaf: number): number {
    const { mins, maxs } = roundBox(box);
    const number = this._nodes.reserve();
    this._nodes.records[number] = [this._planeTable.number(0), leaf, leaf, ...mins, ...maxs, 0, 0];
    return number;
  }

  /** Cuts the drawn faces along the tree and sorts them by their nodes: those that are written, as a solid part has none. */
  private _placeFaces(
    hull: Hull,
    brushes: readonly Brush[],
    isSolid: (part: Tree) => boolean,
  ): Map<TreeNode, NodeFace[]> {
    const placed = new Map<TreeNode, NodeFace[]>();
    const put = (face: Face, plane: number, whole: Winding): void => {
      const { sides, place } = brushes[face.brush]!;
      const side = sides[face.side]!;
      const kind = face.back;
      const visit = (node: TreeNode, winding: Winding): void => {
        listOf(placed, node).push({ plane, winding, side, kind, isLit: kind === SOLID, place });
        // Numbered in the order of the faces, not of the nodes.
        this._textures.number(side, kind);
      };
      visitNodes(this._planes, hull.tree, plane, whole, visit, isSolid);
    };
    for (const face of hull.faces) {
      if (!isDrawn(brushes[face.brush]!.sides[face.side]!)) continue;
      if (isSeen(face)) put(face, face.plane, face.winding);
      if (isSurface(face)) put(face, face.plane ^ 1, reverseWinding(face.winding));
    }
    return placed;
  }

  private _piece(node: TreeNode, piece: NodePiece, hull: Hull, marks: Map<TreeLeaf, number[]>): void {
    for (const outline of piece.outlines) this._face(node, piece, outline, hull, marks);
  }

  private _face(
    node: TreeNode,
    face: NodeFace,
    outline: Winding,
    hull: Hull,
    marks: Map<TreeLeaf, number[]>,
  ): void {
    const edges = this._edges.add(outline, face.kind);
    if (!edges) return;
    const texInfo = this._textures.number(face.side, face.kind);
    const number = this._faceCount++;
    this._check({ faces: this._faceCount, vertexes: this._edges.vertexCount }, face.place);
    const plane = this._planeTable.number(face.plane);
    if (this._wide) {
      this._faces.i32(plane, face.plane & 1, edges.first, edges.count, texInfo);
    } else {
      this._faces
        .i16(plane, face.plane & 1)
        .i32(edges.first)
        .i16(edges.count, texInfo);
    }
    // Without light: the engine shows such faces at full brightness.
    this._faces.u8(0, 255, 255, 255).i32(-1);
    const from = seenSide(this._planes, node, face.plane);
    const isOpen = (leaf: TreeLeaf): boolean => hull.classes.get(leaf) !== SOLID;
    for (const leaf of openLeafs(this._planes, hull.tree, from, face, isOpen)) addOnce(marks, leaf, number);
  }

  private _leaf(contents: number, { mins, maxs }: Box, marks: readonly number[]): void {
    const firstMark = this._marks.length / (this._wide ? 4 : 2);
    this._leafs.i32(contents, contents === CONTENTS_OF[SOLID] ? 0 : -1);
    this._bounds(this._leafs, mins, maxs);
    this._small(this._leafs, firstMark, marks.length);
    this._leafs.u8(0, 0, 0, 0);
    // One by one: there may be more of them than a call can have arguments.
    for (const mark of marks) this._small(this._marks, mark);
    this._leafCount++;
    this._check({
      leafs: this._leafCount,
      nodes: this._nodes.records.length,
      markSurfaces: this._marks.length / (this._wide ? 4 : 2),
    });
  }

  /** Throws `CompileError` (`limit`) for a count that is too great for a narrow file. */
  private _check(counts: Readonly<Record<string, number>>, place?: SourcePlace): void {
    if (!this._wide) checkGrowing(counts, NARROW_LIMITS, `BSP version ${this._version}`, place);
  }

  /** Writes clip nodes. Returns the number of the first. */
  private _clipHull({ nodes, only }: ClipHull): number {
    if (only !== undefined) return this._clipNode(0, CONTENTS_OF[only]!, CONTENTS_OF[only]!);
    const first = this._clipNodes.count;
    const child = (part: number): number => (part < 0 ? CONTENTS_OF[-1 - part]! : first + part);
    for (let at = 0; at < nodes.length; at += 3) {
      this._clipNode(nodes[at]!, child(nodes[at + 1]!), child(nodes[at + 2]!));
    }
    return first;
  }

  private _clipNode(plane: number, front: number, back: number): number {
    const number = this._clipNodes.count;
    this._clipNodes.i32(this._planeTable.number(plane));
    this._small(this._clipNodes, front, back);
    return number;
  }

  /** Numbers of 16 bits, or 32 in a wide file. */
  private _small(lump: LumpWriter, ...values: number[]): void {
    if (this._wide) lump.i32(...values);
    else lump.i16(...values);
  }

  private _bounds(lump: LumpWriter, mins: readonly number[], maxs: readonly number[]): void {
    if (this._wide) lump.f32(...mins, ...maxs);
    else lump.i16(...mins, ...maxs);
  }
}
