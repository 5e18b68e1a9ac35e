import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, formatMap } from '@bspkit/compile';
import type { BspFormat } from '@bspkit/core/format';
import { FORMATS } from 'bspkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { bspkit, bspkitIn, temporaryFolder } from './bspkit.ts';

const folder = temporaryFolder();
const place = (name: string): string => join(folder, name);
const house = place('house.bsp');
const untaught = place('untaught.bsp');

/** A floor with a block on it that one can climb. */
const source = place('house.map');
const brushes = [boxBrush([0, 0, 0], [512, 256, 16]), boxBrush([64, 64, 16], [160, 160, 24])];
const entities = [{ properties: { classname: 'worldspawn' }, brushes }];
writeFileSync(source, formatMap({ entities }, { format: 'ufoai' }));

beforeAll(async () => {
  for (const args of [[house], [untaught, '--no-routing']]) {
    const { status } = await bspkit('compile', source, '--format', 'ufoai', '--out', ...args);
    expect(status).toBe(0);
  }
});

const format: BspFormat = await FORMATS.find(({ id }) => id === 'ufoai')!.load();
const routingOf = (map: string): Uint8Array => format.routing!.stored(format.read(readFileSync(map)));

describe('routing', () => {
  it('finds that a compiled map has the table that its trees give', async () => {
    expect(await bspkit('routing', house, '--check')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\S+ {2}\d+ kB in .*\nequal to the file's own, byte for byte\n$/),
      stderr: '',
    });
  });

  it('says that a table is empty', async () => {
    const { status, stdout } = await bspkit('routing', untaught, '--check');
    expect(status).toBe(1);
    expect(stdout).toMatch(/\ndifferent {2}the file's table is empty: nobody can stand anywhere\n$/);
    const { stdout: narrow } = await bspkitIn({ columns: 40 }, 'routing', untaught, '--check');
    expect(narrow).toMatch(/\ndifferent {2}the file's table is empty:\n {11}nobody can stand anywhere\n$/);
    const { status: same, stdout: json } = await bspkit('routing', untaught, '--check', '--json');
    expect(same).toBe(1);
    expect(JSON.parse(json)).toEqual({
      map: untaught,
      bytes: routingOf(house).length,
      storedBytes: routingOf(untaught).length,
      equal: false,
      difference: expect.stringMatching(/ is empty: /),
    });
  });

  it('writes the table as stored in a file', async () => {
    const out = place('house.routing');
    expect((await bspkit('routing', untaught, '--out', out)).status).toBe(0);
    expect(readFileSync(out).equals(routingOf(house))).toBe(true);
    const { stdout } = await bspkit('routing', untaught, '--out', '-');
    expect(Buffer.from(stdout, 'latin1').equals(readFileSync(out))).toBe(true);
  });

  it('draws where one can stand', async () => {
    const [png, svg] = [place('house.png'), place('house.svg')] as const;
    const { status } = await bspkit('routing', house, '--png', png, '--svg', svg);
    expect(status).toBe(0);
    // The picture has the name that those of bakes have.
    expect(readFileSync(svg, 'utf8')).toContain('>house: where walkers can go<');
    const header = readFileSync(png).subarray(0, 24);
    expect(header.toString('latin1', 1, 4)).toBe('PNG');
    expect(Math.min(header.readUInt32BE(16), header.readUInt32BE(20))).toBeGreaterThan(200);
    expect(readFileSync(svg, 'utf8')).toMatch(
      /^<svg[\s\S]*where walkers can go[\s\S]*1 to 3 ways out[\s\S]*<\/svg>\n?$/,
    );
  });

  it('shows progress on a terminal', async () => {
    const { stderr } = await bspkitIn({ terminal: true }, 'routing', house, '--check');
    expect(stderr).toMatch(/cells/);
  });

  it('refuses what it cannot do', async () => {
    const broken = place('broken.bsp');
    const bytes = Buffer.from(readFileSync(house));
    const packed = routingOf(house);
    // The last byte of its last block, without which the block does not end.
    const at = bytes.indexOf(packed) + packed.length - 1;
    bytes[at] = 1;
    writeFileSync(broken, bytes);
    for (const [args, status, message] of [
      [[house], 2, 'say what to do with the table: --check, --out, --png or --svg'],
      [['demo:arena', '--check'], 2, 'demo:arena: maps of Quake 3 have no table of where walkers can go'],
      [['demo:arena'], 2, 'demo:arena: maps of Quake 3 have no table of where walkers can go'],
      [[place('none.bsp'), '--check'], 3, 'none.bsp'],
      [[broken, '--check'], 3, 'broken.bsp'],
      [[house, '--out', place('no/where')], 2, join('no', 'where')],
    ] as const) {
      const run = await bspkit('routing', ...args);
      expect({ args, status: run.status, stdout: run.stdout }).toEqual({ args, status, stdout: '' });
      expect(run.stderr).toContain(message);
    }
    const info = await bspkit('info', broken, '--json');
    expect(JSON.parse(info.stdout).facts['cells to stand in']).toMatch(/^ufoai: routing: the block at \d+ /);
  });
});

describe('compile', () => {
  it('fills the table of where soldiers can go, or leaves it empty', async () => {
    const [filled, empty] = [house, untaught].map((map) => format.routing!.cells(routingOf(map)).ways.length);
    expect([filled! > 100, empty]).toEqual([true, 0]);
    const { status, stderr } = await bspkit(
      'compile',
      source,
      '-f',
      'quake3',
      '-o',
      place('x'),
      '--no-routing',
    );
    expect(status).toBe(2);
    expect(stderr).toContain('--no-routing belongs to --format ufoai');
  });
});
