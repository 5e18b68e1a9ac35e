import { onFailure } from '../../loading/worker-failure.ts';
import type { Json, ToolContext } from '../tool.ts';
import type { Contest, Entrant } from './contest.ts';
import type { CompareMessage, CompareQuestion } from './worker.ts';

/** The form that a run was started with, as links have it. */
type Form = Readonly<Record<string, Json>>;

/** What is or was compared, and what came of it so far: it goes on, and stays, while other tools are in use. */
export class Run {
  readonly bytes: Uint8Array;
  readonly entrants: readonly Entrant[];
  told: CompareMessage | undefined;
  /** The tracer whose differences are shown: at first one that differs. */
  shown: number | undefined;
  /** Tells whoever shows it. */
  tell: () => void = () => {};
  private _form: Form;
  private _worker: Worker | undefined;

  constructor({ bytes, format }: ToolContext['map'], contest: Contest, form: Form) {
    this.bytes = bytes;
    this.entrants = contest.entrants;
    this._form = { ...form, ran: true };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'compare' });
    onFailure(worker, 'the comparison', ({ message }) => this._hear({ error: message }));
    worker.onmessage = ({ data }: MessageEvent<CompareMessage>) => this._hear(data);
    worker.postMessage({ format: format.id, bytes, contest } satisfies CompareQuestion);
    this._worker = worker;
  }

  /** The form, and whether whoever follows a link has it run, too. */
  get form(): Form {
    return this._form;
  }

  get goesOn(): boolean {
    return this._worker !== undefined;
  }

  end(): void {
    this._worker?.terminate();
    this._worker = undefined;
  }

  /** Ends it before it is done: whoever follows a link then does not have it run. */
  stop(): void {
    this.end();
    this._form = { ...this._form, ran: false };
  }

  private _hear(told: CompareMessage): void {
    this.told = told;
    if (!('stage' in told)) this.end();
    this.tell();
  }
}
