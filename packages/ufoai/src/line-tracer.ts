import { createSettings } from '@bspkit/brushes';
import { blockedEach, type Shape, type TraceBatch, type Tracer, type Vec3 } from '@bspkit/core';
import {
  checkChoice,
  checkFlag,
  checkMask,
  checkMove,
  checkObject,
  checkOptions,
  checkTrace,
  held,
  MOVE_END,
  MOVE_START,
  printAsString,
  takeFloats,
  testTogether,
} from '@bspkit/core/format';
import { ALL_LEVELS, WITH_ACTORCLIP, WITH_WEAPONCLIP } from './constants.ts';
import { checkModels } from './given.ts';
import { prepareShape } from './kernel/box.ts';
import { walkTrees } from './kernel/line.ts';
import { type LineTarget, testBodies, traceLine } from './kernel/line-trace.ts';
import { L_END, L_START, type WorldMemory } from './kernel/memory.ts';
import type { UfoaiModel } from './model.ts';
import { type HeadFilter, selectAllLineHeads, selectLineHeads } from './selection.ts';
import { answerBatch, createLineTrace, type UfoaiLineTrace, type UfoaiTraceBatch } from './trace.ts';
import { placeLines, testLines } from './wasm/batch.ts';
import { answerHotLine, type HotLines, hotLines, takeLine } from './wasm/kernel.ts';

/** What stops a line. */
export interface LineFilter {
  /**
   * Level bits (`levels(1, 3)`, 0xff), with `WITH_ACTORCLIP` and `WITH_WEAPONCLIP` if wanted; `ALL_LEVELS` by default. Any number
   * of 32 bits; other bits have no meaning. Brushes of no level always count. A mask without level bits means every level, as in
   * the game's own calls.
   */
  readonly levels?: number | undefined;
  /** Whether to stop at actor clip too, whatever its levels; by default, as `WITH_ACTORCLIP` in `levels` says. */
  readonly actorClip?: boolean | undefined;
  /** Whether to stop at weapon clip too, whatever its levels; by default, as `WITH_WEAPONCLIP` in `levels` says. */
  readonly weaponClip?: boolean | undefined;
  /** Stop at light clip too, which the game's line test cannot. */
  readonly lightClip?: boolean | undefined;
}

/** The oddities of the engine's line traces, one by one; what is left out is false. The guide "Oddities of UFO:AI" explains them. */
export interface LineQuirks {
  /** Tiles with inline models have their first tree walked again, if a mask that was meant for something else says so. */
  readonly phantomHeads?: boolean | undefined;
  /** Clips need a level bit of the mask in addition to their own: weapon clip level 1, actor clip level 2. */
  readonly maskBits?: boolean | undefined;
  /** The place of impact is that among all trees, including light clip and other clips, whatever the mask. */
  readonly maskIgnored?: boolean | undefined;
  /**
   * Models are looked for where the engine does, which misses parts of turned ones, and a place of impact on them is found by its
   * order, contents and fractions, without their tile's shift.
   */
  readonly entities?: boolean | undefined;
  /**
   * Turned models are looked for where the server of release 2.5 does: in a cube around the middle of their bounds, as wide as
   * their longest side. Not part of `engine`, which follows the newest text of the game.
   */
  readonly cubes?: boolean | undefined;
}

/** What a line is traced through, and how. */
export interface LineOptions extends LineFilter {
  /** Inline models that stop the line too (solid or water), where they stand at the time of each trace. Copied. */
  readonly models?: readonly UfoaiModel[] | undefined;
  /** `engine`: the game's answers with all their oddities; or some of them. */
  readonly compat?: 'engine' | LineQuirks | undefined;
}

/** Names of the settings that a line's filter has. */
export const LINE_FILTER: readonly string[] = [
  'levels',
  'actorClip',
  'weaponClip',
  'lightClip',
] satisfies (keyof LineFilter)[];
/** Names of the options of lines. */
export const LINE_OPTIONS: readonly string[] = [...LINE_FILTER, 'models', 'compat'];

const ALL_QUIRKS: LineQuirks = { phantomHeads: true, maskBits: true, maskIgnored: true, entities: true };

/**
 * Lines of sight and fire through a world. `blocked` is the game's test of sight and shots; `trace` gives the place of impact
 * (the engine's DM variant). Both walk trees of what blocks, which do not contain brushes: a hit gives the plane that the line
 * crossed, the tile and the set of levels.
 *
 * The two differ for the shortest lines: in solid, one that is shorter than 0.001 units along every axis is blocked, but has no
 * impact, as a hit that is this close to the end does not count.
 */
export class UfoaiLineTracer implements Tracer<UfoaiLineTrace> {
  readonly shape: Shape = { kind: 'ray' };
  private readonly _held: WorldMemory;
  /** @internal */
  readonly _target: LineTarget;
  /** @internal */
  readonly _quirks: LineQuirks;
  /** @internal The mask as in the game's own calls, and what it was made of: the order in which that was set does not matter. */
  readonly _filter: HeadFilter & {
    -readonly [name in 'levels' | 'actorClip' | 'weaponClip']?: LineFilter[name];
  };
  private readonly _scratch: UfoaiLineTrace = createLineTrace();
  /** The latest answer that was written to. Of it, only whether its arrays were transferred since is checked again. */
  private _checked: UfoaiLineTrace | undefined;

  /** @internal */
  constructor(memory: WorldMemory, options: LineOptions) {
    checkOptions(options, LINE_OPTIONS);
    const { models = [], compat = {} } = options;
    checkModels(models, memory);
    const quirks = quirksOf(compat);
    this._held = memory;
    const point = createSettings();
    prepareShape(point);
    this._quirks = quirks;
    this._filter = {
      levels: ALL_LEVELS,
      mask: ALL_LEVELS,
      lightClip: false,
      maskBits: quirks.maskBits ?? false,
      phantoms: quirks.phantomHeads ?? false,
    };
    this._target = {
      blockedHeads: 0,
      hitHeads: selectAllLineHeads(this._filter),
      point,
      bodies: models.map((model) => model._body),
      engineBodies: quirks.entities ?? false,
      reach: quirks.cubes ? 'cube' : quirks.entities ? 'engineReach' : 'reach',
    };
    this._change(options);
    printAsString(this);
  }

  /** Throws `TypeError` once the world's data has been transferred. @internal */
  get _memory(): WorldMemory {
    return held(this._held);
  }

  createTrace(): UfoaiLineTrace {
    return createLineTrace();
  }

  /**
   * Changes the filter in place, all or nothing, without allocation.
   * @throws RangeError for levels that are not a number of 32 bits; TypeError for a mask of contents or a size.
   */
  set(settings: LineFilter): this {
    checkOptions(settings, LINE_FILTER, 'settings');
    this._change(settings);
    return this;
  }

  private _change(settings: LineFilter): void {
    const filter = this._filter;
    const {
      levels = filter.levels!,
      actorClip = filter.actorClip,
      weaponClip = filter.weaponClip,
      lightClip = filter.lightClip,
    } = settings;
    checkFlag(actorClip, 'actorClip');
    checkFlag(weaponClip, 'weaponClip');
    checkFlag(lightClip, 'lightClip');
    checkMask(levels, 'levels');
    filter.levels = levels;
    filter.actorClip = actorClip;
    filter.weaponClip = weaponClip;
    filter.lightClip = lightClip;
    let mask = levels;
    if (actorClip !== undefined) mask = actorClip ? mask | WITH_ACTORCLIP : mask & ~WITH_ACTORCLIP;
    if (weaponClip !== undefined) mask = weaponClip ? mask | WITH_WEAPONCLIP : mask & ~WITH_WEAPONCLIP;
    filter.mask = mask;
    this._target.blockedHeads = selectLineHeads(filter);
    if (!this._quirks.maskIgnored) this._target.hitHeads = this._target.blockedHeads;
  }

  /** Whether anything is in the way. Faster than `trace`. */
  blocked(start: Vec3, end: Vec3): boolean {
    if (start instanceof Float32Array && end instanceof Float32Array) return this._blocked(start, end);
    takeFloats(start, end);
    return this._blocked(MOVE_START, MOVE_END);
  }

  private _blocked(start: Float32Array, end: Float32Array): boolean {
    const { _held: memory, _target: target } = this;
    const hot = hotLines(memory);
    let answer = -1;
    if (hot) {
      takeLine(hot, start, end);
      answer = hot.testLine(target.blockedHeads);
    }
    if (answer === 1) {
      hot!.blockers.find();
      return true;
    }
    if (answer === 0 && target.bodies.length === 0) return false;
    held(memory);
    this._aim(memory, start, end);
    return (answer < 0 && walkTrees(memory, target.blockedHeads, false)) || testBodies(memory, target);
  }

  trace(start: Vec3, end: Vec3, out: UfoaiLineTrace = createLineTrace()): UfoaiLineTrace {
    if (out !== this._checked || out.endPos[2] === undefined || out.normal[2] === undefined)
      this._checked = checkTrace(out, 'out');
    if (start instanceof Float32Array && end instanceof Float32Array) return this._trace(start, end, out);
    takeFloats(start, end);
    return this._trace(MOVE_START, MOVE_END, out);
  }

  private _trace(start: Float32Array, end: Float32Array, out: UfoaiLineTrace): UfoaiLineTrace {
    const { _held: memory, _target: target } = this;
    const hot = hotLines(memory);
    if (hot && target.bodies.length === 0) {
      takeLine(hot, start, end);
      const answer = hot.placeLine(target.hitHeads);
      if (answer >= 0) {
        answerHotLine(held(memory), hot, answer === 1, out);
        return out;
      }
    }
    held(memory);
    this._aim(memory, start, end);
    traceLine(memory, target, out);
    return out;
  }

  /** As for every tracer, with tile and level if `out` has these fields, or is left out. */
  traceBatch(segments: Float32Array): UfoaiTraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    const hot = this._batches();
    return answerBatch(
      this,
      segments,
      out,
      this._scratch,
      hot && ((batch, moves) => placeLines(this._memory, hot, this._target.hitHeads, batch, moves)),
    );
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    const hot = this._batches();
    if (!hot) return blockedEach(this, segments, out);
    return testTogether(this, segments, out, (tests, moves) =>
      testLines(hot, this._target.blockedHeads, tests, moves),
    );
  }

  /** The kernel, if it can answer many lines at a time: not with models. */
  private _batches(): HotLines | undefined {
    const { _memory: memory, _target: target } = this;
    return target.bodies.length === 0 ? (hotLines(memory) ?? undefined) : undefined;
  }

  private _aim({ line }: WorldMemory, start: Float32Array, end: Float32Array): void {
    const ax = start[0]!;
    const ay = start[1]!;
    const az = start[2]!;
    const bx = end[0]!;
    const by = end[1]!;
    const bz = end[2]!;
    line[L_START] = ax;
    line[L_START + 1] = ay;
    line[L_START + 2] = az;
    line[L_END] = bx;
    line[L_END + 1] = by;
    line[L_END + 2] = bz;
    const sum = ax + ay + az + bx + by + bz;
    // x - x is 0 only for finite numbers.
    if (sum - sum !== 0) checkMove(start, end);
  }

  /** @internal */
  toString(): string {
    return `UfoaiLineTracer { levels 0x${(this._filter.mask >>> 0).toString(16)} }`;
  }
}

function quirksOf(compat: 'engine' | LineQuirks): LineQuirks {
  if (typeof compat === 'string') {
    checkChoice(compat, 'compat', ['engine']);
    return ALL_QUIRKS;
  }
  checkObject(compat, 'compat', "'engine' or an object");
  const names = [...Object.keys(ALL_QUIRKS), 'cubes'] as (keyof LineQuirks)[];
  checkOptions(compat, names, 'compat');
  // Each is read once: they may be inherited, or getters.
  const quirks: { -readonly [name in keyof LineQuirks]: LineQuirks[name] } = {};
  for (const name of names) {
    quirks[name] = compat[name];
    checkFlag(quirks[name], `compat.${name}`);
  }
  return quirks;
}
