import { checkCallback, checkList, type FormatIdentity } from '@bspkit/core/detect';

/** What was found, with its entry in the list. */
export interface Found<E> {
  readonly entry: E;
  readonly version: string;
  /** As in {@link DetectedMap}. */
  readonly name: string;
}

/** Throws `TypeError` unless these are formats, with functions of these names, and `RangeError` if two have the same id. */
export function checkFormats<E extends FormatIdentity>(
  formats: readonly E[],
  functions: readonly (keyof E)[] = ['detect'],
): void {
  checkList(formats, 'formats');
  for (const [k, entry] of formats.entries()) {
    for (const name of functions) checkCallback(entry?.[name], `formats[${k}].${String(name)}`);
    checkList(entry.versions, `formats[${k}].versions`);
    if (formats.findIndex(({ id }) => id === entry.id) < k)
      throw new RangeError(`formats must have one entry for each id, got '${entry.id}' twice`);
  }
}

/** The first format that recognises a file. */
export function findFormat<E extends FormatIdentity>(
  file: Uint8Array,
  formats: readonly E[],
): Found<E> | undefined {
  for (const entry of formats) {
    const version = entry.detect(file);
    if (version === undefined) continue;
    if (typeof version === 'string') return { entry, version, name: `a map of ${entry.name} (${version})` };
    throw new TypeError(`detect of '${entry.id}' must return text or undefined, got ${version}`);
  }
  return undefined;
}
