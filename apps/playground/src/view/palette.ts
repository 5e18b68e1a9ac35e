import type { Coloring } from '../app/link.ts';
import type { OpenMap } from '../app/open-map.ts';
import type { DrawArrays, DrawGroup } from './surfaces.ts';

// Colours for surfaces whose textures are not at hand: by what a texture's name says it is, or by what fills a brush.

/** Red, green, blue, 0 to 255. */
type Color = readonly [number, number, number];

const color = (hex: number): Color => [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255];

/** What words in names look like. The first that matches counts. */
const WORDS: readonly (readonly [RegExp, Color])[] = [
  [/lava|fire|flame/, color(0xd9562b)],
  [/slime|acid|toxic/, color(0x7fa63c)],
  [/water|pool|river|fountain/, color(0x4a8fb5)],
  [/sky|cloud/, color(0x8fb3d1)],
  [/window|glass/, color(0x9cc4cf)],
  [/grass|bush|tree|leaf|hedge|plant|moss/, color(0x7d8f58)],
  [/sand|beach|desert|dirt|ground|mud|earth/, color(0xa8906a)],
  [/wood|plank|crate|door|table|barrel|wd/, color(0x9a7350)],
  [/brick/, color(0xa3705c)],
  [/roof|tile/, color(0x8e5b4d)],
  [/rust/, color(0x8f6147)],
  [/metal|steel|iron|pipe|grate|comp|tech|base/, color(0x7c858f)],
  [/trim|border|edge|step|stair/, color(0xb59f7d)],
  [/stone|rock|cliff|concrete|block|gothic|castle/, color(0x8d8a82)],
  [/floor|flr/, color(0x8a8175)],
  [/light|lamp/, color(0xe2cf9a)],
  [/wall/, color(0xada294)],
];

/** For names that say nothing: muted, of like brightness. */
const PLAIN: readonly Color[] = [
  0x9a8f80, 0x8b9094, 0x94897a, 0x7f8b85, 0xa39681, 0x8c8299, 0x9c8474, 0x7d8a96, 0x96927a, 0x8e8079,
].map(color);

/** By contents: what stops whom has a colour of its own. The first name that matches counts. */
const CONTENTS: readonly (readonly [RegExp, Color])[] = [
  [/lava/, color(0xe2562e)],
  [/slime/, color(0x86b336)],
  [/water|current/, color(0x3e8fc4)],
  [/sky/, color(0x8fb3d1)],
  [/fog/, color(0xb9a6d3)],
  [/window/, color(0x62c2c9)],
  [/ladder/, color(0xd6b443)],
  [/monster|bot/i, color(0xb56ad1)],
  [/weapon/i, color(0xd1608f)],
  [/light/i, color(0xe0cf6b)],
  [/clip/i, color(0xd96bb0)],
  [/passable/, color(0x6fb56a)],
  [/translucent/, color(0x88c7b7)],
  [/structural|solid|terrain/, color(0x9aa3ad)],
  [/detail/, color(0xc79a63)],
];
const OTHER = color(0x9d93b8);
/** Solid that is only detail. */
const DETAIL = color(0xc4a27a);

/** A colour, and what has it. */
export interface Swatch {
  readonly name: string;
  readonly color: Color;
}

/**
 * By slope: the least z of the normal of each, greatest first. Players of all these games stand on 0.7 and more. What one stands on
 * is lighter than what is too steep for it: to many who are colour-blind, green and orange are the same yellow.
 */
export const SLOPES: readonly (Swatch & { readonly least: number })[] = [
  { name: 'floor', least: Math.fround(0.7), color: color(0x84b98e) },
  { name: 'too steep', least: 0.01, color: color(0xb0610e) },
  { name: 'wall', least: -0.01, color: color(0x9aa3ad) },
  { name: 'overhang', least: -1, color: color(0x7388b8) },
];

const slopeColor = (z: number): Color => (SLOPES.find(({ least }) => z >= least) ?? SLOPES.at(-1)!).color;

/** A colour for a texture by its name: the same name always has the same one. */
export function textureColor(name: string): Color {
  const lower = name.toLowerCase();
  const hash = hashOf(lower);
  const word = WORDS.find(([pattern]) => pattern.test(lower));
  const [r, g, b] = word ? word[1] : PLAIN[hash % PLAIN.length]!;
  // Textures of one kind differ a little, so that one can tell where one ends.
  const shade = 0.92 + (((hash >>> 8) & 255) / 255) * 0.16;
  const warm = (((hash >>> 16) & 255) / 255 - 0.5) * 10;
  return [r * shade + warm, g * shade, b * shade - warm].map((x) =>
    Math.max(0, Math.min(255, Math.round(x))),
  ) as never;
}

/** A colour for contents by their names, and which of these it is for. */
export function contentsSwatch(names: readonly string[]): Swatch {
  if (names.includes('solid') && names.includes('detail')) return { name: 'detail', color: DETAIL };
  for (const [pattern, color] of CONTENTS) {
    const name = names.find((known) => pattern.test(known));
    if (name !== undefined) return { name, color };
  }
  return { name: names[0] ?? 'other', color: OTHER };
}

/** What has a colour by its contents. */
const isByContents = ({ kind }: DrawGroup, by: Coloring): boolean =>
  by === 'contents' || kind === 'hidden' || (by === 'slope' && kind !== 'solid');

/** What the colours of some groups mean; those of textures are as many as there are names. */
export function legendOf({ format }: OpenMap, groups: readonly DrawGroup[], by: Coloring): Swatch[] {
  const names = new Map<Color, Set<string>>();
  for (const group of groups) {
    if (!isByContents(group, by)) continue;
    const { name, color } = contentsSwatch(format.contents.names(group.contents));
    names.set(color, (names.get(color) ?? new Set()).add(name));
  }
  const contents = [...names].map(([color, own]) => ({ name: [...own].join(', '), color }));
  return by === 'slope' ? [...SLOPES, ...contents] : contents;
}

/** The colours of all vertices, three bytes each. */
export function vertexColors(
  map: OpenMap,
  { positions, normals, indices, groups }: DrawArrays,
  by: Coloring,
): Uint8Array {
  const colors = new Uint8Array(positions.length);
  const colorOf = (group: DrawGroup): Color =>
    isByContents(group, by)
      ? contentsSwatch(map.format.contents.names(group.contents)).color
      : textureColor(group.name);
  for (const group of groups) {
    const bySlope = by === 'slope' && group.kind === 'solid';
    const whole = colorOf(group);
    for (let k = group.first; k < group.first + group.count; k++) {
      const at = 3 * indices[k]!;
      const [r, g, b] = bySlope ? slopeColor(normals[at + 2]!) : whole;
      colors[at] = r;
      colors[at + 1] = g;
      colors[at + 2] = b;
    }
  }
  return colors;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}
