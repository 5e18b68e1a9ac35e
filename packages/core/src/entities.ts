import { checkObject, checkText } from './check.ts';
import { BspError } from './error.ts';

/** One entity of a map: its keys and values. The object has no prototype, so any key is safe to look up. */
export type Entity = Readonly<Record<string, string | undefined>>;

/** Most entities of a map that are accepted: engines hold 2,048 at most, and Debian's maps have 472. */
const MAX_ENTITIES = 65_536;

/** A word of a text of the games: bare, quoted, or a brace. */
export interface TextToken {
  readonly text: string;
  readonly quoted: boolean;
  readonly line: number;
}

/**
 * Parses a map's entities text: blocks `{ "key" "value" … }`, with `//` and `/* *\/` comments. A NUL ends the text.
 * If a key appears twice in a block, the later value counts.
 *
 * @param format - Format to name in errors, by the name of its package.
 * @throws BspError that names the line: (`syntax`) an unclosed block or string, a key without a value, text outside a
 *   block; (`limit`) more than 65,536 entities.
 */
export function parseEntities(text: string, format: string): Entity[] {
  checkText(text, 'text');
  checkText(format, 'format');
  const fail = (line: number, problem: string, code: 'syntax' | 'limit' = 'syntax'): never => {
    throw new BspError(code, { format, lump: 'entities' }, `line ${line}: ${problem}`);
  };
  const entities: Entity[] = [];
  const tokens = tokenizeText(text, fail);
  for (const open of tokens) {
    if (!isBrace(open, '{')) fail(open.line, `expected '{', found '${open.text}'`);
    const entity: Record<string, string> = Object.create(null);
    for (;;) {
      const { done, value: key } = tokens.next();
      if (done || isBrace(key, '{')) return fail(open.line, "'{' is never closed");
      if (isBrace(key, '}')) break;
      const value = tokens.next();
      if (value.done || isBrace(value.value, '{}')) return fail(key.line, `key '${key.text}' has no value`);
      entity[key.text] = value.value.text;
    }
    if (entities.push(entity) > MAX_ENTITIES) fail(open.line, `more than ${MAX_ENTITIES} entities`, 'limit');
  }
  return entities;
}

const isBrace = ({ text, quoted }: TextToken, braces: string): boolean => !quoted && braces.includes(text);

/**
 * The words of a text, one by one, with `//` and `/* *\/` comments passed over. A NUL ends the text.
 * @param fail - called with the line of a string or comment that is never closed.
 */
export function* tokenizeText(
  text: string,
  fail: (line: number, problem: string) => never,
): Generator<TextToken> {
  const [source] = text.split('\0', 1) as [string];
  // White space, comments, a quoted string, a brace, or a bare word; an opened string or comment matches to the end.
  const pattern = /[^!-\uffff]+|\/\/[^\n]*|\/\*[\s\S]*?(\*\/|$)|"([^"]*)("|$)|([{}]|[!#-z|~-\uffff]+)/g;
  let line = 1;
  for (const match of source.matchAll(pattern)) {
    const [whole, commentEnd, inner, stringEnd, word = inner] = match;
    if (commentEnd === '') fail(line, 'a comment is never closed');
    if (stringEnd === '') fail(line, 'a string is never closed');
    if (word !== undefined) yield { text: word, quoted: inner !== undefined, line };
    for (let i = whole.indexOf('\n'); i >= 0; i = whole.indexOf('\n', i + 1)) line++;
  }
}

/**
 * A vector value such as `"origin" "16 -8 24"` as three numbers; `undefined` when the key is absent or is not
 * three finite numbers. Throws `TypeError` for anything but an entity.
 */
export function entityVector(entity: Entity, key: string): [number, number, number] | undefined {
  checkObject(entity, 'entity');
  checkText(key, 'key');
  // Entities that a caller made may hold anything, and have a prototype.
  const numbers = String(entity[key]).trim().split(/\s+/).map(Number);
  if (numbers.length !== 3 || !numbers.every(Number.isFinite)) return undefined;
  return numbers as [number, number, number];
}

/** The inline model an entity is drawn and traced with: k for `"model" "*k"`; `undefined` for any other entity. */
export function entityModel(entity: Entity): number | undefined {
  checkObject(entity, 'entity');
  const match = /^\*(\d+)$/.exec(String(entity.model));
  return match ? +match[1]! : undefined;
}
