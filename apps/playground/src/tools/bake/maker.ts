import { capitalized } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { button, choose, labelled, progressBar } from '../dom.ts';
import { Run } from '../run.ts';
import { stateField } from '../state.ts';
import type { Json, ToolContext } from '../tool.ts';
import type { Asked, HereKind } from './compute.ts';

/** What can be computed, and what that says. */
const KINDS: Readonly<Record<HereKind, string>> = {
  occlusion: 'How open each place on the surfaces is: what light from everywhere would reach.',
  exposure: 'For each place where a player can stand, how many of the others see it.',
  sight: 'Which places are seen from where, of those where a player can stand.',
};
const STEPS = [16, 32, 64];

/** The latest of all, whoever started it. */
let run: Run<Uint8Array> | undefined;

/** What becomes of a bake that is computed here. */
export interface MakerParts {
  /** A bake of the map that is open. */
  made(bytes: Uint8Array): void;
  /** It failed, and why. */
  failed(problem: string): void;
  /** Another one begins, or is chosen: what is shown is not about it. */
  changed(): void;
}

/** The form by which a bake is computed. */
export class Maker {
  readonly element: HTMLElement;
  private readonly _context: ToolContext;
  private readonly _parts: MakerParts;
  private readonly _kinds: HTMLSelectElement = h(
    'select',
    {},
    ...Object.keys(KINDS).map((kind) => h('option', { value: kind }, capitalized(kind))),
  );
  private readonly _steps: HTMLSelectElement = h(
    'select',
    {},
    ...STEPS.map((step) => h('option', { value: String(step) }, `${step} units`)),
  );
  private readonly _what: HTMLElement = h('p', { class: 'tool-hint' });
  private readonly _run: HTMLButtonElement = button('Compute', () => this._toggle(), {
    class: 'tool-button is-main',
  });
  private readonly _progress: HTMLProgressElement = progressBar();
  /** The run that is shown. */
  private _followed: Run<Uint8Array> | undefined;

  /** @param others - buttons beside that which begins. */
  constructor(context: ToolContext, parts: MakerParts, ...others: readonly Node[]) {
    this._context = context;
    this._parts = parts;
    this._steps.value = '32';
    for (const select of [this._kinds, this._steps]) {
      select.addEventListener('change', () => {
        this._describe();
        if (this._followed?.goesOn) return;
        parts.changed();
        // A link would otherwise have what was shown before, and compute that.
        context.state.set({ ...this.asked, ran: false });
      });
    }
    this.element = h(
      'div',
      { class: 'tool-stack' },
      h('div', { class: 'tool-row' }, labelled('What', this._kinds), labelled('Points apart', this._steps)),
      this._what,
      h('div', { class: 'tool-row' }, this._run, ...others),
      this._progress,
    );
  }

  /** What the form asks for. */
  get asked(): Asked {
    return { kind: this._kinds.value as HereKind, step: Number(this._steps.value) };
  }

  /** Sets the form as a link says, or as it was run, and computes what had been computed. */
  read(asked: Json | undefined): void {
    const own = run?.bytes === this._context.map.bytes ? run : undefined;
    const state = asked ?? own?.form;
    choose(this._kinds, stateField(state, 'kind'));
    choose(this._steps, stateField(state, 'step'));
    this._describe();
    if (stateField(state, 'ran') !== true) return;
    if (own && JSON.stringify(state) === JSON.stringify(own.form)) this._follow(own);
    else this._start();
  }

  /** Shows nothing of what is computed: another map is open, another bake is shown, or the tool is closed. */
  leave(): void {
    this._followed?.leave(this._context, 'The bake is done.', 'The bake failed.');
    this._followed = undefined;
    this._rest();
  }

  private _toggle(): void {
    if (!this._followed?.stop(this._context, { ...this.asked })) {
      this._start();
      return;
    }
    this._rest();
    this._context.announce('Stopped.');
  }

  private _start(): void {
    const { asked } = this;
    run?.end();
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'bake' });
    run = new Run<Uint8Array>(this._context.map, { ...asked }, 'the bake', worker, { ...asked });
    this._follow(run);
  }

  private _follow(own: Run<Uint8Array>): void {
    this._parts.changed();
    this._followed = own;
    this._context.state.set(own.form);
    own.tell = () => this._tell(own);
    this._tell(own);
  }

  private _tell({ goesOn, told }: Run<Uint8Array>): void {
    this._progress.hidden = !goesOn;
    this._run.textContent = goesOn ? 'Stop' : 'Compute';
    if (!told) this._progress.removeAttribute('value');
    else if ('part' in told) this._progress.value = told.part;
    else if ('error' in told) this._parts.failed(reasonOf(told.error));
    else this._parts.made(told.result);
  }

  private _rest(): void {
    this._progress.hidden = true;
    this._run.textContent = 'Compute';
  }

  private _describe(): void {
    this._what.textContent = KINDS[this.asked.kind];
  }
}
