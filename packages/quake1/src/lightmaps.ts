import type { Bytes, LightmapAtlas, LightmapOptions } from '@bspkit/core';
import {
  checkFileOf,
  type LightmapLayout,
  layoutStyles,
  lightmapBrightness,
  paintStyles,
  type StyledLight,
  toBytes,
} from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake1File } from './file.ts';
import { colorsOf, ownColors } from './lit.ts';

/** Texels between samples. */
export const STEP = 16;
/** Bit of a texture's flags: never lit, as liquids and sky are not. */
const SPECIAL = 1;
/** The brightest that software rendering shows a texture: twice its own brightness. */
export const BRIGHTNESS = 2;

/** The faces of a file, with everything that they are made of. No spread: V8 gives objects made by it a shape of their own each. */
export const edgeFaces = ({
  faces,
  texInfos,
  surfEdges,
  edges,
  vertexes,
}: Quake1File): StyledLight['faces'] => ({
  count: faces.count,
  firstEdges: faces.firstEdges,
  numEdges: faces.numEdges,
  texInfos: faces.texInfos,
  styles: faces.styles,
  lightOffsets: faces.lightOffsets,
  vectors: texInfos.vectors,
  surfEdges,
  edges,
  positions: vertexes.positions,
});

/** How lightmaps are made. */
export interface Quake1LightmapOptions extends LightmapOptions {
  /**
   * The bytes of the `.lit` file that belongs to the map: its light in colour. By default, colours that a compiler put into the map
   * itself (`RGBLIGHTING`), if there is one for each sample. Not for Half-Life, where all light is coloured.
   */
  readonly lit?: Bytes | undefined;
}

/** The light of a file: grey, or in these colours. Half-Life's is coloured. */
export function lightOf(file: Quake1File, colors: Uint8Array | undefined): StyledLight {
  const faces = edgeFaces(file);
  if (colors) return { faces, lighting: colors, sampleBytes: 3, offsetBytes: 3 };
  return { faces, lighting: file.lighting, sampleBytes: isHalflife(file) ? 3 : 1, offsetBytes: 1 };
}

const isHalflife = ({ version }: Quake1File): boolean => version === 30;

/**
 * Places the lightmaps of all faces; `undefined` for a map without light. If a map has light, a face without light is dark, as in
 * the engine. Throws `BspError` for light that is not in the file.
 */
export function lightmapLayout(file: Quake1File): LightmapLayout | undefined {
  // Colours have the places of grey light, but a compiler may leave that out.
  const isInColors = file.lighting.length === 0 && !isHalflife(file);
  const light = lightOf(file, isInColors ? ownColors(file) : undefined);
  return layoutStyles(light, STEP, (face) => isUnlit(file, face), checks);
}

/** Whether a face is never lit. */
export const isUnlit = ({ faces, texInfos }: Quake1File, face: number): boolean =>
  (texInfos.flags[faces.texInfos[face]!]! & SPECIAL) !== 0;

/**
 * The lightmaps of all faces in one picture, which the `lightmapCoords` of {@link mesh} refer to; `undefined` for a map without
 * light. The light of a face's styles is summed, each as bright as `styles` says. `brightness` is 2 by default, as bright as in
 * the software renderer; hardware renderers of the time showed 1. It is in colour if the map or the `lit` file has colours.
 *
 * @throws BspError for light that is not in the file, and for a `lit` file that is not one or has not as many colours as the map has
 *   light samples; RangeError or TypeError for wrong options.
 */
export function lightmaps(file: Quake1File, options: Quake1LightmapOptions = {}): LightmapAtlas | undefined {
  checkFileOf(file, 'quake1', 'readQuake1');
  const brightness = lightmapBrightness(options, BRIGHTNESS, ['lit']);
  const colors = findColors(file, options.lit);
  // There is a colour for each sample, so they lie in the file where grey light does.
  const layout = lightmapLayout(file);
  return layout && paintStyles(lightOf(file, colors), layout, options, brightness, false);
}

/** The colours of a map; `undefined` for one whose light is grey, and for Half-Life, whose own is coloured. */
export function findColors(file: Quake1File, lit: Bytes | undefined): Uint8Array | undefined {
  const colors = lit === undefined ? undefined : toBytes(lit, 'lit');
  if (!isHalflife(file)) return colors ? colorsOf(file, colors) : ownColors(file);
  if (colors)
    throw new TypeError('lit must not be given for a map of Half-Life, whose own light is coloured');
  return undefined;
}
