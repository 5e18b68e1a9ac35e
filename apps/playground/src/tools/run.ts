import { onFailure } from '../loading/worker-failure.ts';
import type { WorkMessage, WorkQuestion } from './serve.ts';
import type { Json, ToolContext } from './tool.ts';

/**
 * Asks a worker, and ends it once it is done.
 *
 * @param name - what it does, as messages begin with it: `the comparison`.
 * @returns what ends the work: then nothing is heard of it any more.
 */
export function askWorker<Question extends WorkQuestion, Result, Stage extends string = never>(
  worker: Worker,
  name: string,
  question: Question,
  hear: (message: WorkMessage<Result, Stage>) => void,
): () => void {
  const end = (): void => worker.terminate();
  const tell = (message: WorkMessage<Result, Stage>): void => {
    if (!('part' in message)) end();
    hear(message);
  };
  worker.onmessage = ({ data }: MessageEvent<WorkMessage<Result, Stage>>) => tell(data);
  onFailure(worker, name, ({ message }) => tell({ error: message }));
  worker.postMessage(question);
  return end;
}

/** The form that a run was started with, as links have it. */
export type Form = Readonly<Record<string, Json>>;

/** What a tool has computed by a worker, and what came of it so far: it goes on, and stays, while other tools are in use. */
export class Run<Result, Stage extends string = never> {
  readonly bytes: Uint8Array;
  told: WorkMessage<Result, Stage> | undefined;
  /** Tells whoever shows it. */
  tell: () => void = () => {};
  /** The form, and whether whoever follows a link has it run, too. */
  form: Form;
  private _end: (() => void) | undefined;

  /** @param name - as that of {@link askWorker}. */
  constructor(
    { bytes, format }: ToolContext['map'],
    form: Form,
    name: string,
    worker: Worker,
    asked: Readonly<Record<string, unknown>>,
  ) {
    this.bytes = bytes;
    this.form = { ...form, ran: true };
    this._end = askWorker<WorkQuestion, Result, Stage>(
      worker,
      name,
      { ...asked, format: format.id, bytes },
      (message) => {
        this.told = message;
        if (!('part' in message)) this._end = undefined;
        this.tell();
      },
    );
  }

  get goesOn(): boolean {
    return this._end !== undefined;
  }

  end(): void {
    this._end?.();
    this._end = undefined;
  }

  /**
   * Ends it before it is done: whoever follows a link then does not have it run.
   *
   * @param form - as it is by now, which may be another one than it was started with.
   * @returns whether it still went on.
   */
  stop({ state }: ToolContext, form: Form): boolean {
    if (!this.goesOn) return false;
    this.end();
    this.form = { ...form, ran: false };
    state.set(this.form);
    return true;
  }

  /** Nobody shows it any more: its end is told to whoever is elsewhere by then, as long as the map is open. */
  leave(context: ToolContext, done: string, failed: string): void {
    this.tell = () => {
      if (this.goesOn || this.bytes !== context.map.bytes) return;
      context.announce(this.told && 'error' in this.told ? failed : done);
    };
  }
}
