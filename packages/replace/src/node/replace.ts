import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, existsSync, fsync, renameSync } from 'node:fs';
import { chmod, chown, type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

// Files that are either complete or as they were before: new content is written next to them, flushed to the disk and renamed.

/**
 * How the names of unfinished files for a place begin. The number of the process that writes one follows, so that leftovers of
 * killed programs can be recognised.
 */
const startOf = (place: string): string =>
  `.bspkit-${createHash('sha256').update(basename(place)).digest('hex').slice(0, 16)}-`;
const PROCESS = /^(\d+)-[0-9a-f]+\.partial$/;

const flushNumber = promisify(fsync);

/** Has everything written to the disk. By the file's number: the files of Yarn's Plug'n'Play have no `sync()`. */
export const flush = ({ fd }: FileHandle): Promise<void> =>
  flushNumber(fd).catch((error) => {
    // The system then writes in its own time.
    if (!isRefused(error)) throw error;
  });

/** Whether it is Node's permission model that refuses something: some things with open files, whatever it was told to allow. */
const isRefused = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_ACCESS_DENIED';

/** Gives a file the owner and the mode of the one that it replaces. */
async function keepAccess(file: Pick<FileHandle, 'chown' | 'chmod'>, old: BigIntStats): Promise<void> {
  // Only the superuser can change owners; what anybody else writes is their own.
  await file.chown(Number(old.uid), Number(old.gid)).catch(() => {});
  await file.chmod(Number(old.mode) & 0o777);
}

/** What this process is writing: one that was killed may have had its number, as in containers. */
const unfinished: Set<string> = new Set();

/**
 * Removes what killed programs have left next to a file. Programs on other machines count as killed, so this is only for a file
 * that a single program writes at a time.
 */
export async function removePartials(place: string): Promise<void> {
  const [folder, start] = [dirname(place), startOf(place)];
  for (const name of await readdir(folder)) {
    const found = name.startsWith(start) ? PROCESS.exec(name.slice(start.length)) : null;
    if (!found) continue;
    const [path, pid] = [join(folder, name), Number(found[1])];
    const isWritten = pid === process.pid ? unfinished.has(path) : isRunning(pid);
    if (!isWritten) await rm(path, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of somebody else, which may not be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Waits for a file that is in use, each twice as long as the one before: 5 seconds together, in milliseconds. */
const FIRST_WAIT = 10;
const LAST_WAIT = 2560;

/** Whether the system may say so because another program has a file open, which only Windows forbids. */
function isInUse(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
}

/** The new content of a file. */
export class Replacement {
  /** What it is written to, and where that is. */
  readonly file: FileHandle;
  readonly path: string;
  private readonly _place: string;
  private readonly _old: BigIntStats | undefined;

  private constructor(file: FileHandle, place: string, path: string, old: BigIntStats | undefined) {
    this.file = file;
    this._place = place;
    this.path = path;
    unfinished.add(path);
    this._old = old;
  }

  /**
   * Begins one, under a name that nothing else has.
   *
   * @param place - with all symbolic links resolved: a link would be replaced itself.
   * @param old - the existing file, whose mode and owner are kept.
   */
  static async begin(place: string, old: BigIntStats | undefined): Promise<Replacement> {
    const path = join(
      dirname(place),
      `${startOf(place)}${process.pid}-${randomBytes(8).toString('hex')}.partial`,
    );
    // Nobody may read it who may not read the old one.
    return new Replacement(await open(path, 'wx', old ? 0o600 : 0o666), place, path, old);
  }

  /** Flushes it to the disk, and closes it: Windows cannot rename an open file. */
  async seal(): Promise<void> {
    const { path, _old: old } = this;
    if (old) {
      await keepAccess(this.file, old).catch(async (error) => {
        if (!isRefused(error)) throw error;
        // Only then by its name: somebody may have removed it, or given the name to another file, and the superuser's at that.
        await keepAccess(
          { chown: (...owner) => chown(path, ...owner), chmod: (mode) => chmod(path, mode) },
          old,
        );
      });
    }
    await flush(this.file);
    await this.file.close();
  }

  /**
   * Puts it in its place. Whether it still existed: a program on another machine may have removed it (`removePartials`). Waits, some
   * seconds at most, for programs that have one of the two files open on Windows: virus scanners look at all that is new.
   */
  async put(): Promise<boolean> {
    for (let wait = FIRST_WAIT; existsSync(this.path); wait *= 2) {
      try {
        renameSync(this.path, this._place);
        unfinished.delete(this.path);
        return true;
      } catch (error) {
        if (wait > LAST_WAIT || !isInUse(error)) throw error;
      }
      await sleep(wait);
    }
    unfinished.delete(this.path);
    return false;
  }

  /** Removes what has been written so far. */
  async drop(): Promise<void> {
    unfinished.delete(this.path);
    // Network filesystems and quotas may refuse here what they took before. It is thrown away anyway.
    await this.file.close().catch(() => {});
    await rm(this.path, { force: true });
  }
}
