import { checkKind, checkText } from '@bspkit/core/format';
import { CompileError, quoted } from '../../error.ts';
import type { CONTENTS, SURFACE } from '../../flags.ts';
import { type Material, plainName } from '../../materials.ts';

/** Contents that a `surfaceparm` gives instead of solid, by its name. */
const INSTEAD: Readonly<Record<string, keyof typeof CONTENTS | 0>> = {
  nonsolid: 0,
  water: 'water',
  slime: 'slime',
  lava: 'lava',
  fog: 'fog',
  playerclip: 'playerclip',
  monsterclip: 'monsterclip',
  botclip: 'botclip',
  lightclip: 'lightclip',
  areaportal: 'areaportal',
  clusterportal: 'clusterportal',
  donotenter: 'donotenter',
  teleporter: 'teleporter',
  jumppad: 'jumppad',
  trigger: 'trigger',
  nodrop: 'nodrop',
  origin: 'origin',
};

/** Contents that a `surfaceparm` adds. */
const BESIDES: Readonly<Record<string, keyof typeof CONTENTS>> = {
  detail: 'detail',
  structural: 'structural',
  trans: 'translucent',
};

/** Surface flags that a `surfaceparm` adds: all have the same name. */
const FLAGS: readonly string[] = [
  'alphashadow',
  'dust',
  'flesh',
  'hint',
  'ladder',
  'lightfilter',
  'metalsteps',
  'nodamage',
  'nodlight',
  'nodraw',
  'noimpact',
  'nolightmap',
  'nomarks',
  'nonsolid',
  'nosteps',
  'pointlight',
  'skip',
  'sky',
  'slick',
] satisfies (keyof typeof SURFACE)[];

/** Comments, quoted words, words, which end only at white space, as in the game. */
const WORDS = /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\r\n]*"?|\S+/g;

/**
 * Reads Quake 3's shader scripts (`scripts/*.shader`), which say what the materials of its maps are: their contents and surface
 * flags by `surfaceparm`. Names are in lower case and without `textures/`, for the option `materials` with `unknownMaterial:
 * 'solid'`, since plain textures have no shader. If several shaders have the same name, the first counts.
 *
 * @param into - what an earlier call returned, for games with several scripts: those of this one are added to it. By default an
 *   empty table.
 * @returns that table.
 * @throws CompileError (`syntax`) with the line, before anything is added.
 */
export function parseShaders(
  text: string,
  // Without a prototype, so that any name can be used.
  into: Record<string, Material> = Object.create(null),
): Record<string, Material> {
  checkKind(isTable(into), into, 'into', 'a table that parseShaders returned');
  for (const [name, material] of readScript(text)) if (!Object.hasOwn(into, name)) into[name] = material;
  return into;
}

const isTable = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && !ArrayBuffer.isView(given);

/** A word of a script, or a brace, and where it is. */
interface Word {
  readonly word: string;
  readonly at: number;
}

/** The words of a script, without comments. */
function* wordsOf(text: string): Generator<Word, undefined> {
  for (const { 0: word, index: at } of text.matchAll(WORDS)) {
    if (!word.startsWith('//') && !word.startsWith('/*')) yield { word, at };
  }
  return undefined;
}

/** Shaders of a script by name. */
function readScript(text: string): Map<string, Material> {
  checkText(text, 'text');
  const shaders = new Map<string, Material>();
  const fail = (at: number, problem: string): never => {
    throw new CompileError('syntax', { line: text.slice(0, at).split(/\r\n?|\n/).length }, problem);
  };
  const words = wordsOf(text);
  let name = '';
  for (let next = words.next().value; next; next = words.next().value) {
    const { word, at } = next;
    if (word === '}') fail(at, "'}' closes nothing");
    if (word === '{') {
      if (name === '') fail(at, "expected a shader's name, found '{'");
      const parameters = readShader(words) ?? fail(at, `the shader ${quoted(name)} is never closed`);
      if (!shaders.has(name)) shaders.set(name, materialOf(parameters));
      name = '';
    } else {
      if (name !== '') fail(at, `expected '{' after the shader ${quoted(name)}, found ${quoted(word)}`);
      name = plainName(word.replaceAll('"', '')).toLowerCase();
    }
  }
  if (name !== '')
    fail(text.length, `expected '{' after the shader ${quoted(name)}, found the end of the text`);
  return shaders;
}

/** What a shader's `surfaceparm` lines name, from after its first brace to its last; `undefined` if there is no last. */
function readShader(words: Generator<Word, undefined>): string[] | undefined {
  const parameters: string[] = [];
  let depth = 1;
  let isParameter = false;
  for (let next = words.next().value; next; next = words.next().value) {
    const word = next.word.toLowerCase();
    if (word === '{') depth++;
    else if (word === '}') depth--;
    else if (isParameter) parameters.push(word);
    if (depth === 0) return parameters;
    isParameter = depth === 1 && word === 'surfaceparm';
  }
  return undefined;
}

function materialOf(parameters: readonly string[]): Material {
  const instead = parameters.filter((word) => Object.hasOwn(INSTEAD, word)).map((word) => INSTEAD[word]!);
  const contents = instead.length > 0 ? instead.filter((word) => word !== 0) : ['solid'];
  for (const word of parameters) if (Object.hasOwn(BESIDES, word)) contents.push(BESIDES[word]!);
  return { contents, surface: parameters.filter((word) => FLAGS.includes(word)) };
}
