import type { Plane, Vec3 } from '@bspkit/core';

/** A brush in `.map` text: where it stands, and its planes. */
export interface TextBrush {
  /** Lines from 1: that of its `{` and that of its `}`. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly sides: readonly TextSide[];
  /** Whether all of its lines are sides: while one is being typed the brush is open there. */
  readonly isWhole: boolean;
}

/** A side of a brush in `.map` text. */
export interface TextSide extends Plane {
  /** Line from 1. */
  readonly line: number;
}

/** A change of a text: what stands between two places gives way to other text. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const POINT = String.raw`\(\s*(\S+)\s+(\S+)\s+(\S+)\s*\)`;
const SIDE = new RegExp(String.raw`^\s*${POINT}\s*${POINT}\s*${POINT}`);

/**
 * The brushes of `.map` text that has a side per line, as editors write it. What does not look like a side is passed
 * over: text is also looked at while it is being typed.
 */
export function textBrushes(text: string): TextBrush[] {
  const brushes: TextBrush[] = [];
  let depth = 0;
  let firstLine = 0;
  let sides: TextSide[] = [];
  let isWhole = true;
  // Such a brush has its sides within braces of their own.
  let isDef = false;
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\/\/.*/, '').trim();
    if (line === '{') {
      depth++;
      if (isDef && depth === 3) continue;
      firstLine = at + 1;
      sides = [];
      isWhole = true;
      isDef = false;
    } else if (line === '}') {
      if (depth === 2 && sides.length > 0) brushes.push({ firstLine, lastLine: at + 1, sides, isWhole });
      depth = Math.max(0, depth - 1);
      if (!isDef || depth !== 2) sides = [];
    } else if (depth === 2 && line === 'brushDef') isDef = true;
    else if (depth === (isDef ? 3 : 2)) {
      const plane = planeOf(line);
      if (plane) sides.push({ ...plane, line: at + 1 });
      else if (line !== '') isWhole = false;
    }
  }
  return brushes;
}

/** The plane of a side's line; `undefined` where it has none. */
function planeOf(line: string): Plane | undefined {
  const numbers = SIDE.exec(line)?.slice(1).map(Number);
  if (!numbers?.every(Number.isFinite)) return undefined;
  const [a, b, c] = [numbers.slice(0, 3), numbers.slice(3, 6), numbers.slice(6)];
  const u = [0, 1, 2].map((k) => c[k]! - a[k]!) as [number, number, number];
  const v = [0, 1, 2].map((k) => b[k]! - a[k]!) as [number, number, number];
  const across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...across);
  if (length === 0) return undefined;
  const normal = across.map((x) => x / length);
  return { normal, dist: a.reduce((sum, x, k) => sum + x * normal[k]!, 0) };
}

/** The brush that a line belongs to. */
export const brushAtLine = (brushes: readonly TextBrush[], line: number): TextBrush | undefined =>
  brushes.find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);

/** The brush that a point lies in or on, and the side of it that is nearest to the point. */
export function brushAtPoint(
  brushes: readonly TextBrush[],
  point: Vec3,
): { readonly brush: TextBrush; readonly side: TextSide } | undefined {
  let found: { brush: TextBrush; side: TextSide } | undefined;
  let depth = 1;
  for (const brush of brushes) {
    let nearest = brush.sides[0]!;
    let highest = Number.NEGATIVE_INFINITY;
    for (const side of brush.sides) {
      const { normal, dist } = side;
      const height = point[0]! * normal[0]! + point[1]! * normal[1]! + point[2]! * normal[2]! - dist;
      if (height > highest) [highest, nearest] = [height, side];
    }
    if (highest < depth) {
      depth = highest;
      found = { brush, side: nearest };
    }
  }
  return found;
}

/** Line of a place in a text, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Where a line begins and ends, without its line break. */
export function lineRange(text: string, line: number): readonly [from: number, to: number] {
  let from = 0;
  for (let k = 1; k < line; k++) {
    const next = text.indexOf('\n', from);
    if (next < 0) return [text.length, text.length];
    from = next + 1;
  }
  const end = text.indexOf('\n', from);
  return [from, end < 0 ? text.length : end];
}

/** The number at a place of a text: where it begins and ends; `undefined` where there is none. */
export function numberAt(text: string, offset: number): readonly [from: number, to: number] | undefined {
  const isPart = (at: number): boolean => /[-+.\deE]/.test(text[at] ?? '');
  let from = offset;
  let to = offset;
  while (isPart(from - 1)) from--;
  while (isPart(to)) to++;
  const word = text.slice(from, to);
  const isWhole = /[\s("]|^$/.test(text[from - 1] ?? '') && /[\s)"]|^$/.test(text[to] ?? '');
  return word !== '' && isWhole && Number.isFinite(Number(word)) ? [from, to] : undefined;
}

/** Adds to the number at a place; `undefined` where there is none. */
export function nudge(text: string, offset: number, by: number): Edit | undefined {
  const range = numberAt(text, offset);
  if (!range) return undefined;
  const [from, to] = range;
  return { from, to, insert: numberText(Number(text.slice(from, to)) + by) };
}

/**
 * Moves the side whose line a place is in outwards, all of its three points along its normal; inwards for `by` below 0.
 * `undefined` where there is no side.
 */
export function moveSide(text: string, offset: number, by: number): Edit | undefined {
  const line = lineAt(text, offset);
  const [from, to] = lineRange(text, line);
  const old = text.slice(from, to);
  const plane = planeOf(old);
  if (!plane) return undefined;
  return { from, to, insert: movePoints(old, plane.normal, by) };
}

function movePoints(line: string, normal: Vec3, by: number): string {
  let axis = 0;
  let points = 0;
  // Nine numbers in three pairs of parentheses; what follows them is the texture's.
  return line.replace(/\(([^()]*)\)/g, (whole, inside: string) => {
    if (points++ >= 3) return whole;
    axis = 0;
    return `(${inside.replace(/\S+/g, (word) => numberText(Number(word) + by * normal[axis++]!))})`;
  });
}

/** As many digits as a coordinate needs. */
const numberText = (value: number): string => String(Math.round(value * 1e6) / 1e6 + 0);

/** What makes one text of another: what is between the beginning and the end that they share. Long changes take editors seconds. */
export function difference(text: string, other: string): Edit {
  const least = Math.min(text.length, other.length);
  let from = 0;
  while (from < least && text[from] === other[from]) from++;
  let end = 0;
  while (end < least - from && text.at(-1 - end) === other.at(-1 - end)) end++;
  return { from, to: text.length - end, insert: other.slice(from, other.length - end) };
}
