import { describe, expect, it } from 'vitest';
import {
  COMPILE_TARGETS,
  CONTENTS,
  CompileError,
  type CompileFormat,
  compileMap,
  parseMap,
  type SourceSide,
} from '../src/index.ts';
import { errorOf } from './error-of.ts';

const BOX = `( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) wall 0 0 0 1 1
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) wall 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) wall 0 0 0 1 1
( 0 32 0 ) ( 1 32 0 ) ( 0 32 1 ) wall 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) wall 0 0 0 1 1
( 0 0 16 ) ( 0 1 16 ) ( 1 0 16 ) wall 0 0 0 1 1`;
const world = (body: string): string => `{\n"classname" "worldspawn"\n${body}\n}\n`;
const lines = BOX.split('\n');
const replaced = (index: number, line: string): string[] => lines.map((old, i) => (i === index ? line : old));

const failure = (text: string): CompileError =>
  errorOf(() => compileMap(parseMap(text), { format: 'quake3' }));

describe('parseMap', () => {
  it.each([
    ['hint', 0x100],
    ['skip', 0x200],
  ])("takes brushes for open where a game's own tools do, by the flag for %s", (_, flag) => {
    const flagged = BOX.replaceAll('1 1\n', `1 1 1 ${flag} 0\n`).concat(` 1 ${flag} 0`);
    for (const format of ['quake2', 'ufoai'] as const) {
      const contents = (text: string) =>
        parseMap(world(`{\n${text}\n}`), { format }).entities[0]!.brushes![0]!.sides.map(
          (side) => side.contents,
        );
      expect(contents(flagged)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(contents(flagged.replaceAll(` ${flag} 0`, ' 0 0'))).toEqual([1, 1, 1, 1, 1, 1]);
    }
  });

  it('reads a brush with its planes facing outward', () => {
    const { entities } = parseMap(world(`{\n${BOX}\n}`));
    const [brush] = entities[0]!.brushes!;
    expect(entities[0]!.properties).toEqual({ classname: 'worldspawn' });
    expect(brush!.sides.map(({ normal, dist }) => [...Array.from(normal, (x) => x + 0), dist + 0])).toEqual([
      [-1, 0, 0, 0],
      [1, 0, 0, 64],
      [0, -1, 0, 0],
      [0, 1, 0, 32],
      [0, 0, -1, 0],
      [0, 0, 1, 16],
    ]);
    expect(brush!.line).toBe(3);
    expect(brush!.sides[5]!.line).toBe(9);
  });

  it('reads texture axes of Quake and of Valve 220', () => {
    const quake = replaced(5, '( 0 0 16 ) ( 0 1 16 ) ( 1 0 16 ) top 8 -4 90 2 0.5');
    const side = parseMap(world(`{\n${quake.join('\n')}\n}`)).entities[0]!.brushes![0]!.sides[5]!;
    expect(side.material).toBe('top');
    // A quarter turn puts s along +y and t along +x, then each is scaled.
    expect(side.texture!.s.map((x) => x + 0)).toEqual([0, 0.5, 0, 8]);
    expect(side.texture!.t.map((x) => x + 0)).toEqual([2, 0, 0, -4]);
    const valve = lines.map((line) => line.replace('0 0 0 1 1', '[ 1 0 0 16 ] [ 0 0 -1 3 ] 0 2 4'));
    const [brush] = parseMap(world(`{\n${valve.join('\n')}\n}`)).entities[0]!.brushes!;
    expect(brush!.sides[2]!.texture).toEqual({ s: [0.5, 0, 0, 16], t: [0, 0, -0.25, 3] });
  });

  it('reads comments, quoted names, and names with braces', () => {
    const text = `// a map\n{ "classname" "worldspawn" // the world\n{\n${lines
      .map((line, i) => line.replace('wall', i % 2 ? '"my wall"' : '{fence'))
      .join('\n')}\n}\n}`;
    const names = parseMap(text).entities[0]!.brushes![0]!.sides.map(({ material }) => material);
    expect(names).toEqual(['{fence', 'my wall', '{fence', 'my wall', '{fence', 'my wall']);
  });

  it("reads UFO:AI's contents, surface flags and value, and takes levels from the contents", () => {
    const numbered = (contents: number, surface = 0, value = 0): string =>
      `{\n${lines.map((line) => `${line} ${contents} ${surface} ${value}`).join('\n')}\n}`;
    const brushes = parseMap(
      world(
        [numbered(0xfe00), numbered(0x8010300), numbered(0x20200, 0x1, 300), numbered(0x1000002)].join('\n'),
      ),
    ).entities[0]!.brushes!;
    expect(brushes.map(({ levels }) => levels)).toEqual([0xfe, 3, 2, 0]);
    expect(brushes.map(({ detail }) => detail ?? false)).toEqual([false, true, false, false]);
    expect(brushes.map(({ sides }) => sides[0]!.contents)).toEqual([
      undefined,
      CONTENTS.playerclip,
      CONTENTS.passable | CONTENTS.solid,
      CONTENTS.window | CONTENTS.origin,
    ]);
    expect(brushes[2]!.sides[0]!.value).toBe(300);
  });

  it("takes only the detail bit of Quake 3's numbers", () => {
    const text = world(`{\n${lines.map((line) => `${line} 134217728 0 0`).join('\n')}\n}`);
    const [brush] = parseMap(text).entities[0]!.brushes!;
    expect(brush).toMatchObject({ detail: true });
    expect(brush).not.toHaveProperty('levels');
    expect(brush!.sides[0]).not.toHaveProperty('contents');
    expect(parseMap(text, { format: 'ufoai' }).entities[0]!.brushes![0]!.levels).toBe(0);
  });

  it('takes numbers as those of the target game where no other game uses them', () => {
    const numbered = (contents: number): string =>
      world(`{\n${lines.map((line) => `${line} ${contents} 1 300`).join('\n')}\n}`);
    const side = (contents: number, target: CompileFormat): SourceSide =>
      parseMap(numbered(contents), { target }).entities[0]!.brushes![0]!.sides[0]!;
    expect(side(32, 'quake2')).toMatchObject({ contents: CONTENTS.water, value: 300 });
    for (const target of ['quake1', 'quake3', 'ufoai'] as const) {
      expect(side(32, target)).not.toHaveProperty('contents');
    }
    // Its level flags show which game they belong to.
    expect(side(0x10300, 'quake2')).toMatchObject({ contents: CONTENTS.playerclip });
    // But not those of only a few sides: they may come from area portals, say, or from what somebody has typed.
    const stray = world(`{\n${lines.map((line, k) => `${line} ${k < 3 ? 32768 : 32} 1 300`).join('\n')}\n}`);
    const { sides } = parseMap(stray, { target: 'quake2' }).entities[0]!.brushes![0]!;
    expect(sides.map(({ contents }) => contents)).toEqual([
      ...Array(3).fill(CONTENTS.areaportal),
      ...Array(3).fill(CONTENTS.water),
    ]);
    expect(parseMap(stray, { target: 'quake3' }).entities[0]!.brushes![0]).not.toHaveProperty('levels');
    expect(() => parseMap('', { target: 'doom' as never })).toThrow(/^target must be 'quake1'/);
  });

  it.each([
    ['99999999999 0 0', 'contents', '99999999999'],
    ['4294967296 0 0', 'contents', '4294967296'],
    ['-2147483649 0 0', 'contents', '-2147483649'],
    ['0 1e300 0', 'surface flags', '1e+300'],
    ['0 2.5 0', 'surface flags', '2.5'],
  ])('refuses %s behind a side for every game', (numbers, what, found) => {
    const text = world(`{\n${replaced(1, `${lines[1]} ${numbers}`).join('\n')}\n}`);
    const place = { line: 5, entity: 0, brush: 0, side: 1 };
    const problem = `${what} must be a whole number of 32 bits, found ${found}`;
    for (const format of [undefined, ...COMPILE_TARGETS.map(({ id }) => id)]) {
      expect(() => parseMap(text, { format, target: format })).toThrow(
        new CompileError('syntax', place, problem),
      );
    }
  });

  it.each(['0.5', '1e300', '-2147483649'])('leaves a value of %s to the games that know values', (value) => {
    const text = world(`{\n${replaced(1, `${lines[1]} 0 0 ${value}`).join('\n')}\n}`);
    for (const format of ['quake1', 'quake3'] as const) {
      const plain = parseMap(world(`{\n${lines.join('\n')}\n}`), { target: format });
      expect(compileMap(parseMap(text, { target: format }), { format }).bytes).toEqual(
        compileMap(plain, { format }).bytes,
      );
    }
    for (const format of ['quake2', 'ufoai'] as const) {
      expect(() => compileMap(parseMap(text, { format }), { format })).toThrow(
        /^line 5, entity 0, brush 0, side 1: value must be a whole number/,
      );
    }
  });

  it.each([
    ['4294967295', '-1'],
    ['2147483648', '-2147483648'],
    ['0x20', '3.2e1'],
  ])('takes %s behind a side for the same bits as %s', (...forms) => {
    const [one, other] = forms.map((word) =>
      parseMap(world(`{\n${lines.map((line) => `${line} ${word} 0 0`).join('\n')}\n}`), {
        format: 'quake2',
      }),
    );
    expect(one).toEqual(other);
  });

  it.each(['brushDef3', 'patchDef3', 'terrainDef'])('says how to save a map with %s', (word) => {
    expect(failure(world(`{\n${word}\n{\n}\n}`)).message).toBe(
      `line 4, entity 0, brush 0: ${word} is not supported; save the map with sides of three points (Quake, Valve 220 or brushDef), and patchDef2`,
    );
  });

  it('reads brush primitives, whose texture coordinates count whole textures', () => {
    const primitive = lines.map((line) =>
      line.replace(/wall.*/, '( ( 0.25 0.5 0.125 ) ( 0 2 -1 ) ) wall 134217728 0 0'),
    );
    const text = world(`{\nbrushDef\n{\n${primitive.join('\n')}\n}\n}`);
    const [brush] = parseMap(text).entities[0]!.brushes!;
    expect(brush).toMatchObject({ detail: true, line: 3 });
    const [plain] = parseMap(world(`{\n${BOX}\n}`)).entities[0]!.brushes!;
    expect(brush!.sides.map(({ normal, dist }) => ({ normal, dist }))).toEqual(
      plain!.sides.map(({ normal, dist }) => ({ normal, dist })),
    );
    const texture = (side: number) => {
      const { s, t, repeats } = brush!.sides[side]!.texture!;
      return [s.map((x) => x + 0), t.map((x) => x + 0), repeats];
    };
    // Towards +x the first axis is +y, the second one down; from above they are +y and +x.
    expect(texture(1)).toEqual([[0, 0.25, -0.5, 0.125], [0, 0, -2, -1], true]);
    expect(texture(5)).toEqual([[0.5, 0.25, 0, 0.125], [2, 0, 0, -1], true]);
    const sized = { materials: { wall: { width: 128, height: 32 } } };
    const same = (source: SourceSide['texture']) => {
      const sides = brush!.sides.map((side) => ({ ...side, texture: source ?? side.texture }));
      return compileMap([{ ...brush!, sides }], { format: 'quake3', ...sized }).bytes;
    };
    const onTop = brush!.sides[5]!.texture!;
    const inTexels = {
      s: onTop.s.map((x) => 128 * x),
      t: onTop.t.map((x) => 32 * x),
    } as unknown as typeof onTop;
    expect(same(onTop)).toEqual(same(inTexels));
    expect(same(onTop)).not.toEqual(same({ ...inTexels, repeats: true }));
  });

  it('reads lines with any kind of line ending', () => {
    const text = `// a map\n${world(`// a brush\n{\n${BOX}\n}`)}`;
    const wrong = text.replace('( 0 0 16 )', '( 0 0 top )');
    for (const end of ['\n', '\r\n', '\r']) {
      expect(parseMap(text.replaceAll('\n', end))).toEqual(parseMap(text));
      expect(failure(wrong.replaceAll('\n', end)).line).toBe(failure(wrong).line);
    }
  });

  it('reads on after white space of any kind', () => {
    const text = `${world(`{\n${BOX}\n}`)}{\n"classname" "light"\n"_color" "1\u00a01"\n}\n`;
    const plain = parseMap(text);
    expect(plain.entities).toHaveLength(2);
    expect(plain.entities[1]!.properties._color).toBe('1\u00a01');
    for (const space of ['\u00a0', '\u2003', '\u3000', '\ufeff']) {
      // Before, between and after entities, in them, and between the words of a side.
      const spaced = text
        .replace(/^[{}]$/gm, `${space}$&${space}`)
        .replaceAll(' wall ', `${space}wall${space}`);
      expect(parseMap(spaced)).toEqual(plain);
    }
  });

  it('reads numbers as editors write them', () => {
    const odd = BOX.replaceAll(' 64 ', ' +6.4e1 ').replaceAll(' 32 ', ' 32. ').replaceAll(' 0 0 ', ' -0 .0 ');
    expect(odd).not.toBe(BOX);
    const compiled = (box: string) => compileMap(parseMap(world(`{\n${box}\n}`)), { format: 'quake3' }).bytes;
    expect(compiled(odd)).toEqual(compiled(BOX));
  });

  it('reads patches, column by column in the text, row by row in memory', () => {
    const column = (x: number): string =>
      `( ${[0, 1, 2].map((row) => `( ${x} ${row} ${x * row} ${x / 2} ${row / 2} )`).join(' ')} )`;
    const text = world(
      `{\npatchDef2\n{\ncurve\n( 5 3 0 0 0 )\n(\n${[0, 1, 2, 3, 4].map(column).join('\n')}\n)\n}\n}`,
    );
    const [patch] = parseMap(text).entities[0]!.patches!;
    expect(patch).toMatchObject({ material: 'curve', width: 5, height: 3, line: 3 });
    expect(patch!.points[1]).toEqual([1, 0, 0, 0.5, 0]);
    expect(patch!.points[5 + 4]).toEqual([4, 1, 4, 2, 0.5]);
  });

  it.each([
    ['fewer than four planes', lines.slice(0, 3).join('\n'), 'few-planes', 3],
    ['a brush that is open', lines.slice(0, 5).join('\n'), 'not-closed', 3],
    ['planes that leave nothing', replaced(1, lines[1]!.replaceAll('64', '-8')).join('\n'), 'zero-volume', 3],
    [
      'points on a line',
      replaced(2, '( 0 0 0 ) ( 1 0 0 ) ( 2 0 0 ) wall 0 0 0 1 1').join('\n'),
      'degenerate-plane',
      6,
    ],
    ['a word for a number', replaced(4, lines[4]!.replace('( 1 0', '( one 0')).join('\n'), 'syntax', 8],
    ['a line without texture', replaced(0, '( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )').join('\n'), 'syntax', 4],
    ['a line without scale', replaced(0, lines[0]!.replace(' 1 1', '')).join('\n'), 'syntax', 4],
    ['a last line without scale', replaced(5, lines[5]!.replace(' 1 1', '')).join('\n'), 'syntax', 9],
    ['a plane of two points', replaced(3, '( 0 32 0 ) ( 1 32 0 ) wall').join('\n'), 'syntax', 7],
    ['an empty brush primitive', 'brushDef\n{\n}', 'few-planes', 3],
    ['a brush primitive without braces', `brushDef\n${BOX}`, 'syntax', 5],
    [
      'a brush that is inside out',
      lines.map((line) => line.replace(/(\(.*?\)) (\(.*?\))/, '$2 $1')).join('\n'),
      'zero-volume',
      3,
    ],
  ])('tells line and brush of %s', (_, body, code, line) => {
    const error = failure(world(`{\n${body}\n}`));
    expect({ code: error.code, line: error.line, entity: error.entity, brush: error.brush }).toEqual({
      code,
      line,
      entity: 0,
      brush: 0,
    });
    expect(error.message).toContain(`line ${line}, entity 0, brush 0`);
  });

  it.each([
    ['an entity that is never closed', '{\n"classname" "worldspawn"\n', 1],
    ['a string that is never closed', '{\n"classname" "worldspawn\n}', 2],
    ['a key without a value', '{\n"classname"\n}', 3],
    ['text outside entities', '"classname" "worldspawn"', 1],
    ['an end inside a brush', `{\n{\n${BOX}\n`, 8],
  ])('tells the line of %s', (_, text, line) => {
    expect(failure(text)).toMatchObject({ code: 'syntax', line });
  });

  it.each([
    ['entities', '{}'.repeat(65_537), { entity: 65_536, brush: undefined }],
    ['brushes', `{${'{}'.repeat(1_048_575)}}{{}{}}`, { entity: 1, brush: 1 }],
  ])('refuses more %s than any target takes, before they are all in memory', (what, text, place) => {
    const error = failure(text);
    expect(error).toMatchObject({ code: 'limit', line: 1, ...place });
    expect(error.message).toMatch(new RegExp(`a text has \\d+ ${what} at most$`));
  });

  it.each([
    ['{\n"message" "say "hello""\n}', "line 2, entity 0: expected a key in quotes, found 'hello'; keys and"],
    ['{\nmessage "hello"\n}', "line 2, entity 0: expected a key in quotes, found 'message'"],
    ['Version 2\n{\n}', "line 1, entity 0: expected an entity's '{', found 'Version'; only map text as for"],
    [
      'IBSP.\0\0\0{',
      "line 1, entity 0: expected an entity's '{', found bytes that are not text; only map text",
    ],
    [`${world('')}}`, "line 5, entity 1: expected an entity's '{', found '}'"],
    [world(`{\n${lines[0]!.replace(' 1 1', '')}\n}`), 'expected a number, found the end of the line'],
    [world('{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )\n}'), 'expected a name, found the end of the line'],
    [world(`{\n${BOX.replaceAll('16', '0.015')}\n}`), 'no point lies more than 0.01 units behind all planes'],
    [
      world(`{\n${BOX.replace(/^(\(.*?\)) (\(.*?\))/gm, '$2 $1')}\n}`),
      'the brush is inside out: its sides face inwards',
    ],
    ['{\n"classname"', 'line 2, entity 0: the text ends too early'],
    ['{\n"classname" "worldspawn"\n{\n(', 'line 4, entity 0, brush 0, side 0: the text ends too early'],
  ])('says what is wrong with %j', (text, words) => {
    expect(failure(text).message).toContain(words);
  });

  it.each(['', '{\n', '{\n"a" ', world('{\n'), world('{\n( '), world('{\n( 0 0 0 ')])(
    'repeats only the beginning of a long word after %j',
    (text) => {
      const before = text.replace(/\n?\}\n?$/, '');
      expect(failure(`${before}${'x'.repeat(1e5)}`).message).toMatch(/found 'x{40}…'.{0,90}$/);
    },
  );

  it.each(['( 4 3 0 0 0 )', '( 3 1 0 0 0 )', '( 33 3 0 0 0 )'])('refuses a patch grid %s', (size) => {
    const error = failure(world(`{\npatchDef2\n{\ncurve\n${size}\n(\n)\n}\n}`));
    expect(error).toMatchObject({ code: 'patch', line: 7, patch: 0 });
  });
});
