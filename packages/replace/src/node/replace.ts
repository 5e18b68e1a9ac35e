import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, existsSync, renameSync } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

// Files that are either complete or as they were before: new content is written next to them, flushed to the disk and renamed.

/**
 * How the names of unfinished files for a place begin, and how they end, so that leftovers of killed programs can be recognised.
 */
const startOf = (place: string): string =>
  `.bspkit-${createHash('sha256').update(basename(place)).digest('hex').slice(0, 16)}-`;
const END = '.partial';

/**
 * Removes what killed programs have left next to a file. Only for a file that a single program writes at a time: another one
 * might still be writing.
 */
export async function removePartials(place: string): Promise<void> {
  const folder = dirname(place);
  for (const left of await readdir(folder)) {
    if (left.startsWith(startOf(place)) && left.endsWith(END)) await rm(join(folder, left), { force: true });
  }
}

/** The new content of a file. */
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
   * Begins one, under a name that nothing else has.
   *
   * @param place - with all symbolic links resolved: a link would be replaced itself.
   * @param old - the existing file, whose mode and owner are kept.
   */
  static async begin(place: string, old: BigIntStats | undefined): Promise<Replacement> {
    const path = join(dirname(place), `${startOf(place)}${randomBytes(8).toString('hex')}${END}`);
    // Nobody may read it who may not read the old one.
    return new Replacement(await open(path, 'wx', old ? 0o600 : 0o666), place, path, old);
  }

  /** Flushes it to the disk, and closes it: Windows cannot rename an open file. */
  async seal(): Promise<void> {
    if (this._old) {
      const { mode, uid, gid } = this._old;
      // Only the superuser can change owners; what anybody else writes is their own.
      await this.file.chown(Number(uid), Number(gid)).catch(() => {});
      await this.file.chmod(Number(mode) & 0o777);
    }
    await this.file.sync();
    await this.file.close();
  }

  /** Puts it in its place. Returns whether it still existed: another program may have removed it (`removePartials`). */
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
