import type { BigIntStats } from 'node:fs';
import { devNull } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { EXIT, say, tell, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { Page } from './page.ts';

/** Something that is drawn on a terminal for a while. */
export interface Drawn {
  /** Removes it, if it is there. */
  remove(): void;
}

/** One run of the command: what its parts share. */
export class Session {
  readonly io: Io;
  /** The formats whose maps can be opened, and the same formats loaded. */
  readonly entries: readonly BspFormatEntry[];
  readonly formats: readonly BspFormat[];
  readonly out: Page;
  readonly err: Page;
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** The exit code; errors have codes of their own. */
  exitCode: number = EXIT.ok;
  private readonly _argv: readonly string[];
  private readonly _sources = new Map<string, string>();
  private _drawn: Drawn | undefined;

  constructor(
    io: Io,
    entries: readonly BspFormatEntry[],
    formats: readonly BspFormat[],
    argv: readonly string[] = [],
  ) {
    this.io = io;
    this._argv = argv;
    this.entries = entries;
    this.formats = formats;
    this.out = new Page(io.stdout, io.env);
    this.err = new Page(io.stderr, io.env);
    this.now = io.now ?? (() => performance.now());
  }

  /** Remembers what is drawn on stderr: messages take its place, and it is drawn again below them. */
  draws(drawn: Drawn): void {
    this._drawn = drawn;
  }

  /** Prints a text on stderr, which has nothing that a terminal would obey. */
  tell(text: string): void {
    this._drawn?.remove();
    tell(text, this.io, this._argv);
  }

  /** Prints a message on stderr, after the command's name. */
  say(message: string): void {
    this._drawn?.remove();
    say(message, this.io, this._argv);
  }

  /** A path as the file system takes it. Throws `UsageError` for an empty name, as from a variable that is not set. */
  path(name: string): string {
    if (name === '') throw new UsageError('the name of a file is empty');
    // As a path, it would become a file that hardly anything on Windows can remove.
    if (process.platform === 'win32' && name.toLowerCase() === 'nul') return devNull;
    return resolve(isAbsolute(name) ? '' : this.io.cwd, name);
  }

  /** Remembers a file that is read, under the name that was used for it, so that it is not overwritten. */
  addSource(name: string, stats: BigIntStats): void {
    if (stats.isFile()) this._sources.set(identity(stats), name);
  }

  /** The name under which a file is read in this run; `undefined` if it is not. */
  sourceName(stats: BigIntStats): string | undefined {
    return this._sources.get(identity(stats));
  }
}

/** The same for all names of a file. */
export const identity = ({ dev, ino }: BigIntStats): string => `${dev} ${ino}`;
