import { checkObject, checkText } from '@bspkit/core/format';
import { BakeError } from '../error.ts';
import { mergeAs, readBake } from '../file.ts';
import type { AnyBakeKind } from '../kind.ts';
import { clearance } from '../kinds/clearance.ts';
import { exposure } from '../kinds/exposure.ts';
import { occlusion } from '../kinds/occlusion.ts';
import { sight } from '../kinds/sight.ts';

/** The outcome of a bake: the kind of its job, its parameters, and its merged result. */
export interface BakeOutcome {
  readonly kind: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

/** The outcome in a bake's file, and the sha256 of its map. */
export interface ReadOutcome extends BakeOutcome {
  readonly map: string;
}

const PICTURED: readonly AnyBakeKind[] = [occlusion, exposure, clearance, sight];

/** The kinds of bakes that can be drawn. */
export const PICTURED_KINDS: readonly string[] = PICTURED.map(({ name }) => name);

/**
 * Reads the file of a finished bake that can be drawn.
 * @throws BakeError: `file` for anything but a bake's file, `damaged` for one whose job or inputs are, `unfinished` when chunks are
 *   missing, `kind` for a kind that has no picture.
 */
export function readOutcome(bytes: Uint8Array | ArrayBufferLike): ReadOutcome {
  const file = readBake(bytes);
  const { map, kind: name, parameters } = file.job;
  const kind = PICTURED.find((known) => known.name === name);
  if (!kind) throw noPicture(name);
  return { map, kind: name, parameters, result: mergeAs(file, kind) };
}

/** Throws TypeError unless it is an outcome, as {@link readOutcome} returns them. */
export function checkOutcome(bake: BakeOutcome): void {
  checkObject(bake, 'bake');
  checkText(bake.kind, 'bake.kind');
  checkObject(bake.parameters, 'bake.parameters');
  checkObject(bake.result as object, 'bake.result');
}

export const noPicture = (kind: string): BakeError =>
  new BakeError('kind', `a bake of kind '${kind}' has no picture, unlike ${PICTURED_KINDS.join(', ')}`);
