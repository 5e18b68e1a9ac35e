import { paintFaces } from '@bspkit/testkit/light';
import type { UfoaiFile } from '../src/index.ts';
import { readFaces } from '../src/mesh-faces.ts';

export const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** A map with light, 8 texels from sample to sample: every tenth face has none, and every eleventh only by day. */
export function lit(file: UfoaiFile): UfoaiFile {
  const faces = readFaces(file);
  const paint = { step: 8, sampleBytes: 6, styles: [0], first: 1 };
  const day = paintFaces(faces, { ...paint, isDark: (face) => face % 10 === 9 });
  const night = paintFaces(faces, { ...paint, isDark: (face) => face % 10 === 9 || face % 11 === 9 });
  const records = file.lumps.faces.slice();
  for (let face = 0; face < faces.count; face++) {
    view(records).setInt32(20 * face + 12, night.lightOffsets[face]!, true);
    view(records).setInt32(20 * face + 16, day.lightOffsets[face]!, true);
  }
  for (const { lighting } of [day, night]) lighting[0] = 3;
  const lumps = { faces: records, lightingDay: day.lighting, lightingNight: night.lighting };
  return { ...file, lumps: { ...file.lumps, ...lumps } };
}
