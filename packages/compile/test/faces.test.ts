import { areaSize, type Vec } from '@bspkit/geometry';
import { expect, it } from 'vitest';
import { compileMap, roomBrushes } from '../src/index.ts';
import { readQuake1File } from './read/quake1.ts';
import { readQuake2File } from './read/quake2.ts';
import { readQuake3File } from './read/quake3.ts';
import { roundedBoxes } from './rounded.ts';

interface Faces {
  readonly faces: readonly { readonly corners: readonly (readonly number[])[] }[];
  /** The numbers of those that are in each leaf. */
  readonly listed: readonly (readonly number[])[];
}

/** The faces of files with one model. */
const READERS: Readonly<Record<'quake1' | 'quake2' | 'quake3', (bytes: Uint8Array) => Faces>> = {
  quake1(bytes) {
    const { faces, leafs } = readQuake1File(bytes);
    return { faces, listed: leafs.map(({ marks }) => marks) };
  },
  quake2(bytes) {
    const { faces, leafs } = readQuake2File(bytes);
    return { faces, listed: leafs.map((leaf) => leaf.faces) };
  },
  quake3(bytes) {
    const { surfaces, leafs } = readQuake3File(bytes);
    return { faces: surfaces, listed: leafs.map((leaf) => leaf.surfaces) };
  },
};

it('draws the same in all games, each face in a leaf, however nearly sides lie in one plane', () => {
  // BSPKIT_RUNS_FACES sets how many maps are tried, and with a second number how many brushes each; proof runs use 50 and 100.
  const [maps = 1, count = 20] = (process.env.BSPKIT_RUNS_FACES ?? '').split(',').filter(Boolean).map(Number);
  for (let seed = 1; seed <= maps; seed++) {
    const reach = 30 * Math.cbrt(count);
    // No box reaches its walls.
    const half = Math.ceil(reach + 112);
    const walls = roomBrushes([-half, -half, -half], [half, half, half], 16);
    const source = {
      entities: [
        {
          properties: { classname: 'worldspawn' },
          brushes: [...walls, ...roundedBoxes(seed, count, reach)],
        },
        { properties: { classname: 'light', origin: `${half - 1} 0 0` } },
      ],
    };
    const areas = Object.entries(READERS).map(([format, read]) => {
      const { bytes } = compileMap(source, { format: format as keyof typeof READERS, tjunc: false });
      const { faces, listed } = read(bytes);
      expect(new Set(listed.flat()).size, `${format}, map ${seed}`).toBe(faces.length);
      return faces.reduce((sum, { corners }) => sum + areaSize(corners.flat() as unknown as Vec), 0);
    });
    // Slivers that the games round away differ.
    for (const area of areas) expect(Math.abs(area - areas[0]!), `map ${seed}`).toBeLessThan(count);
  }
});
