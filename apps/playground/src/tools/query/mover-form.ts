import type { BspWorld } from '@bspkit/core';
import type { BspFormat, TracerKind, TracerOption, TracerValues } from '@bspkit/core/format';
import { capitalized } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { labelled, problemLine, sayProblem, textInput, ticked } from '../dom.ts';
import { firstSize, kindOf, type Mover, optionsOf, readValue, writeNumbers } from './query.ts';
import { readSize, type SizeField, sizeFields } from './size.ts';

type Kind = TracerKind<BspWorld>;

/** What is moved, as a form made from the format's catalog: kind, size, options. */
export class MoverForm {
  readonly element: HTMLElement = h('div', { class: 'tool-form' });
  private readonly _format: BspFormat;
  /** Is given what the form says now, nothing while a field is wrong; returns what is wrong with it, if anything. */
  private readonly _onChange: (mover: Mover | undefined) => string | undefined;
  private readonly _error: HTMLElement = problemLine();
  /** What the shape is, where its name and the fields of its size do not say it. */
  private readonly _about: HTMLElement = h('small', { id: 'mover-about' });
  private readonly _size: HTMLElement = h('div', { class: 'tool-row' });
  private readonly _options: HTMLElement = h('div', { class: 'tool-options' });
  private _mover: Mover;
  /** What is wrong, by the field that it was typed into. */
  private readonly _problems = new Map<HTMLInputElement, string>();
  /** Those of these fields whose problem may lie in what other fields say. */
  private readonly _refused = new Set<HTMLInputElement>();

  constructor(format: BspFormat, mover: Mover, onChange: (mover: Mover | undefined) => string | undefined) {
    this._format = format;
    this._mover = mover;
    this._onChange = onChange;
    const kinds = h(
      'select',
      {},
      ...format.tracers.kinds.map(({ name }) => h('option', { value: name }, capitalized(name))),
    );
    kinds.value = mover.kind;
    kinds.addEventListener('change', () => this._pickKind(kinds.value));
    const shape = labelled('Shape', kinds);
    shape.append(this._about);
    kinds.setAttribute('aria-describedby', this._about.id);
    const details = h(
      'details',
      { class: 'tool-details', open: Object.keys(mover.options).length > 0 },
      h('summary', {}, 'Options'),
      this._options,
    );
    this.element.append(shape, this._size, details, this._error);
    this._fill();
  }

  private get _kind(): Kind {
    return kindOf(this._format, this._mover.kind)!;
  }

  /** Whether the kind needs no size: it takes the player's then. */
  private get _hasOwnSize(): boolean {
    return firstSize(this._format, this._kind).length === 0;
  }

  private _pickKind(name: string): void {
    const kind = kindOf(this._format, name)!;
    // What both kinds take stays.
    const options = Object.fromEntries(
      Object.entries(this._mover.options).filter(([option]) => kind.options.includes(option)),
    );
    this._problems.clear();
    this._refused.clear();
    this._change({ kind: name, size: firstSize(this._format, kind), options });
    this._fill();
  }

  /** The form says something else, typed into these fields or picked. */
  private _change(mover: Mover, ...inputs: readonly HTMLInputElement[]): void {
    this._mover = mover;
    for (const input of this._refused) this._mark(input, undefined);
    const problem = this._problems.size === 0 ? this._onChange(mover) : undefined;
    if (problem) {
      const text = `${capitalized(problem)}.`;
      for (const input of inputs) {
        this._mark(input, text);
        this._refused.add(input);
      }
      sayProblem(this._error, text);
    } else this._complain();
  }

  /** Notes what is wrong with a field, or that nothing is. */
  private _mark(input: HTMLInputElement, problem: string | undefined): void {
    input.ariaInvalid = String(problem !== undefined);
    this._refused.delete(input);
    if (problem === undefined) this._problems.delete(input);
    else this._problems.set(input, problem);
  }

  /** Says what is wrong with the fields; while anything is, they say nothing that could be traced. */
  private _complain(): void {
    sayProblem(this._error, [...new Set(this._problems.values())].join(' '));
    if (this._problems.size > 0) this._onChange(undefined);
  }

  private _fill(): void {
    const { name, help } = this._kind;
    this._about.textContent = /^an? (\w+)( by [^;]*)?$/.exec(help)?.[1] === name ? '' : wordsInForm(help);
    this._about.hidden = this._about.textContent === '';
    this._fillSize();
    const options = optionsOf(this._format, this._kind);
    this._options.replaceChildren(...options.map((option) => this._optionField(option)));
  }

  private _fillSize(): void {
    this._size.replaceChildren();
    this._size.hidden = !this._kind.size;
    const { size } = this._mover;
    const fields = sizeFields(this._kind, size);
    let at = 0;
    const inputs = fields.map(({ label, count, must }) => {
      const own = size.slice(at, at + count);
      at += count;
      const input = textInput({
        // On phones, that is digits without signs and spaces.
        inputmode: count === 1 ? 'decimal' : 'text',
        value: writeNumbers(own, ' '),
        placeholder: this._hasOwnSize ? "the player's" : '',
      });
      input.addEventListener('change', () => this._readSize(inputs, fields));
      this._size.append(labelled(label, input, capitalized(must)));
      return input;
    });
  }

  private _readSize(inputs: readonly HTMLInputElement[], fields: readonly SizeField[]): void {
    const texts = inputs.map(({ value }) => value);
    const isOwn = this._hasOwnSize && texts.every((text) => text.trim() === '');
    const { size, problems } = isOwn ? { size: [], problems: [] } : readSize(fields, texts);
    for (const [k, input] of inputs.entries()) this._mark(input, problems[k]);
    if (problems.some((problem) => problem !== undefined)) this._complain();
    else this._change({ ...this._mover, size }, ...inputs);
  }

  private _optionField(option: TracerOption): HTMLElement {
    const { name, type, value: placeholder } = option;
    const help = helpInForm(option);
    const label = labelOf(option);
    const now = this._mover.options[name];
    if (type === 'on' || type === 'off') {
      const box = h('input', {
        type: 'checkbox',
        checked: type === 'on' ? now === true : now !== false,
      });
      box.addEventListener('change', () => {
        const isDefault = box.checked === (type === 'off');
        this._setOption(name, isDefault ? undefined : box.checked);
      });
      return ticked(box, h('span', {}, `${label} `, h('small', {}, help)));
    }
    const text = Array.isArray(now) ? writeNumbers(now, ' ') : now === undefined ? '' : String(now);
    const input = textInput({ value: text, placeholder: placeholder?.replace(/[<>]/g, '') ?? '' });
    input.addEventListener('change', () => {
      const value = readValue(option, input.value);
      const isWrong = value === undefined && input.value.trim() !== '';
      this._mark(input, isWrong ? `${label}: ${help}.` : undefined);
      if (isWrong) this._complain();
      else this._setOption(name, value, input);
    });
    const field = labelled(label, input);
    const words = h('small', { id: `${input.id}-help` }, help);
    input.setAttribute('aria-describedby', words.id);
    field.append(words);
    return field;
  }

  private _setOption(name: string, value: TracerValues[string], ...inputs: HTMLInputElement[]): void {
    const { [name]: _, ...others } = this._mover.options;
    const options = value === undefined ? others : { ...others, [name]: value };
    this._change({ ...this._mover, options }, ...inputs);
  }
}

/** What an option is called, with its name in code and on the command line, which errors and guides use. */
const labelOf = ({ name, label }: TracerOption): string =>
  label === undefined ? capitalized(name) : `${label} (${name})`;

/** What the command's help says, which names options as they are typed, and with which ones they go, as the form knows. */
const wordsInForm = (help: string): string => help.replace(/^with --[^:]*: /, '').replace(/--(?=\w)/g, '');

/** What an option is for: in words below it or beside it, for there is nothing to hover with on touch screens. */
const helpInForm = ({ type, help }: TracerOption): string =>
  type === 'off' ? `untick to ${wordsInForm(help)}` : wordsInForm(help);
