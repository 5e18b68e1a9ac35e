import type { Bytes } from '@bspkit/core';
import {
  type BspFile,
  createChecks,
  ibspVersion,
  openLumps,
  readFloats,
  readInts,
  unpackTexts,
} from '@bspkit/core/format';
import { MAGIC, VERSION, versionOf } from './identity.ts';

// 'TOYB', the version, three lumps as offset and length, the lumps. Little-endian throughout.

/** Words of a box, in the file as in the world: model, mins, maxs, contents, flags, texture. */
export const BOX_WORDS = 10;
/** Lumps in the order of the file's directory, with the bytes in a record (1: not made of records). */
const LUMPS = { entities: 1, textures: 1, boxes: 4 * BOX_WORDS } as const;
export const HEADER_BYTES = 8 + 8 * Object.keys(LUMPS).length;

type Lump = keyof typeof LUMPS;

export interface ToyFile extends BspFile {
  readonly format: 'toy';
  readonly version: number;
  readonly textures: readonly string[];
  /** Words of all boxes: as integers, and the same words as floats. */
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  /** Number of inline models. */
  readonly numModels: number;
  readonly lumps: Readonly<Record<Lump, Uint8Array>>;
}

const checks = createChecks<Lump>('toy');

/** Reads and checks a toy map. Throws `BspError`. */
export function readToy(bytes: Bytes): ToyFile {
  const wanted = `a toy map (${MAGIC} ${VERSION})`;
  const isRelated = (file: Uint8Array): boolean => ibspVersion(file, MAGIC) !== undefined;
  const { lumps, raw } = openLumps(bytes, 'toy', { wanted, versionOf, isRelated }, LUMPS);
  const { entities, boxes } = lumps;
  const size = LUMPS.boxes;
  const count = boxes.records(size);
  const models = readInts(boxes, size, 0);
  const corners = readFloats(boxes, size, 4, 6);
  const textures = unpackTexts(raw.textures);
  checks.filled(raw, ['textures', 'boxes']);
  checks.finite('boxes', corners, 6);
  // A model has at least a box, so there are not more of them than boxes.
  checks.indexes('boxes', 'model', models, count);
  checks.indexes('boxes', 'texture', readInts(boxes, size, 36), textures.length);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < 3; i++) {
      if (corners[6 * k + i]! > corners[6 * k + 3 + i]!) checks.fail('value', 'boxes', k, 'is inside out');
    }
  }
  return {
    format: 'toy',
    version: VERSION,
    entities: entities.text(0, entities.bytes.length),
    textures,
    ...boxes.words(),
    numModels: models.reduce((most, model) => Math.max(most, model), 0),
    lumps: raw,
  };
}
