import type { Trace } from '@bspkit/core';
import { show } from './numbers.ts';

/** The outcome of a move of some length, in a few words. */
export function outcomeText({ fraction, startSolid, allSolid }: Trace, length: number): string {
  const stopped = `stopped after ${show(fraction * length, 2)} of ${show(length, 2)} units`;
  // In some games, something else may stop a move that starts and ends in one thing.
  if (allSolid && length > 0)
    return fraction > 0 && fraction < 1 ? `in solid all the way, and ${stopped}` : 'in solid all the way';
  if (allSolid) return 'in solid';
  if (length === 0) return startSolid ? 'in solid' : 'in the open';
  // With some rules, a move that starts in solid goes nowhere.
  if (startSolid && fraction === 0) return 'starts in solid';
  const way = fraction < 1 ? stopped : 'nothing in the way';
  return startSolid ? `starts in solid, then ${way}` : way;
}

/** What was hit, by its numbers in the map; empty if nothing was. */
export function hitText({ model, brush, side, patch }: Trace): string {
  const parts: string[] = [];
  if (model === 0) parts.push('the world');
  if (model > 0) parts.push(`model *${model}`);
  if (brush >= 0) parts.push(`brush ${brush}`);
  if (side >= 0) parts.push(`side ${side}`);
  if (patch >= 0) parts.push(`patch ${patch}`);
  return parts.join(', ');
}
