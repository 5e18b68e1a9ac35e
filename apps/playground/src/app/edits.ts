import type { Json } from '../tools/tool.ts';

// What was changed in the text of one of our own maps, as links have it.

/** Lines, from 1, and what they say now. */
export type Changes = readonly (readonly [line: number, text: string])[];

/** Lines of a text that differ from another text of as many lines, by number; `undefined` for other texts, or many. */
export function changedLines(before: string, now: string, most = 60): Changes | undefined {
  const [old, lines] = [before.split('\n'), now.split('\n')];
  if (old.length !== lines.length) return undefined;
  const changes = lines.flatMap((text, k) => (text === old[k] ? [] : [[k + 1, text] as const]));
  return changes.length > most ? undefined : changes;
}

/** A text with some of its lines replaced, as {@link changedLines} gives them. */
export function withLines(text: string, changes: Changes): string {
  const lines = text.split('\n');
  for (const [line, now] of changes) if (line >= 1 && line <= lines.length) lines[line - 1] = now;
  return lines.join('\n');
}

/** Changes from a link; `undefined` where it has none that make sense. */
export function readChanges(value: Json | undefined): Changes | undefined {
  if (!Array.isArray(value)) return undefined;
  const changes = value.filter(
    (change): change is readonly [number, string] =>
      Array.isArray(change) && Number.isInteger(change[0]) && typeof change[1] === 'string',
  );
  return changes.length > 0 ? changes : undefined;
}
