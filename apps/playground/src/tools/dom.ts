import { h } from '../app/dom.ts';
import type { Json } from './tool.ts';

// The little that tools need to build their panels.

let ids = 0;

/** A control with its label above it. */
export function labelled<T extends HTMLElement>(text: string, control: T, hint?: string): HTMLElement {
  control.id ||= `tool-control-${++ids}`;
  if (hint !== undefined) control.title = hint;
  return h('div', { class: 'tool-field' }, h('label', { for: control.id }, text), control);
}

/** Chooses an item if there is one of that value. */
export function choose(select: HTMLSelectElement, value: Json | undefined): void {
  const asked = typeof value === 'number' ? String(value) : value;
  const option = [...select.options].find((known) => known.value === asked);
  if (option) select.value = option.value;
}

type Attributes = Parameters<typeof h>[1];

/** A line of text that is typed, such as numbers. */
export const textInput = (attributes: Attributes = {}): HTMLInputElement =>
  h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes });

export const button = (text: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement =>
  h('button', { type: 'button', class: 'tool-button', onclick, ...attributes }, text);

/** A box to tick, or one of several choices, with its label behind it. */
export const ticked = (box: HTMLInputElement, ...label: readonly (Node | string)[]): HTMLLabelElement =>
  h('label', { class: 'tool-check' }, box, ...label);

/** How far something is, from 0 to 1; hidden as long as nothing goes on. */
export const progressBar = (): HTMLProgressElement =>
  h('progress', { class: 'tool-progress', 'aria-label': 'Progress', max: '1', hidden: true });

/** Where it is said what is wrong, which is read out as it appears; see {@link sayProblem}. */
export const problemLine = (attributes: Attributes = {}): HTMLParagraphElement =>
  h('p', { class: 'tool-error', role: 'alert', hidden: true, ...attributes });

/** Says what is wrong; nothing is there while nothing is. */
export function sayProblem(line: HTMLElement, problem: string): void {
  line.textContent = problem;
  line.hidden = problem === '';
}

/** Text that may go on in another line after its slashes, as names of textures do: not within a word, if that can be avoided. */
const breakable = (text: string): (Node | string)[] =>
  (text.match(/[^/]*\/|[^/]+/g) ?? []).flatMap((part, k) => (k > 0 ? [h('wbr'), part] : [part]));

/** A command for a shell, which goes on in another line between its words alone. */
export const commandLine = (command: string): HTMLElement =>
  h('code', {}, ...command.split(' ').flatMap((word) => [h('span', { class: 'tool-word' }, word), ' ']));

/** What colours mean. */
export const swatches = (colors: readonly (readonly [name: string, color: string])[]): HTMLElement =>
  h(
    'div',
    { class: 'tool-swatches' },
    ...colors.map(([name, color]) =>
      h('span', {}, h('i', { 'aria-hidden': 'true', style: `background: ${color}` }), name),
    ),
  );

/** Names and values, which are written over when they change, line by line. */
export class FieldList {
  readonly element: HTMLDListElement = h('dl', { class: 'tool-fields' });
  private _names: readonly string[] = [];
  private _values: HTMLElement[] = [];

  set(lines: readonly (readonly [name: string, value: string])[]): void {
    const isSame = lines.length === this._names.length && lines.every(([name], k) => name === this._names[k]);
    if (!isSame) {
      this._names = lines.map(([name]) => name);
      this._values = lines.map(() => h('dd'));
      this.element.replaceChildren(
        ...this._names.flatMap((name, k) => [h('dt', {}, name), this._values[k]!]),
      );
    }
    for (const [k, [, value]] of lines.entries()) {
      if (this._values[k]!.textContent !== value) this._values[k]!.replaceChildren(...breakable(value));
    }
  }
}
