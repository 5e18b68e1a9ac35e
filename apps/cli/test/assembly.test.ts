import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMap, roomBrushes } from '@bspkit/compile';
import type { AssemblyPlan, BspFormat } from '@bspkit/core/format';
import { houseUfoai } from '@bspkit/fixtures';
import { FORMATS } from 'bspkit';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { askedAssembly } from '../src/assembly.ts';
import { bspkit, temporaryFolder } from './bspkit.ts';

const folder = temporaryFolder();
const place = (name: string): string => join(folder, name);
const house = houseUfoai();
const format: BspFormat = await FORMATS.find(({ id }) => id === 'ufoai')!.load();

/** Houses side by side, on as many fields as one covers. */
const TEXT = `
base town/t_
tile +house { 4 4  0 a a 0  a +a +a a  a +a +a a  0 a a 0 }
assembly one { size "2 2" +house "1 1" }
assembly two { size "4 2" +house "2 2" }
`;
mkdirSync(place('town'));
writeFileSync(place('town/t_house.bsp'), house);
writeFileSync(place('town.ump'), TEXT);
writeFileSync(
  place('maps.pk3'),
  zipSync({ 'maps/Town.ump': Buffer.from(TEXT), 'maps/town/t_house.bsp': house }),
);

const town = place('town.ump');
const plan = (assembly: string, seed?: number): AssemblyPlan['parts'] =>
  format.assemblies!.plan(TEXT, { assembly, seed }).parts;
const file = format.read(house);
const worldOf = (parts: AssemblyPlan['parts']) =>
  format.createWorld(
    parts.map(() => file),
    { offsets: parts.map(({ offset }) => offset) },
  );

describe('an assembly', () => {
  it('is put together from the maps around its text', async () => {
    const parts = plan('two', 7);
    expect(parts.length).toBe(2);
    const { status, stdout } = await bspkit('info', `${town}:two@7`, '--json');
    expect(status).toBe(0);
    const { mins, maxs } = worldOf(parts).bounds;
    expect(JSON.parse(stdout)).toMatchObject({
      map: `${town}:two@7`,
      format: 'ufoai',
      bytes: 2 * house.length,
      bounds: { mins: Array.from(mins), maxs: Array.from(maxs) },
      parts: parts.map(({ name, offset }) => ({ name, offset, bytes: house.length })),
      entities: { worldspawn: 2 },
    });
    const { stdout: text } = await bspkit('info', `${town}:two`);
    expect(text).toMatch(/^\S+town\.ump:two\s+UFO:AI \(assembly of 2 maps\), /);
    expect(text.match(/^town\/t_house {2}-?\d+ -?\d+ 0 +[\d,]+$/gm)).toHaveLength(2);
    for (const line of text.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('is traced like the world of its maps', async () => {
    const parts = plan('two', 3);
    const [{ offset }] = parts as [AssemblyPlan['parts'][number]];
    const world = worldOf(parts);
    const { mins, maxs } = format.createWorld([file]).bounds;
    const middle = [0, 1].map((k) => (mins[k]! + maxs[k]!) / 2 + 32 * offset[k]!);
    const from = [...middle, 60];
    const to = [...middle, -200];
    const tracer = format.tracers.kinds[0]!.create(world, [], {});
    const expected = tracer.trace(from, to);
    expect(expected.fraction).toBeLessThan(1);
    const args = ['--from', from.join(), '--to', to.join(), '--json'];
    const { stdout } = await bspkit('trace', `${town}:two@3`, ...args);
    expect(JSON.parse(stdout).fraction).toBeCloseTo(expected.fraction, 8);
    const sight = await bspkit('sight', `${place('maps.pk3')}:maps/town.ump:two@3`, ...args);
    expect(JSON.parse(sight.stdout).visible).toBe(format.sight!(world, from, to)!.yes);
  });

  it('has a table of where walkers can go', async () => {
    const out = place('two.routing');
    expect((await bspkit('routing', `${town}:two`, '--out', out)).stderr).toBe('');
    const parts = plan('two');
    const files = parts.map(() => file);
    const table = format.routing!.assemble!(files, worldOf(parts));
    expect(readFileSync(out).equals(table)).toBe(true);
    const { stdout } = await bspkit('routing', `${town}:one`, '--out', out, '--json');
    expect(JSON.parse(stdout).map).toBe(`${town}:one`);
  });

  it('lists the entities of each of its maps', async () => {
    const { stdout } = await bspkit('entities', `${town}:two`);
    expect(stdout.match(/^\/\/ town\/t_house$/gm)).toHaveLength(2);
    const { stdout: json } = await bspkit('entities', `${town}:two`, '--json');
    const { parts } = JSON.parse(json);
    expect(parts).toHaveLength(2);
    expect(parts[0].entities).toEqual(parts[1].entities);
    expect(parts[0].entities[0].classname).toBe('worldspawn');
  });

  it('is checked as a whole, with starts where they stand', async () => {
    const { status, stdout } = await bspkit('check', `${town}:two`, '--json');
    const alone = JSON.parse((await bspkit('check', 'demo:house', '--json')).stdout);
    const { entities, starts, problems } = JSON.parse(stdout);
    expect([status, entities, starts]).toEqual([
      problems.length > 0 ? 1 : 0,
      2 * alone.entities,
      2 * alone.starts,
    ]);
    expect(alone.starts).toBeGreaterThan(0);
    // A start whose origin was not moved would be in the void beside its tile.
    expect(problems).toHaveLength(2 * alone.problems.length);
  });

  it('needs a start, as its maps alone do not', async () => {
    const entities = [{ brushes: roomBrushes([0, 0, 0], [256, 256, 128], 16), properties: {} }];
    writeFileSync(place('bare.bsp'), compileMap({ entities }, { format: 'ufoai' }).bytes);
    writeFileSync(place('bare.ump'), TEXT.replace('town/t_', 'ba').replaceAll('house', 're'));
    expect((await bspkit('check', place('bare.bsp'))).status).toBe(0);
    const { status, stdout, stderr } = await bspkit('check', `${place('bare.ump')}:one`);
    expect(stderr).toBe('');
    expect([status, stdout]).toEqual([1, expect.stringContaining('no place where players begin')]);
  });

  it('is chosen by its seed if no name is given', async () => {
    const sizes = new Set<number>();
    for (let seed = 1; seed <= 8; seed++) {
      const { stdout } = await bspkit('info', `${town}@${seed}`, '--json');
      sizes.add(JSON.parse(stdout).parts.length);
    }
    expect([...sizes].sort()).toEqual([1, 2]);
  });

  it('can be based on other texts beside its own', async () => {
    const [, base, tile] = TEXT.split('\n');
    writeFileSync(place('shared.ump'), `${base}\n${tile}\n`);
    writeFileSync(place('hamlet.ump'), `extends shared\nassembly one { size "2 2" town/t_house "1 1" }`);
    const { stdout, stderr } = await bspkit('info', place('hamlet.ump'), '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).parts).toHaveLength(1);
  });

  it('can be based on others in its archive, also at the top of it', async () => {
    const more = Buffer.from('extends town\nassembly one { size "2 2" town/t_house "1 1" }');
    for (const [inner, from] of [
      ['more.ump', ''],
      ['maps/more.ump', 'maps/'],
      ['maps\\more.ump', 'maps/'],
    ] as const) {
      const files = { 'town.ump': Buffer.from(TEXT), 'more.ump': more, 'town/t_house.bsp': house };
      const named = Object.entries(files).map(([name, bytes]) => [from + name, bytes]);
      writeFileSync(place('more.pk3'), zipSync(Object.fromEntries(named)));
      const { stdout, stderr } = await bspkit('info', `${place('more.pk3')}:${inner}:one`, '--json');
      expect(stderr).toBe('');
      expect(JSON.parse(stdout).parts).toHaveLength(1);
    }
    const wide = Buffer.from(`extends ../more\n${TEXT}`);
    writeFileSync(place('wide.pk3'), zipSync({ 'maps/wide.ump': wide, 'maps/more.ump': more }));
    expect((await bspkit('info', `${place('wide.pk3')}:maps/wide.ump`)).stderr).toMatch(/has no more\.ump/);
  });

  it('is not meant by folders and maps that are called like one', async () => {
    const names = ['town.ump@2/house', 'town.ump@2/house.bsp', 'town.ump@2.bsp', 'own.ump/town.ump@3'];
    for (const name of ['town.ump@2', 'own.ump']) mkdirSync(place(name));
    for (const name of names) writeFileSync(place(name), name.endsWith('@3') ? TEXT : house);
    for (const name of names.slice(0, 3)) {
      const { stdout, stderr } = await bspkit('info', place(name), '--json');
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({ format: 'ufoai', bytes: house.length });
    }
    // Not the fourth: that is a text of no such name, with a seed.
    expect((await bspkit('info', place(names[3]!))).stderr).toMatch(/town\.ump: no such file$/m);
    writeFileSync(place('town.ump@2/deep.ump'), TEXT.replace('town/t_', './'));
    const { stdout } = await bspkit('info', `${place('town.ump@2/deep.ump')}:one@3`, '--json');
    expect(JSON.parse(stdout).parts).toHaveLength(1);
    const asked = (name: string) => askedAssembly(name, [format]);
    expect(asked('a.ump:one/house.bsp')).toBeUndefined();
    expect(asked('a.ump:one\\house.bsp')).toBeUndefined();
    expect(asked('a.ump@2/b.ump:one@7')).toMatchObject({ text: 'a.ump@2/b.ump', assembly: 'one', seed: 7 });
    expect(() => asked('a.ump@x')).toThrow('the seed of an assembly is a whole number, 0 or more');
  });

  it.each([
    ['trace', 'no.ump', /no\.ump: no such file$/],
    ['info', 'town.ump:three', /assembly must be one of one, two, got 'three'$/],
    ['info', 'town.ump@99999999999', /seed must be/],
    ['info', 'maps.pk3:maps/no.ump', /maps\.pk3: has no maps[\\/]no\.ump\. It holds maps\/Town\.ump$/],
    ['routing', 'town.ump:two', /--check, --out, --png or --svg$/],
  ])('%s of %s says what is wrong', async (command, name, message) => {
    const args = command === 'trace' ? ['--from', '0,0,0', '--to', '1,0,0'] : [];
    const { status, stderr } = await bspkit(command, place(name), ...args);
    expect([2, 3]).toContain(status);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr).not.toContain('internal');
  });

  it('uses only maps in its folder', async () => {
    const named = (name: string): string => TEXT.replace('base town/t_', `base ${name}`);
    writeFileSync(place('outside.ump'), named('../town/t_'));
    expect((await bspkit('info', place('outside.ump'))).stderr).toMatch(
      /outside\.ump: map '\.\.\/town\/t_house' lies outside /,
    );
    writeFileSync(place('absent.ump'), named('city/c_'));
    expect((await bspkit('info', place('absent.ump'))).stderr).toMatch(
      /has no map city\/c_house; looked for/,
    );
    writeFileSync(place('wide.ump'), `extends ../shared\n${TEXT}`);
    expect((await bspkit('info', place('wide.ump'))).stderr).toMatch(/lies outside/);
    writeFileSync(place('broken.ump'), 'assembly {');
    const { status, stderr } = await bspkit('info', place('broken.ump'));
    expect([status, stderr]).toEqual([3, expect.stringMatching(/broken\.ump: .*line 1/)]);
    writeFileSync(place('empty.ump'), '');
    const empty = await bspkit('info', place('empty.ump'));
    expect([empty.status, empty.stderr]).toEqual([3, expect.stringMatching(/empty\.ump: .*no assemblies/)]);
  });

  it('has no surfaces to bake, and is not a command by itself', async () => {
    const { stderr } = await bspkit('bake', `${town}:two`, '--kind', 'occlusion', '--out', place('x.bake'));
    expect(stderr).toMatch(
      /town\.ump:two: is an assembly, which has no surfaces of its own: take --points cells/,
    );
    expect((await bspkit(town)).stderr).toMatch(/is a map, not a command/);
    expect((await bspkit('routing', `${town}:two`, '--check')).stderr).toMatch(/no table of its own/);
  });
});
