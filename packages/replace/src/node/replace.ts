import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, existsSync, renameSync } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

// Files that are there whole or as they were before: what is new is written beside them, flushed to the disk and renamed.

/** How the names of what is written for a file begin, and how they end: what a program that was killed has left is known. */
const startOf = (place: string): string =>
  `.bspkit-${createHash('sha256').update(basename(place)).digest('hex').slice(0, 16)}-`;
const END = '.partial';

/**
 * Removes what programs that were killed have left beside a file. Only for one that a single program writes at a time: nobody
 * knows whether another one is still at it.
 */
export async function removePartials(place: string): Promise<void> {
  const folder = dirname(place);
  for (const left of await readdir(folder)) {
    if (left.startsWith(startOf(place)) && left.endsWith(END)) await rm(join(folder, left), { force: true });
  }
}

/** What is to take the place of a file. */
export class Replacement {
  /** Where it is written. */
  readonly file: FileHandle;
  private readonly _place: string;
  private readonly _path: string;
  private readonly _old: BigIntStats | undefined;

  private constructor(file: FileHandle, place: string, path: string, old: BigIntStats | undefined) {
    this.file = file;
    this._place = place;
    this._path = path;
    this._old = old;
  }

  /**
   * Begins one, under a name that nobody else has.
   *
   * @param place - where all symbolic links have been followed: one would be replaced itself.
   * @param old - what is there now, whose mode and owner are kept.
   */
  static async begin(place: string, old: BigIntStats | undefined): Promise<Replacement> {
    const path = join(dirname(place), `${startOf(place)}${randomBytes(8).toString('hex')}${END}`);
    // Nobody may read it who might not read the old one.
    return new Replacement(await open(path, 'wx', old ? 0o600 : 0o666), place, path, old);
  }

  /** Has it on the disk, and lets go of it: Windows renames nothing that is open. */
  async seal(): Promise<void> {
    if (this._old) {
      const { mode, uid, gid } = this._old;
      // Only the superuser can give files away; what anybody else writes is their own.
      await this.file.chown(Number(uid), Number(gid)).catch(() => {});
      await this.file.chmod(Number(mode) & 0o777);
    }
    await this.file.sync();
    await this.file.close();
  }

  /** Puts it in its place. Returns whether it was there still: another program may have removed it (`removePartials`). */
  put(): boolean {
    if (!existsSync(this._path)) return false;
    renameSync(this._path, this._place);
    return true;
  }

  /** Removes what has been written so far. */
  async drop(): Promise<void> {
    await this.file.close();
    await rm(this._path, { force: true });
  }
}
