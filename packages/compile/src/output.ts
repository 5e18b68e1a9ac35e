import type { Box } from './box.ts';
import { CompileError, type CompileWarning } from './error.ts';
import type { ResolvedMaterial } from './materials.ts';
import type { Models } from './models.ts';
import type { PlaneSet } from './planes.ts';
import type { TreeCounts } from './tree-counts.ts';

/** What a writer is given. */
export interface WriterInput {
  readonly planes: PlaneSet;
  readonly models: Models;
  readonly material: (name: string) => ResolvedMaterial | undefined;
  readonly warnings: CompileWarning[];
  readonly onProgress: (stage: string, part: number) => void;
}

/** What a writer gives. */
export interface WriterOutput {
  readonly bytes: Uint8Array;
  readonly counts: Readonly<Record<string, number>>;
  readonly tree: TreeCounts;
}

/** Throws `CompileError` (`limit`) when a count is above what the format holds. */
export function checkLimits(
  counts: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
  format: string,
): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (counts[name]! > limit) {
      throw new CompileError('limit', {}, `${format} holds ${limit} ${name}, the map has ${counts[name]}`);
    }
  }
}

/** Throws `CompileError` (`limit`) when a map reaches beyond what the format holds. */
export function checkReach({ mins, maxs }: Box, limit: number, format: string): void {
  const reach = Math.max(...maxs, ...mins.map((x) => -x));
  if (reach > limit) {
    throw new CompileError('limit', {}, `${format} reaches ${limit} units from the origin, the map ${reach}`);
  }
}
