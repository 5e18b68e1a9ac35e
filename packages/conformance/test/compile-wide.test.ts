import { boxBrush, compileMap } from '@bspkit/compile';
import { fixtureMap } from '@bspkit/fixtures';
import { createQuake2World, mesh, readQuake2 } from '@bspkit/quake2';
import { describe, expect, it } from 'vitest';

const compile = (map: Parameters<typeof compileMap>[0], qbsp?: boolean | 'auto'): Uint8Array =>
  compileMap(map, { format: 'quake2', qbsp, tjunc: false }).bytes;

describe('maps of Quake 2 with 32-bit records', () => {
  it('are written when asked for, with the same world and faces', () => {
    const source = fixtureMap('arena');
    const narrow = readQuake2(compile(source, false));
    const wide = readQuake2(compile(source, true));
    expect([narrow.version, wide.version]).toEqual([38, 'QBSP']);
    const [one, other] = [narrow, wide].map((file) => new Uint8Array(createQuake2World(file).data));
    expect(other).toEqual(one);
    expect(mesh(wide)).toEqual(mesh(narrow));
    expect(compile(source)).toEqual(compile(source, false));
  });

  it('are written, unless that is ruled out, if IBSP has no room', () => {
    // Two walls that face each other, with a texture so small that each is cut into 256 by 256 pieces.
    const texture = { s: [0, 960, 0, 0], t: [0, 0, 960, 0] } as const;
    const walls = [1, -1].map((inward) => {
      const { sides } = boxBrush([-96 * inward - 32, 0, 0], [-96 * inward + 32, 64, 64]);
      return { sides: sides.map((side) => (side.normal[0] === inward ? { ...side, texture } : side)) };
    });
    const file = readQuake2(compile(walls));
    expect(file.version).toBe('QBSP');
    expect(Math.max(...file.leafs.numFaces)).toBeGreaterThanOrEqual(2 * 256 ** 2);
    expect(mesh(file).indices.length / 6).toBeGreaterThanOrEqual(2 * 256 ** 2);
    const words = /IBSP version 38 holds at most 65535 \w+, but the map has/;
    expect(() => compile(walls, false)).toThrow(words);
  });
});
