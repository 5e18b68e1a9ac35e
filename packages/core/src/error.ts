/** What is wrong with a map, for programs. The message is for people. */
export type BspErrorCode =
  /** The file is not of this format at all. */
  | 'magic'
  /** The format is right, but its version is not supported. */
  | 'version'
  /** The file or a lump ends before its content does. */
  | 'truncated'
  /** A lump lies outside the file. */
  | 'lump-range'
  /** A lump's length is not a whole number of records. */
  | 'lump-size'
  /** A lump that must have content is empty. */
  | 'empty'
  /** A number that points into another lump points outside it. */
  | 'index'
  /** A tree reaches a node twice. */
  | 'cycle'
  /** A count is above what the format or the tracer can hold. */
  | 'limit'
  /** An invalid value: a plane normal that is not a number, say. */
  | 'value'
  /** Text (entities) that does not parse. */
  | 'syntax';

/** Where in a map something is wrong. */
export interface BspErrorPlace {
  /** Format being read, by the name of its package. */
  readonly format: string;
  /** Lump, by its name. */
  readonly lump?: string | undefined;
  /** Record in the lump; for text, the line (from 1). */
  readonly index?: number | undefined;
  /** Byte offset in the file; in the lump, if that is read later than the file. */
  readonly offset?: number | undefined;
}

/** A map that cannot be read or built. The message says what was found, what was expected, and where. */
export class BspError extends Error {
  // A field, as no assignment sets it where the prototype of errors is frozen.
  override name: string = 'BspError';
  // Only declared: the constructor makes them.
  /** What is wrong, for programs. */
  declare readonly code: BspErrorCode;
  /** Format being read, by the name of its package. */
  declare readonly format: string;
  /** Lump, by its name. */
  declare readonly lump: string | undefined;
  /** Record in the lump; for text, the line (from 1). */
  declare readonly index: number | undefined;
  /** Byte offset in the file; in the lump, if that is read later than the file. */
  declare readonly offset: number | undefined;

  constructor(
    code: BspErrorCode,
    place: BspErrorPlace,
    problem: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`${placeText(place)}: ${problem}`, options);
    Object.assign(this, place, { code });
  }
}

function placeText({ format, lump, index }: BspErrorPlace): string {
  if (lump === undefined) return format;
  return index === undefined ? `${format}: ${lump}` : `${format}: ${lump} ${index}`;
}
