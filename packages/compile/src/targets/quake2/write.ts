import { reverseWinding, type Winding } from '@bspkit/geometry';
import { axialPlanes, edgeBevels } from '../../bevels.ts';
import { roundBox } from '../../box.ts';
import { type Brush, boundsOf, type Side } from '../../brushes.ts';
import { splitCorners } from '../../corners.ts';
import { unionFaces } from '../../csg.ts';
import { EdgeTable } from '../../edges.ts';
import { surfaceToFile } from '../../flags.ts';
import { entitiesText } from '../../models.ts';
import { nearestSide, PlaneTable } from '../../plane-table.ts';
import { subdivide } from '../../subdivide.ts';
import { checkLimits, fitName, type WriterInput, type WriterOutput } from '../../target.ts';
import { isDrawn } from '../../texture.ts';
import { isLeaf, type Tree, type TreeLeaf, type TreeNode } from '../../tree.ts';
import { countTrees } from '../../tree-counts.ts';
import { visitLeafs, visitNodes } from '../../tree-walk.ts';
import { LumpWriter, writeFile } from '../../writer.ts';
import type { Areas } from './areas.ts';
import { FILE_SURFACE } from './flags.ts';
import { DRAWING, fileContents, isClip, isLiquid } from './kinds.ts';

/** A model with its tree. */
export interface Quake2Model {
  readonly brushes: readonly Brush[];
  readonly tree: Tree;
  /** Whether a leaf is solid, by brushes or because it is outside the map. */
  readonly isFilled: (leaf: TreeLeaf) => boolean;
  /** Of the world alone. */
  readonly areas: Areas | undefined;
}

/** What the engine takes; it needs some room for the box of entities behind the map's own. */
const LIMITS = {
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
} as const;

/** Most corners of a liquid or sky face: the engine subdivides these to animate them and takes no more. */
const CORNERS = 60;

interface NodeFace {
  /** Looks out of the front of this plane. */
  readonly plane: number;
  readonly winding: Winding;
  readonly texInfo: number;
  readonly kind: number;
}

/** Writes IBSP version 38. */
export class Quake2Writer {
  private readonly _input: WriterInput;
  private readonly _models: readonly Quake2Model[];
  private readonly _planeTable: PlaneTable;
  private readonly _edges = new EdgeTable(false);
  private readonly _nodes: (readonly number[])[] = [];
  private readonly _texInfos = new LumpWriter();
  private readonly _texInfoNumbers = new Map<string, number>();
  private readonly _faces = new LumpWriter();
  private readonly _leafs = new LumpWriter();
  private readonly _leafFaces = new LumpWriter();
  private readonly _leafBrushes = new LumpWriter();
  private readonly _modelLump = new LumpWriter();
  private readonly _brushes = new LumpWriter();
  private readonly _sides = new LumpWriter();

  constructor(input: WriterInput, models: readonly Quake2Model[]) {
    this._input = input;
    this._models = models;
    this._planeTable = new PlaneTable(input.planes, { typed: true, pairs: true });
  }

  write(): WriterOutput {
    // Leaf 0 stands for solid, leaf 1 for nothing: the engine looks for both.
    this._leafs.i32(1).i16(-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    this._leafs.i32(0).i16(-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (const model of this._models) this._model(model);
    this._edges.close();
    // Readers want a texture, though clip brushes have none.
    if (this._texInfoNumbers.size === 0) {
      const [brush] = this._models.flatMap(({ brushes }) => brushes);
      this._texInfo(brush!.sides[0]!);
    }
    const nodes = new LumpWriter();
    for (const [plane, front, back, ...rest] of this._nodes) nodes.i32(plane!, front!, back!).i16(...rest);
    const { areas, areaPortals } = writeAreas(this._models[0]!.areas!);
    const counts = {
      planes: this._planeTable.size,
      vertexes: this._edges.vertexCount,
      nodes: this._nodes.length,
      texInfos: this._texInfoNumbers.size,
      faces: this._faces.length / 20,
      leafs: this._leafs.length / 28,
      leafFaces: this._leafFaces.length / 2,
      leafBrushes: this._leafBrushes.length / 2,
      edges: this._edges.edgeCount,
      surfEdges: this._edges.surfEdges.length / 4,
      models: this._models.length,
      brushes: this._brushes.length / 12,
      sides: this._sides.length / 4,
      areas: areas.length / 8,
      areaPortals: areaPortals.length / 8,
    };
    checkLimits(counts, LIMITS, 'Quake 2');
    const none = new LumpWriter();
    const bytes = writeFile(new LumpWriter().text('IBSP').i32(38), [
      new LumpWriter().text(this._entities()),
      this._planeTable.lump,
      this._edges.vertexes,
      // One cluster that sees and hears itself.
      new LumpWriter().i32(1, 12, 12).u8(1),
      nodes,
      this._texInfos,
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
    return { bytes, counts, tree: countTrees(this._models.map(({ tree }) => tree)) };
  }

  /** The entities' text, where area portals have their numbers. */
  private _entities(): string {
    const { entities, sources } = this._input.models;
    const { portals } = this._models[0]!.areas!;
    const styles = new Map(portals.map(({ number, place }) => [place.entity, String(number)]));
    const numbered = entities.map((entity, k) => {
      const style = k === 0 ? undefined : styles.get(sources[k]!);
      return style === undefined ? entity : { ...entity, style };
    });
    return entitiesText(numbered);
  }

  private _model(model: Quake2Model): void {
    const { brushes, tree } = model;
    const firstBrush = this._brushes.length / 12;
    const firstFace = this._faces.length / 20;
    for (const brush of brushes) this._brush(brush);
    const head = this._tree(model, tree as TreeNode, firstBrush);
    const { mins, maxs } = boundsOf(brushes);
    this._modelLump.f32(...mins, ...maxs, 0, 0, 0).i32(head, firstFace, this._faces.length / 20 - firstFace);
  }

  private _brush(brush: Brush): void {
    const { planes } = this._input;
    const axial = axialPlanes(planes, brush.box);
    const rest = brush.solid.planes.filter((plane) => !axial.includes(plane));
    const all = [...axial, ...rest, ...edgeBevels(planes, brush.solid, [...axial, ...rest])];
    this._brushes.i32(this._sides.length / 4, all.length, fileContents(brush));
    for (const plane of all) {
      const texInfo = isClip(brush) ? -1 : this._texInfo(nearestSide(planes, brush, plane));
      this._sides.i16(this._planeTable.number(plane), texInfo);
    }
  }

  private _texInfo({ material, surface, value, texture: { s, t } }: Side): number {
    const flags = surfaceToFile(FILE_SURFACE, surface);
    const key = [material.name, flags, value, ...s, ...t].join(' ');
    let number = this._texInfoNumbers.get(key);
    if (number === undefined) {
      number = this._texInfoNumbers.size;
      this._texInfoNumbers.set(key, number);
      // The NUL that ends it takes the 32nd byte. No frame follows.
      this._texInfos
        .f32(...s, ...t)
        .i32(flags, value)
        .text(fitName(material.name, 31, this._input), 32)
        .i32(-1);
    }
    return number;
  }

  /** Writes nodes, leafs and faces. Returns the number of the first node. */
  private _tree(model: Quake2Model, tree: TreeNode, firstBrush: number): number {
    const faces = this._placeFaces(model);
    const marks = new Map<TreeLeaf, number[]>();
    const child = (part: Tree): number =>
      isLeaf(part) ? this._leaf(model, part, firstBrush, marks.get(part) ?? []) : node(part);
    const node = (part: TreeNode): number => {
      const number = this._nodes.push([]) - 1;
      const first = this._faces.length / 20;
      // A face is seen only from leafs below the node it lies on, so leafs find their marks complete.
      for (const face of faces.get(part) ?? []) this._face(model, part, face, marks);
      const count = this._faces.length / 20 - first;
      const { mins, maxs } = roundBox(part.box);
      const plane = this._planeTable.number(part.plane);
      const children = [child(part.front), child(part.back)];
      this._nodes[number] = [plane, ...children, ...mins, ...maxs, first, count];
      return number;
    };
    return node(tree);
  }

  /** Cuts the faces that are drawn along the tree and sorts them by the nodes they lie on. */
  private _placeFaces({ brushes, tree }: Quake2Model): Map<TreeNode, NodeFace[]> {
    const { planes } = this._input;
    const placed = new Map<TreeNode, NodeFace[]>();
    for (const { plane, winding, brush, side: number, back, front } of unionFaces(planes, brushes, DRAWING)) {
      const { sides, place } = brushes[brush]!;
      const side = sides[number]!;
      if (front === DRAWING.solid || !isDrawn(side)) continue;
      const isWarped = isLiquid(back);
      const put = (plane: number, whole: Winding): void =>
        visitNodes(planes, tree, plane, whole, (node, piece) => {
          const list = placed.get(node) ?? [];
          placed.set(node, list);
          const pieces = isWarped ? splitCorners(piece, CORNERS) : subdivide(piece, side, place);
          for (const winding of pieces)
            list.push({ plane, winding, texInfo: this._texInfo(side), kind: back });
        });
      put(plane, winding);
      // The surface of a liquid is seen from within too.
      if (isWarped) put(plane ^ 1, reverseWinding(winding));
    }
    return placed;
  }

  private _face(
    { isFilled }: Quake2Model,
    node: TreeNode,
    { plane, winding, texInfo, kind }: NodeFace,
    marks: Map<TreeLeaf, number[]>,
  ): void {
    const { planes } = this._input;
    const seen: TreeLeaf[] = [];
    visitLeafs(planes, node, plane, winding, (leaf) => {
      if (!isFilled(leaf)) seen.push(leaf);
    });
    // What looks outside is not drawn.
    if (seen.length === 0) return;
    const edges = this._edges.add(winding, kind);
    if (!edges) return;
    const number = this._faces.length / 20;
    this._faces
      .i16(this._planeTable.number(plane & ~1), plane & 1)
      .i32(edges.first)
      .i16(edges.count, texInfo)
      // Not lit: the engine shows such faces at full brightness.
      .u8(0, 255, 255, 255)
      .i32(-1);
    for (const leaf of seen) {
      const list = marks.get(leaf);
      if (!list) marks.set(leaf, [number]);
      else if (list.at(-1) !== number) list.push(number);
    }
  }

  private _leaf(
    { brushes, isFilled, areas }: Quake2Model,
    leaf: TreeLeaf,
    firstBrush: number,
    marks: readonly number[],
  ): number {
    const filled = isFilled(leaf);
    const { mins, maxs } = roundBox(leaf.box);
    // Clips do not divide leafs, so they count wherever they reach. What lies in solid is solid, whatever else it is.
    const counted = leaf.brushes.filter((brush) => leaf.holders.includes(brush) || isClip(brushes[brush]!));
    const contents = filled ? 1 : counted.reduce((bits, brush) => bits | fileContents(brushes[brush]!), 0);
    const isInWorld = areas !== undefined && !filled;
    const number = this._leafs.length / 28;
    this._leafs
      .i32(contents)
      .i16(isInWorld ? 0 : -1, isInWorld ? areas.of(leaf) : 0, ...mins, ...maxs)
      .i16(this._leafFaces.length / 2, marks.length, this._leafBrushes.length / 2, leaf.brushes.length);
    this._leafFaces.i16(...marks);
    for (const brush of leaf.brushes) this._leafBrushes.i16(firstBrush + brush);
    return -1 - number;
  }
}

/** Areas from 0, which is that of solid leafs, and portals from 1: each stands in the lists of both its areas. */
function writeAreas({ count, portals }: Areas): { areas: LumpWriter; areaPortals: LumpWriter } {
  const areas = new LumpWriter();
  const areaPortals = new LumpWriter().i32(0, 0);
  for (let area = 0; area < count; area++) {
    const own = portals.filter((portal) => portal.areas.includes(area));
    areas.i32(own.length, areaPortals.length / 8);
    for (const {
      number,
      areas: [one, other],
    } of own)
      areaPortals.i32(number, one === area ? other : one);
  }
  return { areas, areaPortals };
}
