import type { LightmapAtlas, LightmapOptions } from '@bspkit/core';
import {
  checkFileOf,
  type LightmapLayout,
  layoutStyles,
  lightmapBrightness,
  paintStyles,
  type StyledLight,
} from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake1File } from './file.ts';

/** Texels between samples. */
export const STEP = 16;
/** Bit of a texture's flags: never lit, as liquids and sky are not. */
const SPECIAL = 1;
/** The brightest that software rendering shows a texture: twice its own brightness. */
const BRIGHTNESS = 2;

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

/** The light of a file. Half-Life's is coloured. */
const lightOf = (file: Quake1File): StyledLight => ({
  faces: edgeFaces(file),
  lighting: file.lighting,
  sampleBytes: file.version === 30 ? 3 : 1,
});

/**
 * Places the lightmaps of all faces; `undefined` for a map without light. If a map has light, a face without light is dark, as in
 * the engine. Throws `BspError` for light that is not in the file.
 */
export function lightmapLayout(file: Quake1File): LightmapLayout | undefined {
  const { faces, texInfos } = file;
  const isUnlit = (face: number): boolean => (texInfos.flags[faces.texInfos[face]!]! & SPECIAL) !== 0;
  return layoutStyles(lightOf(file), STEP, isUnlit, checks);
}

/**
 * The lightmaps of all faces in one picture, which the `lightmapCoords` of {@link mesh} refer to; `undefined` for a map without
 * light. The light of a face's styles is summed, each as bright as `styles` says. `brightness` is 2 by default, as bright as in
 * the software renderer; hardware renderers of the time showed 1.
 *
 * @throws BspError for light that is not in the file, RangeError or TypeError for wrong options.
 */
export function lightmaps(file: Quake1File, options: LightmapOptions = {}): LightmapAtlas | undefined {
  checkFileOf(file, 'quake1', 'readQuake1');
  const brightness = lightmapBrightness(options, BRIGHTNESS);
  const layout = lightmapLayout(file);
  return layout && paintStyles(lightOf(file), layout, options, brightness, false);
}
