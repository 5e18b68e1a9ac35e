import type { BspFormat } from '@bspkit/core/format';
import { FORMATS } from 'bspkit';

// What takes long is done by a worker of the tool, so that the page goes on drawing. One piece of work per worker: whoever
// has had enough ends the worker.

/** What such a worker is asked: something about a map. */
export interface WorkQuestion {
  readonly format: string;
  /** The .bsp file's. */
  readonly bytes: Uint8Array;
}

/** How far it is, 0 to 1, and what it does, if there are several stages. */
interface WorkProgress<Stage extends string = never> {
  readonly part: number;
  readonly stage?: Stage | undefined;
}

/** What it says: how far it is, then the result or what is wrong. */
export type WorkMessage<Result, Stage extends string = never> =
  | WorkProgress<Stage>
  | { readonly result: Result }
  | { readonly error: string };

declare const self: {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: WorkMessage<unknown, string>): void;
};

/** How much has to be done between two messages about the same stage, 0 to 1. */
const STEP = 0.01;

/** Makes this worker do what it is asked. */
export function serveWork<Question extends WorkQuestion, Stage extends string = never>(
  work: (format: BspFormat, question: Question, report: (part: number, stage?: Stage) => void) => unknown,
): void {
  self.onmessage = async ({ data }) => {
    let said: WorkProgress<Stage> = { part: 0 };
    const report = (part: number, stage?: Stage): void => {
      if (stage === said.stage && part < said.part + STEP) return;
      said = { part, stage };
      self.postMessage(said);
    };
    try {
      const format = (await FORMATS.find(({ id }) => id === data.format)!.load()) as unknown as BspFormat;
      self.postMessage({ result: await work(format, data, report) });
    } catch (error) {
      self.postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
  };
}
