import { resolve } from 'node:path';
import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { EXIT } from './errors.ts';
import type { Io } from './io.ts';
import { Page } from './page.ts';

/** One run of the command: what its parts share. */
export class Session {
  readonly io: Io;
  /** What maps can be opened, and the same formats loaded. */
  readonly entries: readonly BspFormatEntry[];
  readonly formats: readonly BspFormat[];
  readonly out: Page;
  readonly err: Page;
  /** What the command ends with; errors have codes of their own. */
  exitCode: number = EXIT.ok;

  constructor(io: Io, entries: readonly BspFormatEntry[], formats: readonly BspFormat[]) {
    this.io = io;
    this.entries = entries;
    this.formats = formats;
    this.out = new Page(io.stdout, io.env);
    this.err = new Page(io.stderr, io.env);
  }

  /** A path as the file system takes it. */
  path(name: string): string {
    return resolve(this.io.cwd, name);
  }
}
