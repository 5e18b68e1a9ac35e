import { CompileError, type CompileErrorCode, quoted, type SourcePlace } from './error.ts';

/** Single characters that are tokens of their own, quoted strings, and everything between. */
const WORD = /[(){}[\]]|"[^"\r\n]*"?|[^\s(){}[\]"]+/y;
const NAME = /"[^"\r\n]*"?|\S+/y;

const LF = 10;
const CR = 13;
/** Lines end as in Unix, Windows or old Mac OS. */
const LINE_END = /[\r\n]/g;
/** White space of all kinds, which ends words: text from a web page has spaces that do not break. */
const SPACE = /\s/;
const ASCII_END = 0x7f;

/** Reads map text word by word: braces, brackets and parentheses are words of their own, `//` begins a comment. */
export class MapTokens {
  /** Line of the last word taken, from 1. */
  line = 1;
  /** Entity and brush being read, for errors. */
  readonly place: { entity?: number; brush?: number; patch?: number; side?: number } = {};
  private readonly _text: string;
  private _at = 0;
  private _nextLine = 1;

  constructor(text: string) {
    this._text = text;
  }

  /** The error at the last word taken, to be thrown. */
  error(problem: string, code: CompileErrorCode = 'syntax'): CompileError {
    const place: SourcePlace = { ...this.place, line: this.line };
    return new CompileError(code, place, problem);
  }

  /** The next word without taking it; `undefined` at the end. */
  peek(): string | undefined {
    const at = this._skip();
    return this._match(at, WORD)?.[0];
  }

  /** Takes the next word. Throws when the text ends. */
  next(): string {
    return this._take(WORD);
  }

  /** Takes a name, which may contain any characters except white space, such as `{grate`; or a quoted one. */
  name(): string {
    const { line } = this;
    const word = this._take(NAME);
    if (this._isBelow(word, line)) throw this._shortLine('a name', line);
    return word.startsWith('"') ? this._unquote(word) : word;
  }

  /** Takes a quoted string. */
  string(): string {
    const word = this.next();
    if (!word.startsWith('"')) throw this.error(`expected a string in quotes, found ${quoted(word)}`);
    return this._unquote(word);
  }

  /** Takes a word that must be this one. */
  expect(word: string): void {
    const found = this.next();
    if (found !== word) throw this.error(`expected '${word}', found ${quoted(found)}`);
  }

  /** Takes a finite number. */
  number(): number {
    const { line } = this;
    const word = this.next();
    const value = Number(word);
    if (Number.isFinite(value)) return value;
    throw this._isBelow(word, line)
      ? this._shortLine('a number', line)
      : this.error(`expected a number, found ${quoted(word)}`);
  }

  /** Takes a whole number of 32 bits, with or without a sign, that is called `what` in errors. */
  whole(what: string): number {
    const value = this.number();
    if (Number.isInteger(value) && value >= -0x80000000 && value <= 0xffffffff) return value;
    throw this.error(`${what} must be a whole number of 32 bits, found ${value}`);
  }

  /** Takes `open`, this many numbers, `close`. */
  numbers(count: number, open = '(', close = ')'): number[] {
    this.expect(open);
    const values: number[] = [];
    for (let k = 0; k < count; k++) values.push(this.number());
    this.expect(close);
    return values;
  }

  /** Whether a word that was taken begins or ends something on a line after `line`, which is then too short. */
  private _isBelow(word: string, line: number): boolean {
    return this.line !== line && /^[({}]$/.test(word);
  }

  /** The earlier line is wrong, not the next one. */
  private _shortLine(what: string, line: number): CompileError {
    this.line = line;
    return this.error(`expected ${what}, found the end of the line`);
  }

  private _unquote(word: string): string {
    if (word.length < 2 || !word.endsWith('"')) throw this.error('a string is never closed');
    return word.slice(1, -1);
  }

  private _take(pattern: RegExp): string {
    const at = this._skip();
    const match = this._match(at, pattern);
    this.line = this._nextLine;
    if (!match) throw this.error('the text ends too early');
    this._at = at + match[0].length;
    return match[0];
  }

  private _match(at: number, pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this._text);
  }

  /** Skips white space and comments, counting lines. */
  private _skip(): number {
    const text = this._text;
    let at = this._at;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) this._nextLine++;
      else if (code === 47 && text.charCodeAt(at + 1) === 47) {
        LINE_END.lastIndex = at;
        at = (LINE_END.exec(text)?.index ?? text.length) - 1;
      } else if (code > 32 && (code <= ASCII_END || !SPACE.test(text[at]!))) break;
    }
    this._at = at;
    return at;
  }
}
