import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  COMPILE_TARGETS,
  type CompileFormat,
  commonMaterial,
  compileMap,
  type Materials,
  parseMap,
} from '../src/index.ts';
import { readQuake3File } from './read/quake3.ts';

// The engines' answers in packages/fixtures were recorded with exactly these files for Quake 1, whose faces have no corners in the
// middle of edges; for Quake 3 with files that also have the faces that only look outside. Those for UFO:AI have changed since:
// version 78, passable liquids, solids inside liquids, liquids that overlap, and one byte in the light lumps. There are none for
// Quake 2. At the time, one brush of the arena was named `common/weapclip`, which meant what `common/weaponclip` means now.
const RECORDED: Materials = { 'common/weapclip': commonMaterial('common/weaponclip')! };

it.each<[CompileFormat, string, string]>([
  ['quake1', 'arena', '648f30bbc0b49fb2f32bbed70d3477e933141a4f570fc123765f2aec05d70b1f'],
  ['quake1', 'house', 'ccca4184d283661ac72ca7024f4c3204b2e043a411d4a673f20f0ebe16ba4cf8'],
  ['quake1', 'torture', 'a72d8bf145f68ea46fae3eb19df637c30d2e3c1eafc6043ad17ea1a931bea3bc'],
  ['quake2', 'arena', '4db8831e295051fff04cbe174ae377bff9e6434590f87d6ae442dfcc226af8eb'],
  ['quake2', 'house', '47cd8555b30a6cb58c48aed4510583ed28fc0952f00bf095c4e8fc59bca621a8'],
  ['quake2', 'torture', '3e0283ea746bb32cb1beff9b7851014d39c8be6939fd4af9b76d9422e2193d09'],
  ['quake3', 'arena', '080d46e79062fbba3d7ee23bc712646dce7245803bb39b3d623e5007c19f409e'],
  ['quake3', 'house', 'd00295a1bac54821b155c9273b078675825c51432612d46e5470125a6173628c'],
  ['quake3', 'torture', 'a7a9e54de467dd7959a32cb87d06ebbfa1d84af50771333cb6ac268fc2f7c3b2'],
  ['ufoai', 'arena', '581cc1c61e4873b78351560ed375096fddb0359c41ff89561d1e5aa4d242ac68'],
  ['ufoai', 'house', 'a82fbdb8a3b1189f3db44a202af38cbf76ec4a09fdeb393404f165d84ca77798'],
  ['ufoai', 'torture', '553bb690a67858efb332922fccda68a610d53f8260a2430b3919214163c6a388'],
])('compiles %s/%s to the same bytes as ever', (format, name, sha256) => {
  const advice = `packages/fixtures/maps/${name}.map compiles to other bytes for ${format}. If that is meant,
write the new hash here. If not, 'bspkit info' of the map, compiled before and after the change, shows which lumps have grown`;
  expect(createHash('sha256').update(compileAsRecorded(name, format)).digest('hex'), advice).toBe(sha256);
});

function compileAsRecorded(name: string, format: CompileFormat): Uint8Array {
  const text = readFileSync(new URL(`../../fixtures/maps/${name}.map`, import.meta.url), 'utf8');
  const recorded = name === 'arena' ? text.replaceAll('common/weaponclip', 'common/weapclip') : text;
  const options = { format, materials: RECORDED, unknownMaterial: 'solid', tjunc: false } as const;
  return compileMap(parseMap(recorded), options).bytes;
}

it.each(['arena', 'house', 'torture'])(
  'compiles quake3/%s to all that traces read in the recorded file',
  (name) => {
    const packed = readFileSync(new URL(`../../fixtures/engine/maps/${name}.quake3.bsp.gz`, import.meta.url));
    const [ours, recorded] = [compileAsRecorded(name, 'quake3'), gunzipSync(packed)].map((bytes) => {
      const { surfaces, models, leafs, ...rest } = readQuake3File(bytes);
      const traced = leafs.map(({ cluster, area, brushes }) => ({ cluster, area, brushes }));
      const { entities, planes, brushes, sides, shaders } = rest;
      return {
        numSurfaces: surfaces.length,
        traced: { entities, planes, brushes, sides, shaders, leafs: traced, numModels: models.length },
      };
    });
    expect(ours!.traced).toEqual(recorded!.traced);
    expect(ours!.numSurfaces).toBeLessThanOrEqual(recorded!.numSurfaces);
  },
);

it.each(COMPILE_TARGETS.map(({ id }) => id))(
  'compiles to the same bytes where scripts have added to the prototype of all objects: %s',
  (format) => {
    const source = parseMap(readFileSync(new URL('../../fixtures/maps/house.map', import.meta.url), 'utf8'));
    const { bytes } = compileMap(source, { format });
    const prototype = Object.prototype as { added?: number };
    for (const value of [1, -1]) {
      prototype.added = value;
      try {
        expect(compileMap(source, { format }).bytes).toEqual(bytes);
      } finally {
        delete prototype.added;
      }
    }
  },
);
