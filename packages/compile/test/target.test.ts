import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contentsToFile } from '../src/flags.ts';
import {
  boxBrush,
  COMPILE_TARGETS,
  CONTENTS,
  type CompileOptions,
  compileMap,
  contentsFromFile,
  contentsNames,
  formatMap,
  parseMap,
  SURFACE,
  surfaceFromFile,
  surfaceNames,
} from '../src/index.ts';
import { type CompileTarget, defineTarget } from '../src/target.ts';
import { CONTENTS_OF, drawnClass } from '../src/targets/quake1/flags.ts';
import { choices, reachOf } from './every-target.ts';

const box = [boxBrush([0, 0, 0], [64, 32, 16])];
const wrong = (options: object): (() => unknown) => {
  return () => compileMap(box, { format: 'quake3', ...options } as CompileOptions);
};

/** A made-up game: its files contain the number of brushes, and a greeting. */
const toy: CompileTarget<'toy', { greeting?: string }> = defineTarget({
  id: 'toy',
  name: 'Toy',
  options: [{ name: 'greeting', type: 'text', placeholder: 'words', help: 'what to write' }],
  contents: { solid: 7 },
  surface: {},
  text: { valve: true, patches: true },
  reach: 128,
  isKnown: () => true,
  write: ({ models }, { greeting = '' }: { greeting?: string }) => ({
    bytes: new TextEncoder().encode(`${models.models[0]!.brushes.length}${greeting}`),
    counts: { brushes: models.models[0]!.brushes.length },
    tree: { nodes: 0, leafs: 1, depth: 0, meanDepth: 0, maxBrushes: 1, meanBrushes: 1 },
    brushes: models.models[0]!.brushes,
  }),
});

describe('targets', () => {
  it('need a writer and a description, nothing else', () => {
    const { bytes, stats, warnings } = toy.compile(box, { greeting: ' hello' });
    expect(new TextDecoder().decode(bytes)).toBe('1 hello');
    expect(stats).toMatchObject({ format: 'toy', sourceBrushes: 1, counts: { brushes: 1 }, bytes: 7 });
    expect(warnings).toEqual([]);
    expect(() => toy.compile(box, { greetings: '' } as object)).toThrow(
      new TypeError(
        "toy has no option 'greetings'; its options are materials, unknownMaterial, emptyBrush, tjunc, onProgress, greeting",
      ),
    );
  });

  it('refuse maps that reach too far, each by its own limit', () => {
    const far = (reach: number) => [boxBrush([0, 0, 0], [64, reach, 16])];
    expect(() => toy.compile(far(129))).toThrow(
      'entity 0, brush 0: Toy reaches 128 units from the origin, the brush 129',
    );
    for (const { id, name, compile } of COMPILE_TARGETS) {
      const reach = reachOf(id);
      expect(() => compile(far(reach)), id).not.toThrow();
      const problem = `${name} reaches ${reach} units from the origin, the brush ${reach + 1}`;
      expect(() => compile(far(reach + 1))).toThrow(problem);
    }
    const known = { quake1: 32_000, quake2: 32_767, quake3: 65_536, ufoai: 4096 };
    const reaches = COMPILE_TARGETS.map(({ id }) => [id, reachOf(id)]);
    expect(Object.fromEntries(reaches)).toMatchObject(known);
  });

  it('on their own, compile as compileMap does', () => {
    for (const target of COMPILE_TARGETS) {
      const { bytes } = compileMap(box, { format: target.id });
      expect(Buffer.from(target.compile(box).bytes).equals(Buffer.from(bytes))).toBe(true);
    }
  });

  it('describe the options that they take', () => {
    const values = {
      on: true,
      boxes: [{ mins: [-8, -8, -8], maxs: [8, 8, 8] }],
      text: 'text',
      function: () => Uint8Array.of(1, 2, 3),
    };
    for (const target of COMPILE_TARGETS as readonly CompileTarget[]) {
      for (const { name, type, choices, help } of target.options) {
        expect(help).toMatch(/^[a-z].*[^.]$/);
        for (const value of type === 'choice' ? choices! : [values[type]]) {
          expect(target.compile(box, { [name]: value }).bytes.length).toBeGreaterThan(100);
        }
        expect(() => target.compile(box, { [name]: 'nonsense' })).toThrow(
          new RegExp(`^${name} must be (?=.*nonsense)`),
        );
      }
    }
  });

  it('name only existing contents and surface flags', () => {
    for (const { contents, surface } of COMPILE_TARGETS) {
      for (const name of Object.keys(contents)) expect(contentsNames.bits(name)).toBeGreaterThan(0);
      for (const name of Object.keys(surface)) expect(surfaceNames.bits(name)).toBeGreaterThan(0);
    }
    const quake1 = COMPILE_TARGETS.find(({ id }) => id === 'quake1')!;
    for (const [name, bits] of Object.entries(CONTENTS)) {
      const value = (quake1.contents as Record<string, number>)[name];
      expect(CONTENTS_OF[drawnClass(bits)]).toBe(value ?? -1);
    }
    expect(SURFACE.nodraw).toBe(surfaceNames.bits('nodraw'));
  });

  it('are named only in their own folders and in the list', () => {
    const root = fileURLToPath(new URL('../src/', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/^targets(\.ts|[/\\])/.test(file),
    );
    expect(files.length).toBeGreaterThan(20);
    const named = files.filter((file) => /quake[ ]?[0-9]|ufo/i.test(readFileSync(root + file, 'utf8')));
    expect(named).toEqual([]);
  });
});

describe('wrong arguments', () => {
  it('throw a RangeError that lists the formats for one that does not exist', () => {
    expect(wrong({ format: 'doom' })).toThrow(
      new RangeError(`format must be ${choices(COMPILE_TARGETS.map(({ id }) => id))}, got 'doom'`),
    );
    for (const format of [null, undefined, 3]) expect(wrong({ format })).toThrow(/^format must be 'quake1'/);
    expect(() => parseMap('', { format: 'doom' as 'quake1' })).toThrow(RangeError);
    expect(() => formatMap({ entities: [] }, { format: 'doom' as 'quake1' })).toThrow(RangeError);
  });

  it('throw a TypeError for an option that the format does not have', () => {
    expect(wrong({ hulls: [] })).toThrow(
      new TypeError(
        "quake3 has no option 'hulls'; its options are materials, unknownMaterial, emptyBrush, tjunc, onProgress",
      ),
    );
    expect(wrong({ hulls: undefined })).not.toThrow();
    // @ts-expect-error: the types know which option belongs to which format.
    expect(() => compileMap(box, { format: 'quake3', hulls: [] })).toThrow(TypeError);
    // A format known only when the program runs takes the options that all formats have in common.
    const { id: format } = COMPILE_TARGETS[box.length]!;
    expect(compileMap(box, { format, unknownMaterial: 'solid' }).stats.format).toBe(format);
  });

  it.each<[object, RegExp]>([
    [{ materials: 3 }, /^materials must be/],
    [{ materials: null }, /^materials must be/],
    [{ unknownMaterial: 'liquid' }, /^unknownMaterial must be/],
    [{ emptyBrush: 'keep' }, /^emptyBrush must be 'leave-out' or 'error'/],
    [{ onProgress: 'yes' }, /^onProgress must be/],
    [{ format: 'quake1', hulls: 5 }, /^hulls must be/],
    [{ format: 'quake1', bsp2: 1 }, /^bsp2 must be/],
    [{ format: 'quake2', qbsp: 'yes' }, /^qbsp must be/],
    [{ format: 'quake1', brushlist: 1 }, /^brushlist must be/],
  ])('name the option in %o', (options, message) => {
    expect(wrong(options)).toThrow(message);
  });

  it.each([undefined, null, 'map', 5, {}])('throw a TypeError for %o as a map', (map) => {
    expect(() => compileMap(map as never, { format: 'quake1' })).toThrow(/^map(\.entities)? must be/);
    expect(() => compileMap(box, map as never)).toThrow(/^(options|format) must be/);
  });
});

describe('signs in text', () => {
  const side = (material: string): string => `( 0 0 0 ) ( 0 1 0 ) ( 1 0 0 ) ${material} 0 0 0 1 1`;
  const madeFor = (text: string): string[] =>
    COMPILE_TARGETS.filter(({ text: { signs } }) => signs?.test(text)).map(({ id }) => id);

  it.each([
    ['// Game: Quake\n// Format: Valve\n{', 'quake1'],
    ['{\n"classname" "worldspawn"\n"wad" "gfx/base.wad"', 'quake1'],
    [side('*water1'), 'quake1'],
    [side('!water1'), 'quake1'],
    [side('AAATRIGGER'), 'quake1'],
    [side('NULL'), 'quake1'],
    [side('CONTENTWATER'), 'quake1'],
    [side('NULLIFY'), undefined],
    ['// Game: Half-Life\r\n// Format: Valve', 'quake1'],
    ['// Game: Quake 2\r\n// Format: Quake2', 'quake2'],
    [side('e1u1/metal3_2'), 'quake2'],
    ['"classname" "item_armor_jacket"', 'quake2'],
    ['// Game: Quake 3\n', 'quake3'],
    ['\ufeff// Game: Quake\r\n{', 'quake1'],
    ['\ufeff// Game: Quake 2\r\n{', 'quake2'],
    ['\ufeff// Game: Quake 3\r\n{', 'quake3'],
    ['{\npatchDef2\n{\ncommon/caulk', 'quake3'],
    [side('common/caulk'), 'quake3'],
    [side('tex_common/nodraw'), 'ufoai'],
    ['{\n"classname" "worldspawn"\n"maxlevel" "5"', 'ufoai'],
    ['// Game: Generic\n', undefined],
    [side('common/clip'), undefined],
    [side('wall'), undefined],
  ])('%j is made for %s', (text, id) => {
    expect(madeFor(text)).toEqual(id ? [id] : []);
  });

  it.each([
    ['// Game: Half-Life\r\n// Format: Valve', { version: 30 }],
    ['\ufeff// Game: Half-Life\r\n// Format: Valve', { version: 30 }],
    [`\ufeff// Game: Quake\r\n${side('!toxicgrn')}`, {}],
    [side('!toxicgrn'), { version: 30 }],
    [side('AAATRIGGER'), { version: 30 }],
    [side('null'), { version: 30 }],
    [side('nullstone'), {}],
    ['{\n"classname" "info_node"', { version: 30 }],
    [`// Game: Quake\r\n${side('!toxicgrn')}`, {}],
    ['// Game: Quake\n// Format: Valve\n{', {}],
    [side('*water1'), {}],
    ['{\n"message" "wow !boo"', {}],
  ])('%j suits %j', (text, options) => {
    const [target] = COMPILE_TARGETS;
    expect(target.text.options?.(text)).toEqual(options);
  });
});

describe('bits of files', () => {
  it.each(COMPILE_TARGETS.filter(({ id }) => id !== 'quake1'))(
    'are those that $name writes again',
    ({ contents, surface }) => {
      const [all, flags] = [Object.entries(contents), Object.entries(surface)];
      for (const [name, bits] of all) {
        const ours = contentsFromFile(contents, bits);
        expect(contentsToFile(contents, ours), name).toBe(bits);
        // The name itself, or another one for the same.
        const own = CONTENTS[name as keyof typeof CONTENTS];
        expect(ours & own || all.some(([other, its]) => other !== name && its === bits), name).toBeTruthy();
      }
      for (const [name, bits] of flags) {
        expect(surfaceFromFile(surface, bits), name).toBe(SURFACE[name as keyof typeof SURFACE]);
      }
    },
  );

  it('do not say what only some of them mean together', () => {
    const { contents } = COMPILE_TARGETS.find(({ id }) => id === 'quake3')!;
    const named = (bits: number): string[] => contentsNames.names(contentsFromFile(contents, bits));
    expect(named(1)).toEqual(['solid']);
    expect(named(0x20000000)).toEqual(['translucent']);
    expect(named(0x20010000)).toEqual(['playerclip', 'translucent']);
    expect(named(0)).toEqual([]);
  });

  it('may be numbers, each with a meaning of its own', () => {
    const [{ contents }] = COMPILE_TARGETS;
    const named = (bits: number): string[] => contentsNames.names(contentsFromFile(contents, bits));
    expect([-2, -3, -4, -5, -6].map(named)).toEqual([['solid'], ['water'], ['slime'], ['lava'], ['sky']]);
    // Nothing, clips of brush lists, currents, and what no file has.
    for (const bits of [-1, -8, -9, 0, 1, 0x7fffffff]) expect(named(bits)).toEqual([]);
    expect(named(0xfffffffe)).toEqual(['solid']);
  });

  it.each([0x80000000, 0x80000000 | 0])(
    'may be the highest one, written with a sign or without: %d',
    (bit) => {
      for (const bits of [0x80000000, 0x80000000 | 0]) {
        expect(contentsFromFile({ nodrop: bit }, bits)).toBe(CONTENTS.nodrop);
      }
    },
  );
});
