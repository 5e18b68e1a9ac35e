import { BspError, type Explanation, type Surface, type Trace, type Tracer } from '@bspkit/core';
import { explainerOf } from '@bspkit/core/format';
import { ModelFrames } from '@bspkit/words';
import { Group } from 'three';
import type { OpenMap } from '../../app/open-map.ts';
import { Faces, Lines } from '../draw/lines.ts';
import { trianglesOf } from '../draw/polygons.ts';
import { shapeLines, sweepPoints } from '../draw/shapes.ts';
import type { ToolContext } from '../tool.ts';
import { formatOf } from './format.ts';
import { hitOutline, placeHit } from './hit.ts';
import { placeIn } from './pose.ts';
import { createTracer, middleOf, type Query } from './query.ts';

/** Length of the drawn normal, in Quake units. */
const NORMAL = 24;

/**
 * A move, traced and drawn: the way to where it stops and the rest of it, the shape at its start and where it stops,
 * the normal there, the brush and the side that were hit.
 */
export class Probe {
  /** The answer of the last trace; written over by the next. */
  trace: Trace;
  tracer: Tracer;
  query: Query;
  private readonly _context: ToolContext;
  private _frames: ModelFrames;
  private readonly _isQuiet: boolean;
  private readonly _group: Group = new Group();
  private readonly _way: Lines = new Lines({ width: 2.5, hidden: 0.35 });
  private readonly _rest: Lines = new Lines({ width: 1.25, opacity: 0.55, hidden: 0.2 });
  private readonly _startShape: Lines = new Lines({ width: 1.5, opacity: 0.7, hidden: 0.15 });
  private readonly _stopShape: Lines = new Lines({ width: 2, hidden: 0.3 });
  private readonly _sweep: Lines = new Lines({ width: 1, opacity: 0.35 });
  private readonly _normal: Lines = new Lines({ width: 2.5, hidden: 0.4 });
  private readonly _brush: Lines = new Lines({ width: 1.75, opacity: 0.9, hidden: 0.3 });
  private readonly _side: Faces = new Faces(0.35);
  /** Those of the shape that leave lines behind, around the traced point. */
  private _corners: readonly (readonly number[])[] = [];
  /** What is outlined, so that it is looked up only when another thing is hit. */
  private _outlined = '';
  /** Segments of one drawing, so that dragging makes no garbage to speak of. */
  private readonly _segment: Float32Array = new Float32Array(6);
  private readonly _sweeps: Float32Array = new Float32Array(48);

  /** @param isQuiet - draws the move alone: no shapes, and nothing of what was hit. */
  constructor(context: ToolContext, query: Query, isQuiet = false) {
    this._context = context;
    this._isQuiet = isQuiet;
    this.query = query;
    this.tracer = createTracer(formatOf(context.map), context.map.world, query);
    this.trace = this.tracer.createTrace();
    this._frames = new ModelFrames(context.map.world, query.options);
    for (const part of this._parts) this._group.add(part.object);
    context.scene.add(this._group);
    this.recolor();
    this._takeShape();
    this.retrace();
  }

  private get _parts(): readonly (Lines | Faces)[] {
    return [
      this._way,
      this._rest,
      this._startShape,
      this._stopShape,
      this._sweep,
      this._normal,
      this._brush,
      this._side,
    ];
  }

  get map(): OpenMap {
    return this._context.map;
  }

  /** Length of the whole move, in Quake units. */
  get length(): number {
    const { start, end } = this.query;
    return Math.hypot(...start.map((x, k) => end[k]! - x));
  }

  /** Traces another move. Throws, and changes nothing, for an invalid one. */
  set(query: Query): void {
    const tracer = createTracer(formatOf(this.map), this.map.world, query);
    const trace = tracer.trace(query.start, query.end, tracer.createTrace());
    this.query = query;
    this.tracer = tracer;
    this.trace = trace;
    this._frames = new ModelFrames(this.map.world, query.options);
    this._outlined = '';
    this._takeShape();
    this.draw();
  }

  /** Traces between other points with the tracer at hand, without allocation. */
  move(start: readonly number[], end: readonly number[]): void {
    this.query = { ...this.query, start, end };
    this.retrace();
  }

  retrace(): void {
    this.tracer.trace(this.query.start, this.query.end, this.trace);
    this.draw();
  }

  /** What the format knows of the surface that was hit. */
  surface(): Surface | undefined {
    const { map, trace } = this;
    return trace.fraction < 1 ? map.format.surfaceAt(map.world, trace) : undefined;
  }

  /** Turns the view to the way that was made. */
  lookAt(): void {
    this._context.camera.lookAt(this.query.start, this.trace.endPos);
  }

  recolor(): void {
    const { colors } = this._context;
    this._way.color = colors.ray;
    this._rest.color = colors.miss;
    this._startShape.color = colors.ray;
    this._sweep.color = colors.ray;
    for (const part of [this._stopShape, this._normal, this._brush, this._side]) part.color = colors.hit;
  }

  dispose(): void {
    for (const part of this._parts) part.dispose();
    this._context.scene.remove(this._group);
  }

  private _takeShape(): void {
    if (this._isQuiet) return;
    const { shape } = this.tracer;
    const middle = middleOf(formatOf(this.map), this.map.world, this.query);
    const wires = shapeLines(shape).map((x, k) => x + middle[k % 3]!);
    this._corners = sweepPoints(shape).map((corner) => corner.map((x, k) => x + middle[k]!));
    this._startShape.set(wires);
    this._stopShape.set(wires);
  }

  draw(): void {
    const { trace, query } = this;
    const { start, end } = query;
    const stop = trace.endPos;
    const isHit = trace.fraction < 1 || trace.startSolid;
    this._way.set(this._between(start, stop));
    this._rest.set(isHit ? this._between(stop, end) : []);
    this._context.requestRender();
    if (this._isQuiet) return;
    this._startShape.object.position.set(start[0]!, start[1]!, start[2]!);
    this._stopShape.object.position.set(stop[0]!, stop[1]!, stop[2]!);
    this._stopShape.color = isHit ? this._context.colors.hit : this._context.colors.ray;
    this._drawSweep(start, stop);
    this._drawNormal(stop);
    this._outline();
  }

  private _between(from: ArrayLike<number>, to: ArrayLike<number>): Float32Array {
    for (let k = 0; k < 3; k++) {
      this._segment[k] = from[k]!;
      this._segment[k + 3] = to[k]!;
    }
    return this._segment;
  }

  private _drawSweep(from: ArrayLike<number>, to: ArrayLike<number>): void {
    const corners = this._corners;
    if (corners.length < 2) {
      this._sweep.set([]);
      return;
    }
    for (let c = 0; c < corners.length; c++) {
      for (let k = 0; k < 3; k++) {
        this._sweeps[6 * c + k] = from[k]! + corners[c]![k]!;
        this._sweeps[6 * c + 3 + k] = to[k]! + corners[c]![k]!;
      }
    }
    this._sweep.set(this._sweeps.subarray(0, 6 * corners.length));
  }

  /** From where the move stopped; for shapes, from the point that touches, or the one of their box that does, or nearly so. */
  private _drawNormal(stop: ArrayLike<number>): void {
    const { normal, fraction, point } = this.trace as Trace & { readonly point?: Float32Array };
    const { shape } = this.tracer;
    if (fraction === 1 || (normal[0] === 0 && normal[1] === 0 && normal[2] === 0)) {
      this._normal.set([]);
      return;
    }
    for (let k = 0; k < 3; k++) {
      const n = normal[k]!;
      let reach = 0;
      if (point) reach = point[k]! - stop[k]!;
      else if ('mins' in shape) reach = n > 0 ? shape.mins[k]! : n < 0 ? shape.maxs[k]! : 0;
      else if (shape.kind === 'sphere') reach = -n * shape.radius;
      this._segment[k] = stop[k]! + reach;
      this._segment[k + 3] = stop[k]! + reach + NORMAL * n;
    }
    this._normal.set(this._segment);
  }

  /** The steps of the trace; none where the tracer has none, or too many. */
  private _explanation(): Explanation | undefined {
    const { start, end } = this.query;
    try {
      return explainerOf(formatOf(this.map), this.map.world, this.query, this.tracer)?.(start, end);
    } catch (error) {
      if (error instanceof BspError) return undefined;
      throw error;
    }
  }

  private _outline(): void {
    const { brush, side, patch, plane, texture, model, fraction, startSolid } = this.trace;
    // Without a brush the place decides which surface it is.
    const place = brush < 0 && fraction < 1 ? Array.from(this.trace.endPos).join(' ') : '';
    const at = placeHit(this.map, this.trace, this._frames, () => this._explanation());
    const name = [brush, side, patch, plane, texture, model, at.listed, fraction < 1, startSolid, place].join(
      ' ',
    );
    if (name === this._outlined) return;
    this._outlined = name;
    const frame = this._frames.of(at);
    for (const { object } of [this._brush, this._side]) placeIn(object, frame);
    const outline = hitOutline(this.map, this.trace, frame.turnIn(this.trace.normal));
    this._brush.set(outline.brush);
    this._side.set(trianglesOf(outline.side));
  }
}
