import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, Zip, ZipPassThrough, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { bspkit, temporaryFolder } from './bspkit.ts';
import { rooms } from './rooms.ts';

const folder = temporaryFolder();
const quake1 = rooms('quake1');
const quake3 = rooms('quake3');

function pk3(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A zip whose entries are written one after the other, whatever their names. */
function zipInOrder(...entries: [string, Uint8Array][]): Uint8Array {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [name, bytes] of entries) {
    const file = new ZipPassThrough(name);
    zip.add(file);
    file.push(bytes, true);
  }
  zip.end();
  return Buffer.concat(parts);
}

const formatOf = async (map: string): Promise<unknown> =>
  JSON.parse((await bspkit('info', map, '--json')).stdout).format;

describe('a pk3', () => {
  it('is looked into whatever the case of names', async () => {
    const path = pk3('pak0.pk3', zipSync({ 'maps/Rooms.bsp': quake3, 'readme.txt': strToU8('hello') }));
    expect(await formatOf(`${path}:maps/rooms.bsp`)).toBe('quake3');
    expect(await formatOf(`${path}:MAPS\\ROOMS.BSP`)).toBe('quake3');
  });

  it('needs no inner name when it holds one map', async () => {
    expect(await formatOf(pk3('one.PK3', zipSync({ 'maps/rooms.bsp': quake3 })))).toBe('quake3');
  });

  it.each([
    ['the same name', 'maps/rooms.bsp'],
    ['the same name in another case', 'maps/ROOMS.bsp'],
  ])('gives the later of two files of %s', async (_, name) => {
    const path = pk3('twice.pk3', zipInOrder([name, quake1], ['maps/rooms.bsp', quake3]));
    expect(await formatOf(`${path}:maps/rooms.bsp`)).toBe('quake3');
    const other = pk3('twice.pk3', zipInOrder(['maps/rooms.bsp', quake3], [name, quake1]));
    expect(await formatOf(`${other}:maps/rooms.bsp`)).toBe('quake1');
  });

  it('lists its maps when the name is not there', async () => {
    const path = pk3('two.pk3', zipSync({ 'maps/a.bsp': quake3, 'maps/b.bsp': quake1 }));
    expect(await bspkit('info', `${path}:maps/c.bsp`)).toMatchObject({
      status: 3,
      stderr: `bspkit: ${path}: has no maps/c.bsp. It holds maps/a.bsp, maps/b.bsp\n`,
    });
    expect(await bspkit('info', path)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('maps/a.bsp, maps/b.bsp'),
    });
  });

  it.each([
    ['empty', new Uint8Array()],
    ['a text', strToU8('not a zip at all, but long enough to look for an end record in')],
    ['cut', zipSync({ 'maps/rooms.bsp': quake3 }).slice(0, 3000)],
  ])('that is %s is refused', async (name, bytes) => {
    const path = pk3('broken.pk3', bytes);
    const { status, stdout, stderr } = await bspkit('info', `${path}:maps/rooms.bsp`);
    expect({ name, status, stdout }).toEqual({ name, status: 3, stdout: '' });
    expect(stderr).toMatch(/^bspkit: [^\n]*broken\.pk3: is not a pk3[^\n]*\n$/);
  });

  it('may hold a map that is broken', async () => {
    const path = pk3('bad.pk3', zipSync({ 'maps/bad.bsp': quake3.slice(0, 500) }));
    const { status, stderr } = await bspkit('info', `${path}:maps/bad.bsp`);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^bspkit: [^\n]*bad\.pk3:maps\/bad\.bsp: quake3: [^\n]+\n$/);
  });
});
