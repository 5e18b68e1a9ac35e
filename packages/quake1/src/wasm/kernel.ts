import type { KernelName } from '@bspkit/core';
import {
  type Blockers,
  blockerBytes,
  type Clearings,
  cellRoom,
  clearingBytes,
  createBlockers,
  createClearings,
  defineWasm,
  findClearing,
  type WasmKernel,
} from '@bspkit/core/format';
import { askBlockers, lookAtCells } from '../blockers.ts';
import { gridOf, listObstacles } from '../clearings.ts';
import { type HullKernel, type HullWalk, POINTS } from '../kernel/hull.ts';
import { createHullWalk, type WorldMemory } from '../kernel/memory.ts';
import { DEPTH_WORD } from '../layout.ts';
import { type BatchExports, WasmBatches } from './batch.ts';
import { FRAMES, NOT_KNOWN, PATH, SEGMENTS, STEP_BYTES, TOO_FAR } from './layout.ts';
import { KERNEL } from './module.ts';

interface Exports extends BatchExports {
  walk(head: number, rules: number, any: number, table: number): number;
  contents(head: number): number;
}

/** The compiled kernel, for all worlds. */
export const wasm: WasmKernel<Exports> = /* @__PURE__ */ defineWasm(KERNEL, SEGMENTS, FRAMES);

/** Moves points in WebAssembly, through a hot section of its own. */
class WasmHulls implements HullKernel {
  readonly points: Float32Array;
  readonly batches: WasmBatches;
  private readonly _memory: WorldMemory;
  /** Heads of trees as the kernel has them, in the order of the world's. */
  private readonly _heads: Int32Array;
  private readonly _walk: Exports['walk'];
  private readonly _contents: Exports['contents'];
  private readonly _blockers: Blockers;
  private _far: HullWalk | undefined;

  constructor(memory: WorldMemory) {
    const { ints, places, heads } = memory;
    // What comes after is not asked for by walks.
    const grid = gridOf(memory);
    const bytes = grid ? clearingBytes(grid) : 0;
    const world = ints.subarray(0, places.visibility.first);
    const forClearings = memory.hulls.length * bytes;
    const room = cellRoom(places.nodes.count + places.clipNodes.count);
    const { exports, buffer, spare } = wasm.build(world, forClearings + blockerBytes(room));
    memory.clearings = memory.hulls.map((_, hull) => {
      return grid
        ? createClearings(
            grid,
            (mins, maxs, work) => listObstacles(memory, hull, mins, maxs, work),
            buffer,
            spare + hull * bytes,
          )
        : null;
    });
    const path = new Int32Array(buffer)[PATH / 4]!;
    this._heads = new Int32Array(buffer, path + STEP_BYTES * (ints[DEPTH_WORD]! + 1), heads.length);
    this.points = new Float32Array(buffer, 0, POINTS);
    this._blockers = createBlockers(buffer, spare + forClearings, room, lookAtCells(memory));
    this.batches = new WasmBatches(exports, buffer, this._heads, this._blockers);
    this._memory = memory;
    this._walk = exports.walk;
    this._contents = exports.contents;
    this._far = undefined;
  }

  walk(head: number, rules: number, anyHit: boolean, clearings: Clearings | null): number {
    const { _heads: heads, _blockers: blockers, points } = this;
    const any = anyHit ? askBlockers(blockers.address, head) : 0;
    let flags = this._walk(heads[head]!, rules, any, clearings ? clearings.address : 0);
    if (flags === NOT_KNOWN) {
      findClearing(clearings!, points[0]!, points[1]!, points[2]!);
      flags = this._walk(heads[head]!, rules, any, 0);
    }
    if (anyHit) blockers.find();
    return flags;
  }

  walkFar(head: number, rules: number, anyHit: boolean): number {
    const far = this._takeFar();
    const answer = far.walkFar(head, rules, anyHit);
    for (let k = 0; k < POINTS; k++) this.points[k] = far.points[k]!;
    return answer;
  }

  contentsAt(head: number): number {
    const contents = this._contents(this._heads[head]!);
    return contents === TOO_FAR ? this._takeFar().contentsAt(head) : -contents;
  }

  /** The other kernel, with the same move: for coordinates so great that float32 may overflow. */
  private _takeFar(): HullWalk {
    this._far ??= createHullWalk(this._memory);
    for (let k = 0; k < POINTS; k++) this._far.points[k] = this.points[k]!;
    return this._far;
  }
}

/** What moves hulls through a world, made at the first call: in WebAssembly, with the hot section that it works on. */
export function hullKernel(memory: WorldMemory): HullKernel {
  memory.hullKernel ??= openKernel(memory);
  return memory.hullKernel;
}

function openKernel(memory: WorldMemory): HullKernel {
  if (kernelName(memory) === 'wasm') {
    try {
      return new WasmHulls(memory);
    } catch (error) {
      // Each world has a memory of its own, and there are only so many.
      if (memory.kernel === 'wasm') throw error;
    }
  }
  return createHullWalk(memory);
}

/** Which kernel moves hulls through a world. */
export function kernelName({ kernel, hullKernel }: WorldMemory): KernelName {
  if (hullKernel) return hullKernel instanceof WasmHulls ? 'wasm' : 'js';
  return kernel !== 'js' && wasm.canRun() ? 'wasm' : 'js';
}
