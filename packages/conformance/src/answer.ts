import type { Header, Row } from './table.ts';

/** Where maps come from: a folder with an index, or the one map a caller named. */
export interface MapSource {
  /**
   * A map's bytes. `name` is as the header has it (`oa_dm1`, `maps/farm/f_silo.bsp`), `sha256` that of the original
   * file. Throws when there is no such map.
   */
  load(game: string, name: string, sha256?: string): Uint8Array;
}

/** One kind of question about given maps, ready to be answered row by row. */
export interface Answering {
  /** Columns that are answers, in the order they would be appended to a table that lacks them. */
  readonly results: readonly string[];
  /** Computes the answer of a row and writes it into the row's result cells, leaving the question as it is. */
  answer(row: Row | Record<string, unknown>): void;
}

/** Opens the maps that a header names and makes ready to answer its rows. */
export type Answerer = (header: Header, maps: MapSource) => Answering;
