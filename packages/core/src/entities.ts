import { checkObject, checkText } from './check.ts';
import { BspError } from './error.ts';
import { showValue } from './kinds.ts';

/** One entity of a map: its keys and values. The object has no prototype, so any key is safe to look up. */
export type Entity = Readonly<Record<string, string | undefined>>;

/** The most entities that are accepted in a map: engines hold 2,048 at most, and no map of Debian's has more than 472. */
const MAX_ENTITIES = 65_536;

/** A token of the games' text files: a bare word, a quoted string or a brace. */
export interface TextToken {
  readonly text: string;
  readonly quoted: boolean;
  /** Where in the text it begins. Lines are counted only for errors, which takes less time. */
  readonly at: number;
}

/**
 * Parses a map's entities text: blocks `{ "key" "value" … }`, with `//` and `/* *\/` comments. A NUL ends the text.
 * If a key appears twice in a block, the later value counts.
 *
 * @param format - Format to name in errors, by the name of its package.
 * @throws BspError that names the line, in `index` too: (`syntax`) an unclosed block or string, a key without a value, text outside a
 *   block; (`limit`) more than 65,536 entities.
 */
export function parseEntities(text: string, format: string): Entity[] {
  checkText(text, 'text');
  checkText(format, 'format');
  const fail: (at: number, problem: string, code?: 'syntax' | 'limit') => never = (
    at,
    problem,
    code = 'syntax',
  ) => {
    const index = text.slice(0, at).split('\n').length;
    // Not among the place, which the message would begin with as that of a record.
    throw Object.assign(new BspError(code, { format, lump: 'entities' }, `line ${index}: ${problem}`), {
      index,
    });
  };
  const entities: Entity[] = [];
  const tokens = tokenizeText(text, fail);
  for (const open of tokens) {
    if (!isBrace(open, '{')) fail(open.at, `expected '{', found ${showValue(open.text)}`);
    const entity: Record<string, string> = Object.create(null);
    for (;;) {
      const { done, value: key } = tokens.next();
      if (done || isBrace(key, '{')) fail(open.at, "'{' is never closed");
      if (isBrace(key, '}')) break;
      const { done: isOver, value } = tokens.next();
      if (isOver || isBrace(value, '{}')) fail(key.at, `key ${showValue(key.text)} has no value`);
      entity[key.text] = value.text;
    }
    if (entities.push(entity) > MAX_ENTITIES) fail(open.at, `more than ${MAX_ENTITIES} entities`, 'limit');
  }
  return entities;
}

const isBrace = ({ text, quoted }: TextToken, braces: string): boolean => !quoted && braces.includes(text);

/**
 * The tokens of a text, one by one; `//` and `/* *\/` comments are skipped. A NUL ends the text.
 * @param fail - called with the place of a string or comment that is never closed.
 */
export function* tokenizeText(
  text: string,
  fail: (at: number, problem: string) => never,
): Generator<TextToken> {
  // Comments, a quoted string, a brace, or a bare word; an opened string or comment matches to the end. White space matches nothing.
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?(\*\/|$)|"([^"]*)("|$)|([{}]|[!#-z|~-\uffff]+)/g;
  for (const match of text.split('\0', 1)[0]!.matchAll(pattern)) {
    const [, commentEnd, inner, stringEnd, word = inner] = match;
    const { index: at } = match;
    if (stringEnd === '') fail(at, 'a string is never closed');
    if (commentEnd === '') fail(at, 'a comment is never closed');
    if (word !== undefined) yield { at, text: word, quoted: inner !== undefined };
  }
}

/**
 * A vector value such as `"origin" "16 -8 24"` as three numbers; `undefined` when the key is absent or is not
 * three numbers that games can hold, which have float32. Throws `TypeError` for anything but an entity.
 */
export function entityVector(entity: Entity, key: string): [number, number, number] | undefined {
  checkObject(entity, 'entity');
  checkText(key, 'key');
  // Entities that a caller made may hold any values, and may have a prototype.
  const numbers = String(entity[key]).match(/\S+/g)?.map(Number);
  return numbers?.length === 3 && numbers.every((x) => Number.isFinite(Math.fround(x)))
    ? (numbers as [number, number, number])
    : undefined;
}

/** The inline model an entity is drawn and traced with: k for `"model" "*k"`; `undefined` for any other entity. */
export function entityModel(entity: Entity): number | undefined {
  checkObject(entity, 'entity');
  const match = String(entity.model).match(/^\*(\d+)$/);
  return match ? +match[1]! : undefined;
}
