import type { BspFormat } from '@bspkit/core/format';
import { FORMATS } from 'bspkit';

// Works out the table of a map that comes without, so that the page goes on drawing. One table per worker: whoever has
// had enough ends the worker.

/** What the worker is asked. */
export interface TableQuestion {
  readonly format: string;
  /** The .bsp file's. */
  readonly bytes: Uint8Array;
}

/** What it says: how far it is, 0 to 1, then the packed table or what is wrong. */
export type TableMessage =
  | { readonly part: number }
  | { readonly table: Uint8Array }
  | { readonly error: string };

declare const self: {
  onmessage: ((event: MessageEvent<TableQuestion>) => void) | null;
  postMessage(message: TableMessage): void;
};

/** How much has to be done between two messages, 0 to 1. */
const STEP = 0.01;

self.onmessage = async ({ data: { format: id, bytes } }) => {
  try {
    const format = (await FORMATS.find((known) => known.id === id)!.load()) as unknown as BspFormat;
    let said = 0;
    const table = format.routing!.compute(format.read(bytes), (part) => {
      if (part < said + STEP) return;
      said = part;
      self.postMessage({ part });
    });
    self.postMessage({ table });
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};
