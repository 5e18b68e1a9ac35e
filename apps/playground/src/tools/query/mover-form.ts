import type { BspWorld } from '@bspkit/core';
import type { BspFormat, TracerKind, TracerOption, TracerValues } from '@bspkit/core/format';
import { capitalized, show, showVec } from '@bspkit/words';
import { h } from '../../app/dom.ts';
import { labelled, textInput } from '../dom.ts';
import { firstSize, kindOf, type Mover, optionsOf, readNumbers, readValue } from './query.ts';

type Kind = TracerKind<BspWorld>;

/** Fields of a size: their labels, and how many numbers each holds. */
const SIZE_FIELDS: Readonly<Record<NonNullable<Kind['size']>, readonly (readonly [string, number])[]>> = {
  number: [['Size', 1]],
  box: [
    ['Lowest corner', 3],
    ['Highest corner', 3],
  ],
  capsule: [
    ['Radius', 1],
    ['Height', 1],
  ],
  radii: [['Radii', 3]],
};

/** Labels of sizes by their kinds, where the field's own says more. */
const SIZE_NAMES: Readonly<Record<string, string>> = { sphere: 'Radius', hull: 'Hull' };

/** What is moved, as a form made from the format's catalog: kind, size, options. */
export class MoverForm {
  readonly element: HTMLElement = h('div', { class: 'tool-form' });
  private readonly _format: BspFormat;
  /** Is given what the form says now; returns what is wrong with it, if anything. */
  private readonly _onChange: (mover: Mover) => string | undefined;
  private readonly _error: HTMLElement = h('p', {
    class: 'tool-error',
    role: 'alert',
    hidden: true,
  });
  private readonly _size: HTMLElement = h('div', { class: 'tool-row' });
  private readonly _options: HTMLElement = h('div', { class: 'tool-options' });
  private _mover: Mover;

  constructor(format: BspFormat, mover: Mover, onChange: (mover: Mover) => string | undefined) {
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
    const details = h(
      'details',
      { class: 'tool-details', open: Object.keys(mover.options).length > 0 },
      h('summary', {}, 'Options'),
      this._options,
    );
    this.element.append(labelled('Shape', kinds), this._size, details, this._error);
    this._fill();
  }

  private get _kind(): Kind {
    return kindOf(this._format, this._mover.kind)!;
  }

  private _pickKind(name: string): void {
    const kind = kindOf(this._format, name)!;
    // What both kinds take stays.
    const options = Object.fromEntries(
      Object.entries(this._mover.options).filter(([option]) => kind.options.includes(option)),
    );
    this._change({ kind: name, size: firstSize(this._format, kind), options });
    this._fill();
  }

  private _change(mover: Mover): void {
    this._mover = mover;
    this._say(this._onChange(mover));
  }

  private _say(problem: string | undefined): void {
    this._error.textContent = problem ?? '';
    this._error.hidden = problem === undefined;
  }

  private _fill(): void {
    this._fillSize();
    const options = optionsOf(this._format, this._kind);
    this._options.replaceChildren(...options.map((option) => this._optionField(option)));
  }

  private _fillSize(): void {
    const { size: type, name, sizeName } = this._kind;
    this._size.replaceChildren();
    this._size.hidden = !type;
    if (!type) return;
    const { size } = this._mover;
    // A capsule may also be given by the box around it.
    const fields = type === 'capsule' && size.length === 6 ? SIZE_FIELDS.box : SIZE_FIELDS[type];
    const isTriple = fields.some(([, count]) => count === 3);
    this._size.className = isTriple ? 'tool-stack' : 'tool-row';
    let at = 0;
    const inputs = fields.map(([label, count]) => {
      const own = size.slice(at, at + count);
      at += count;
      const input = textInput({
        inputmode: 'decimal',
        value: own.map((x) => show(x)).join(' '),
        placeholder: own.length === 0 ? "the player's" : '',
      });
      input.addEventListener('change', () => this._readSize(inputs, fields));
      this._size.append(labelled(SIZE_NAMES[name] ?? label, input, sizeName));
      return input;
    });
  }

  private _readSize(
    inputs: readonly HTMLInputElement[],
    fields: readonly (readonly [string, number])[],
  ): void {
    if (inputs.every(({ value }) => value.trim() === '')) {
      this._change({ ...this._mover, size: [] });
      return;
    }
    const size: number[] = [];
    for (const [k, [label, count]] of fields.entries()) {
      const numbers = readNumbers(inputs[k]!.value);
      if (numbers?.length !== count) {
        this._say(`${label}: ${count === 1 ? 'a number is' : `${count} numbers are`} needed`);
        return;
      }
      size.push(...numbers);
    }
    this._change({ ...this._mover, size });
  }

  private _optionField(option: TracerOption): HTMLElement {
    const { name, type, help, value: placeholder } = option;
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
      return h('label', { class: 'tool-check', title: help }, box, capitalized(name));
    }
    const text = Array.isArray(now) ? showVec(now) : now === undefined ? '' : String(now);
    const input = textInput({ value: text, placeholder: placeholder?.replace(/[<>]/g, '') ?? '' });
    input.addEventListener('change', () => {
      const value = readValue(option, input.value);
      if (value === undefined && input.value.trim() !== '') {
        this._say(`${capitalized(name)}: ${help}`);
        return;
      }
      this._setOption(name, value);
    });
    const field = labelled(capitalized(name), input);
    // In words, for there is nothing to hover with on touch screens.
    const words = h('small', { id: `${input.id}-help` }, help);
    input.setAttribute('aria-describedby', words.id);
    field.append(words);
    return field;
  }

  private _setOption(name: string, value: TracerValues[string]): void {
    const options = { ...this._mover.options };
    delete options[name];
    this._change({ ...this._mover, options: value === undefined ? options : { ...options, [name]: value } });
  }
}
