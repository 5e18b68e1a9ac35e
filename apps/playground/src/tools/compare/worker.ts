import type { CompareStage, Comparison } from '@bspkit/compare';
import type { BspFormat } from '@bspkit/core/format';
import { withEllipsoids } from '@bspkit/ellipsoid';
import { FORMATS } from 'bspkit';
import { type Contest, runContest } from './contest.ts';

// Compares, so that the page goes on drawing. One comparison per worker: whoever has had enough ends the worker.

/** What the worker is asked. */
export interface CompareQuestion {
  readonly format: string;
  /** The .bsp file's. */
  readonly bytes: Uint8Array;
  readonly contest: Contest;
}

/** What it says: how far it is, then the result or what is wrong. */
export type CompareMessage =
  | { readonly stage: CompareStage; readonly part: number }
  | { readonly result: Comparison }
  | { readonly error: string };

declare const self: {
  onmessage: ((event: MessageEvent<CompareQuestion>) => void) | null;
  postMessage(message: CompareMessage): void;
};

self.onmessage = async ({ data: { format: id, bytes, contest } }) => {
  try {
    const format = (await FORMATS.find((known) => known.id === id)!.load()) as unknown as BspFormat;
    const report = (stage: CompareStage, part: number): void => self.postMessage({ stage, part });
    self.postMessage({ result: runContest(withEllipsoids(format), bytes, contest, report) });
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};
