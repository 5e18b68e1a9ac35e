import type { Trace } from '@bspkit/core';
import { float32Cell, type Row } from './table.ts';

// The columns that traces of all games share.

/** Where a move stopped. */
export const STOP_CELLS = ['fraction', 'endx', 'endy', 'endz'] as const;

/** What stopped it. */
export const HIT_CELLS = ['nx', 'ny', 'nz', 'dist', 'startsolid', 'allsolid'] as const;

type StopPlaces = Readonly<Record<(typeof STOP_CELLS)[number], number>>;
type HitPlaces = Readonly<Record<(typeof HIT_CELLS)[number], number>>;

export function writeStop(row: Row, at: StopPlaces, { fraction, endPos }: Trace): void {
  row[at.fraction] = float32Cell(fraction);
  row[at.endx] = float32Cell(endPos[0]!);
  row[at.endy] = float32Cell(endPos[1]!);
  row[at.endz] = float32Cell(endPos[2]!);
}

export function writeHit(row: Row, at: HitPlaces, { normal, dist, startSolid, allSolid }: Trace): void {
  row[at.nx] = float32Cell(normal[0]!);
  row[at.ny] = float32Cell(normal[1]!);
  row[at.nz] = float32Cell(normal[2]!);
  row[at.dist] = float32Cell(dist);
  row[at.startsolid] = startSolid ? 1 : 0;
  row[at.allsolid] = allSolid ? 1 : 0;
}
