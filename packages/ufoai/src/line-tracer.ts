import { checkMove, type Shape, type TraceBatch, type Tracer, traceEach, type Vec3 } from '@bspkit/core';
import { ALL_LEVELS, MASK_VISIBILITY, WITH_ACTORCLIP, WITH_WEAPONCLIP } from './constants.ts';
import {
  A_CROSSING,
  A_HEAD,
  B_GIVEN_END,
  B_GIVEN_START,
  B_HEAD,
  B_LIMIT,
  L_END,
  L_HIT,
  L_START,
  ownBox,
  R_MODEL,
  R_START_SOLID,
  R_TILE,
  S_HEAD,
  S_MASK,
  S_REJECT,
  type WorldMemory,
} from './kernel.ts';
import { LINE_OBLIQUE, SECTIONS } from './layout.ts';
import { createSelection, type HeadFilter, type HeadSelection, selectHeads } from './line-heads.ts';
import type { UfoaiModel } from './model.ts';
import { createLineTrace, describeHit, type LineTrace } from './trace.ts';
import { prepareShape } from './trace-box.ts';
import { isLineBlocked } from './trace-line.ts';
import { findLineHit } from './trace-line-hit.ts';
import {
  copyStop,
  lineMisses,
  SHIFT_ENGINE,
  SHIFT_NONE,
  SHIFT_OWN_FRAME,
  traceModel,
} from './trace-model.ts';

const f = Math.fround;

/** What stops a line. */
export interface LineFilter {
  /**
   * Level bits (`levels(1, 3)`, 0xff), with `WITH_ACTORCLIP` and `WITH_WEAPONCLIP` if wished; `ALL_LEVELS` unless told.
   * Brushes of no level always count. A mask without level bits means every level, as the game's own calls do.
   */
  readonly levels?: number | undefined;
  /** Stop at actor clip too, whatever its levels. The same as `WITH_ACTORCLIP` in `levels`. */
  readonly actorClip?: boolean | undefined;
  /** Stop at weapon clip too, whatever its levels. The same as `WITH_WEAPONCLIP` in `levels`. */
  readonly weaponClip?: boolean | undefined;
  /** Stop at light clip too. The game's line test cannot. */
  readonly lightClip?: boolean | undefined;
}

/** The oddities of the engine's line traces, one by one; what is left out is false. The README tells them. */
export interface LineQuirks {
  /** Tiles with inline models have their first tree walked again when a mask that was meant for others says so. */
  readonly phantomHeads?: boolean | undefined;
  /** Clips need a level bit of the mask besides their own: weapon clip level 1, actor clip level 2. */
  readonly maskBits?: boolean | undefined;
  /** The place of impact is that of all trees, light clip and clips among them, whatever the mask. */
  readonly maskIgnored?: boolean | undefined;
  /** Models count a place of impact by the engine's order, contents and fractions, and without their tile's shift. */
  readonly entities?: boolean | undefined;
}

export interface LineOptions extends LineFilter {
  /** Inline models that stop the line too (solid or water), where they stand at the time of each trace. */
  readonly models?: readonly UfoaiModel[] | undefined;
  /** `engine`: the game's answers with all their oddities; or some of them. */
  readonly compat?: 'engine' | LineQuirks | undefined;
}

const ALL_QUIRKS: LineQuirks = { phantomHeads: true, maskBits: true, maskIgnored: true, entities: true };

/**
 * Lines of sight and fire through a world. `blocked` is the game's test of sight and shots; `trace` gives the place of
 * impact (the engine's DM variant). Both walk trees of what blocks, which know no brushes: a hit tells the plane that
 * the line crossed, the tile and the set of levels.
 *
 * The two may differ at the very end: `blocked` counts a line that just reaches a wall, `trace` does not when the hit
 * is within 0.001 of the end on every axis.
 */
export class LineTracer implements Tracer<LineTrace> {
  readonly shape: Shape = { kind: 'ray' };
  /** @internal */
  readonly _memory: WorldMemory;
  /** @internal Heads that `blocked` walks, and those that `trace` walks. */
  readonly _blockedFilter: HeadFilter;
  readonly _hitFilter: HeadFilter;
  private readonly _blockedHeads: HeadSelection;
  private readonly _hitHeads: HeadSelection;
  private readonly _models: readonly UfoaiModel[];
  private readonly _engineModels: boolean;
  private readonly _scratch: LineTrace = createLineTrace();

  /** @internal */
  constructor(memory: WorldMemory, options: LineOptions) {
    const { models = [], compat = {} } = options;
    const quirks = compat === 'engine' ? ALL_QUIRKS : compat;
    this._memory = ownBox(memory);
    prepareShape(this._memory);
    this._models = models;
    this._engineModels = quirks.entities ?? false;
    const filter: HeadFilter = {
      mask: 0,
      lightClip: false,
      ignoreMask: false,
      maskBits: quirks.maskBits ?? false,
      phantoms: quirks.phantomHeads ?? false,
    };
    this._blockedFilter = filter;
    this._hitFilter = { ...filter, ignoreMask: quirks.maskIgnored ?? false };
    this._blockedHeads = createSelection(memory);
    this._hitHeads = createSelection(memory);
    this.set({ levels: ALL_LEVELS, lightClip: false, ...options });
  }

  /**
   * Changes the filter in place, without allocation. Nothing is changed when it throws.
   * @throws RangeError for levels that are not a number of ten bits.
   */
  set({ levels, actorClip, weaponClip, lightClip }: LineFilter): this {
    if (levels !== undefined && (!Number.isInteger(levels) || levels < 0 || levels > 0x3ff)) {
      throw new RangeError(`levels must be a mask in 0..0x3ff, got ${levels}`);
    }
    const blocked = this._blockedFilter;
    let mask = levels ?? blocked.mask;
    if (actorClip !== undefined) mask = actorClip ? mask | WITH_ACTORCLIP : mask & ~WITH_ACTORCLIP;
    if (weaponClip !== undefined) mask = weaponClip ? mask | WITH_WEAPONCLIP : mask & ~WITH_WEAPONCLIP;
    blocked.mask = mask;
    blocked.lightClip = lightClip ?? blocked.lightClip;
    this._hitFilter.mask = mask;
    this._hitFilter.lightClip = blocked.lightClip;
    selectHeads(this._memory, blocked, this._blockedHeads);
    selectHeads(this._memory, this._hitFilter, this._hitHeads);
    return this;
  }

  /** Whether anything is in the way. Faster than `trace`. */
  blocked(start: Vec3, end: Vec3): boolean {
    checkMove(start, end);
    const { line } = this._memory;
    for (let k = 0; k < 3; k++) {
      line[L_START + k] = f(start[k]!);
      line[L_END + k] = f(end[k]!);
    }
    if (isLineBlocked(this._memory, this._blockedHeads)) return true;
    const models = this._models;
    for (let k = 0; k < models.length; k++) {
      if (lineMisses(models[k]!, line)) continue;
      this._aimAtModel(L_END, MASK_VISIBILITY);
      traceModel(this._memory, models[k]!, this._engineModels ? SHIFT_ENGINE : SHIFT_OWN_FRAME, true);
      if (this._modelStartSolid() || this._memory.box[B_HEAD]! < 1) return true;
    }
    return false;
  }

  trace(start: Vec3, end: Vec3, out: LineTrace = createLineTrace()): LineTrace {
    checkMove(start, end);
    const { line } = this._memory;
    for (let k = 0; k < 3; k++) {
      line[L_START + k] = f(start[k]!);
      line[L_END + k] = f(end[k]!);
    }
    const blocked = findLineHit(this._memory, this._hitHeads);
    this._describe(blocked, out);
    if (this._models.length > 0) {
      if (this._engineModels) this._traceModelsAsEngine(out);
      else this._traceModels(out);
    }
    return out;
  }

  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch {
    return traceEach(this, segments, out, this._scratch);
  }

  /** The answer of the world's trees. */
  private _describe(blocked: boolean, out: LineTrace): void {
    const { ints, floats, places, line, lineAnswer } = this._memory;
    const head = lineAnswer[A_HEAD]!;
    const crossing = lineAnswer[A_CROSSING]!;
    const record = places.lineHeads.first + SECTIONS.lineHeads * head;
    out.blocked = blocked;
    out.tile = blocked ? ints[record + 1]! : -1;
    out.level = blocked ? ints[record]! : -1;
    out.startSolid = head >= 0 && crossing < 0;
    out.allSolid = false;
    out.dist = 0;
    out.contents = 0;
    out.surfaceFlags = 0;
    out.model = blocked ? 0 : -1;
    out.brush = -1;
    out.side = -1;
    out.texture = -1;
    out.patch = -1;
    out.plane = -1;
    for (let k = 0; k < 3; k++) {
      out.endPos[k] = line[L_HIT + k]!;
      out.normal[k] = 0;
    }
    this._measureFraction(out);
    if (!blocked) out.fraction = 1;
    if (!blocked || crossing < 0) return;
    const node = crossing >> 1;
    const sign = crossing & 1 ? -1 : 1;
    const kind = ints[node]!;
    if (kind < LINE_OBLIQUE) out.normal[kind] = sign;
    else for (let k = 0; k < 3; k++) out.normal[k] = sign * floats[node + 4 + k]!;
    out.dist = sign * floats[node + 1]!;
  }

  /** How much of the line lies before the place of impact: below 1, for the engine says that it was stopped. */
  private _measureFraction(out: LineTrace): void {
    const { line } = this._memory;
    let whole = 0;
    let made = 0;
    for (let k = 0; k < 3; k++) {
      whole += (line[L_END + k]! - line[L_START + k]!) ** 2;
      made += (line[L_HIT + k]! - line[L_START + k]!) ** 2;
    }
    out.fraction = whole > 0 ? Math.min(f(Math.sqrt(made / whole)), BELOW_ONE) : 0;
  }

  /** Models in order, each up to the nearest hit so far. */
  private _traceModels(out: LineTrace): void {
    const models = this._models;
    for (let k = 0; k < models.length; k++) {
      if (lineMisses(models[k]!, this._memory.line)) continue;
      this._aimAtModel(L_HIT, MASK_VISIBILITY);
      traceModel(this._memory, models[k]!, SHIFT_OWN_FRAME, true);
      const startSolid = this._modelStartSolid();
      if (startSolid || this._memory.box[B_HEAD]! < 1) this._describeModel(startSolid, out);
      if (startSolid) return;
    }
  }

  /**
   * The engine's way: any contents, no shift, and fractions of ever shorter lines compared as if of one. The first model
   * that the line comes near always counts as a hit, for its fraction of 1 is below the 2 that it is compared with.
   */
  private _traceModelsAsEngine(out: LineTrace): void {
    const models = this._models;
    let last = 2;
    for (let k = 0; k < models.length; k++) {
      if (lineMisses(models[k]!, this._memory.line)) continue;
      this._aimAtModel(L_HIT, -1);
      this._memory.box[B_LIMIT] = last;
      traceModel(this._memory, models[k]!, SHIFT_NONE, false);
      const startSolid = this._modelStartSolid();
      const fraction = this._memory.box[B_HEAD]!;
      if (startSolid || fraction < last) this._describeModel(startSolid, out);
      if (startSolid) return;
      if (fraction < last) last = fraction;
    }
  }

  /** Makes ready to trace a point from the line's start to its end, or to the hit so far. */
  private _aimAtModel(target: number, mask: number): void {
    const { line, box, boxState } = this._memory;
    boxState[S_MASK] = mask;
    boxState[S_REJECT] = 0;
    box[B_LIMIT] = 1;
    for (let k = 0; k < 3; k++) {
      box[B_GIVEN_START + k] = line[L_START + k]!;
      box[B_GIVEN_END + k] = line[target + k]!;
    }
  }

  private _modelStartSolid(): boolean {
    return this._memory.boxState[S_HEAD + R_START_SOLID] !== 0;
  }

  /** The answer of a model: the nearest hit so far. */
  private _describeModel(startSolid: boolean, out: LineTrace): void {
    const { line, box, boxState } = this._memory;
    describeHit(this._memory, B_HEAD, S_HEAD, out);
    copyStop(box, B_HEAD, line, L_HIT);
    for (let k = 0; k < 3; k++) {
      if (startSolid) line[L_HIT + k] = line[L_START + k]!;
      out.endPos[k] = line[L_HIT + k]!;
    }
    out.blocked = true;
    out.startSolid = startSolid;
    out.model = boxState[S_HEAD + R_MODEL]!;
    out.tile = boxState[S_HEAD + R_TILE]!;
    out.level = -1;
    this._measureFraction(out);
  }
}

/** The greatest float32 below 1. */
const BELOW_ONE = 1 - 2 ** -24;
