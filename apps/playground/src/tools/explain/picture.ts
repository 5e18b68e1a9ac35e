import type { MoveExplanation, TraceStep, Vec3 } from '@bspkit/core';
import { isSameModel, ModelFrames } from '@bspkit/words';
import { Group } from 'three';
import { Faces, type LineStyle, Lines } from '../draw/lines.ts';
import { edgesOf, edgesOfFaces, faceOn, trianglesOf } from '../draw/polygons.ts';
import { shapeLines } from '../draw/shapes.ts';
import { brushEdges, brushesOf, brushFaces } from '../query/hit.ts';
import { placeIn } from '../query/pose.ts';
import type { Probe } from '../query/probe.ts';
import type { Query } from '../query/query.ts';
import type { ToolContext } from '../tool.ts';
import type { Span, Walk, WalkPicture, WalkStep } from './walk.ts';

/** The piece is white with black around it, which is seen before everything, and is like no other colour to any eye. */
export const PIECE = '#ffffff';

/** Draws a step of a walk into the scene. */
export class StepPicture {
  private readonly _context: ToolContext;
  private readonly _group: Group = new Group();
  /** All parts, each with the theme's colour that it has, or one of its own. */
  private readonly _parts: (readonly [part: Lines | Faces, color: string])[] = [];
  /** Of a whole move: the way of each round, pushes, and the shape wherever it stopped. */
  private readonly _way = this._lines('ray', { width: 2.5, hidden: 0.35 });
  private readonly _pushes = this._lines('d', { width: 1.75, hidden: 0.35 });
  private readonly _shapes = this._lines('ray', { width: 1, opacity: 0.7, hidden: 0.15 });
  /** Split planes above the step's own. */
  private readonly _above = this._lines('c', { width: 1, opacity: 0.35 });
  private readonly _plane = this._add('c', new Faces(0.28, true));
  private readonly _planeEdges = this._lines('c', { width: 1.75, hidden: 0.5 });
  private readonly _region = this._lines('a', { width: 1.25, opacity: 0.8, hidden: 0.35 });
  private readonly _leafs = this._lines('a', { width: 3, opacity: 0.45, hidden: 0.25 });
  private readonly _around = this._lines('#000', { width: 7, hidden: 0.4 });
  private readonly _piece = this._lines(PIECE, { width: 4, hidden: 0.6 });
  /** Where the move is inside of the step's brush, facet or polygon. */
  private readonly _inside = this._lines('b', { width: 4, hidden: 0.6 });
  private readonly _tested = this._lines('miss', { width: 1, opacity: 0.6, hidden: 0.25 });
  private readonly _brush = this._lines('b', { width: 2, hidden: 0.5 });
  private readonly _side = this._add('b', new Faces(0.45, true));
  private readonly _widened = this._lines('d', { width: 1, opacity: 0.9, hidden: 0.4 });

  constructor(context: ToolContext) {
    this._context = context;
    context.scene.add(this._group);
    this.recolor();
  }

  private _lines(color: string, style: LineStyle): Lines {
    return this._add(color, new Lines(style));
  }

  private _add<P extends Lines | Faces>(color: string, part: P): P {
    this._parts.push([part, color]);
    this._group.add(part.object);
    return part;
  }

  recolor(): void {
    const colors: Readonly<Record<string, string>> = this._context.colors;
    for (const [part, color] of this._parts) part.color = colors[color] ?? color;
  }

  /** What the colours of a step mean. */
  colorsOf(
    { widens }: Walk,
    { current, widened, polygon, face }: WalkPicture,
  ): (readonly [name: string, color: string])[] {
    const { b, c, d, ray } = this._context.colors;
    const { kind } = current.step;
    const all = [
      [kind === 'node', 'split plane', c],
      [polygon, 'polygon', c],
      [face, "polygon's plane", c],
      [kind === 'feature', kind === 'feature' ? current.step.feature : '', b],
      [kind === 'side', 'side', b],
      [kind === 'brush', 'brush', b],
      [widened.length > 0, widens ? `widened ${face ? 'polygon' : 'brush'}` : 'sides so far', d],
      [true, 'piece', PIECE],
      [true, 'move', ray],
    ] as const;
    return all.flatMap(([isDrawn, name, color]) => (isDrawn ? [[name, color] as const] : []));
  }

  clear(): void {
    for (const [part] of this._parts) part.set([]);
    this._context.requestRender();
  }

  /** Draws a whole move of what was asked for, which stays until all is cleared. */
  drawMove(
    { kind, pushes, rounds }: MoveExplanation,
    { query, tracer }: Pick<Probe, 'query' | 'tracer'>,
  ): void {
    placeIn(this._group, new ModelFrames(this._context.map.world, query.options).of());
    const parts = [...pushes, ...rounds];
    this._way.set(rounds.flatMap(({ start, stop }) => [...start, ...stop]));
    this._pushes.set([
      ...pushes.flatMap(({ start, end }) => [...start, ...end]),
      ...(kind === 'push' ? rounds.flatMap(({ end, next }) => [...end, ...next]) : []),
    ]);
    const places = [...parts.map(({ start }) => start), rounds.at(-1)!.stop];
    const lines = shapeLines(tracer.shape);
    this._shapes.set(places.flatMap((place) => lines.map((x, k) => x + place[k % 3]!)));
  }

  /** Draws a part of a move. */
  drawPiece(start: Vec3, end: Vec3): void {
    const piece = [...Array.from(start), ...Array.from(end)];
    this._around.set(piece);
    this._piece.set(piece);
  }

  /** Draws what is known after a step. */
  draw(walk: Walk, picture: WalkPicture, query: Query): void {
    const { current, planes, region, leafs, brushes, widened, polygon, face } = picture;
    const { at } = current;
    const frames = new ModelFrames(this._context.map.world, query.options);
    const frame = frames.of(at);
    // What is drawn is in the frame of the step's model; what came before it may be in that of another.
    placeIn(this._group, frame);
    const here = (points: readonly number[], from: WalkStep['at']): readonly number[] =>
      isSameModel(from, at) ? points : byPoints(points, (point) => frame.enter(frames.of(from).leave(point)));
    const partOfMove = (span: Span): number[] => {
      const { start, end } = walk.moveIn(at) ?? {
        start: frame.enter(query.start),
        end: frame.enter(query.end),
      };
      return partOf(start, end, span);
    };
    const isNode = current.step.kind === 'node';
    const own = isNode && planes.at(-1)?.number === current.number ? planes.at(-1) : undefined;
    const corners = own?.corners ?? polygon ?? face;
    this._above.set(planes.flatMap((plane) => (plane === own ? [] : edgesOf(plane.corners))));
    this._plane.set(corners ? trianglesOf(corners) : []);
    this._planeEdges.set(corners ? edgesOf(corners) : []);
    this._region.set(current.step.kind === 'leaf' ? edgesOfFaces(region) : []);
    this._leafs.set(leafs.flatMap(partOfMove));
    const piece = partOfMove(current.span);
    this._around.set(piece);
    this._piece.set(piece);
    this._inside.set(picture.inside ? partOfMove(picture.inside) : []);
    const brush = walk.brushOf(current);
    const list = brushesOf(this._context.map);
    const tested = brushes.filter(
      (one) => TESTED.has(one.outcome) && !(one.brush === brush && isSameModel(one.at, at)),
    );
    const linesOf = (number: number): number[] => {
      const found = list.get(number);
      return found ? brushEdges(found) : [];
    };
    // A face, edge or corner of a brush is drawn before the rest of it.
    const isFeature = current.step.kind === 'feature';
    this._tested.set([
      ...tested.flatMap((one) => here(linesOf(one.brush), one.at)),
      ...(isFeature ? linesOf(brush) : []),
    ]);
    this._brush.set(isFeature ? featureLines(current.step) : linesOf(brush));
    this._drawSide(walk, picture);
    this._widened.set(edgesOfFaces(widened));
    this._context.requestRender();
  }

  /** The side that is tested, as its brush has it, that of a facet or polygon as it was widened, or a polygon's face. */
  private _drawSide(walk: Walk, { current, widened }: WalkPicture): void {
    const { step } = current;
    const brush = brushesOf(this._context.map).get(walk.brushOf(current));
    if (step.kind !== 'side') {
      const isFace = step.kind === 'feature' && step.feature === 'face';
      this._side.set(isFace ? trianglesOf(step.points.flat()) : []);
      return;
    }
    const faces = brush ? brushFaces(brush) : widened;
    // Widened sides are parallel to the brush's own.
    const face =
      faceOn(faces, step.normal, step.dist) ??
      faces.find(({ plane }) => [0, 1, 2].every((k) => Math.abs(plane.normal[k]! - step.normal[k]!) < 1e-5));
    this._side.set(face ? trianglesOf(face.corners) : []);
  }

  dispose(): void {
    for (const [part] of this._parts) part.dispose();
    this._context.scene.remove(this._group);
  }
}

/** Points, three numbers each, changed one by one. */
function byPoints(points: readonly number[], change: (point: Vec3) => Vec3): number[] {
  const out: number[] = [];
  for (let at = 0; at < points.length; at += 3) out.push(...Array.from(change(points.slice(at, at + 3))));
  return out;
}

/** How far the cross on a corner reaches, in Quake units. */
const CROSS = 4;

/** The edges of a face, an edge, or a cross where a corner is; nothing for other steps. */
function featureLines(step: TraceStep): number[] {
  if (step.kind !== 'feature') return [];
  const [first, second] = step.points;
  if (second) return step.feature === 'edge' ? [...first!, ...second] : edgesOf(step.points.flat());
  return [0, 1, 2].flatMap((axis) =>
    [-CROSS, CROSS].flatMap((by) => first!.map((x, k) => (k === axis ? x + by : x))),
  );
}

/** Outcomes of brushes whose sides were looked at. */
const TESTED: ReadonlySet<string> = new Set(['missed', 'startSolid', 'allSolid', 'hit', 'farther', 'passed']);

/** A part of a move as a line segment; nothing for a part that is none. */
function partOf(start: Vec3, end: Vec3, { from, to }: Span): number[] {
  const [low, high] = [Math.max(0, from), Math.min(1, to)];
  if (!(low <= high)) return [];
  const at = (part: number): number[] => [0, 1, 2].map((k) => start[k]! + part * (end[k]! - start[k]!));
  return [...at(low), ...at(high)];
}
