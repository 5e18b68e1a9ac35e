import { spawnSync } from 'node:child_process';
import fs, {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Replacement, removePartials } from '../src/node/replace.ts';

let folder: string;
let place: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bspkit-replace-'));
  place = join(folder, 'out.bake');
});
afterEach(() => rmSync(folder, { recursive: true }));

const old = () => statSync(place, { bigint: true });

it('leaves a file as it was until the new one is complete, and keeps its mode', async () => {
  writeFileSync(place, 'old', { mode: 0o640 });
  const replacement = await Replacement.begin(place, old());
  // Until then it is nobody else's.
  if (process.platform !== 'win32') expect(statSync(replacement.path).mode & 0o777).toBe(0o600);
  await replacement.file.writeFile('new');
  expect(readFileSync(place, 'utf8')).toBe('old');
  await replacement.seal();
  expect(await replacement.put()).toBe(true);
  expect(readFileSync(place, 'utf8')).toBe('new');
  if (process.platform !== 'win32') expect(old().mode & 0o777n).toBe(0o640n);
  expect(readdirSync(folder)).toEqual(['out.bake']);
});

it('seals one that a program on another machine has removed, and changes no file that has its name by now', async () => {
  writeFileSync(place, 'old', { mode: 0o640 });
  const replacement = await Replacement.begin(place, old());
  rmSync(replacement.path);
  const another = join(folder, 'another');
  writeFileSync(another, '', { mode: 0o600 });
  if (process.platform !== 'win32') symlinkSync(another, replacement.path);
  await replacement.seal();
  if (process.platform !== 'win32') expect(statSync(another).mode & 0o777).toBe(0o600);
  rmSync(replacement.path, { force: true });
  expect(await replacement.put()).toBe(false);
  expect(readFileSync(place, 'utf8')).toBe('old');
});

it('closes what it seals, which Windows would not rename otherwise, and what it drops', async () => {
  const sealed = await Replacement.begin(place, undefined);
  await sealed.seal();
  expect(sealed.file.fd).toBe(-1);
  await sealed.drop();
  const dropped = await Replacement.begin(place, undefined);
  await dropped.drop();
  expect(dropped.file.fd).toBe(-1);
});

it('leaves the old file and nothing else where a disk refuses to close the new one', async () => {
  writeFileSync(place, 'old');
  for (const seals of [false, true]) {
    const replacement = await Replacement.begin(place, old());
    await replacement.file.writeFile('new');
    // As on network filesystems and with quotas: what was taken is refused in the end, and the file is closed nevertheless.
    const close = replacement.file.close.bind(replacement.file);
    replacement.file.close = async () => {
      await close();
      throw Object.assign(new Error('EDQUOT: disk quota exceeded, close'), { code: 'EDQUOT' });
    };
    if (seals) await expect(replacement.seal()).rejects.toMatchObject({ code: 'EDQUOT' });
    await replacement.drop();
    expect(readdirSync(folder)).toEqual(['out.bake']);
    expect(readFileSync(place, 'utf8')).toBe('old');
  }
});

it.skipIf(process.getuid?.() !== 0)('keeps the owner of a file that the superuser replaces', async () => {
  writeFileSync(place, 'old');
  chownSync(place, 65534, 65533);
  const replacement = await Replacement.begin(place, old());
  await replacement.seal();
  await replacement.put();
  expect([old().uid, old().gid]).toEqual([65534n, 65533n]);
});

it('leaves nothing of what is dropped, sealed or not', async () => {
  for (const seals of [false, true]) {
    const replacement = await Replacement.begin(place, undefined);
    if (seals) await replacement.seal();
    await replacement.drop();
    expect(readdirSync(folder)).toEqual([]);
  }
});

it('recognizes leftovers for a file by the processes that have ended', async () => {
  const other = await Replacement.begin(join(folder, 'other.bake'), undefined);
  const own = await Replacement.begin(place, undefined);
  const [name] = readdirSync(folder).filter(
    (file) => file.includes(`-${process.pid}-`) && !other.path.endsWith(file),
  );
  const ended = spawnSync(process.execPath, ['--version']).pid;
  // Of a process that lives, of one that does not, and of one that had the number of this process.
  const left = [process.ppid, ended, process.pid].map((pid) =>
    name!.replace(`-${process.pid}-`, `-${pid}-`).replace(/[0-9a-f]+\.partial$/, 'abc.partial'),
  );
  for (const file of left) writeFileSync(join(folder, file), '');
  expect(readdirSync(folder)).toHaveLength(5);
  await removePartials(place);
  expect(readdirSync(folder).sort()).toEqual([basename(other.path), name, left[0]].sort());
  await own.seal();
  expect(await own.put()).toBe(true);
  await other.drop();
});

it('says so if its own was removed', async () => {
  const lost = await Replacement.begin(place, undefined);
  rmSync(lost.path);
  await lost.seal();
  expect(await lost.put()).toBe(false);
  // There is nothing to remove then, which is no error.
  await lost.drop();
});

/** Has renaming fail so many times as it does for a file that is in use. Returns how it went, and how long it waited. */
async function putInUse(
  platform: string,
  times: number,
): Promise<{ done: unknown; tries: number; waited: number }> {
  const replacement = await Replacement.begin(place, undefined);
  await replacement.seal();
  const renames = vi.spyOn(fs, 'renameSync');
  for (let k = 0; k < times; k++) {
    renames.mockImplementationOnce(() => {
      throw Object.assign(new Error('in use'), { code: 'EPERM' });
    });
  }
  const waits = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
  const really = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { ...really, value: platform });
  syncBuiltinESMExports();
  try {
    const done = await replacement.put().catch(({ code }: NodeJS.ErrnoException) => code);
    if (done !== true) await replacement.drop();
    const waited = waits.mock.calls.reduce((sum, [wait]) => sum + wait!, 0);
    return { done, tries: renames.mock.calls.length, waited };
  } finally {
    renames.mockRestore();
    waits.mockRestore();
    Object.defineProperty(process, 'platform', really);
    syncBuiltinESMExports();
  }
}

it('waits for what is in use on Windows, some seconds at most', async () => {
  expect(await putInUse('win32', 3)).toEqual({ done: true, tries: 4, waited: 70 });
  expect(readdirSync(folder)).toEqual(['out.bake']);
  rmSync(place);
  expect(await putInUse('win32', 100)).toEqual({ done: 'EPERM', tries: 10, waited: 5110 });
  expect(readdirSync(folder)).toEqual([]);
  expect(await putInUse('linux', 1)).toEqual({ done: 'EPERM', tries: 1, waited: 0 });
  expect(readdirSync(folder)).toEqual([]);
});
