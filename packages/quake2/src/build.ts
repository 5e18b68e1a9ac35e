import { NODE_WORDS, OBLIQUE, writeBrushes } from '@bspkit/brushes';
import { createBuffer, packTexts } from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake2File } from './file.ts';
import {
  AREA_WORDS,
  CLUSTER_SHIFT,
  CLUSTERS_WORD,
  DEPTH_WORD,
  MODEL_HEAD,
  MODEL_WORDS,
  PORTAL_WORDS,
} from './layout.ts';
import { layout } from './sections.ts';

/** The engine widens every model by this much when it loads a map. */
const MODEL_MARGIN = 1;

const FIRST = { planes: 0, leafs: 0, leafBrushes: 0, brushes: 0, sides: 0 };

/** Writes a file's collision data into one new buffer, laid out as `layout.ts` says. */
export function buildWorldData(file: Quake2File, shared: boolean): ArrayBufferLike {
  const { planes, nodes, leafs, textures, models, areas, areaPortals, visibility } = file;
  const texts = packTexts([file.entities, ...textures.map(({ name }) => name)]);
  const rows = visibility?.rows ?? new Uint8Array(0);
  const { places, words } = layout.plan({
    nodes: nodes.count,
    planes: planes.count,
    leafs: leafs.count,
    leafInfos: leafs.count,
    leafBrushes: file.leafBrushes.length,
    brushes: file.brushes.count,
    sides: file.sides.count,
    textures: textures.length,
    models: models.length,
    areas: areas.count,
    areaPortals: areaPortals.count,
    visibility: Math.ceil(rows.length / 4),
    texts: 1 + Math.ceil(texts.length / 4),
  });
  const data = createBuffer(4 * words, shared);
  const ints = new Int32Array(data);
  const floats = new Float32Array(data);
  const bytes = new Uint8Array(data);
  layout.write(ints, places);
  const heads = new Set([0, ...models.map(({ headNode }) => headNode)]);
  ints[DEPTH_WORD] = checks.depth('nodes', nodes.children, [...heads], { most: nodes.count });
  ints[CLUSTERS_WORD] = file.numClusters;
  writeBrushes({ ints, floats, places, first: FIRST }, file, planes.dists);
  for (let k = 0, at = places.nodes.first; k < nodes.count; k++, at += NODE_WORDS) {
    const plane = nodes.planes[k]!;
    // The engine keeps one byte of the type.
    ints[at] = Math.min(planes.types[plane]! & 0xff, OBLIQUE) + 16 * plane;
    floats[at + 1] = planes.dists[plane]!;
    ints[at + 2] = nodes.children[2 * k]!;
    ints[at + 3] = nodes.children[2 * k + 1]!;
  }
  for (let k = 0; k < leafs.count; k++) {
    ints[places.leafInfos.first + k] = (leafs.clusters[k]! << CLUSTER_SHIFT) | leafs.areas[k]!;
  }
  for (const [k, { mins, maxs, headNode }] of models.entries()) {
    const at = places.models.first + MODEL_WORDS * k;
    for (let axis = 0; axis < 3; axis++) {
      floats[at + axis] = mins[axis]! - MODEL_MARGIN;
      floats[at + 3 + axis] = maxs[axis]! + MODEL_MARGIN;
    }
    ints[at + MODEL_HEAD] = headNode;
  }
  for (let k = 0; k < areas.count; k++) {
    ints.set([areas.firstPortals[k]!, areas.numPortals[k]!], places.areas.first + AREA_WORDS * k);
  }
  for (let k = 0; k < areaPortals.count; k++) {
    const at = places.areaPortals.first + PORTAL_WORDS * k;
    ints.set([areaPortals.portals[k]!, areaPortals.areas[k]!], at);
  }
  const flags = textures.map(({ surfaceFlags }) => surfaceFlags);
  ints.set(flags, places.textures.first);
  bytes.set(rows, 4 * places.visibility.first);
  ints[places.texts.first] = texts.length;
  bytes.set(texts, 4 * places.texts.first + 4);
  return data;
}
