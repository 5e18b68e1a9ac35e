import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BspError, entityModel, entityVector, parseEntities } from '../src/index.ts';

const parse = (text: string): Record<string, string | undefined>[] =>
  parseEntities(text, 'test').map((entity) => ({ ...entity }));

describe('parseEntities', () => {
  it('reads blocks, quoted and bare words, and both kinds of comments', () => {
    const text = `// a map
      { "classname" "worldspawn" /* the world
      itself */ message "two words" }
      {classname light "origin" "1 2 3"}\0 { rubbish`;
    expect(parse(text)).toEqual([
      { classname: 'worldspawn', message: 'two words' },
      { classname: 'light', origin: '1 2 3' },
    ]);
  });

  it('keeps comment marks, braces and empty values inside quotes', () => {
    expect(parse('{ "url" "http://x/{a}" "note" "" }')).toEqual([{ url: 'http://x/{a}', note: '' }]);
  });

  it('lets the later of two equal keys count', () => {
    expect(parse('{ "a" "1" "a" "2" }')).toEqual([{ a: '2' }]);
  });

  it('is safe with keys that plain objects have from the start', () => {
    const [entity] = parseEntities('{ "__proto__" "x" "toString" "y" }', 'test');
    expect(Object.entries(entity ?? {})).toEqual([
      ['__proto__', 'x'],
      ['toString', 'y'],
    ]);
    expect(entity?.constructor).toBeUndefined();
  });

  it.each([
    ['{ "a" "b"', "test: entities: line 1: '{' is never closed"],
    ['{ "a" "b" }\n{\n', "test: entities: line 2: '{' is never closed"],
    ['{ "a" "b"\n{ "c" "d" }', "test: entities: line 1: '{' is never closed"],
    ['\n\n}', "test: entities: line 3: expected '{', found '}'"],
    ['"{"', "test: entities: line 1: expected '{', found '{'"],
    ['{\n"a" }', "test: entities: line 2: key 'a' has no value"],
    ['{\n"a" "b', 'test: entities: line 2: a string is never closed'],
    ['/* no end', 'test: entities: line 1: a comment is never closed'],
  ])('refuses %j, with the line', (text, message) => {
    expect(() => parse(text)).toThrow(BspError);
    const index = Number(/line (\d+)/.exec(message)![1]);
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ message, code: 'syntax', lump: 'entities', index }),
    );
  });

  it('reads back what is written, and throws nothing but BspError on anything else', () => {
    const word = fc.string().filter((text) => !/["\0]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.dictionary(word, word)), (entities) => {
        const block = (entity: Record<string, string>): string =>
          `{${Object.entries(entity)
            .map(([key, value]) => `"${key}" "${value}"\n`)
            .join('')}}`;
        const expected = entities.map((entity) => ({ ...entity }));
        expect(parse(entities.map(block).join('\n'))).toEqual(expected);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', 'a', ' ', '\n', '/', '*') }), (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(BspError);
        }
      }),
    );
  });
});

describe('tokens of any length', () => {
  it('are cut in errors', () => {
    const long = 'x'.repeat(1e6);
    const shown = `'${'x'.repeat(40)}…'`;
    expect(() => parse(long)).toThrow(new RegExp(`expected '{', found ${shown}$`));
    expect(() => parse(`{ "${long}" }`)).toThrow(new RegExp(`key ${shown} has no value$`));
  });
});

describe('more entities than any engine holds', () => {
  it('are refused before they fill the memory', () => {
    expect(parseEntities('{}'.repeat(65_536), 'test')).toHaveLength(65_536);
    expect(() => parseEntities('{}'.repeat(65_537), 'test')).toThrow(
      'test: entities: line 1: more than 65536 entities',
    );
  });
});

describe('entity values', () => {
  it('reads vectors and inline models', () => {
    const entity = parseEntities(
      '{ origin " 16 -8.5 1e2 " bad "1 2" worse "1 2 x" far "0 -1e39 0" model *12 }',
      'test',
    )[0]!;
    expect(entityVector(entity, 'origin')).toEqual([16, -8.5, 100]);
    expect(entityVector(entity, 'bad')).toBeUndefined();
    expect(entityVector(entity, 'worse')).toBeUndefined();
    expect(entityVector(entity, 'far')).toBeUndefined();
    expect(entityVector(entity, 'absent')).toBeUndefined();
    expect(entityModel(entity)).toBe(12);
    expect(entityModel(parseEntities('{ model "models/x.md3" }', 'test')[0]!)).toBeUndefined();
  });

  it('finds none in what is not text', () => {
    const given = { origin: [1, 2, 3], angle: 5, model: Symbol('x') } as never;
    for (const key of ['origin', 'angle', 'model', 'constructor', '__proto__']) {
      expect(entityVector(given, key)).toBeUndefined();
    }
    expect(entityModel(given)).toBeUndefined();
  });
});
