import type { FormatIdentity } from '@bspkit/core/format';

/** What was found, with the entry of the list. */
export interface Found<E> {
  readonly entry: E;
  readonly version: string;
  /** As in {@link DetectedMap}. */
  readonly name: string;
}

/** The first format that takes a file for its own. */
export function findFormat<E extends FormatIdentity>(
  file: Uint8Array,
  formats: readonly E[],
): Found<E> | undefined {
  for (const entry of formats) {
    const version = entry.detect(file);
    if (version !== undefined) return { entry, version, name: `a map of ${entry.name} (${version})` };
  }
  return undefined;
}
