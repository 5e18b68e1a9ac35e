import { describe, expect, it } from 'vitest';
import { boxBrush, CompileError, compileMap, parseShaders } from '../../src/index.ts';
import { readQuake3File } from '../read/quake3.ts';

const TEXT = `// A pool's surface
textures/Base/Pool
{
	qer_editorimage textures/base/pool.tga
	surfaceparm trans
	SurfaceParm water
	surfaceparm nolightmap
	{
		map textures/base/pool.tga
		surfaceparm lava // not here
	}
	{ map $lightmap }
}
/* surfaceparm slime {
*/ "textures/base/fence" { surfaceparm nonsolid surfaceparm nomarks surfaceparm unheard_of }
models/lamp { }
textures/base/pool { surfaceparm lava }
textures/base/murk { surfaceparm slime surfaceparm fog surfaceparm detail }
`;

const errorOf = (text: string): unknown => {
  try {
    return parseShaders(text);
  } catch (error) {
    return error;
  }
};

describe('shader scripts', () => {
  it('define materials by surfaceparm', () => {
    expect({ ...parseShaders(TEXT) }).toEqual({
      'base/pool': { contents: ['water', 'translucent'], surface: ['nolightmap'] },
      'base/fence': { contents: [], surface: ['nonsolid', 'nomarks'] },
      'models/lamp': { contents: ['solid'], surface: [] },
      'base/murk': { contents: ['slime', 'fog', 'detail'], surface: [] },
    });
    expect({ ...parseShaders('') }).toEqual({});
  });

  it('are materials of maps, whichever case those write them in', () => {
    const brushes = ['Base/POOL', 'textures/base/fence', 'base/plain'].map((material, k) =>
      boxBrush([64 * k, 0, 0], [64 * k + 32, 32, 32], { material }),
    );
    const options = { format: 'quake3', materials: parseShaders(TEXT) } as const;
    const { bytes } = compileMap(brushes, { ...options, unknownMaterial: 'solid' });
    const { shaders, brushes: made } = readQuake3File(bytes);
    const contents = Object.fromEntries(shaders.map((shader) => [shader.name, shader.contents]));
    expect(contents).toMatchObject({ 'textures/Base/POOL': 0x20000020, 'textures/base/plain': 1 });
    // No brush is left of a fence whose material has no contents.
    expect(made.length).toBe(2);
    expect(() => compileMap(brushes, options)).toThrow("material 'base/plain' is not known");
  });

  it('may have any names', () => {
    const shaders = parseShaders('__proto__ { surfaceparm water } textures/constructor { surfaceparm lava }');
    expect(Object.keys(shaders)).toEqual(['__proto__', 'constructor']);
    const brush = boxBrush([0, 0, 0], [8, 8, 8], { material: 'constructor' });
    const { bytes } = compileMap([brush], { format: 'quake3', materials: shaders });
    expect(readQuake3File(bytes).shaders[0]).toMatchObject({ contents: 8 });
    expect(() =>
      compileMap([{ ...brush, material: 'toString' }], { format: 'quake3', materials: shaders }),
    ).toThrow("material 'toString' is not known");
  });

  it.each([
    ['{ surfaceparm water }', 1, "expected a shader's name, found '{'"],
    ['a { }\n}', 2, "'}' closes nothing"],
    ['a\nb { }', 2, "expected '{' after the shader 'a', found 'b'"],
    ['a { }\r\nb {\r\n{ }', 2, "the shader 'b' is never closed"],
    ['a { }\n/* b { } ', undefined, ''],
    ['a { }\nb', 2, "expected '{' after the shader 'b', found the end of the text"],
  ])('are refused where they are wrong: %j', (text, line, problem) => {
    const found = errorOf(text);
    if (line === undefined)
      return expect({ ...(found as object) }).toEqual({ a: { contents: ['solid'], surface: [] } });
    expect(found).toBeInstanceOf(CompileError);
    expect(found).toMatchObject({ code: 'syntax', line, message: `line ${line}: ${problem}` });
  });

  it('are quoted in part if words are long', () => {
    const long = 'x'.repeat(1e5);
    for (const text of [long, `${long} {`, `a ${long}`]) {
      expect(errorOf(text)).toBeInstanceOf(CompileError);
      expect((errorOf(text) as Error).message.length).toBeLessThan(200);
    }
  });

  it('take time in proportion to their length', () => {
    expect(Object.keys(parseShaders('/* '.repeat(400_000)))).toEqual([]);
    expect(Object.keys(parseShaders(`a { ${'surfaceparm x '.repeat(200_000)} }`))).toEqual(['a']);
    expect(errorOf('{ '.repeat(400_000))).toBeInstanceOf(CompileError);
  });

  it('of several files go into one table, in which the first one of a name counts', () => {
    const shaders = parseShaders('a { surfaceparm water } __proto__ { }');
    expect(parseShaders('a { surfaceparm lava } b { } __proto__ { surfaceparm lava }', shaders)).toBe(
      shaders,
    );
    expect({ ...shaders }).toEqual({
      a: { contents: ['water'], surface: [] },
      b: { contents: ['solid'], surface: [] },
      ['__proto__']: { contents: ['solid'], surface: [] },
    });
    expect(() => parseShaders('c { } d {', shaders)).toThrow(CompileError);
    expect(Object.keys(shaders)).toEqual(['a', '__proto__', 'b']);
  });

  it('must be text', () => {
    expect(() => parseShaders(undefined as never)).toThrow(TypeError);
  });
});
