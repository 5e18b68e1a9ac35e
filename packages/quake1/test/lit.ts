import { arenaQuake1 } from '@bspkit/fixtures';
import { paintFaces } from '@bspkit/testkit/light';
import { type Quake1File, readQuake1 } from '../src/index.ts';
import { edgeFaces } from '../src/lightmaps.ts';

export const arena: Quake1File = readQuake1(arenaQuake1());

/** Whether a face's texture is never lit. */
export const isSpecial = ({ texInfos, faces }: Quake1File, face: number): boolean =>
  (texInfos.flags[faces.texInfos[face]!]! & 1) !== 0;

/** The arena with light in two styles, of which every tenth face has none. */
export function lit(version: 29 | 30 = 29): Quake1File {
  const { lighting, ...light } = paintFaces(edgeFaces(arena), {
    ...{ step: 16, sampleBytes: version === 30 ? 3 : 1, styles: [0, 3] },
    isDark: (face) => face % 10 === 9 || isSpecial(arena, face),
  });
  return { ...arena, version, lighting, faces: { ...arena.faces, ...light } };
}
