import {
  checkBounds,
  checkMove,
  checkNumber,
  isBlocked,
  type Shape,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import { BOX_ALL, CONTENTS_PASSABLE, MASK_IMPASSABLE } from './constants.ts';
import {
  B_CENTER,
  B_GIVEN_END,
  B_GIVEN_MAXS,
  B_GIVEN_MINS,
  B_GIVEN_START,
  B_HEAD,
  B_LIMIT,
  B_TILE,
  B_WORLD,
  ownBox,
  R_ALL_SOLID,
  R_BRUSH,
  R_LEAF,
  R_MODEL,
  R_START_SOLID,
  R_TILE,
  S_ANY_ALL_SOLID,
  S_ANY_START_SOLID,
  S_HEAD,
  S_MASK,
  S_REJECT,
  S_STILL,
  S_TILE,
  S_WORLD,
  type WorldMemory,
} from './kernel.ts';
import { SECTIONS, TILE_BOX_HEADS, TILE_LEAFS } from './layout.ts';
import type { UfoaiModel } from './model.ts';
import { type BoxTrace, createBoxTrace, describeHit } from './trace.ts';
import { prepareShape } from './trace-box.ts';
import { levelsOfSweep, traceModels } from './trace-entities.ts';
import { copyStop, SHIFT_NONE, traceModel } from './trace-model.ts';
import {
  createLevelSelection,
  enterWorld,
  type LevelSelection,
  NOTHING,
  rememberSolid,
  selectLevels,
  traceOneHead,
  traceTile,
  traceTiles,
} from './trace-tiles.ts';

const f = Math.fround;

/** What stops a box or point. */
export interface BoxFilter {
  /** Level bits, `BOX_ALL` (0x1ff) unless told. 0 means every level; clips are always looked at, so mask them out. */
  readonly levels?: number | undefined;
  /** Contents that stop the box; `MASK_IMPASSABLE` unless told. `MASK_ALL` looks at neither contents nor reject. */
  readonly mask?: number | undefined;
  /** Contents that let it pass all the same, leaf by leaf; `CONTENTS_PASSABLE` unless told. */
  readonly reject?: number | undefined;
}

/** What a box is traced through, and how. */
export interface BoxOptions extends BoxFilter {
  /** Only this tile; all of them unless told. */
  readonly tile?: number | undefined;
  /** Only this box head, by its number in the tile's list; needs `tile`. */
  readonly head?: number | undefined;
  /** Inline models to be traced too, where they stand at the time of each trace. */
  readonly models?: readonly UfoaiModel[] | undefined;
  /** `engine`: the game's answers with all their oddities; see the README's table. */
  readonly compat?: 'engine' | undefined;
}

/** For traces of one model: the engine hands in a limit and the tile's shift by hand. */
export interface ModelOptions extends BoxFilter {
  readonly compat?: 'engine' | undefined;
  /** Fraction that a hit must be below to count, 0 or more; 1 unless told, and above 1 the same. */
  readonly limit?: number | undefined;
  /** Whether to add the tile's shift where it is due; false is only ever right in an unmoved tile. */
  readonly shift?: boolean | undefined;
}

/** What may be changed on a tracer between traces. What is left out stays as it is. */
export interface BoxSettings extends BoxFilter {
  /** Corner in Quake units, relative to the traced point. */
  readonly mins?: Vec3 | undefined;
  readonly maxs?: Vec3 | undefined;
  readonly limit?: number | undefined;
}

/** What a tracer traces against. */
export interface BoxTarget {
  readonly memory: WorldMemory;
  /** -1: all tiles. */
  readonly tile: number;
  /** Number among all tiles' box heads; -1: all of them. */
  readonly head: number;
  readonly models: readonly UfoaiModel[] | undefined;
  /** Only this model, and nothing else. */
  readonly model: UfoaiModel | undefined;
  /** How the model's tile's shift comes in: a `SHIFT_…` of `trace-model.ts`. */
  readonly shiftRule: number;
  readonly engine: boolean;
}

/**
 * A box or point against a world, one of its tiles or heads, or a model. Answers equal the engine's bit for bit.
 *
 * Rules of the engine worth knowing: a brush that the move starts in does not stop it, `startSolid` tells; a move whose
 * ends are equal is a position test, which stops at once (fraction 0) and gives contents but no surface. The end of a
 * move that nothing stopped may differ from the one given in the last bit, since the box is centred first.
 */
export class BoxTracer implements Tracer<BoxTrace> {
  readonly shape: Shape;
  /** @internal */
  readonly _memory: WorldMemory;
  /** @internal */
  readonly _target: BoxTarget;
  /** @internal */
  readonly _levels: LevelSelection;
  private readonly _scratch: BoxTrace = createBoxTrace();
  private readonly _mins: Float32Array = new Float32Array(3);
  private readonly _maxs: Float32Array = new Float32Array(3);

  /** @internal */
  constructor(target: BoxTarget, shape: Shape, options: BoxFilter & { readonly limit?: number | undefined }) {
    this._target = target;
    this._memory = ownBox(target.memory);
    this._levels = createLevelSelection(target.memory);
    this.shape = shape.kind === 'box' ? { kind: 'box', mins: this._mins, maxs: this._maxs } : { kind: 'ray' };
    const { levels = BOX_ALL, mask = MASK_IMPASSABLE, reject = CONTENTS_PASSABLE, limit = 1 } = options;
    const { mins, maxs } = shape.kind === 'box' ? shape : {};
    this.set({ levels, mask, reject, limit, mins, maxs });
  }

  /**
   * Changes size or filter in place, without allocation. Nothing is changed when it throws.
   * @throws RangeError naming the argument that is out of range; TypeError for corners of a point.
   */
  set(settings: BoxSettings): this {
    const { levels, mask, reject, mins, maxs, limit } = settings;
    checkBits(levels, 'levels');
    checkBits(mask, 'mask');
    checkBits(reject, 'reject');
    if (limit !== undefined && !(limit >= 0)) throw new RangeError(`limit must be 0 or more, got ${limit}`);
    if (mins || maxs) {
      if (this.shape.kind !== 'box') throw new TypeError('mins and maxs do not belong to a point');
      checkBounds(mins ?? this._mins, maxs ?? this._maxs);
    }
    const { box, boxState } = this._memory;
    if (levels !== undefined) selectLevels(this._memory, levels, this._levels);
    if (mask !== undefined) boxState[S_MASK] = mask;
    if (reject !== undefined) boxState[S_REJECT] = reject;
    if (limit !== undefined) box[B_LIMIT] = limit;
    for (let k = 0; k < 3; k++) {
      if (mins) this._mins[k] = mins[k]!;
      if (maxs) this._maxs[k] = maxs[k]!;
      box[B_GIVEN_MINS + k] = this._mins[k]!;
      box[B_GIVEN_MAXS + k] = this._maxs[k]!;
    }
    prepareShape(this._memory);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: BoxTrace = createBoxTrace()): BoxTrace {
    checkMove(start, end);
    const { box, boxState } = this._memory;
    for (let k = 0; k < 3; k++) {
      box[B_GIVEN_START + k] = start[k]!;
      box[B_GIVEN_END + k] = end[k]!;
    }
    boxState[S_ANY_START_SOLID] = 0;
    boxState[S_ANY_ALL_SOLID] = 0;
    const { model, head, tile, models } = this._target;
    if (model) this._traceModel(model);
    else if (models) this._traceWithModels(models);
    else {
      enterWorld(this._memory);
      if (head >= 0) {
        traceOneHead(this._memory, head);
        rememberSolid(boxState);
        boxState[S_HEAD + R_TILE] = tile;
        this._answer(B_HEAD, S_HEAD, out);
        return out;
      }
      if (tile >= 0) {
        traceTile(this._memory, tile, this._levels);
        boxState[S_TILE + R_TILE] = tile;
        this._answer(B_TILE, S_TILE, out);
        return out;
      }
      traceTiles(this._memory, this._levels);
    }
    if (model) this._answer(B_HEAD, S_HEAD, out);
    else this._answer(B_WORLD, S_WORLD, out);
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    return isBlocked(this.trace(start, end, this._scratch));
  }

  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch {
    return traceEach(this, segments, out, this._scratch);
  }

  private _traceModel(model: UfoaiModel): void {
    const { engine, shiftRule } = this._target;
    traceModel(this._memory, model, shiftRule, !engine);
    rememberSolid(this._memory.boxState);
  }

  private _traceWithModels(models: readonly UfoaiModel[]): void {
    const { engine, tile } = this._target;
    // In the game a trace with entities takes its levels from its heights, whatever the caller asked for.
    if (engine) selectLevels(this._memory, levelsOfSweep(this._memory.box, this._levels.mask), this._levels);
    enterWorld(this._memory);
    traceTiles(this._memory, this._levels, tile);
    traceModels(this._memory, models, engine);
  }

  private _answer(record: number, state: number, out: BoxTrace): void {
    const { box, boxState, ints, places } = this._memory;
    const { engine } = this._target;
    describeHit(this._memory, record, state, out);
    out.fraction = box[record] === NOTHING && !engine ? 1 : box[record]!;
    if (boxState[state + R_MODEL] !== 0) copyStop(box, record, out.endPos, 0);
    else this._stopInWorld(record, out);
    out.startSolid = boxState[engine ? state + R_START_SOLID : S_ANY_START_SOLID] !== 0;
    out.allSolid = boxState[engine ? state + R_ALL_SOLID : S_ANY_ALL_SOLID] !== 0;
    const tile = boxState[state + R_TILE]!;
    const leaf = boxState[state + R_LEAF]!;
    out.tile = engine || boxState[state + R_BRUSH] !== 0 || leaf >= 0 ? tile : -1;
    out.leaf = leaf < 0 ? -1 : leaf - ints[places.tiles.first + SECTIONS.tiles * tile + TILE_LEAFS]!;
  }

  /** The engine moves the middle of the box, so that even the end of a free move may come back changed by rounding. */
  private _stopInWorld(record: number, out: BoxTrace): void {
    const { box, boxState } = this._memory;
    const fraction = box[record]!;
    for (let k = 0; k < 3; k++) {
      if (fraction === NOTHING) {
        out.endPos[k] = this._target.engine ? 0 : box[B_GIVEN_END + k]!;
      } else if (boxState[S_STILL] !== 0) {
        out.endPos[k] = box[B_GIVEN_START + k]!;
      } else {
        const center = box[B_CENTER + k]!;
        const start = f(box[B_GIVEN_START + k]! + center);
        const end = f(box[B_GIVEN_END + k]! + center);
        out.endPos[k] = (fraction >= 1 ? end : f(start + f(fraction * f(end - start)))) - center;
      }
    }
  }
}

function checkBits(bits: number | undefined, name: string): void {
  if (bits === undefined) return;
  if (!Number.isInteger(bits) || bits < -0x80000000 || bits > 0xffffffff) {
    throw new RangeError(`${name} must be 32 bits, got ${bits}`);
  }
}

/** What the world's box tracers trace against. Throws `RangeError` for a tile or head that is not there. */
export function boxTarget(memory: WorldMemory, { tile, head, models, compat }: BoxOptions): BoxTarget {
  const { ints, places } = memory;
  if (tile !== undefined) checkNumber(tile, places.tiles.count, 'tile');
  let number = -1;
  if (head !== undefined) {
    if (tile === undefined || models) throw new TypeError('head needs tile, and goes without models');
    const range = places.tiles.first + SECTIONS.tiles * tile + TILE_BOX_HEADS;
    checkNumber(head, ints[range + 1]!, 'head');
    number = ints[range]! + head;
  }
  const engine = compat === 'engine';
  return { memory, tile: tile ?? -1, head: number, models, model: undefined, shiftRule: SHIFT_NONE, engine };
}
