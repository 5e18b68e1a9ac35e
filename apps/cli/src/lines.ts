import { isUtf8 } from 'node:buffer';
import { createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemReason, UsageError } from './errors.ts';
import type { Input } from './io.ts';
import { showBytes } from './numbers.ts';
import type { Session } from './session.ts';

/**
 * Longest line that is read. Rows of the largest curved patches come near 150 kB. White space between lines has the same limit,
 * so that endless blank input ends in an error.
 */
export const MAX_LINE_BYTES: number = 4_000_000;

/** A line that is not blank, without its end. Numbers count from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** A text file that is read line by line. */
export interface Lines extends AsyncIterable<Line> {
  /** What the file is called in messages. */
  readonly name: string;
  /** How much of the file has been read, 0 to 1; `undefined` for something without a size, such as a pipe. */
  part(): number | undefined;
  /** Stops reading. */
  close(): void;
}

/**
 * The lines of a text file, gzipped or not, blank ones left out; `-` is stdin. No more than a line and a piece of the
 * file are held at a time. Reading throws `UsageError` naming the file, and the line that is too long or not UTF-8.
 */
export function readLines(name: string, session: Session): Lines {
  const label = name === '-' ? 'stdin' : name;
  let size = 0;
  let read = (): number => 0;
  let stop = (): void => {};
  async function* lines(): AsyncGenerator<Line> {
    try {
      const { bytes, ...file } = openBytes(name, session);
      ({ size, read, stop } = file);
      yield* splitLines(label, unzip(bytes));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      // Those of zlib; all others are the system's.
      const reason = code.startsWith('Z_') ? `is a damaged gzip file: ${message}` : systemReason(error);
      throw new UsageError(`${label}: ${reason}`, { cause: error });
    }
  }
  const iterator = lines();
  return {
    name: label,
    [Symbol.asyncIterator]: () => iterator,
    part: () => (size > 0 ? Math.min(1, read() / size) : undefined),
    close() {
      // Someone may be waiting for a pipe that has nothing to say for ever: while it is open, the process would not end.
      stop();
      iterator.return(undefined).catch(() => {});
    },
  };
}

interface Bytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** 0 for what has no size. */
  readonly size: number;
  /** Bytes that have been read. */
  readonly read: () => number;
  /** Closes it, even while it is being read. */
  readonly stop: () => void;
}

function openBytes(name: string, session: Session): Bytes {
  const path = session.path(name);
  // A stdin that is a socket cannot be opened by its name.
  if (name === '-' || path === '/dev/stdin') {
    return piped(session.io.stdin ?? nothing());
  }
  const stats = statSync(path, { bigint: true });
  session.addSource(name, stats);
  if (stats.isFIFO()) {
    // If it were read as a file, a pipe with nothing to say would keep the process from exiting.
    return piped(new Socket({ fd: openSync(path, 'r'), writable: false }));
  }
  const bytes = createReadStream(path);
  const size = stats.isFile() ? Number(stats.size) : 0;
  return { bytes, size, read: () => bytes.bytesRead, stop: () => bytes.destroy() };
}

const piped = (bytes: Input): Bytes => ({ bytes, size: 0, read: () => 0, stop: () => bytes.destroy?.() });

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Unpacks what begins like gzip; anything else stays as it is. */
async function* unzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  try {
    while (head.length < 2) {
      const next = await source.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
    }
    // The callback takes the error, which the reader gets too.
    yield* head[0] === 0x1f && head[1] === 0x8b ? pipeline(all, createGunzip(), () => {}) : all();
  } finally {
    await source.return?.();
  }
}

const NEWLINE = 10;

/** The text of a line, without what some systems put at the beginning of files and the end of lines. */
const textOf = ({ buffer, byteOffset, length }: Uint8Array, number: number): string =>
  Buffer.from(buffer, byteOffset, length)
    .toString()
    .replace(number === 1 ? /^\ufeff|\r$/g : /\r$/, '');

async function* splitLines(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  /** The pieces of a line whose end has not come yet. */
  let pieces: Uint8Array[] = [];
  let length = 0;
  let blank = 0;
  let number = 1;
  const add = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > MAX_LINE_BYTES) fail(`has more than ${showBytes(MAX_LINE_BYTES)}`);
    pieces.push(piece);
  };
  const fail = (problem: string): never => {
    throw new UsageError(`${name}: line ${number} ${problem}`);
  };
  const end = (): Line | undefined => {
    const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    if (!isUtf8(whole)) fail('is not UTF-8');
    const text = textOf(whole, number);
    blank += 1 + length;
    if (text.trim() === '') {
      if (blank > MAX_LINE_BYTES) fail(`ends more than ${showBytes(MAX_LINE_BYTES)} of blank lines`);
    } else blank = 0;
    const line = { number, text };
    pieces = [];
    length = 0;
    number++;
    return blank === 0 ? line : undefined;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      const line = end();
      if (line) yield line;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  const last = pieces.length > 0 ? end() : undefined;
  if (last) yield last;
}
