import { BspError } from '@bspkit/core';
import {
  checkCallback,
  checkOptions,
  checkText,
  showValue,
  type TextToken,
  tokenizeText,
} from '@bspkit/core/format';

// Assemblies: how a map is put together from tiles. By the game's rules, as read in its source and checked against what its
// released server (2.5) assembles.

/**
 * The most tiles, sets and assemblies of a file, tiles of a set, and fixed tiles and seeds of an assembly that the game can hold.
 */
const MAX_TILES = 128;
const MAX_SETS = 16;
const MAX_ASSEMBLIES = 32;
const MAX_SET_TILES = 16;
const MAX_FIXED = 64;
const MAX_SEEDS = 32;
/** The most files that tiles are taken from: each is read as often as it is named. */
const MAX_EXTENDED = 16;
/** The most fields of a tile along each side, and of an assembly: its grid of 32 has a border. */
const MAX_TILE_FIELDS = 16;
const MAX_FIELDS = 30;
/** Side of the grid, border included. */
export const GRID_FIELDS = 32;
/** The most tiles of one kind: the game counts in bytes. */
const MAX_COUNT = 255;

/** A field that a tile covers. */
export const COVERED = 1;
/** A field for which nothing is required. */
export const ANYTHING = -2;

/** A tile: which fields it covers, and what it requires of those around. */
export interface UmpTile {
  /** `+name` for a tile of the file's own folder, otherwise folder and name. */
  readonly name: string;
  /** In fields of 8 by 8 cells, with a border around what is covered. */
  readonly width: number;
  readonly height: number;
  /**
   * Row by row from the lowest y: bit 0 where the tile covers the field, further bits for the kinds of ground that it has or
   * requires there.
   */
  readonly fields: Int32Array;
  /** How many fields it covers. */
  readonly area: number;
}

/** Tiles of which one is drawn at random. */
export interface UmpSet {
  readonly name: string;
  readonly tiles: readonly UmpTile[];
}

/** A tile that an assembly names: directly, or through a variable of the game with a default. */
export interface UmpChoice {
  readonly variable?: string | undefined;
  readonly tile: UmpTile;
}

/** What an assembly is made of. */
export type UmpPart =
  /** A tile at a fixed place; x and y in fields. */
  | { readonly kind: 'fixed'; readonly from: UmpChoice | UmpSet; readonly x: number; readonly y: number }
  /** A tile that is there `min` to `max` times. */
  | { readonly kind: 'tile'; readonly from: UmpChoice; readonly min: number; readonly max: number }
  /** Tiles of a set, `min` to `max` of them together. */
  | { readonly kind: 'set'; readonly from: UmpSet; readonly min: number; readonly max: number }
  /** A tile that is there once in maps for several players. */
  | { readonly kind: 'multiplayer'; readonly from: UmpChoice };

/** A map that can be put together. */
export interface UmpAssembly {
  readonly name: string;
  /** As the game shows it; titles that it translates begin with an underscore. */
  readonly title: string;
  /** In fields of 8 by 8 cells. */
  readonly width: number;
  readonly height: number;
  /** Tiles are put on every field whose x and y are multiples of these. */
  readonly gridX: number;
  readonly gridY: number;
  /** Seeds that are known to work; without any, the game draws one from 0 to 49. */
  readonly seeds: readonly number[];
  readonly parts: readonly UmpPart[];
}

/** A file of assemblies. Made by {@link readUmp}. */
export interface UmpFile {
  /** What the names of its own tiles begin with: `farm/f_`. */
  readonly base: string;
  readonly tiles: readonly UmpTile[];
  readonly sets: readonly UmpSet[];
  readonly assemblies: readonly UmpAssembly[];
  /** Kinds of ground that form lines, as bits of a tile's fields: rivers. Gaps in them are filled first. */
  readonly lines: number;
  /** Keys and values that replace those of the tiles' worldspawn, as text; empty if there are none. */
  readonly worldspawn: string;
}

/** What reading needs besides the text. */
export interface UmpOptions {
  /** Returns the text of another file that this one takes tiles from: `shared` for `shared.ump`. */
  readonly extend?: ((name: string) => string) | undefined;
}

/**
 * Reads a file of assemblies.
 *
 * @throws BspError (`syntax`) with the line, in `index` too, for text that is wrong, missing tiles, and another file that is
 *   needed when there is no `extend`; (`limit`) for more or larger things than the game can hold.
 */
export function readUmp(text: string, options: UmpOptions = {}): UmpFile {
  checkText(text, 'text');
  checkOptions(options, ['extend']);
  const { extend } = options;
  if (extend !== undefined) checkCallback(extend, 'extend');
  const file = new UmpReader(extend);
  file.read(text);
  return file.file;
}

/** Throws for something on a line. */
function fail(line: number, problem: string, code: 'syntax' | 'limit' = 'syntax'): never {
  throw new BspError(code, { format: 'ufoai', lump: 'ump line', index: line }, problem);
}

/** Tokens of a file, one by one. */
class Words {
  /** Line of the last one. */
  line = 1;
  private _at = 0;
  private readonly _text: string;
  private readonly _tokens: Generator<TextToken>;

  constructor(text: string) {
    // Editors put a byte order mark in front, which nobody sees.
    this._text = text.replace(/^\ufeff+/, '');
    this._tokens = tokenizeText(this._text, (at, problem) => {
      this._goOn(at);
      return fail(this.line, problem);
    });
  }

  /** Counts the lines up to a place. */
  private _goOn(at: number): void {
    this.line += this._text.slice(this._at, at).split('\n').length - 1;
    this._at = at;
  }

  /** The next one; `undefined` at the end. */
  next(): TextToken | undefined {
    const { done, value } = this._tokens.next();
    if (done) return undefined;
    this._goOn(value.at);
    return value;
  }

  /** The next one, which must be there; `what` says what it is. */
  word(what: string): string {
    const token = this.next();
    if (!token) return fail(this.line, `${what} is missing: the file ends`);
    if (isBrace(token)) return fail(this.line, `${what} is missing, found ${showValue(token.text)}`);
    return token.text;
  }

  /** The opening brace of a block. */
  open(what: string): void {
    const token = this.next();
    if (!(token && isBrace(token, '{'))) fail(this.line, `expected '{' after ${what}`);
  }

  /** The next word of a block; `undefined` at its end. */
  inBlock(what: string): string | undefined {
    const token = this.next();
    if (!token) return fail(this.line, `${what} is never closed`);
    if (isBrace(token, '}')) return undefined;
    if (isBrace(token)) return fail(this.line, `unexpected '{' in ${what}`);
    return token.text;
  }

  /** A whole number. */
  number(what: string, least: number, most: number): number {
    return this._within(this.word(what), what, least, most);
  }

  /** Two whole numbers in one word: `"0 6"`. */
  pair(what: string, least: number, most: number): [number, number] {
    const word = this.word(what);
    const parts = word.trim().split(/\s+/);
    if (parts.length !== 2) return fail(this.line, `${what} must be two numbers, got ${showValue(word)}`);
    return [this._within(parts[0]!, what, least, most), this._within(parts[1]!, what, least, most)];
  }

  /** The least and the greatest count. */
  counts(name: string): { min: number; max: number } {
    const what = `how often ${showValue(name)} comes`;
    const [min, max] = this.pair(what, 0, MAX_COUNT);
    if (max < Math.max(min, 1))
      fail(this.line, `${what} must be two numbers, the second at least 1 and at least the first`);
    return { min, max };
  }

  private _within(word: string, what: string, least: number, most: number): number {
    // The game's whole numbers have no -0.
    const number = /^-?\d+$/.test(word) ? Number(word) + 0 : Number.NaN;
    if (number >= least && number <= most) return number;
    return fail(this.line, `${what} must be from ${least} to ${most}, got ${showValue(word)}`);
  }
}

const isBrace = ({ text, quoted }: TextToken, braces = '{}'): boolean => !quoted && braces.includes(text);

/** Reads a file, and those that it takes tiles from. */
class UmpReader {
  private readonly _extend: ((name: string) => string) | undefined;
  private readonly _tiles = new Map<string, UmpTile>();
  private readonly _sets = new Map<string, UmpSet>();
  private readonly _assemblies: UmpAssembly[] = [];
  private _base = '';
  private _extended = 0;
  private _lines = 0;
  private _worldspawn = '';

  constructor(extend: ((name: string) => string) | undefined) {
    this._extend = extend;
  }

  get file(): UmpFile {
    return {
      base: this._base,
      tiles: [...this._tiles.values()],
      sets: [...this._sets.values()],
      assemblies: this._assemblies,
      lines: this._lines,
      worldspawn: this._worldspawn,
    };
  }

  /** @param inherited - whether it is a file that another takes tiles from: its assemblies are ignored. */
  read(text: string, inherited = false): void {
    const words = new Words(text);
    let folder: string | undefined;
    for (let token = words.next(); token; token = words.next()) {
      if (isBrace(token)) fail(words.line, `expected the name of a block, found ${showValue(token.text)}`);
      switch (token.text) {
        case 'base':
          if (inherited) folder = words.word('the folder');
          else this._base = words.word('the folder');
          break;
        case 'extends':
          this._inherit(words, inherited);
          break;
        case 'line':
          this._lines = groundOf(words.word('the kind of ground'), words.line);
          break;
        case 'worldspawn':
          this._worldspawn = blockText(words);
          break;
        case 'tile':
          this._readTile(words, inherited ? (folder ?? '') : undefined);
          break;
        case 'tileset':
          this._readSet(words, inherited ? (folder ?? '') : undefined);
          break;
        case 'assembly':
          if (inherited) skipAssembly(words);
          else this._readAssembly(words);
          break;
        default:
          fail(words.line, `there is no block ${showValue(token.text)}`);
      }
    }
  }

  private _inherit(words: Words, inherited: boolean): void {
    const name = words.word('the other file');
    // The game goes no deeper either.
    if (inherited) return;
    if (!this._extend)
      fail(words.line, `tiles of ${showValue(name)} are needed, and there is no extend to read them`);
    if (++this._extended > MAX_EXTENDED) {
      fail(words.line, `more than ${MAX_EXTENDED} files to take tiles from`, 'limit');
    }
    const text = this._extend(name);
    if (typeof text !== 'string') throw new TypeError(`extend must give the text of ${showValue(name)}`);
    this.read(text, true);
  }

  private _readTile(words: Words, folder: string | undefined): void {
    const name = nameIn(folder, words.word('the name of the tile'));
    if (this._tiles.size >= MAX_TILES) fail(words.line, `more than ${MAX_TILES} tiles`, 'limit');
    const shown = showValue(name);
    words.open(`tile ${shown}`);
    const width = words.number(`the width of ${shown}`, 1, MAX_TILE_FIELDS);
    const height = words.number(`the height of ${shown}`, 1, MAX_TILE_FIELDS);
    const fields = new Int32Array(width * height);
    let area = 0;
    // The first row is the farthest one.
    for (let y = height - 1; y >= 0; y--) {
      for (let x = 0; x < width; x++) {
        const ground = groundOf(words.word(`a field of ${shown}`), words.line);
        fields[y * width + x] = ground;
        area += ground & COVERED;
      }
    }
    if (words.inBlock(`tile ${shown}`) !== undefined) {
      fail(words.line, `tile ${shown} has more than ${width} by ${height} fields`);
    }
    // Of two tiles with the same name, the first one counts.
    if (!this._tiles.has(name)) this._tiles.set(name, { name, width, height, fields, area });
  }

  private _readSet(words: Words, folder: string | undefined): void {
    const name = words.word('the name of the set');
    if (this._sets.size >= MAX_SETS) fail(words.line, `more than ${MAX_SETS} sets of tiles`, 'limit');
    const what = `set ${showValue(name)}`;
    words.open(what);
    const { line } = words;
    const tiles: UmpTile[] = [];
    for (;;) {
      const word = words.inBlock(what);
      if (word === undefined) break;
      if (tiles.push(this._tile(nameIn(folder, word), words.line)) > MAX_SET_TILES) {
        fail(words.line, `${what} has more than ${MAX_SET_TILES} tiles`, 'limit');
      }
    }
    if (tiles.length === 0) fail(line, `${what} has no tiles`);
    if (!this._sets.has(name)) this._sets.set(name, { name, tiles });
  }

  private _readAssembly(words: Words): void {
    const name = words.word('the name of the assembly');
    if (this._assemblies.length >= MAX_ASSEMBLIES) {
      fail(words.line, `more than ${MAX_ASSEMBLIES} assemblies`, 'limit');
    }
    const what = `assembly ${showValue(name)}`;
    words.open(what);
    const start = words.line;
    const parts: UmpPart[] = [];
    const seeds: number[] = [];
    let title = '';
    let size: [number, number] | undefined;
    let grid: [number, number] = [1, 1];
    let fixed = 0;
    for (;;) {
      const word = words.inBlock(what);
      if (word === undefined) break;
      if (word === 'title') title = words.word('the title');
      else if (word === 'size') size = words.pair('the size', 1, MAX_FIELDS);
      else if (word === 'grid') grid = words.pair('the grid', 1, MAX_FIELDS);
      else if (word === 'seeds') readSeeds(words, seeds);
      else if (word === 'multiplayer') parts.push({ kind: 'multiplayer', from: this._choice(words) });
      else if (word === 'tileset') {
        const from = this._set(words);
        parts.push({ kind: 'set', from, ...words.counts(from.name) });
      } else if (word === 'fix') {
        if (++fixed > MAX_FIXED) fail(words.line, `${what} has more than ${MAX_FIXED} fixed tiles`, 'limit');
        const token = words.word('the fixed tile');
        const from = token === 'tileset' ? this._set(words) : this._choice(words, token);
        const [x, y] = words.pair('the place of the fixed tile', 0, GRID_FIELDS - 1);
        checkFixed(from, x, y, words.line);
        parts.push({ kind: 'fixed', from, x, y });
      } else {
        const from = this._choice(words, word);
        parts.push({ kind: 'tile', from, ...words.counts(from.tile.name) });
      }
    }
    if (!size) fail(start, `${what} has no size`);
    const [width, height] = size;
    const [gridX, gridY] = grid;
    this._assemblies.push({ name, title, width, height, gridX, gridY, seeds, parts });
  }

  /** A tile by its name, or by a variable and its default. */
  private _choice(words: Words, word: string = words.word('the name of a tile')): UmpChoice {
    if (!word.startsWith('*')) return { tile: this._tile(word, words.line) };
    const tile = this._tile(words.word(`the tile of ${showValue(word)}`), words.line);
    return { variable: word.slice(1), tile };
  }

  private _tile(name: string, line: number): UmpTile {
    return this._tiles.get(name) ?? fail(line, `tile ${showValue(name)} is not defined before this line`);
  }

  private _set(words: Words): UmpSet {
    const name = words.word('the name of a set');
    return this._sets.get(name) ?? fail(words.line, `set ${showValue(name)} is not defined before this line`);
  }
}

/** A tile's name; tiles of another file have its folder in front. */
const nameIn = (folder: string | undefined, word: string): string =>
  folder === undefined ? word : folder + (word.startsWith('+') ? word.slice(1) : word);

/** Kinds of ground, a letter or digit each, as bits. */
function groundOf(word: string, line: number): number {
  let ground = 0;
  for (const char of word.toLowerCase()) {
    if (char === '+') ground |= COVERED;
    else if (char === '0') ground |= ANYTHING;
    else if (char >= '1' && char <= '5') ground |= 1 << Number(char);
    else if (char >= 'a' && char <= 'z') ground |= 1 << (char.charCodeAt(0) - 97 + 6);
    else fail(line, `${showValue(char)} is not a kind of ground, which is 0 to 5, a to z or +`);
  }
  return ground;
}

function readSeeds(words: Words, seeds: number[]): void {
  words.open('seeds');
  for (;;) {
    const word = words.inBlock('seeds');
    if (word === undefined) return;
    if (!/^\d{1,9}$/.test(word)) fail(words.line, `a seed must be a whole number, got ${showValue(word)}`);
    if (seeds.push(Number(word)) > MAX_SEEDS) fail(words.line, `more than ${MAX_SEEDS} seeds`, 'limit');
  }
}

/** Fixed tiles are put where they are, even beyond the map's border, but not beyond the grid. */
function checkFixed(from: UmpChoice | UmpSet, x: number, y: number, line: number): void {
  for (const tile of 'tiles' in from ? from.tiles : [from.tile]) {
    if (x + tile.width > GRID_FIELDS || y + tile.height > GRID_FIELDS) {
      fail(line, `tile ${showValue(tile.name)} at ${x} ${y} reaches beyond ${GRID_FIELDS} fields`);
    }
  }
}

/** Skips an assembly, including the blocks in it. */
function skipAssembly(words: Words): void {
  const what = `assembly ${showValue(words.word('the name of the assembly'))}`;
  words.open(what);
  for (let depth = 1; depth > 0; ) {
    const token = words.next();
    if (!token) fail(words.line, `${what} is never closed`);
    if (isBrace(token, '{')) depth++;
    if (isBrace(token, '}')) depth--;
  }
}

/** A block's keys and values, as text. */
function blockText(words: Words): string {
  words.open('worldspawn');
  const parts: string[] = [];
  for (;;) {
    const word = words.inBlock('worldspawn');
    if (word === undefined) return parts.join(' ');
    parts.push(`"${word}"`);
  }
}
