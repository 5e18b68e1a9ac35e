import { formatRow } from '@bspkit/conformance';
import type { Fields } from './formats/adapter.ts';
import { show } from './numbers.ts';
import { type Paint, painter } from './style.ts';
import { formatFields } from './table.ts';

/** Colours what goes to stdout. */
export const paint: Paint = painter(process.stdout);

/** Styles of what every command prints. */
export const heading = (text: string): string => paint('bold', text);
export const label = (text: string): string => paint('dim', text);

export function print(text: string): void {
  process.stdout.write(text);
}

/** Prints an answer: as one line of JSON, or under a title with the names in words. */
export function printFields(title: string, fields: Fields, json: boolean | undefined): void {
  if (json) {
    printJson(fields);
    return;
  }
  const lines = Object.entries(fields).map(([name, value]): [string, string] => [
    inWords(name),
    showField(value),
  ]);
  print(`${heading(title)}\n${formatFields(lines, label)}`);
}

/** `leafContents` as `leaf contents`. */
export const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A field of an answer for people. */
export function showField(value: Fields[string]): string {
  if (typeof value === 'number') return show(value, 6);
  if (typeof value === 'boolean') return paint(value ? 'green' : 'yellow', value ? 'yes' : 'no');
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  if (value.length === 0) return 'none';
  return value.map((item) => (typeof item === 'number' ? show(item) : item)).join(' ');
}

/** Prints an object as one line of JSON. Zeros keep their sign, which `JSON.stringify` drops. */
export function printJson(value: object): void {
  print(`${formatRow(value as Record<string, unknown>)}\n`);
}
