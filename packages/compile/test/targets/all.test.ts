import { parseEntities } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  COMPILE_TARGETS,
  type CompileFormat,
  parseShaders,
  pillarBrush,
  rampBrush,
  type SourceBrush,
} from '../../src/index.ts';
import { entryOf } from '../every-target.ts';
import { readQuake1File } from '../read/quake1.ts';
import { readQuake2File } from '../read/quake2.ts';
import { readQuake3File } from '../read/quake3.ts';
import { readUfoaiFile } from '../read/ufoai.ts';
import { compile, door, map, room, start, wall } from './maps.ts';

type Reader = (bytes: Uint8Array) => { readonly entities: string };

/** Contents that a game does not have. */
const unknown = { quake1: 'fog', quake2: 'botclip', quake3: 'ladder', ufoai: 'monsterclip' };

/** UFO:AI's level bits. */
const LEVELS = 0xff00;

function entitiesOf(format: CompileFormat, bytes: Uint8Array): string {
  const readers = {
    quake1: readQuake1File,
    quake2: readQuake2File,
    quake3: readQuake3File,
    ufoai: readUfoaiFile,
  };
  return entryOf<Reader>(readers, format, 'readers, in targets/all.test.ts,')(bytes).entities;
}

const FORMATS: readonly CompileFormat[] = COMPILE_TARGETS.map(({ id }) => id);

describe.each(FORMATS)('compiling to %s', (format) => {
  const detailed = map(
    [pillarBrush([256, 192, 0], 40, 192, 7, wall), rampBrush([300, 0, 0], [428, 64, 48], '+x')],
    [start, door],
  );

  it('gives the same bytes each time', () => {
    const [a, b] = [1, 2].map(() => Buffer.from(compile(detailed, format).bytes));
    expect(a!.equals(b!)).toBe(true);
  });

  it('takes a list of brushes', () => {
    const alone = compile(room(), format);
    expect(alone.stats.sourceBrushes).toBe(6);
    const whole = compile({ entities: [{ properties: {}, brushes: room() }] }, format);
    expect(Buffer.from(alone.bytes).equals(Buffer.from(whole.bytes))).toBe(true);
  });

  it('reports progress, never going back within a stage', () => {
    const parts = new Map<string, number>();
    compile(detailed, format, {
      onProgress(stage, part) {
        expect(part).toBeGreaterThanOrEqual(parts.get(stage) ?? 0);
        expect(part).toBeLessThanOrEqual(1);
        parts.set(stage, part);
      },
    });
    expect(parts.size).toBeGreaterThan(1);
    expect(parts.get('brushes')).toBe(1);
  });

  it.each([
    ['detail', room().map((brush) => ({ ...brush, detail: true }))],
    [
      'clips',
      Array.from({ length: 9 }, (_, k) => boxBrush([k, 0, 0], [k + 9, 64, 64], { material: 'clip' })),
    ],
  ])('reports progress to the end of each stage where no face divides %s', (_name, brushes) => {
    const parts = new Map<string, number>();
    compile(map(brushes, [{ properties: { classname: 'func_wall' }, brushes }]), format, {
      onProgress(stage, part) {
        expect(part).toBeGreaterThanOrEqual(parts.get(stage) ?? 0);
        parts.set(stage, part);
      },
    });
    expect([...parts].filter(([, part]) => part !== 1)).toEqual([]);
  });

  it('warns of contents that the game does not have, and leaves their brushes out of models', () => {
    const contents = entryOf<string>(unknown, format, 'unknown, in targets/all.test.ts,');
    const odd = boxBrush([100, 100, 0], [160, 160, 64], { ...wall, contents });
    const wallOf = (brushes: readonly SourceBrush[]) => ({ properties: { classname: 'func_wall' }, brushes });
    const trigger = boxBrush([200, 100, 0], [260, 160, 64], { material: 'common/trigger' });
    const source = map(
      [odd, { ...odd, detail: true }],
      [start, wallOf([odd]), wallOf([trigger]), wallOf([...door.brushes!, odd])],
    );
    const { warnings, bytes } = compile(source, format);
    const keeps = format === 'quake3';
    expect(
      warnings.filter(({ code }) => code === 'unknown-contents' || code === 'no-model').map((w) => w.message),
    ).toEqual([
      expect.stringMatching(
        new RegExp(`^entity 0, brush 6: contents ${contents} mean nothing to .*: such brushes do nothing$`),
      ),
      ...(keeps ? [] : ['entity 2: leaves nothing in the file, so it has no model']),
    ]);
    const models = parseEntities(entitiesOf(format, bytes), format).flatMap(({ model }) => model ?? []);
    expect(models).toEqual(keeps ? ['*1', '*2', '*3'] : ['*1', '*2']);
  });

  it('warns of contents in brushes that stay, not in those that are left out before them', () => {
    const contents = entryOf<string>(unknown, format, 'unknown, in targets/all.test.ts,');
    const odd = boxBrush([100, 100, 0], [160, 160, 64], { ...wall, contents });
    const open = { properties: { classname: 'func_detail_illusionary' }, brushes: [odd] };
    const { warnings } = compile({ entities: [open, ...map([odd], [start]).entities] }, format);
    const places = warnings.filter(({ code }) => code === 'unknown-contents').map(({ entity }) => entity);
    expect(places).toEqual([1]);
  });

  it('does not warn of brushes that are meant to do nothing, as those of shaders that are not solid', () => {
    const materials = parseShaders('leaves { surfaceparm nonsolid surfaceparm trans }');
    const leaves = boxBrush([100, 100, 0], [160, 160, 64], { material: 'leaves' });
    const { warnings } = compile(map([leaves], [start]), format, { materials, unknownMaterial: 'solid' });
    expect(warnings.map(({ code }) => code)).not.toContain('unknown-contents');
  });

  it('makes inline models of entities with brushes, around their origin', () => {
    const { bytes, stats } = compile(detailed, format);
    expect(parseEntities(entitiesOf(format, bytes), format).map((entity) => ({ ...entity }))).toEqual([
      { classname: 'worldspawn' },
      { classname: 'info_player_start', origin: '64 64 32' },
      { classname: 'func_door', note: "say 'hello'", model: '*1', origin: '200 100 44' },
    ]);
    expect(stats.counts.models).toBe(format === 'ufoai' ? 260 : 2);
  });

  it('puts groups into the world, and leaves out entities that are only groups', () => {
    const group = { properties: { classname: 'func_group' }, brushes: [boxBrush([8, 8, 0], [24, 24, 8])] };
    const grouped = compile(map([], [start, group]), format);
    const plain = compile(map(group.brushes), format);
    expect(Buffer.from(grouped.bytes).equals(Buffer.from(plain.bytes))).toBe(true);
  });

  it.each([
    ['weapclip', { quake1: -2, quake2: 2, quake3: 0x20000001, ufoai: 2 }],
    // Only UFO:AI has contents for it.
    ['weaponclip', { quake1: -1, quake2: 0, quake3: 0, ufoai: 0x2000000 }],
  ])('takes %s as the game that has it does', (name, expected) => {
    const clip = boxBrush([200, 200, 0], [264, 264, 64], { material: `common/${name}` });
    const { bytes } = compile(map([clip]), format);
    const point = [232, 232, 32];
    const contents: Readonly<Record<string, () => number>> = {
      quake1: () => readQuake1File(bytes).contents(0, point),
      quake2: () => {
        const file = readQuake2File(bytes);
        return file.leafs[file.leaf(point)]!.contents;
      },
      quake3: () => readQuake3File(bytes).contents(point),
      ufoai: () => {
        const file = readUfoaiFile(bytes);
        return file.contents(name === 'weapclip' ? 255 : 257, point) & ~LEVELS;
      },
    };
    const where = 'contents of clips, in targets/all.test.ts,';
    const found = entryOf(contents, format, where)();
    expect(found).toBe(entryOf<number>(expected, format, where));
  });

  it('refuses an unknown format', () => {
    expect(() => compile(room(), 'doom' as CompileFormat)).toThrow(RangeError);
  });
});
