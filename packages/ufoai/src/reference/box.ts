import { between, byAxis, type Move, type Point, point } from '@bspkit/brushes/reference';
import type { Recorder, Vec3 } from '@bspkit/core';
import type { Body } from '../kernel/body.ts';
import { SHIFT_NONE } from '../kernel/body.ts';
import {
  BOX_HEAD_WORDS,
  MODEL_ROOT,
  TILE_BOX_HEADS,
  TILE_MAXS,
  TILE_MINS,
  TILE_TEXTURES,
  TILE_WORDS,
} from '../layout.ts';
import { modelName } from '../levels.ts';
import type { UfoaiTrace } from '../trace.ts';
import { ASKED_LEVELS, ASKED_LIMIT, ASKED_MASK, ASKED_REJECT, type UfoaiTracer } from '../tracer.ts';
import {
  type CentredSize,
  engineReachOf,
  enterModel,
  farthestCorner,
  isTurned,
  leaveModel,
  prepareMove,
  prepareSize,
  reachOf,
  type Shift,
} from './prepare.ts';
import { nothingIn, type TileFound, tileRange, traceTileTree } from './tree.ts';

const f = Math.fround;

/** Called when a tree is begun, before the steps in it. `model` is the inline model in whose frame they are; 0 for the world. */
export type TreeRecorder = (tile: number, name: string, model: number, listed?: number) => void;

/** The engine's fraction when there was nothing to trace. */
const NOTHING = 2;

/** A trace of a box as the engine makes it, tile by tile and head by head, from what was requested of the tracer. */
export function referenceBox(
  tracer: UfoaiTracer,
  start: Vec3,
  end: Vec3,
  record: Recorder,
  enterTree: TreeRecorder,
): UfoaiTrace {
  return new BoxReference(tracer, point(start), point(end), record, enterTree).trace();
}

class BoxReference {
  private readonly _tracer: UfoaiTracer;
  private readonly _size: CentredSize;
  private readonly _ends: readonly [Point, Point];
  private readonly _record: Recorder;
  private readonly _enterTree: TreeRecorder;
  /** Start in solid of any tree; the engine may lose it. */
  private _anyStartSolid = false;
  private _anyAllSolid = false;

  constructor(tracer: UfoaiTracer, start: Point, end: Point, record: Recorder, enterTree: TreeRecorder) {
    const { shape } = tracer;
    const zero = [0, 0, 0];
    this._tracer = tracer;
    this._size = shape.kind === 'box' ? prepareSize(shape.mins, shape.maxs) : prepareSize(zero, zero);
    this._ends = [start, end];
    this._record = record;
    this._enterTree = enterTree;
  }

  trace(): UfoaiTrace {
    const { body, bodies, head, tile } = this._tracer._target;
    if (body) return this._answer(this._model(body, this._asked(ASKED_LIMIT)));
    if (head >= 0) return this._answer(this._head(head, tile));
    if (tile >= 0 && !bodies) return this._answer({ ...this._tile(tile), tile });
    return this._answer(this._models(this._tiles(tile), bodies ?? []));
  }

  private _asked(place: number): number {
    return this._tracer._asked[place]!;
  }

  private get _engine(): boolean {
    return this._tracer._target.engine;
  }

  /** One tree, with what was found so far. */
  private _tree(tile: number, root: number, move: Move, found: TileFound): void {
    const { _memory: memory } = this._tracer;
    const [mask, reject] = [this._asked(ASKED_MASK), this._asked(ASKED_REJECT)];
    const [size, record] = [this._size, this._record];
    traceTileTree(memory, tile, root, { size, move, mask, reject, record }, found);
    this._anyStartSolid ||= found.startSolid;
    this._anyAllSolid ||= found.allSolid;
  }

  private _headRecord(head: number): { root: number; level: number } {
    const { ints, places } = this._tracer._memory;
    const at = places.boxHeads.first + BOX_HEAD_WORDS * head;
    return { root: ints[at]!, level: ints[at + 1]! };
  }

  private get _move(): Move {
    return prepareMove(this._size, ...this._ends);
  }

  private _head(head: number, tile: number): TileFound {
    const found = { ...nothingIn(1), tile };
    const { root, level } = this._headRecord(head);
    this._enterTree(tile, modelName(level), 0);
    this._tree(tile, root, this._move, found);
    return found;
  }

  /** The record is carried over from head to head; the best of a tile is a copy of it, made whenever the fraction drops. */
  private _tile(tile: number): TileFound {
    let best = nothingIn(NOTHING);
    const found = nothingIn(1);
    const levels = this._levels();
    for (const head of tileRange(this._tracer._memory, tile, TILE_BOX_HEADS)) {
      const { root, level } = this._headRecord(head);
      if (level !== 0 && level <= 255 && levels !== 0 && (level & levels) === 0) continue;
      this._enterTree(tile, modelName(level), 0);
      this._tree(tile, root, this._move, found);
      if (found.fraction === 0) return found;
      if (found.fraction < best.fraction) best = { ...found };
    }
    return best;
  }

  /** As requested; but the game's traces with entities take them from their heights, and keep only the clip bit. */
  private _levels(): number {
    const levels = this._asked(ASKED_LEVELS);
    if (!this._engine || !this._tracer._target.bodies) return levels;
    const { mins, maxs } = this._sweptBounds();
    let touched = levels & 0x100;
    for (let k = 0; k < 8; k++) if (maxs[2] >= 64 * k && mins[2] <= 64 * (k + 1)) touched |= 1 << k;
    return touched;
  }

  /** The box around the whole move, of the shape as given. */
  private _sweptBounds(): { mins: Point; maxs: Point } {
    const [start, end] = this._ends;
    const { given } = this._size;
    return {
      mins: byAxis((k) => Math.min(start[k]! + given.mins[k]!, end[k]! + given.mins[k]!)),
      maxs: byAxis((k) => Math.max(start[k]! + given.maxs[k]!, end[k]! + given.maxs[k]!)),
    };
  }

  /** The same for the shape turned in any way. */
  private _sweptAround(): { mins: Point; maxs: Point } {
    const [start, end] = this._ends;
    const { given } = this._size;
    const radius = farthestCorner(given.mins, given.maxs);
    return {
      mins: byAxis((k) => Math.min(start[k]!, end[k]!) - radius),
      maxs: byAxis((k) => Math.max(start[k]!, end[k]!) + radius),
    };
  }

  /** Tiles in order, unless both ends are beyond the same side; or one of them. */
  private _tiles(only: number): TileFound {
    const { floats, places } = this._tracer._memory;
    let best = nothingIn(NOTHING);
    for (let tile = 0; tile < places.tiles.count; tile++) {
      const at = places.tiles.first + TILE_WORDS * tile;
      const [low, high] = [point(floats, at + TILE_MINS), point(floats, at + TILE_MAXS)];
      if ((only >= 0 && tile !== only) || this._isAway(low, high)) continue;
      const found = { ...this._tile(tile), tile };
      if (found.fraction === 0) return found;
      if (found.fraction < best.fraction) best = found;
    }
    return best;
  }

  private _isAway(low: Point, high: Point): boolean {
    const { mins, maxs } = this._size.given;
    return [0, 1, 2].some(
      (k) =>
        this._ends.every((end) => f(end[k]! + maxs[k]!) < low[k]!) ||
        this._ends.every((end) => f(end[k]! + mins[k]!) > high[k]!),
    );
  }

  /** Models after the world, each up to the nearest hit so far. */
  private _models(world: TileFound, bodies: readonly Body[]): TileFound {
    let best = world;
    for (const [listed, body] of bodies.entries()) {
      if (best.fraction === 0) break;
      if (this._isFar(body)) continue;
      const limit = this._engine ? best.fraction : Math.min(best.fraction, 1);
      const found = this._model(body, limit, listed);
      if (found.fraction < limit) best = found;
    }
    return best;
  }

  /** Whether a move does not come near a model, in whose frame the shape is turned: the engine ignores that. */
  private _isFar(body: Body): boolean {
    const { _memory: memory } = this._tracer;
    const { mins, maxs } = this._engine ? engineReachOf(memory, body) : reachOf(memory, body);
    const swept = !this._engine && isTurned(body) ? this._sweptAround() : this._sweptBounds();
    return [0, 1, 2].some((k) => swept.maxs[k]! < mins[k]! || swept.mins[k]! > maxs[k]!);
  }

  private _model(body: Body, limit: number, listed?: number): TileFound {
    const { _memory: memory, _target: target } = this._tracer;
    const unshifted = target.body !== undefined && target.shiftRule === SHIFT_NONE;
    const shift: Shift = unshifted ? 'none' : this._engine ? 'engine' : 'own frame';
    const found = { ...nothingIn(Math.min(f(limit), 1)), tile: body.tile, model: body.number };
    const move = prepareMove(this._size, ...enterModel(memory, body, shift, this._ends));
    const root = memory.ints[body.place + MODEL_ROOT]!;
    if (root >= 0) {
      this._enterTree(body.tile, `*${body.number}`, body.number, listed);
      this._tree(body.tile, root, move, found);
    }
    if (!this._engine && !found.brush) found.fraction = 1;
    if (found.fraction !== 1) found.normal = leaveModel(body, found.normal, !this._engine);
    return found;
  }

  private _answer(found: TileFound): UfoaiTrace {
    const { ints, places } = this._tracer._memory;
    const { fraction, brush, side, tile } = found;
    const engine = this._engine;
    const flags = places.tiles.first + TILE_WORDS * Math.max(0, tile) + TILE_TEXTURES;
    const texture = side ? Math.max(-1, side.texture) : -1;
    return {
      fraction: fraction === NOTHING && !engine ? 1 : fraction,
      endPos: Float32Array.from(this._stop(found)),
      normal: Float32Array.from(found.normal),
      dist: found.dist,
      startSolid: engine ? found.startSolid : this._anyStartSolid,
      allSolid: engine ? found.allSolid : this._anyAllSolid,
      contents: found.contents,
      surfaceFlags: texture < 0 ? 0 : ints[ints[flags]! + texture]!,
      model: brush ? found.model : -1,
      brush: brush?.number ?? -1,
      side: side?.number ?? -1,
      texture,
      patch: -1,
      plane: side?.plane ?? -1,
      tile: engine || brush || found.leaf >= 0 ? tile : -1,
      leaf: found.leaf,
    };
  }

  /** Where the move stopped. In the world, the box's middle is moved, which shows in the rounding. */
  private _stop({ fraction, model }: TileFound): Point {
    const [start, end] = this._ends;
    if (model > 0) return between(start, end, fraction);
    if (fraction === NOTHING) return this._engine ? [0, 0, 0] : end;
    const move = this._move;
    if (move.still) return start;
    const middle = fraction >= 1 ? move.end : between(move.start, move.end, fraction);
    return byAxis((k) => middle[k]! - this._size.center[k]!);
  }
}
