import { checkFinite, checkList, checkPoint, checkWholeFrom, failArgument } from '@bspkit/core/format';

// Colours for more and less: from light to dark without a step back in lightness, so that they can be distinguished whatever
// colours somebody sees, and in black and white. Our own, chosen by eye; a test holds them to it.

/** Red, green, blue, whole numbers from 0 to 255. */
export type Color = readonly [number, number, number];

/** Throws `TypeError` or `RangeError` unless the value is a colour. */
export function checkColor(color: Color, name: string): void {
  checkPoint(color, name);
  for (let k = 0; k < 3; k++) {
    const part = color[k]!;
    if (!(Number.isInteger(part) && part >= 0 && part <= 255))
      failArgument(`${name}[${k}]`, 'a whole number from 0 to 255', part);
  }
}

/** Colours from the lowest value to the highest. */
export type Ramp = readonly Color[];

const color = (hex: number): Color => [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255];
const ramp = (...stops: readonly number[]): Ramp => stops.map(color);

/** More is darker and hotter. */
export const HEAT: Ramp = ramp(0xfff2c2, 0xfdcb72, 0xf4915c, 0xd65a6e, 0x9c3a84, 0x5a2a80);
/** More is lighter, like light. */
export const LIGHT: Ramp = ramp(0x25306f, 0x3d5b9c, 0x6590bd, 0x9dbfd4, 0xcfe0e3, 0xf6f6ea);
/** More room is lighter. */
export const ROOM: Ramp = ramp(0x4d2c5e, 0x40588a, 0x2f8590, 0x5cb085, 0xacd389, 0xf3f0b8);

/**
 * The colour at a share of a ramp, 0 to 1; beyond that, the colour at its end.
 * @throws TypeError and RangeError for a ramp of fewer than two colours, and a share that is not finite.
 */
export function rampColor(stops: Ramp, share: number): Color {
  checkList(stops, 'stops');
  checkWholeFrom(stops.length, 'stops.length', 2);
  checkFinite(share, 'share');
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(at), stops.length - 2);
  const [low, high] = [stops[below]!, stops[below + 1]!];
  checkColor(low, 'stops');
  checkColor(high, 'stops');
  return [0, 1, 2].map((k) => Math.round(low[k]! + (at - below) * (high[k]! - low[k]!))) as unknown as Color;
}

/** A colour in CSS. */
export const css = (rgb: Color): string => `#${rgb.map((x) => x.toString(16).padStart(2, '0')).join('')}`;

export const PAPER: Color = color(0xffffff);
export const INK: Color = color(0x26262b);
export const FAINT: Color = color(0x6d6d76);
/** What cannot be entered, and what is open but has no value. */
export const WALL: Color = color(0x2b2b30);
export const NO_VALUE: Color = color(0xf3f2ee);
export const HATCH: Color = color(0xcfcdc6);
/** A mark on any of the above. */
export const MARK: Color = color(0x00a3e0);

/**
 * The colours of a sheet other than those of values and marks: what each is called in an SVG, and what it is where the viewer's
 * pages are dark. By identity: a white that stands for a value stays white.
 */
export const PAGE_COLORS: ReadonlyMap<Color | undefined, readonly [name: string, dark: string]> = new Map([
  [PAPER, ['paper', '#0d1117']],
  [INK, ['ink', '#e6edf3']],
  [FAINT, ['faint', '#9198a1']],
  [WALL, ['wall', '#8b949e']],
  [NO_VALUE, ['no-value', '#161b22']],
  [HATCH, ['hatch', '#343b44']],
]);
