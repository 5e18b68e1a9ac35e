import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  boxBrush,
  compileMap,
  formatMap,
  type MapSource,
  pillarBrush,
  rampBrush,
  roomBrushes,
} from '@bspkit/compile';
import { FIXTURE_NAMES, fixtureMap } from '@bspkit/fixtures';
import { lightmaps, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, mesh, type Quake2File, readQuake2 } from '@bspkit/quake2';
import { missingAt } from '@bspkit/testkit/browsers';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it } from 'vitest';

// QBSP has no specification: it is defined by what mappers' usual compiler reads and writes. That is ericw-tools from version 2
// on, here as packaged by Debian.

const tool = (name: string): string => join(process.env.BSPKIT_ENGINES ?? '/', `usr/bin/ewtools-${name}`);
const missing = missingAt(tool('qbsp'), 'BSPKIT_ENGINES');
const skipped = missing && ` (skipped: ${missing})`;

const folder = temporaryFolder();

const run = (name: string, ...words: string[]): void =>
  void execFileSync(tool(name), words, { cwd: folder, stdio: 'ignore', timeout: 60_000 });

/** A file written by one of the tools. */
const written = (name: string): Quake2File => readQuake2(Uint8Array.from(readFileSync(join(folder, name))));

/** Area of all faces, in square units. */
function areaOf(file: Quake2File): number {
  const { positions, indices } = mesh(file);
  let area = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => 3 * indices[k + corner]!) as [number, number, number];
    const edge = (from: number, to: number): number[] =>
      [0, 1, 2].map((axis) => positions[to + axis]! - positions[from + axis]!);
    const [u, v] = [edge(a, b), edge(a, c)] as [number[], number[]];
    const cross = [0, 1, 2].map((x) => u[(x + 1) % 3]! * v[(x + 2) % 3]! - u[(x + 2) % 3]! * v[(x + 1) % 3]!);
    area += Math.sqrt(cross.reduce((sum, x) => sum + x * x, 0)) / 2;
  }
  return area;
}

const door = boxBrush([300, -300, -64], [340, -200, 100], { material: 'door' });
const room: MapSource = {
  entities: [
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        ...roomBrushes([-512, -512, -64], [512, 512, 448], 16, { material: 'wall' }),
        boxBrush([-100, -100, -64], [100, 100, 40], { material: 'box' }),
        pillarBrush([256, 192, -64], 40, 192, 7, { material: 'pillar' }),
        rampBrush([-400, -400, -64], [-200, -200, 60], '+x', { material: 'ramp' }),
      ],
    },
    { properties: { classname: 'info_player_start', origin: '0 -300 0' } },
    { properties: { classname: 'func_door' }, brushes: [door] },
  ],
};

describe.skipIf(missing)(`QBSP according to ericw-tools${skipped}`, () => {
  it.each(FIXTURE_NAMES)('%s, written by us, is converted by them to the IBSP that we write', (name) => {
    const [wide, narrow] = [true, false].map(
      (qbsp) => compileMap(fixtureMap(name), { format: 'quake2', qbsp }).bytes,
    );
    writeFileSync(join(folder, 'ours.bsp'), wide!);
    run('bsputil', '--convert', 'q2bsp', 'ours.bsp');
    const { version, lumps } = written('ours-q2bsp');
    expect(version).toBe(38);
    expect(lumps).toEqual(readQuake2(narrow!).lumps);
  });

  it('compiled by them has the same world as their IBSP', () => {
    writeFileSync(join(folder, 'theirs.map'), formatMap(room, { format: 'quake2' }));
    for (const form of ['q2bsp', 'qbism']) run('qbsp', `-${form}`, 'theirs.map', `${form}.bsp`);
    const [narrow, wide] = ['q2bsp.bsp', 'qbism.bsp'].map(written);
    expect([narrow!.version, wide!.version]).toEqual([38, 'QBSP']);
    const [one, other] = [narrow!, wide!].map((file) => new Uint8Array(createQuake2World(file).data));
    expect(other).toEqual(one);
    // QBSP's faces are cut less often, as its lightmaps may be larger.
    expect(areaOf(wide!) / areaOf(narrow!)).toBeCloseTo(1, 6);
  });
});

describe.skipIf(missing)(`coloured light according to ericw-tools${skipped}`, () => {
  const lights = [
    { classname: 'light', origin: '-300 0 100', light: '600', _color: '255 0 0' },
    { classname: 'light', origin: '400 300 100', light: '600', _color: '0 0 255' },
  ];
  const lamps = { entities: [...room.entities, ...lights.map((properties) => ({ properties }))] };
  const read = (name: string) => readQuake1(Uint8Array.from(readFileSync(join(folder, name))));

  it.each([false, true])('is read as they wrote it, in the map and beside it; with tjunc: %s', (tjunc) => {
    const { bytes } = compileMap(lamps, { format: 'quake1', tjunc });
    for (const form of ['lit', 'bspxlit', 'bspxonly']) {
      writeFileSync(join(folder, `${form}.bsp`), bytes);
      run('light', `-${form}`, `${form}.bsp`);
    }
    const lit = Uint8Array.from(readFileSync(join(folder, 'lit.lit')));
    const colored = lightmaps(read('lit.bsp'), { lit })!;
    for (const form of ['bspxlit', 'bspxonly']) expect(lightmaps(read(`${form}.bsp`))).toEqual(colored);
    const sums = [0, 1, 2].map((color) =>
      colored.pixels.reduce((sum, value, k) => sum + (k % 4 === color ? value : 0), 0),
    );
    expect(sums[0]).toBeGreaterThan(1e5);
    expect(sums[1]).toBe(0);
    expect(sums[2]).toBeGreaterThan(1e5);
    const { pixels } = lightmaps(read('lit.bsp'))!;
    expect(pixels.every((value, k) => k % 4 === 3 || value === pixels[k - (k % 4)])).toBe(true);
  });
});
