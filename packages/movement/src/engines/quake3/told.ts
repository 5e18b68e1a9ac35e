import type { Trace, Vec3 } from '@bspkit/core';
import { createTrace } from '@bspkit/core';
import { floatCell, floatCells, intCell, type Row } from '@bspkit/core/format';
import type { BoxSource } from '../../space.ts';

// Traces as rows have them, with what the server answered when the game asked.

/** Columns of what was answered. */
export const TRACED = [
  'fraction',
  'endx',
  'endy',
  'endz',
  'nx',
  'ny',
  'nz',
  'startsolid',
  'flags',
  'entity',
] as const;

/** The places of these columns; those of some rows have no flags of surfaces. */
export type ToldPlaces = Readonly<Record<Exclude<(typeof TRACED)[number], 'flags'>, number>> & {
  readonly flags?: number;
};

/** The engine's numbers for the world and for no entity. */
const ENTITY_WORLD = 1022;
const ENTITY_NONE = 1023;

/** The body of a scene that an entity's number stands for: 0 for the world, -1 for nothing. */
export const bodyOf = (entity: number): number =>
  entity === ENTITY_NONE ? -1 : entity === ENTITY_WORLD ? 0 : entity;

export const numberOf = (body: number): number => (body < 0 ? ENTITY_NONE : body === 0 ? ENTITY_WORLD : body);

/** Answers a trace as a row says. */
export class Told implements BoxSource {
  row: Row = [];
  /** Where the last trace should have led. */
  asked: Float32Array | undefined;
  private readonly _at: ToldPlaces;

  constructor(at: ToldPlaces) {
    this._at = at;
  }

  box(): ReturnType<BoxSource['box']> {
    const make = (): Trace => ({ ...createTrace(), entity: -1, startEntity: -1 }) as Trace;
    return {
      createTrace: make,
      set: () => undefined,
      trace: (_start: Vec3, end: Vec3, out = make()) => this._tell(end, out),
    };
  }

  private _tell(end: Vec3, out: Trace & { entity?: number; startEntity?: number }): Trace {
    const { row, _at: at } = this;
    this.asked = Float32Array.from(end);
    const fraction = floatCell(row, at.fraction);
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new RangeError(`fraction must be from 0 to 1, got ${row[at.fraction]}`);
    }
    out.fraction = fraction;
    out.endPos.set(floatCells(row, [at.endx, at.endy, at.endz]));
    out.normal.set(floatCells(row, [at.nx, at.ny, at.nz]));
    out.startSolid = intCell(row, at.startsolid) !== 0;
    out.surfaceFlags = at.flags === undefined ? 0 : intCell(row, at.flags);
    out.entity = out.startEntity = bodyOf(intCell(row, at.entity));
    // Where nothing was hit, the way ends where it led: what the mover asked for is compared, too.
    if (out.fraction === 1) out.endPos.set(end);
    return out;
  }
}
