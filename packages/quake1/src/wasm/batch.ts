import type { TraceBatch, TraceField } from '@bspkit/core';
import {
  type Blockers,
  type CopyAnswers,
  copierOf,
  findMissed,
  type Intake,
  type Moves,
} from '@bspkit/core/format';
import { askBlockers } from '../blockers.ts';
import type { HullBatches } from '../kernel/hull.ts';
import type { Mover } from '../kernel/mover.ts';
import {
  ALL_SOLID,
  BATCH_MOVES,
  BLOCKED,
  CONTENTS,
  DISTS,
  END_POSITIONS,
  FAR_MOVES,
  FRACTIONS,
  MODELS,
  MOVER_CLEARINGS,
  MOVER_COLUMNS,
  MOVER_HEAD,
  MOVER_IS,
  MOVER_MODEL,
  MOVER_OFFSET,
  MOVER_ROWS,
  MOVER_RULES,
  MOVER_STOPS,
  MOVER_TURNED,
  NORMALS,
  PLANE_NUMBERS,
  SEGMENTS,
  STARTS_SOLID,
} from './layout.ts';

/** What of the kernel's module batches need: see ../../wasm/batch.ts. */
export interface BatchExports {
  finite(count: number): number;
  walkMoves(count: number, any: number): number;
}

/** Where the kernel has its answers. */
const ANSWERS: Partial<Record<TraceField, number>> = {
  fraction: FRACTIONS,
  endPos: END_POSITIONS,
  normal: NORMALS,
  dist: DISTS,
  startSolid: STARTS_SOLID,
  allSolid: ALL_SOLID,
  contents: CONTENTS,
  model: MODELS,
  plane: PLANE_NUMBERS,
};

/** Batches in WebAssembly, some hundreds of moves per call. */
export class WasmBatches implements HullBatches {
  private readonly _exports: BatchExports;
  /** Heads of trees as the kernel has them. */
  private readonly _heads: Int32Array;
  private readonly _blockers: Blockers;
  private readonly _ints: Int32Array;
  private readonly _floats: Float32Array;
  private readonly _intake: Intake;
  private readonly _blocked: Uint8Array;
  private readonly _copyAnswers: CopyAnswers;

  constructor(exports: BatchExports, buffer: ArrayBuffer, heads: Int32Array, blockers: Blockers) {
    this._exports = exports;
    this._heads = heads;
    this._blockers = blockers;
    this._ints = new Int32Array(buffer);
    this._floats = new Float32Array(buffer);
    this._intake = {
      segments: new Float32Array(buffer, SEGMENTS, 6 * BATCH_MOVES),
      finite: exports.finite,
    };
    this._blocked = new Uint8Array(buffer, BLOCKED, BATCH_MOVES);
    this._copyAnswers = copierOf(buffer, ANSWERS);
  }

  trace(mover: Mover, out: TraceBatch<never>, moves: Moves): void {
    const { surfaceFlags, brush, side, texture, patch } = out as Partial<TraceBatch>;
    this._takeMover(mover);
    moves.passTo(this._intake, (first, here) => {
      const far = this._exports.walkMoves(here, 0);
      this._copyAnswers(out, first, here);
      surfaceFlags?.fill(0, first, first + here);
      for (const array of [brush, side, texture, patch]) array?.fill(-1, first, first + here);
      if (mover.clearings) findMissed(mover.clearings, moves.segments, first, here, mover.offset);
      this._askFar(first, far, moves);
    });
  }

  test(mover: Mover, out: Uint8Array, moves: Moves): void {
    const any = askBlockers(this._blockers.address, mover.head);
    this._takeMover(mover);
    moves.passTo(this._intake, (first, here) => {
      const far = this._exports.walkMoves(here, any);
      out.set(this._blocked.subarray(0, here), first);
      this._blockers.find();
      if (mover.clearings) findMissed(mover.clearings, moves.segments, first, here, mover.offset);
      this._askFar(first, far, moves);
    });
  }

  private _takeMover({ offset, rows, isTurned, head, rules, stops, model, clearings }: Mover): void {
    const { _ints: ints, _floats: floats } = this;
    for (let row = 0; row < 3; row++) {
      floats[MOVER_OFFSET / 4 + row] = offset[row]!;
      for (let column = 0; column < 3; column++) {
        floats[MOVER_ROWS / 4 + 4 * row + column] = rows[3 * row + column]!;
        floats[MOVER_COLUMNS / 4 + 4 * column + row] = rows[3 * row + column]!;
      }
    }
    ints[MOVER_HEAD / 4] = this._heads[head]!;
    ints[MOVER_RULES / 4] = rules;
    ints[MOVER_IS / 4] = (isTurned ? MOVER_TURNED : 0) | (stops ? MOVER_STOPS : 0);
    ints[MOVER_MODEL / 4] = model;
    ints[MOVER_CLEARINGS / 4] = clearings ? clearings.address : 0;
  }

  /** Asks one by one for moves that lead too far for the kernel. */
  private _askFar(first: number, far: number, moves: Moves): void {
    for (let k = 0; k < far; k++) moves.askOne(first + this._ints[FAR_MOVES / 4 + k]!);
  }
}
