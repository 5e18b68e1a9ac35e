import { readNodeFaces } from '@bspkit/brushes';
import type { LightOptions, LightSampler } from '@bspkit/core';
import { askedLight, BinaryReader, checkFileOf, createFaceLight } from '@bspkit/core/format';
import { checks, MAX_DEPTH } from './check.ts';
import { SURFACE_SKY, SURFACE_WARP } from './constants.ts';
import { lumpSizes, type Quake2File } from './file.ts';
import { lightOf, STEP } from './lightmaps.ts';
import { readFaces } from './mesh-faces.ts';

/** Surface flags of faces that are passed over. */
const PASSED: number = SURFACE_SKY | SURFACE_WARP;

/**
 * How light it is at points of a map, as the engine lights monsters, players and items: as light as on the first face straight below
 * that is neither liquid nor sky, down to 2,048 units. Without one it is dark. Only the world counts, not doors and lifts.
 * `brightness` is 1 by default, as in the file and the engine; at 255, numbers are 0 to 255 in each style.
 *
 * Source: RecursiveLightPoint of the engine, with float32 arithmetic, the same bits.
 *
 * @throws BspError as {@link lightmaps}, and for faces of nodes that there are not; RangeError or TypeError for wrong options.
 */
export function createLightSampler(file: Quake2File, options: LightOptions = {}): LightSampler {
  checkFileOf(file, 'quake2', 'readQuake2');
  const asked = askedLight(options, 1);
  const faces = readFaces(file);
  const size = lumpSizes(file.version).nodes;
  const records = new BinaryReader(file.lumps.nodes, 'quake2', 'nodes');
  const nodes = { ...file.nodes, ...readNodeFaces(records, size, faces.count, checks) };
  // The engine begins at node 0, whatever the world's model says.
  const depth = checks.depth('nodes', nodes.children, [0], { most: MAX_DEPTH });
  const isSkipped = (face: number): boolean =>
    (file.textures[faces.texInfos[face]!]!.surfaceFlags & PASSED) !== 0;
  return createFaceLight(
    { nodes, planes: file.planes, heads: [0], depth },
    { light: lightOf(file, faces), step: STEP, isSkipped },
    asked,
    checks,
  );
}
