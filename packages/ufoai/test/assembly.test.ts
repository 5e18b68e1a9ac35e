import { readFileSync } from 'node:fs';
import { BspError } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { Puzzle } from '../src/assembly/puzzle.ts';
import { Random } from '../src/assembly/random.ts';
import { ANYTHING, COVERED } from '../src/assembly/ump.ts';
import { assembleTiles, readUmp, type UmpAssembly, type UmpChoice } from '../src/index.ts';

const textOf = (name: string): string => readFileSync(new URL(`assembly/${name}`, import.meta.url), 'utf8');
const extend = (name: string): string => textOf(`${name}.ump`);
const own = readUmp(textOf('own.ump'), { extend });

/** What the game's dedicated server (2.5) made of these files, for several players. */
const recorded = JSON.parse(textOf('game.json')) as { assembly: string; seed: number; tiles: string }[];

/** A tile of one field, and an assembly of some parts. */
const small = (parts: string): string => `base a/b_
tile +one { 3 3  0 0 0  0 +a 0  0 0 0 }
assembly it { size "3 2" ${parts} }`;

describe('files of assemblies', () => {
  it('describe tiles, and what maps consist of', () => {
    expect([own.base, own.lines, own.worldspawn]).toEqual(['own/o_', 1 << 7, '"light" "200" "title" "own"']);
    expect(own.tiles.map(({ name }) => name)).toContain('wood/w_tree');
    const [tree, log] = own.tiles;
    expect([tree!.width, tree!.height, tree!.area]).toEqual([3, 3, 1]);
    expect([log!.width, log!.height, log!.area]).toEqual([4, 3, 2]);
    // The first row of the text is the one farthest away.
    const house = own.tiles.find(({ name }) => name === '+house_1')!;
    const [a, b, c] = [1 << 6, 1 << 7, 1 << 8];
    expect([...house.fields]).toEqual([
      ...[-2, a | b | c, a | c, -2],
      ...[a | c, 1 | c, 1 | c, a | b | c],
      ...[a | c, 1 | c, 1 | c, a | c],
      ...[-2, a | c, a | c, -2],
    ]);
    expect(own.sets.map(({ name, tiles }) => [name, tiles.length])).toEqual([['houses', 2]]);
    expect(own.assemblies.map(({ name, title, width, height }) => [name, title, width, height])).toEqual([
      ['small', '_Small', 6, 6],
      ['fixed', 'With fixed tiles', 8, 7],
      ['coarse', '', 8, 8],
    ]);
    expect(own.assemblies[1]!.parts[0]).toEqual({ kind: 'fixed', from: own.sets[0], x: 5, y: 1 });
    expect(own.assemblies[0]!.parts.at(-2)).toMatchObject({ from: { variable: 'rm_drop' }, min: 1, max: 1 });
  });

  it('are refused with the line that is wrong', () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['tile', /ump line 1: the name of the tile is missing: the file ends/],
      ['base x\nroad', /line 2: there is no block 'road'/],
      ['{', /line 1: expected the name of a block/],
      ['tile +a\n3 3', /line 2: expected '\{' after tile '\+a'/],
      ['tile +a { 3 x', /line 1: the height of '\+a' must be from 1 to 16, got 'x'/],
      ['tile +a { 1 1\n?', /line 2: '\?' is not a kind of ground/],
      ['tile +a { 2 1 0\n}', /line 2: a field of '\+a' is missing, found '\}'/],
      ['tile +a { 1 1 0\n0 }', /line 2: tile '\+a' has more than 1 by 1 fields/],
      ['tile +a { 17 1', /the width of '\+a' must be from 1 to 16, got '17'/],
      ['tileset s { +a }', /tile '\+a' is not defined before this line/],
      ['tileset s {\n}', /set 's' has no tiles/],
      ['extends other', /tiles of 'other' are needed, and there is no extend/],
      ['assembly x\n{', /line 2: assembly 'x' is never closed/],
      ['assembly x { title "t" }', /assembly 'x' has no size/],
      [small('size "31 2"'), /line 3: the size must be from 1 to 30, got '31'/],
      [small('size 3'), /the size must be two numbers, got '3'/],
      [
        small('+one "2 1"'),
        /'\+one' comes must be two numbers, the second at least 1 and at least the first$/,
      ],
      [
        small('+one "0 0"'),
        /'\+one' comes must be two numbers, the second at least 1 and at least the first$/,
      ],
      [small('+one "0 256"'), /how often '\+one' comes must be from 0 to 255, got '256'/],
      [small('+two "0 1"'), /line 3: tile '\+two' is not defined before this line/],
      [small('fix +one "30 0"'), /tile '\+one' at 30 0 reaches beyond 32 fields/],
      [small('tileset s "0 1"'), /set 's' is not defined before this line/],
      [small('seeds { x }'), /a seed must be a whole number, got 'x'/],
      ['tile "+a', /line 1: a string is never closed/],
      ['base x\n/* a', /line 2: a comment is never closed/],
    ];
    for (const [text, message] of wrong) {
      expect(() => readUmp(text), text).toThrow(BspError);
      expect(() => readUmp(text), text).toThrow(message);
    }
    expect(() => readUmp('extends a', { extend: () => 'base x\n?' })).toThrow(
      /line 2: there is no block '\?'/,
    );
    expect(() => readUmp(1 as never)).toThrow(TypeError);
    const word = 'k'.repeat(1e5);
    for (const text of [
      word,
      `assembly a { size "${word}" }`,
      `tile ${word} { 1 1 0 0 }`,
      `assembly ${word} { }`,
    ]) {
      expect(() => readUmp(text)).toThrow(/^.{1,150}$/);
    }
    // However long a word is, and whatever is in it, errors have all that they say besides.
    const quotes = "k'".repeat(1e5);
    const shown = `'${"k'".repeat(20)}…'`;
    expect(() => readUmp(quotes)).toThrow(`there is no block ${shown}`);
    expect(() => readUmp(`tile ${quotes} { ${quotes}`)).toThrow(
      `the width of ${shown} must be from 1 to 16, got ${shown}`,
    );
    expect(() => readUmp(small(`*${word} +none "0 1"`))).toThrow(/tile '\+none' is not defined before/);
    expect(() => readUmp(`assembly a { *${word} }`)).toThrow(/the tile of '\*k{39}…' is missing/);
    expect(() => readUmp('', { extend: 1 as never })).toThrow(TypeError);
    expect(() => readUmp('extends a', { extend: () => 1 as never })).toThrow(
      "extend must give the text of 'a'",
    );
  });

  it('take tiles and sets of other files under their folders, and nothing else', () => {
    const far = `extends farther
      base far/f_
      tile +t { 2 1  +3 +5b }
      tile +t { 1 1  +a }
      tile u { 1 1  +1 }
      tileset pair { +t u }
      tileset pair { u }
      assembly skipped { size "2 1"  seeds { 1 2 }  worldspawn { "a" "b" } }`;
    const asked: string[] = [];
    const ump = readUmp('base near/n_\nextends far\ntile +t { 1 1  +0 }\nassembly a { size "2 1" }', {
      extend: (name) => {
        asked.push(name);
        return far;
      },
    });
    expect(asked).toEqual(['far']);
    expect(ump.base).toBe('near/n_');
    expect(ump.tiles.map(({ name, area, fields }) => [name, area, ...fields])).toEqual([
      // Of two tiles of one name, and two sets, the first counts.
      ['far/f_t', 2, COVERED | (1 << 3), COVERED | (1 << 5) | (1 << 7)],
      ['far/f_u', 1, COVERED | (1 << 1)],
      ['+t', 1, COVERED | ANYTHING],
    ]);
    expect(ump.sets.map(({ name, tiles }) => [name, ...tiles.map((tile) => tile.name)])).toEqual([
      ['pair', 'far/f_t', 'far/f_u'],
    ]);
    expect(ump.assemblies.map(({ name }) => name)).toEqual(['a']);
    for (const [text, message] of [
      ['assembly b { seeds {\n1 }', /line 2: assembly 'b' is never closed/],
      ['tile t { 1 1 +a }\ntileset s {\n{', /line 3: unexpected '\{' in set 's'/],
    ] as const) {
      expect(() => readUmp('extends far', { extend: () => text })).toThrow(message);
    }
  });

  it('may have kinds of ground in capitals', () => {
    expect(readUmp('tile +t { 2 1  +AC B }')).toEqual(readUmp('tile +t { 2 1  +ac b }'));
  });

  it('may begin with a byte order mark', () => {
    expect(readUmp(`\ufeff${small('')}`)).toEqual(readUmp(small('')));
    expect(() => readUmp('\ufeff\n?')).toThrow(/line 2: there is no block/);
  });

  it('may not take tiles from endless files', () => {
    let asked = 0;
    const read = (count: number): unknown =>
      readUmp('extends a\n'.repeat(count), {
        extend: () => {
          asked++;
          return '';
        },
      });
    expect(() => read(16)).not.toThrow();
    expect(() => read(100_000)).toThrow(/^ufoai: ump line 17: more than 16 files to take tiles from/);
    expect(asked).toBe(32);
  });

  it('may not have more than the game can hold', () => {
    const many = (count: number, line: (k: number) => string): string =>
      Array.from({ length: count }, (_, k) => line(k)).join('\n');
    const tile = (k: number): string => `tile +t${k} { 1 1 +a }`;
    expect(readUmp(many(128, tile)).tiles).toHaveLength(128);
    expect(() => readUmp(many(129, tile))).toThrow(/line 129: more than 128 tiles/);
    const assembly = (k: number): string => `assembly x${k} { size "1 1" }`;
    expect(() => readUmp(many(33, assembly))).toThrow(/line 33: more than 32 assemblies/);
    const set = (count: number): string => `${tile(0)} tileset s { ${'+t0 '.repeat(count)} }`;
    expect(readUmp(set(16)).sets[0]!.tiles).toHaveLength(16);
    expect(() => readUmp(set(17))).toThrow(/set 's' has more than 16 tiles/);
    const sets = `${tile(0)}\n${many(17, (k) => `tileset s${k} { +t0 }`)}`;
    expect(() => readUmp(sets)).toThrow(/more than 16 sets of tiles/);
    expect(() => readUmp(small('fix +one "0 0" '.repeat(65)))).toThrow(/more than 64 fixed tiles/);
    expect(() => readUmp(small(`seeds { ${'1 '.repeat(33)} }`))).toThrow(/more than 32 seeds/);
    expect(readUmp(small('fix +one "29 29"')).assemblies).toHaveLength(1);
    expect(readUmp(small(`seeds { ${'1 '.repeat(32)} }`)).assemblies[0]!.seeds).toHaveLength(32);
    // A long text costs a moment.
    expect(() => readUmp('tile '.repeat(1 << 18))).toThrow(/expected '\{'/);
  });
});

describe('maps put together', () => {
  it.each(['constructor', '__proto__', 'toString'])('may have a variable that is called %s', (name) => {
    const ump = readUmp(small(`*${name} +one "6 6"`));
    expect(assembleTiles(ump).tiles).toHaveLength(6);
    expect(() => assembleTiles(ump, { variables: { [name]: '+two' } })).toThrow(
      `variables.${name} must be a tile of the file, got '+two'`,
    );
  });

  it("draw the C library's numbers", () => {
    const draw = (seed: number): number[] => {
      const random = new Random(seed);
      return Array.from({ length: 5 }, () => random.below(1_000_003));
    };
    // Printed by a C program with glibc.
    expect(draw(1)).toEqual([283971, 928348, 687734, 631773, 741922]);
    expect(draw(0)).toEqual(draw(1));
    expect(draw(10759)).toEqual([306732, 887738, 802832, 741837, 277207]);
    expect(draw(4294967295)).toEqual([924865, 184685, 126526, 400950, 53248]);
    expect(draw(-1)).toEqual(draw(4294967295));
    // Of this one the library makes zeros.
    expect(draw(2147483647)).toEqual([664867, 257874, 563177, 9578, 27799]);
  });

  it.each(recorded)('are those of the game: $assembly, seed $seed', ({ assembly, seed, tiles }) => {
    const made = assembleTiles(own, { assembly, seed, multiplayer: true });
    expect(made.tiles.map(({ name, x, y }) => `${name} ${x} ${y}`).join(' ')).toBe(tiles);
    expect(made.assembly.name).toBe(assembly);
  });

  it('cover every field once, with the right numbers of tiles', () => {
    for (let seed = 0; seed < 40; seed++) {
      const { assembly, tiles } = assembleTiles(own, { seed, assembly: seed % 2 ? 'small' : 'fixed' });
      const covered = new Map<string, number>();
      for (const { name, x, y, z } of tiles) {
        expect(z).toBe(0);
        const tile = own.tiles.find(
          (other) => name === other.name || name === `own/o_${other.name.slice(1)}`,
        )!;
        for (const [k, field] of tile.fields.entries()) {
          if ((field & 1) === 0) continue;
          const at = `${x / 8 + (k % tile.width)} ${y / 8 + Math.floor(k / tile.width)}`;
          covered.set(at, (covered.get(at) ?? 0) + 1);
        }
      }
      expect(Math.max(...covered.values())).toBe(1);
      expect(covered.size).toBe(assembly.width * assembly.height);
      const count = (part: string): number => tiles.filter(({ name }) => name.includes(part)).length;
      expect(count('drop')).toBe(1);
      expect(count('meeting')).toBe(seed % 2 ? 0 : 1);
      expect(count('log')).toBeLessThanOrEqual(seed % 2 ? 6 : 9);
    }
  });

  it('take tiles of variables, and may be drawn', () => {
    const names = (variables: Record<string, string>): string[] =>
      assembleTiles(own, { assembly: 'small', seed: 3, variables }).tiles.map(({ name }) => name);
    expect(names({ rm_drop: '+drop_small' })).toContain('own/o_drop_small');
    expect(names({})).toContain('own/o_drop');
    expect(() => names({ rm_drop: '+none' })).toThrow('variables.rm_drop must be a tile of the file');
    // No tile is at -0.
    const first = assembleTiles(readUmp(small('size "1 1" fix +one "-0 -0"'))).tiles;
    expect(first).toEqual([{ name: 'a/b_one', x: 0, y: 0, z: 0 }]);
    // In another file's folder, by a part of the name.
    const text = 'extends wood\nassembly a { size "2 1" *rm_drop wood/w_tree "1 2" }';
    const ump = readUmp(text, { extend });
    const made = assembleTiles(ump, { variables: { rm_drop: '+log' } }).tiles;
    expect(made).toEqual([{ name: 'wood/w_log', x: -8, y: 0, z: 0 }]);
    // Folders are the same in capitals; the folder itself is no part of the name, nor are tiles without a folder in it.
    const capital = (at: string): string => textOf(`${at}.ump`).replace('wood/w_', 'WOOD/w_');
    const wood = readUmp(text.replace('wood/w_tree', 'WOOD/w_tree'), { extend: capital });
    expect(assembleTiles(wood, { variables: { rm_drop: '+log' } }).tiles[0]!.name).toBe('WOOD/w_log');
    const mixed = readUmp(`tile wood_log { 3 3  0 0 0  0 +a 0  0 0 0 }\n${text}`, { extend });
    expect(assembleTiles(mixed, { variables: { rm_drop: '+log' } }).tiles[0]!.name).toBe('wood/w_log');
    expect(() => assembleTiles(mixed, { variables: { rm_drop: '+ood' } })).toThrow(
      "variables.rm_drop must be a tile of the file, got '+ood'",
    );
    const drawn = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      try {
        drawn.add(assembleTiles(own, { seed }).assembly.name);
      } catch (error) {
        expect(error).toBeInstanceOf(BspError);
      }
    }
    expect(drawn.size).toBeGreaterThan(1);
  });

  it('use the seeds that an assembly lists, and try again with them', () => {
    const ump = readUmp(small('seeds { 4 } +one "6 6"'));
    expect(assembleTiles(ump, { seed: 1 })).toEqual(assembleTiles(ump, { seed: 2 }));
    const never = readUmp(small('seeds { 4 5 } +one "7 7"'));
    expect(() => assembleTiles(never)).toThrow("tiles cannot fill assembly 'it'");
    // Of this map's only two tiles, the one without a border is left out where it comes before the others, which do not fit, as
    // seed 0 has them. All tries after the first begin with the first seed of the list, and draw the other from it.
    const others = Array.from({ length: 28 }, (_, k) => `+k${k}`);
    const drawn = (seeds: string): string =>
      `tile +bare { 2 2  0 +a  0 0 }
tile +last { 3 3  0 0 0  a +y z  0 0 0 }
${others.map((name) => `tile ${name} { 4 3  0 0 0 0  0 +k x 0  0 0 0 0 }`).join('\n')}
assembly it { size "2 1" seeds { ${seeds} } +bare "0 1" +last "0 1" ${others.join(' "0 1" ')} "0 1" }`;
    expect(() => assembleTiles(readUmp(drawn('0')))).toThrow("tiles cannot fill assembly 'it'");
    for (let seed = 0; seed < 8; seed++) {
      const { tiles } = assembleTiles(readUmp(drawn('0 18')), { seed });
      expect(tiles).toEqual(assembleTiles(readUmp(drawn('18'))).tiles);
    }
  });

  describe('whose tiles have no border', () => {
    const assemble = (tiles: string, parts: string, seed = 1): (readonly [string, number])[] =>
      assembleTiles(readUmp(`${tiles}\nassembly it { ${parts} }`), { seed }).tiles.map(({ name, x }) => [
        name,
        x,
      ]);

    it('leave gaps beside them that can be covered in 25 ways or more, and no others', () => {
      const many = (count: number): string[] => Array.from({ length: count }, (_, k) => `+k${k}`);
      const filled = (count: number, seed: number): unknown[] =>
        assemble(
          [
            ...many(count).map((name) => `tile ${name} { 3 3  0 0 0  a +y z  0 0 0 }`),
            'tile +bare { 2 2  0 +a  0 0 }',
          ].join('\n'),
          `size "2 1" +bare "0 1" ${many(count).join(' "0 1" ')} "0 1"`,
          seed,
        );
      expect(() => filled(23, 1)).toThrow("tiles cannot fill assembly 'it'");
      for (let seed = 0; seed < 80; seed++) expect(filled(24, seed)[0]).toEqual(['bare', -8]);
    });

    it('lie beside fixed ones', () => {
      const tiles = 'tile +bare { 2 2  0 +a  0 0 }\ntile +one { 3 3  0 0 0  0 +a 0  0 0 0 }';
      expect(assemble(tiles, 'size "2 1" fix +one "1 0" +bare "0 1"')).toEqual([
        ['one', 0],
        ['bare', -8],
      ]);
    });

    it.each([
      [
        'across',
        '3 1',
        ['0 0 0  q +l m  0 0 0', '0 0 0  m +l q  0 0 0'],
        ['2 3  0 0  +m 0  0 0', '2 3  0 0  0 +m  0 0'],
      ],
      [
        'down',
        '1 3',
        ['0 m 0  0 +l 0  0 q 0', '0 q 0  0 +l 0  0 m 0'],
        ['3 2  0 0 0  0 +m 0', '3 2  0 +m 0  0 0 0'],
      ],
    ] as const)('leave no gap on either side: %s', (_, size, [first, last], bare) => {
      const ends = `tile +l { 3 3  ${first} }\ntile +r { 3 3  ${last} }`;
      const fill = (middle: string) => () =>
        assemble(`${ends}\ntile +m { ${middle} }`, `size "${size}" +l "0 1" +r "0 1" +m "0 1"`);
      expect(fill('3 3  0 0 0  0 +m 0  0 0 0')()).toHaveLength(3);
      for (const middle of bare) expect(fill(middle)).toThrow("tiles cannot fill assembly 'it'");
    });

    it.each([
      ['right', (u: number, v: number) => [u, v]],
      ['left', (u: number, v: number) => [-u, v]],
      ['above', (u: number, v: number) => [v, u]],
      ['below', (u: number, v: number) => [v, -u]],
    ] as const)('must have what is asked where they lie: %s', (_, turn) => {
      // In a row, the first tile asks for `m` in the middle; the one that fits there, next to the last, is a `k`.
      const tile = (name: string, middle: string, sides: Readonly<Record<number, string>>): string => {
        const asked = new Map([[turn(0, 0).join(), middle]]);
        for (const [u, ground] of Object.entries(sides)) asked.set(turn(Number(u), 0).join(), ground);
        const places = [...asked.keys()].map((place) => place.split(',').map(Number));
        const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]!));
        // Borders reach around, except where the tile has none.
        const [isRow, lows] = [turn(1, 0)[0] !== 0, [Math.min(...xs!), Math.min(...ys!)]];
        const highs = [Math.max(...xs!), Math.max(...ys!)];
        for (const ends of [lows, highs]) ends[isRow ? 1 : 0] = ends === lows ? -1 : 1;
        const rows: string[] = [];
        for (let y = highs[1]!; y >= lows[1]!; y--) {
          for (let x = lows[0]!; x <= highs[0]!; x++) rows.push(asked.get(`${x},${y}`) ?? '0');
        }
        return `tile ${name} { ${highs[0]! - lows[0]! + 1} ${highs[1]! - lows[1]! + 1}  ${rows.join(' ')} }`;
      };
      const many = (name: string, count: number): string[] =>
        Array.from({ length: count }, (_, k) => `+${name}${k}`);
      const [first, middle] = [many('l', 26), many('e', 30)];
      const fill = (ground: string) => (): unknown[] =>
        assemble(
          [
            ...first.map((name) => tile(name, '+l', { [-1]: 'q', 1: 'm' })),
            ...middle.map((name) => tile(name, ground, { 1: 'r' })),
            tile('+r', '+r', { [-1]: '0', 1: 'q' }),
          ].join('\n'),
          `size "${turn(1, 0)[0] === 0 ? '1 3' : '3 1'}" +r "0 1" ${[...first, ...middle].join(' "0 1" ')} "0 1"`,
        );
      expect(fill('+k')).toThrow("tiles cannot fill assembly 'it'");
      expect(fill('+m')()).toHaveLength(3);
    });

    it.each([
      ['left', '0 0 0  +a +a 0  0 0 0', '2 1'],
      ['right', '0 0 0  0 +a +a  0 0 0', '2 1'],
      ['above', '0 +a 0  0 +a 0  0 0 0', '1 2'],
      ['below', '0 0 0  0 +a 0  0 +a 0', '1 2'],
    ])('reach beyond the map or not: %s', (_, fields, two) => {
      const tiles = `tile +edge { 3 3  ${fields} }`;
      expect(assemble(tiles, 'size "1 1" +edge "1 1"')).toHaveLength(1);
      expect(assemble(tiles, `size "${two}" +edge "1 1"`)).toHaveLength(1);
    });
  });

  it('are searched for in 1,700 places, and no more', () => {
    const text = `tile +one { 3 3  0 0 0  0 +a 0  0 0 0 }\ntile +two { 3 3  0 0 0  0 +b 0  0 0 0 }
tile +row { 12 7  ${'0 '.repeat(12)} ${`0 ${'+a '.repeat(10)} 0 `.repeat(5)} ${'0 '.repeat(12)} }
assembly full { size "30 30" }`;
    const { tiles, assemblies, lines } = readUmp(text);
    const [one, two, row] = tiles;
    const solve = (more: number): boolean => {
      const kinds = [one!, two!].map((tile) => ({ tile, min: 0, max: 255, count: 0 }));
      kinds.push(...Array.from({ length: more }, () => ({ tile: row!, min: 0, max: 255, count: 255 })));
      const puzzle = new Puzzle(assemblies[0]!, kinds, lines, 1e9);
      puzzle.start([{ tile: row!, x: 20, y: more === 0 ? 25 : 26 }]);
      return puzzle.solve(new Random(1));
    };
    // All 850 free fields are twice as many places; 510 tiles do not cover them.
    expect(solve(0)).toBe(false);
    expect(() => solve(1)).toThrow("assembly 'full' has more than 1700 places for tiles");
  });

  it('are given up if they are impossible', () => {
    expect(() => assembleTiles(readUmp(small('+one "0 5"')))).toThrow("tiles cannot fill assembly 'it'");
    expect(() => assembleTiles(readUmp(small('+one "7 9"')))).toThrow("tiles cannot fill assembly 'it'");
    // Each of two fits, but not both; only trying finds that out.
    const tiles = 'tile +lone { 3 3  0 b 0  b +a b  0 b 0 }\ntile +any { 3 3  0 0 0  0 +b 0  0 0 0 }';
    for (const parts of ['size "2 1" +lone "2 2"', 'size "3 1" fix +any "0 0" +lone "2 2"']) {
      expect(() => assembleTiles(readUmp(`${tiles} assembly it { ${parts} }`))).toThrow(
        /^ufoai: tiles cannot fill assembly 'it'$/,
      );
    }
    expect(() => assembleTiles(readUmp('base x'))).toThrow(BspError);
    expect(() => assembleTiles(readUmp('base x'))).toThrow('ump has no assemblies');
    expect(() => assembleTiles(own, { assembly: 'none' })).toThrow(
      'assembly must be one of small, fixed, coarse',
    );
    expect(() => assembleTiles(own, { seed: 0.5 })).toThrow('seed must be a whole number of 32 bits');
    expect(() => assembleTiles({} as never)).toThrow('ump must be what readUmp has read');
    const wide = readUmp(small('size "30 30" +one "0 255"'));
    expect(() => assembleTiles(wide)).toThrow("tiles cannot fill assembly 'it'");
    const large = readUmp(small('size "9 9" +one "81 81"'));
    expect(() => assembleTiles(large)).toThrow('takes more than 64 tiles');
  });

  it('refuse the tile of a variable that does not fit where it is fixed', () => {
    const fields = Array.from({ length: 256 }, () => '+a').join(' ');
    const text = small('fix *v +one "29 0" +one "0 9"').replace(
      'assembly it',
      `tile +big { 16 16 ${fields} } assembly it`,
    );
    expect(assembleTiles(readUmp(text)).tiles).toHaveLength(7);
    const variables = { v: '+big' };
    const problem =
      "variables must be tiles that fit where they are fixed: tile '+big' at 29 0 reaches beyond 32 fields";
    expect(() => assembleTiles(readUmp(text), { variables })).toThrow(problem);
    // Only if it is of the assembly that is asked for.
    const other = readUmp(`${text} assembly other { size "1 1" +one "1 1" }`);
    expect(assembleTiles(other, { assembly: 'other', variables }).tiles).toHaveLength(1);
  });

  it('are refused in few words, however long the names are', () => {
    const word = 'k'.repeat(1e5);
    const tile = `tile ${word} { 3 3  0 a 0  a +a a  0 a 0 }`;
    const ump = readUmp(`${tile} assembly ${word} { size "1 1" *v ${word} "2 2" }`);
    expect(() => assembleTiles(ump)).toThrow(/^ufoai: tiles cannot fill assembly 'k{40}…': .{1,100}$/);
    expect(() => assembleTiles(ump, { assembly: 'none' })).toThrow('one of kkk');
    expect(() => assembleTiles(ump, { assembly: word.slice(1) })).toThrow(/^.{1,150}$/);
    expect(() => assembleTiles(ump, { variables: { v: word.slice(1) } })).toThrow(/^.{1,150}$/);
    const large = readUmp(`${tile} assembly ${word} { size "9 9" ${word} "81 81" }`);
    expect(() => assembleTiles(large)).toThrow(/^ufoai: assembly 'k{40}…' takes more than 64 tiles$/);
    expect(() => assembleTiles(large, { limit: 1 })).toThrow(/^.{1,150}$/);
  });

  it('are not searched for endlessly', () => {
    // Pairs across fields that cannot all be paired: two fields of one kind are missing, which only trying finds out.
    const domino = (name: string, w: number, h: number): string =>
      `tile +${name} { ${w + 2} ${h + 2} ${Array.from({ length: h + 2 }, (_, y) =>
        Array.from({ length: w + 2 }, (_, x) => (x > 0 && x <= w && y > 0 && y <= h ? '+a' : '0')).join(' '),
      ).join(' ')} }`;
    const text = `${domino('a', 2, 1)} ${domino('b', 1, 2)} ${domino('c', 1, 1)}
assembly board { size "10 10" fix +c "0 0" fix +c "9 9" +a "0 60" +b "0 60" }`;
    const board = readUmp(text);
    expect(() => assembleTiles(board, { limit: 2e6 })).toThrow(
      "no way to fill assembly 'board' was found in 2000000 steps",
    );
    expect(() => assembleTiles(board, { limit: -1 })).toThrow('limit must be a whole number');
    // Every field is covered already: all that is left to do is to find that a tile fits into none of 56 places.
    const fixed = Array.from({ length: 64 }, (_, k) => `fix +c "${k % 8} ${k >> 3}"`).join(' ');
    const full = readUmp(
      `${domino('c', 1, 1)} ${domino('a', 2, 1)} assembly full { size "8 8" ${fixed} +a "1 1" }`,
    );
    const { tiles, assemblies, lines } = full;
    const toPlace = { tile: tiles[1]!, min: 1, max: 1, count: 0 };
    const puzzle = new Puzzle(assemblies[0]!, [toPlace], lines, 64 * 9 + 56 * 12 - 1);
    puzzle.start(Array.from({ length: 64 }, (_, k) => ({ tile: tiles[0]!, x: k % 8, y: k >> 3 })));
    expect(() => puzzle.solve(new Random(1))).toThrow("no way to fill assembly 'full'");
    // Tiles that are too large are looked at too, in each place.
    const filled = (count: number): number => {
      const names = Array.from({ length: count }, (_, k) => `large${k}`);
      const rest = names.map((name) => domino(name, 14, 14)).join(' ');
      const parts = names.map((name) => `+${name} "0 1"`).join(' ');
      const ump = readUmp(`${domino('c', 1, 1)} ${rest} assembly small { size "2 2" +c "0 4" ${parts} }`);
      return assembleTiles(ump, { limit: 400 }).tiles.length;
    };
    expect(filled(1)).toBe(4);
    expect(() => filled(100)).toThrow("no way to fill assembly 'small' was found in 400 steps");
  });

  describe('are given up at once if no search could fill them', () => {
    const tiles = `
tile +one { 3 3  0 a 0  a +a a  0 a 0 }
tile +two { 4 3  0 a a 0  a +a +a a  0 a a 0 }
tile +square { 4 4  0 0 0 0  0 +ab +ab 0  0 +ab +ab 0  0 0 0 0 }
tile +lake { 3 3  0 w 0  w +w w  0 w 0 }
tile +bare { 1 1  +a }
tile +flat { 3 1  0 +a 0 }
tile +tall { 3 4  0 0 0  0 0 0  0 +a 0  0 0 0 }
tile +wide { 4 3  0 0 0 0  0 +a 0 0  0 0 0 0 }
tile +air { 2 2  0 0  a 0 }`;

    it.each([
      ['size "8 8" +one "65 99"', "there must be 65 of '+one', and there is room for 64"],
      ['size "8 8" grid "3 3" +one "10 99"', "there must be 10 of '+one', and there is room for 9"],
      ['size "8 8" seeds { 1 2 } +one "65 99"', "there must be 65 of '+one', and there is room for 64"],
      ['size "8 8" fix +one "3 3" +one "64 99"', "there must be 64 of '+one', and there is room for 63"],
      ['size "8 8" +square "17 17"', 'no allowed numbers of its tiles cover its 64 free fields'],
      ['size "9 9" +square "0 99"', 'no allowed numbers of its tiles cover its 81 free fields'],
      ['size "8 8" +one "0 9" +two "0 9"', 'no allowed numbers of its tiles cover its 64 free fields'],
      ['size "8 8" fix +lake "2 0" +one "0 99"', 'no tile can cover the field at 1 0'],
      // The game does not mind a tile without a border, but has no place for it that is the last field.
      ['size "8 8" +bare "0 99"', 'no tile can cover the field at 7 0'],
      ['size "8 8" +flat "0 99"', 'no tile can cover the field at 0 7'],
      ['size "8 8" +tall "0 99"', 'no tile can cover the field at 0 7'],
      ['size "8 8" +wide "0 99"', 'no tile can cover the field at 7 0'],
    ])('%s', (parts, reason) => {
      const ump = readUmp(`${tiles} assembly it { ${parts} }`);
      // Far fewer steps than a search needs to find it.
      const problem = `tiles cannot fill assembly 'it': ${reason}`;
      expect(() => assembleTiles(ump, { limit: 2000 })).toThrow(problem);
    });

    it('but not for tiles that cover nothing, which may lie on each other', () => {
      const ump = readUmp(`${tiles} assembly it { size "1 1" +one "1 1" +air "9 9" }`);
      expect(assembleTiles(ump).tiles.length).toBe(10);
    });

    it('nor for how often a file says that there may be tiles that cover nothing', () => {
      const sets = 'tileset s "0 255" '.repeat(20000);
      const text = `${tiles} tileset s { +air } assembly it { size "30 30" +one "0 255" ${sets} }`;
      const ump = readUmp(text);
      const before = performance.now();
      expect(() => assembleTiles(ump)).toThrow('no allowed numbers of its tiles cover its 900 free fields');
      expect(performance.now() - before).toBeLessThan(5000);
    });

    it('and never if a search fills them', () => {
      const random = createRandom(8);
      const names = ['one', 'two', 'square', 'lake', 'bare', 'air'];
      const below = (count: number): number => Math.floor(random() * count);
      const found = { impossible: 0, filled: 0 };
      for (let k = 0; k < 3000; k++) {
        const counts = names
          .filter(() => random() < 0.6)
          .map((name) => {
            const min = below(3);
            return `+${name} "${min} ${min + 1 + below(9)}"`;
          });
        const fixed = below(3) > 0 ? '' : `fix +${names[below(6)]} "${below(4)} ${below(4)}"`;
        const size = `size "${1 + below(4)} ${1 + below(4)}" grid "${1 + below(2)} ${1 + below(2)}"`;
        const { assemblies, lines } = readUmp(
          `${tiles} assembly it { ${size} ${fixed} ${counts.join(' ')} }`,
        );
        const [assembly] = assemblies as [UmpAssembly];
        const parts = assembly.parts.map((part) => ({ ...part, tile: (part.from as UmpChoice).tile }));
        const kinds = parts.flatMap((part) =>
          part.kind === 'tile' ? [{ tile: part.tile, min: part.min, max: part.max, count: 0 }] : [],
        );
        const puzzle = new Puzzle(assembly, kinds, lines, 20_000);
        const start = (): void =>
          puzzle.start(parts.flatMap((part) => (part.kind === 'fixed' ? [part] : [])));
        start();
        const reason = puzzle.impossible();
        if (reason !== undefined) found.impossible++;
        for (let seed = 0; seed < 3; seed++) {
          start();
          try {
            if (!puzzle.solve(new Random(seed))) continue;
          } catch {
            break;
          }
          found.filled++;
          expect(reason).toBeUndefined();
        }
      }
      expect(found.impossible).toBeGreaterThan(500);
      expect(found.filled).toBeGreaterThan(500);
    });
  });
});
