import { styleText } from 'node:util';
import type { Fields } from '@bspkit/core/format';
import { formatRow } from '@bspkit/rows';
import { inWords, show } from '@bspkit/words';
import type { Io, Output } from './io.ts';
import { escapeControls, printable } from './printable.ts';
import { type Column, type Drawings, formatFields, formatTables, width, wrap } from './table.ts';

/** A colour or weight, as `styleText` names them. */
export type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is if colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/**
 * Whether to use colours on a stream: by default if it is a terminal that has them. FORCE_COLOR decides for any stream, such as a
 * pager's; NO_COLOR overrides it, although not in Node itself: whoever sets that never wants colours.
 */
export function wantsColor({ isTTY, hasColors }: Output, env: Io['env']): boolean {
  if (env.NO_COLOR || env.NODE_DISABLE_COLORS) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY === true && (hasColors?.() ?? false);
}

/** The default width of lines. */
const WIDTH = 80;

/** Names of fields with what maps number from 0: -1 stands for none. */
const NUMBERED = /(?:cluster|area)$/i;

/** A stream as a page that is printed on: its width, its colours, its styles. */
export class Page {
  readonly paint: Paint;
  private readonly _output: Output;
  private _silent = false;

  constructor(output: Output, env: Io['env']) {
    this._output = output;
    // The stream was asked already; Node would ask its own stdout.
    const paint: Paint = (style, text) => styleText(style, text, { validateStream: false });
    this.paint = wantsColor(output, env) ? paint : (_, text) => text;
  }

  /** Width of a line in characters, now: a terminal can be made narrower at any time. */
  get width(): number {
    return this._output.columns || WIDTH;
  }

  heading(text: string): string {
    return this.paint('bold', printable(text));
  }

  /** The first lines of an answer: a name, which is never broken, and what is known about it. */
  title(name: string, about: string): string {
    const line = `${this.heading(name)}  ${about}`;
    return width(line) <= this.width ? line : `${this.heading(name)}\n${this.wrap(`  ${about}`, 2)}`;
  }

  label(text: string): string {
    return this.paint('dim', text);
  }

  print(text: string): void {
    if (!this._silent) this._output.write(text);
  }

  /** Whether something else is written there. */
  get isSilent(): boolean {
    return this._silent;
  }

  /** Prints nothing from now on, because something else is written there. */
  silence(): void {
    this._silent = true;
  }

  /** Prints an object as one line of JSON. Zeros keep their sign, which `JSON.stringify` drops. */
  printJson(value: object): void {
    this.print(`${escapeControls(formatRow(value))}\n`);
  }

  /** Prints an answer under a title, with the names as words. */
  printFields(title: string, fields: Fields): void {
    const lines = Object.entries(fields).map(([name, value]): [string, string] => [
      inWords(name),
      value === -1 && NUMBERED.test(name) ? '-1: none, as in solid or outside the map' : this.field(value),
    ]);
    this.print(`${this.heading(title)}\n${this.fields(lines)}`);
  }

  /** A field of an answer for people. */
  field(value: Fields[string]): string {
    if (typeof value === 'number') return show(value, 6);
    if (typeof value === 'boolean') return this.paint(value ? 'green' : 'yellow', value ? 'yes' : 'no');
    if (value === null) return '-';
    if (typeof value === 'string') return printable(value);
    if (value.length === 0) return 'none';
    return value.map((item) => (typeof item === 'number' ? show(item) : printable(item))).join(' ');
  }

  /** Names and values, with the values in a column. */
  fields(fields: readonly (readonly [string, string])[]): string {
    return formatFields(fields, this.width, (text) => this.label(text));
  }

  /** A table, divided into several if it is wider than the page. */
  table(columns: readonly Column[], rows: readonly (readonly string[])[], drawings?: Drawings): string {
    return formatTables(columns, rows, this.width, (text) => this.label(text), drawings);
  }

  /** A paragraph, with all lines but the first indented by `indent`. */
  wrap(text: string, indent = 0): string {
    return wrap(text, this.width, indent);
  }
}
