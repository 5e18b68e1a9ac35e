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
import { SURFACE_NODRAW, SURFACE_SKY, SURFACE_TRANS33, SURFACE_TRANS66, SURFACE_WARP } from './constants.ts';
import type { Quake2File } from './file.ts';
import { type Quake2Faces, readFaces } from './mesh-faces.ts';

/** Texels between samples. */
export const STEP = 16;
/** Surface flags of faces that are never lit. */
const UNLIT: number = SURFACE_SKY | SURFACE_WARP | SURFACE_TRANS33 | SURFACE_TRANS66 | SURFACE_NODRAW;

/** The light of a file. */
export const lightOf = ({ lumps }: Quake2File, faces: Quake2Faces): StyledLight => ({
  ...{ faces, lighting: lumps.lighting, sampleBytes: 3, offsetBytes: 1 },
});

/**
 * Places the lightmaps of all faces; `undefined` for a map without light. In a map with light, a face without is dark. Throws
 * `BspError` for light that is not in the file.
 */
export function lightmapLayout(file: Quake2File, faces: Quake2Faces): LightmapLayout | undefined {
  const isUnlit = (face: number): boolean =>
    (file.textures[faces.texInfos[face]!]!.surfaceFlags & UNLIT) !== 0;
  return layoutStyles(lightOf(file, faces), STEP, isUnlit, checks);
}

/**
 * The lightmaps of all faces in one picture, to which the `lightmapCoords` of {@link mesh} refer; `undefined` for a map without
 * light. The light of a face's styles is summed, each as bright as `styles` says. `brightness` is 1 by default, as in the file;
 * anything that would be brighter than 255 keeps its hue, as in the engine: all three colours are made darker.
 *
 * @throws BspError for light that is not in the file, RangeError or TypeError for wrong options.
 */
export function lightmaps(file: Quake2File, options: LightmapOptions = {}): LightmapAtlas | undefined {
  checkFileOf(file, 'quake2', 'readQuake2');
  const brightness = lightmapBrightness(options, 1);
  const faces = readFaces(file);
  const layout = lightmapLayout(file, faces);
  return layout && paintStyles(lightOf(file, faces), layout, options, brightness, true);
}
