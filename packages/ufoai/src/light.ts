import { readNodeFaces } from '@bspkit/brushes';
import type { LightOptions, LightSampler } from '@bspkit/core';
import {
  askedLight,
  BinaryReader,
  checkFileOf,
  checkFlag,
  createFaceLight,
  createFullLight,
} from '@bspkit/core/format';
import { checks, MAX_DEPTH } from './check.ts';
import { REGULAR_MODELS } from './constants.ts';
import { LUMPS, type UfoaiFile } from './file.ts';
import { LIGHTS, lightStep, SAMPLE_BYTES, type UfoaiLightmapOptions } from './lightmaps.ts';
import { readFaces } from './mesh-faces.ts';

/** How light is asked for. */
export interface UfoaiLightOptions extends LightOptions, UfoaiLightmapOptions {}

/**
 * How light it is at points of a map: as light as on the first lit face straight below, of any level, down to 2,048 units. Without
 * one it is dark. Inline models do not count. `brightness` is 1 by default, as in the file; at 255, numbers are 0 to 255. For a world
 * of many tiles, this is one of them, where it was built.
 *
 * It is the search of related engines: this game lights soldiers by the sun and by lamps instead, and asks no lightmap.
 *
 * @throws BspError as {@link lightmaps}, and for faces of nodes that there are not; RangeError or TypeError for wrong options.
 */
export function createLightSampler(file: UfoaiFile, options: UfoaiLightOptions = {}): LightSampler {
  checkFileOf(file, 'ufoai', 'readUfoai');
  const asked = askedLight(options, 1, ['night']);
  const { night = false } = options;
  checkFlag(night, 'night');
  const step = lightStep(file);
  const time = night ? 0 : 1;
  const lighting = file.lumps[LIGHTS[time]];
  if (step === undefined || lighting.length <= 1) return createFullLight();
  const faces = readFaces(file);
  const { count, lightOffsets } = faces;
  const offsets = Int32Array.from({ length: count }, (_, face) => lightOffsets[2 * face + time]! || -1);
  // One style each, which is always on.
  const styles = new Uint8Array(4 * count).fill(255);
  for (let face = 0; face < count; face++) styles[4 * face] = 0;
  const light = {
    faces: { ...faces, styles, lightOffsets: offsets },
    ...({ lighting, sampleBytes: SAMPLE_BYTES, offsetBytes: 1 } as const),
  };
  const isSkipped = (face: number): boolean => lightOffsets[2 * face]! < 1 && lightOffsets[2 * face + 1]! < 1;
  return createFaceLight(
    treesOf(file, count),
    { light, step, isSkipped },
    { ...asked, styles: undefined },
    checks,
  );
}

/** The trees of all levels: below the nodes that only join others, which have no plane. */
function treesOf(file: UfoaiFile, numFaces: number): Parameters<typeof createFaceLight>[0] {
  const { nodes, planes, models } = file;
  const { children, mins, maxs } = nodes;
  const roots = models.slice(0, REGULAR_MODELS).flatMap(({ headNode }) => (headNode < 0 ? [] : [headNode]));
  const depth = checks.depth('nodes', children, roots, { most: MAX_DEPTH });
  const heads: number[] = [];
  const bounds: number[] = [];
  const waiting = roots.reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (nodes.planes[node]! < 0) {
      waiting.push(children[2 * node + 1]!, children[2 * node]!);
      continue;
    }
    heads.push(node);
    bounds.push(...mins.subarray(3 * node, 3 * node + 3), ...maxs.subarray(3 * node, 3 * node + 3));
  }
  const records = new BinaryReader(file.lumps.nodes, 'ufoai', 'nodes');
  const listed = readNodeFaces(records, LUMPS.nodes, numFaces, checks);
  return { nodes: { ...nodes, ...listed }, planes, heads, bounds, depth };
}
