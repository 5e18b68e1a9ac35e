import type { BspWorld, Surface, Trace } from '@bspkit/core';
import type { BspFormat, Fields } from '@bspkit/core/format';
import { capitalized, inWords, show, showVec } from './text.ts';

/** A line of an answer: its name and what it says. */
export type AnswerLine = readonly [name: string, value: string];

/** What became of a move, in a sentence. */
export function outcomeText({ fraction, startSolid, allSolid }: Trace, length: number): string {
  if (allSolid) return length === 0 ? 'In solid' : 'In solid all the way';
  if (length === 0) return startSolid ? 'In solid' : 'In the open';
  const way =
    fraction < 1
      ? `stopped after ${show(fraction * length, 2)} of ${show(length, 2)} units`
      : 'nothing in the way';
  return capitalized(startSolid ? `starts in solid, then ${way}` : way);
}

/** An answer for people, line by line, in an order that stays the same. `surface` is what the format found there. */
export function answerLines(
  format: BspFormat,
  world: BspWorld,
  trace: Trace,
  surface: Surface | undefined,
): AnswerLine[] {
  const lines: AnswerLine[] = [
    ['fraction', show(trace.fraction, 6)],
    ['end', showVec(trace.endPos)],
  ];
  if (trace.fraction < 1 && !trace.allSolid) {
    lines.push(['normal', showVec(trace.normal)]);
    const number = trace.plane < 0 ? '' : `, number ${trace.plane}`;
    lines.push(['plane', `n · p = ${show(trace.dist)}${number}`]);
  }
  const hit = hitText(trace);
  if (hit !== '') lines.push(['hit', hit]);
  const texture = world.textureNames()[trace.texture] ?? surface?.name;
  if (texture !== undefined) lines.push(['texture', texture]);
  const contents = format.contents.names(trace.contents);
  if (trace.contents !== 0) lines.push(['contents', contents.join(', ')]);
  const flags = trace.surfaceFlags !== 0 ? trace.surfaceFlags : (surface?.flags ?? 0);
  if (flags !== 0) lines.push(['flags', format.surfaceFlags.names(flags).join(', ')]);
  for (const [name, value] of Object.entries(format.traceFields(trace))) {
    lines.push([inWords(name), fieldText(value)]);
  }
  return lines;
}

function hitText({ model, brush, side, patch, fraction, startSolid }: Trace): string {
  if (fraction === 1 && !startSolid) return '';
  const parts: string[] = [];
  if (model === 0) parts.push('the world');
  if (model > 0) parts.push(`model *${model}`);
  if (brush >= 0) parts.push(`brush ${brush}`);
  if (side >= 0) parts.push(`side ${side}`);
  if (patch >= 0) parts.push(`patch ${patch}`);
  return parts.join(', ');
}

function fieldText(value: Fields[string]): string {
  if (typeof value === 'number') return show(value, 6);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  return value.map((item) => (typeof item === 'number' ? show(item) : item)).join(' ');
}
