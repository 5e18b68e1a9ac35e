import type { BspWorld, Surface, Trace } from '@bspkit/core';
import type { BspFormat, Fields } from '@bspkit/core/format';
import { hitText, inWords, show, showFraction, showVec } from '@bspkit/words';

/** A line of an answer: its name and what it says. */
export type AnswerLine = readonly [name: string, value: string];

/** An answer for people, line by line, in an order that stays the same. `surface` is what the format found there. */
export function answerLines(
  format: BspFormat,
  world: BspWorld,
  trace: Trace,
  surface: Surface | undefined,
): AnswerLine[] {
  const lines: AnswerLine[] = [
    ['fraction', showFraction(trace.fraction)],
    ['end', showVec(trace.endPos)],
  ];
  // Some moves that start in solid are stopped by no surface.
  if (trace.fraction < 1 && !trace.allSolid && trace.normal.some((part) => part !== 0)) {
    lines.push(['normal', showVec(trace.normal)]);
    const number = trace.plane < 0 ? '' : `, number ${trace.plane}`;
    lines.push(['plane', `n · p = ${show(trace.dist)}${number}`]);
  }
  const hit = trace.fraction < 1 || trace.startSolid ? hitText(trace) : '';
  if (hit !== '') lines.push(['hit', hit]);
  // What is not drawn has a name without letters in some formats.
  const texture = world.textureNames()[trace.texture] || surface?.name;
  if (texture) lines.push(['texture', texture]);
  const contents = format.contents.names(trace.contents);
  if (trace.contents !== 0) lines.push(['contents', contents.join(', ')]);
  const flags = trace.surfaceFlags !== 0 ? trace.surfaceFlags : (surface?.flags ?? 0);
  if (flags !== 0) lines.push(['flags', format.surfaceFlags.names(flags).join(', ')]);
  for (const [name, value] of Object.entries(format.traceFields(trace))) {
    lines.push([inWords(name), fieldText(value)]);
  }
  return lines;
}

function fieldText(value: Fields[string]): string {
  if (typeof value === 'number') return show(value, 6);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  return value.map((item) => (typeof item === 'number' ? show(item) : item)).join(' ');
}
