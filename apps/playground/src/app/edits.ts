import type { Json } from '../tools/tool.ts';

// What was changed in the text of one of our own maps, as links have it.

/** Lines, from 1, and what they say now. */
export type Changes = readonly (readonly [line: number, text: string])[];

/** The most lines that a link has. */
const MOST = 60;

/** Lines of a text that differ from another text of as many lines, by number; `undefined` for other texts, or many. */
export function changedLines(before: string, now: string): Changes | undefined {
  const [old, lines] = [before.split('\n'), now.split('\n')];
  if (old.length !== lines.length) return undefined;
  const changes = lines.flatMap((text, k) => (text === old[k] ? [] : [[k + 1, text] as const]));
  return changes.length > MOST ? undefined : changes;
}

/** A text with some of its lines replaced, as {@link changedLines} gives them; `undefined` where it lacks any of them. */
export function withLines(text: string, changes: Changes): string | undefined {
  const lines = text.split('\n');
  for (const [line, now] of changes) {
    if (lines[line - 1] === undefined) return undefined;
    lines[line - 1] = now;
  }
  return lines.join('\n');
}

/** Changes from a link; `undefined` unless all of them make sense. */
export function readChanges(value: Json | undefined): Changes | undefined {
  const isChange = (change: Json): boolean =>
    Array.isArray(change) && Number.isInteger(change[0]) && typeof change[1] === 'string';
  return Array.isArray(value) && value.length > 0 && value.every(isChange) ? (value as Changes) : undefined;
}
