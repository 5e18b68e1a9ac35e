import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PeerName } from '../src/peers/peers.ts';
import type { Report } from '../src/result.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const PEERS = ['bspkit', 'js', 'c', 'rapier'] satisfies PeerName[];

/** Where code is compiled, as if all of this were one run. */
const folder = temporaryFolder();
const compiled = (): string[] =>
  readdirSync(folder).map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);

/**
 * What one process of a run measures and prints. V8 compiles at once; otherwise it would box numbers for as long as this takes.
 */
function part(peers: readonly PeerName[], shapes: string, motions: string): Report {
  const few = ['--queries', '300', '--rounds', '1', '--shapes', shapes, '--motions', motions];
  const output = execFileSync(
    process.execPath,
    [
      '--no-concurrent-recompilation',
      MAIN,
      '--part',
      '--maps',
      'quake3/arena',
      '--peers',
      peers.join(),
      ...few,
    ],
    { encoding: 'utf8', env: { ...process.env, BSPKIT_BENCH_ADDONS: folder } },
  );
  return JSON.parse(output) as Report;
}

describe('libraries in isolates', () => {
  const { maps } = part(PEERS, 'ray,box', 'long,step');
  const { series } = maps[0]!;

  it('take turns in everything that they offer', () => {
    const counts = series.map(({ shape, motion, peers }) => `${shape} ${motion} ${peers.length}`);
    // With the yardstick in C, if there is a compiler.
    const all = maps[0]!.withoutNative === undefined ? 4 : 3;
    expect(counts).toEqual(
      ['ray long', 'box long', 'ray step', 'box step'].map((asked) => `${asked} ${all}`),
    );
    const times = series.flatMap(({ peers }) => peers.map(({ time }) => time!.median));
    // Nanoseconds per query: for a single one, not for a whole batch.
    for (const time of times) expect(time > 1 && time < 1e6, `${time} ns`).toBe(true);
  });

  it('answer what is compared in this thread', () => {
    for (const { peers } of series) {
      for (const { name, agreement } of peers) {
        expect(agreement.share, name).toBeGreaterThan(name === 'rapier3d-compat' ? 0.98 : 0.999);
      }
    }
  });

  it('report what they allocate: ours nothing, a triangle library hundreds of bytes', () => {
    for (const { peers } of series) {
      for (const { name, allocated } of peers) {
        if (name === 'bspkit') expect(allocated, name).toBeLessThan(16);
        if (name === 'rapier3d-compat') expect(allocated, name).toBeGreaterThan(100);
      }
    }
  });

  it('do not keep a process alive in which another library fails', () => {
    const args = ['--part', '--maps', 'quake3/arena', '--peers', 'bspkit,engine', '--queries', '20'];
    const env = { ...process.env, BSPKIT_ENGINES: '/nowhere' };
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      encoding: 'utf8',
      env,
      timeout: 30_000,
    });
    expect([status, stderr]).toEqual([3, expect.stringContaining('there is no /nowhere')]);
  });

  const without = maps[0]!.withoutNative;

  it.skipIf(without)(`leave nothing of what they compiled${without ? ` (skipped: ${without})` : ''}`, () => {
    const empty = temporaryFolder(onTestFinished);
    const args = ['--maps', 'quake3/arena', '--peers', 'bspkit,c', '--queries', '200', '--rounds', '1'];
    const few = ['--shapes', 'ray', '--motions', 'long', '--processes', '2'];
    const env = { ...process.env, TMPDIR: empty };
    const output = execFileSync(process.execPath, [MAIN, ...args, ...few], { encoding: 'utf8', env });
    expect(output).toMatch(/^ray +long .*\d$/m);
    expect(readdirSync(empty)).toEqual([]);
  });

  it.skipIf(without)(
    `share what is compiled with the other processes of a run${without ? ` (skipped: ${without})` : ''}`,
    () => {
      const first = compiled();
      // The clock of threads, which isolates read too, and the traces.
      expect(first).toHaveLength(2);
      expect(part(['bspkit', 'c'], 'ray', 'long').maps[0]!.withoutNative).toBeUndefined();
      expect(compiled()).toEqual(first);
    },
  );
});
