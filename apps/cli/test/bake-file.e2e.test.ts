import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBake } from '@bspkit/bake';
import { describe, expect, it } from 'vitest';
import { DONE, setUpBakes } from './bakes.ts';
import { bspkit, bspkitIn, MAIN, WINDOWS } from './bspkit.ts';
import { start } from './started.ts';

// What becomes of a file that is there already, or is written in part. Threads that the command starts run the built code.

const { folder, inFolder, arena, points } = setUpBakes();

/** A bake of the points. */
const BAKE = ['bake', arena, '--kind', 'sight', '--points', points, '--chunk-size', '10'];

const bakePoints = (out: string, ...args: string[]): ReturnType<typeof bspkit> =>
  bspkit(...BAKE, '--out', inFolder(out), ...args);

describe('the file of a bake', () => {
  it('continues files that are cut off or damaged', async () => {
    expect(await bakePoints('whole.bake')).toEqual(DONE);
    const whole = readFileSync(inFolder('whole.bake'));
    const rotten = Buffer.from(whole);
    rotten[whole.length - 60]! ^= 1;
    for (const part of [whole.subarray(0, whole.length - 100), rotten, Buffer.concat([whole, whole])]) {
      writeFileSync(inFolder('part.bake'), part);
      expect(await bakePoints('part.bake', '--resume')).toEqual(DONE);
      expect(readFileSync(inFolder('part.bake'))).toEqual(whole);
    }
    const { stdout } = await bspkit(...BAKE, '--out', '-');
    expect(Buffer.from(stdout, 'latin1')).toEqual(whole);
  });

  it('leaves a file that can be continued after Ctrl-C', async () => {
    const out = inFolder('stopped.bake');
    const stopped = await bspkitIn({ signal: 'SIGINT', terminal: true }, ...BAKE, '--out', out);
    expect(stopped).toMatchObject({
      status: 130,
      stderr: expect.stringContaining('with --resume continues'),
    });
    // Before the first answer there is nothing to keep.
    expect(readFileSync(out)).toHaveLength(0);
    expect(await bspkit(...BAKE, '--out', out, '--resume')).toEqual(DONE);
    expect(readBake(readFileSync(out)).missing).toBe(0);
  });

  it('refuses to overwrite what may be hours of work', async () => {
    expect(await bakePoints('hours.bake')).toEqual(DONE);
    const whole = readFileSync(inFolder('hours.bake'));
    const part = whole.subarray(0, whole.length - 100);
    writeFileSync(inFolder('hours.bake'), part);
    const { status, stderr } = await bakePoints('hours.bake');
    expect(stderr).toMatch(
      /hours\.bake: \d+ % of this bake is there already: --resume continues it; to begin/,
    );
    expect(status).toBe(2);
    expect(readFileSync(inFolder('hours.bake'))).toEqual(part);
    // Another bake does not replace it either, and neither is a finished one replaced.
    const refuses = async (problem: string, ...args: string[]): Promise<void> => {
      const before = readFileSync(inFolder('hours.bake'));
      expect(await bakePoints('hours.bake', ...args)).toEqual({
        status: 2,
        stdout: '',
        stderr: `bspkit: ${inFolder('hours.bake')}: ${problem}\n`,
      });
      expect(readFileSync(inFolder('hours.bake'))).toEqual(before);
    };
    const other =
      'the file holds another job: parameters {} there, {"eye":3} here; move or remove it to begin again';
    await refuses(other, '--eye', '3');
    await refuses(other, '--eye', '3', '--resume');
    writeFileSync(inFolder('hours.bake'), whole);
    await refuses(other, '--eye', '3');
    await refuses(
      'all of this bake is there already: --resume takes it as it is; to begin again, remove the file',
    );
    expect(await bakePoints('hours.bake', '--resume')).toEqual(DONE);
    expect(readFileSync(inFolder('hours.bake'))).toEqual(whole);
    // Nor is any other file, which was named by mistake.
    writeFileSync(inFolder('hours.bake'), 'Dear all');
    await refuses(
      'the file is not a bake: it does not begin with BSPBAKE1; it is not written over: move or remove it, or name another',
    );
    writeFileSync(inFolder('hours.bake'), '');
    expect(await bakePoints('hours.bake')).toEqual(DONE);
    expect(readFileSync(inFolder('hours.bake'))).toEqual(whole);
  });

  it('stops when something else writes to its file', async () => {
    const out = inFolder('shared.bake');
    const {
      process: child,
      ended,
      said,
    } = start(
      ...['bake', arena, '--kind', 'clearance', '--step', '8', '--rays', '1024', '--chunk-size', '64'],
      ...['--jobs', '1', '--out', out],
    );
    try {
      while (child.exitCode === null && (!existsSync(out) || statSync(out).size === 0)) await sleep(5);
      appendFileSync(out, 'x');
      expect(await ended).toBe(2);
    } finally {
      child.kill('SIGKILL');
    }
    expect(said()).toBe(
      `bspkit: ${out}: another program has written to it meanwhile: only one may at a time\n`,
    );
  });

  it.skipIf(WINDOWS)('does no work for files in a folder to which nothing can be added', async () => {
    const [open, locked] = [inFolder('open'), inFolder('locked')];
    for (const place of [folder, open, locked]) {
      if (place !== folder) mkdirSync(place);
      chmodSync(place, place === locked ? 0o555 : 0o777);
    }
    writeFileSync(join(locked, 'old.bake'), '');
    chmodSync(join(locked, 'old.bake'), 0o666);
    // The superuser may do anything.
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const bakeAs = (...args: string[]): string => {
      const command = [MAIN, 'bake', arena, '--kind', 'sight', '--points', points, ...args];
      const { status, stderr } = spawnSync(process.execPath, command, { ...nobody, encoding: 'utf8' });
      expect(status, stderr).toBe(2);
      return stderr;
    };
    const problem = 'cannot be written: nothing can be added to its folder: permission denied';
    const out = join(open, 'new.bake');
    const picture = join(locked, 'new.png');
    expect(bakeAs('--out', out, '--png', picture)).toBe(`bspkit: ${picture}: ${problem}\n`);
    expect(existsSync(out)).toBe(false);
    for (const name of ['new.bake', 'old.bake']) {
      const there = join(locked, name);
      expect(bakeAs('--out', there)).toBe(`bspkit: ${there}: ${problem}\n`);
    }
    expect(readFileSync(join(locked, 'old.bake'), 'utf8')).toBe('');
  });

  it('mends a damaged file with --resume, or leaves it as it is', async () => {
    const out = inFolder('damaged.bake');
    expect(await bakePoints('damaged.bake')).toEqual(DONE);
    const whole = readFileSync(out);
    const flipped = (at: number): Buffer => {
      const damaged = Buffer.from(whole.subarray(0, whole.length - 100));
      damaged[at]! ^= 4;
      return damaged;
    };
    // An input: what is there already is told of, and continued.
    const input = flipped(readBake(whole).inputs.points!.byteOffset - whole.byteOffset);
    writeFileSync(out, input);
    expect(await bakePoints('damaged.bake')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('of this bake is there already: --resume continues it'),
    });
    expect(readFileSync(out)).toEqual(input);
    expect(await bakePoints('damaged.bake', '--resume')).toEqual(DONE);
    expect(readFileSync(out)).toEqual(whole);
    // The job: nobody knows what the answers are to.
    const job = flipped(40);
    writeFileSync(out, job);
    for (const args of [[], ['--resume']]) {
      expect(await bakePoints('damaged.bake', ...args)).toMatchObject({
        status: 2,
        stderr: `bspkit: ${out}: the file is damaged: its job cannot be read; move or remove it to begin again\n`,
      });
      expect(readFileSync(out)).toEqual(job);
    }
  });

  it('refuses a file of another job, and one that is not a bake, and leaves them as they are', async () => {
    await bakePoints('other.bake');
    const before = readFileSync(inFolder('other.bake'));
    const other = await bakePoints('other.bake', '--resume', '--eye', '3');
    expect(other).toMatchObject({
      status: 2,
      stderr: `bspkit: ${inFolder('other.bake')}: the file holds another job: parameters {} there, {"eye":3} here; move or remove it to begin again\n`,
    });
    expect(readFileSync(inFolder('other.bake'))).toEqual(before);
    writeFileSync(inFolder('letter.txt'), 'Dear all');
    const letter = await bakePoints('letter.txt', '--resume');
    expect(letter).toMatchObject({ status: 2, stderr: expect.stringContaining('the file is not a bake: ') });
    expect(readFileSync(inFolder('letter.txt'), 'utf8')).toBe('Dear all');
  });
});
