import processes, { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { BspWorld, TraceBatch, Tracer } from '@bspkit/core';
import type { BspFormat, TracerKind } from '@bspkit/core/format';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { FORMATS } from 'bspkit';
import { describe, expect, it, vi } from 'vitest';
import { checkOut, usualRevision } from '../src/against/check-out.ts';
import { type DuelOptions, type DuelResult, type DuelSeries, duel } from '../src/against/duel.ts';
import { AGAINST_HELP, parseAgainst } from '../src/against/options.ts';
import { type AgainstReport, againstGrids, againstSummary, changed, judge } from '../src/against/verdict.ts';
import { openMap, ownMaps } from '../src/maps.ts';
import { gridText } from '../src/report/text.ts';

/** A clock that the work itself advances, so that nothing here depends on how fast the machine is. */
let milliseconds = 0;

const options: DuelOptions = {
  ...{ shapes: undefined, motions: ['long', 'bundle'] },
  ...{ queries: 60, rounds: 1, seed: 1, otherFirst: false },
  now: () => milliseconds++,
};

describe('a duel', () => {
  it('asks both versions the same in every shape, in batches too, and lets both load', async () => {
    const map = await openMap('quake3/arena');
    const { series, missing } = await duel(map, FORMATS, { ...options, now: () => (milliseconds += 50) });
    expect(missing).toEqual([]);
    expect(series.map(({ shape, motion }) => `${shape} ${motion}`.trim())).toEqual([
      ...['ray long', 'ray bundle', 'box long', 'capsule long', 'sphere long'],
      ...['ray batch long', 'box batch long', 'capsule batch long', 'sphere batch long', 'load'],
    ]);
    for (const { ratio, before, after, different } of series) {
      expect([ratio, different]).toEqual([1, 0]);
      expect(after).toBe(before);
    }
  });

  it('sees which version is slower, whichever has the first turn, and which answers differ', async () => {
    const map = await openMap('quake3/arena');
    /** A format with only rays, each of which takes a given time; some are answered wrongly. */
    const altered = (time: number, isWrong: boolean): BspFormat => {
      const [ray] = map.format.tracers.kinds;
      const create: TracerKind<BspWorld>['create'] = (...args) => {
        const tracer = ray!.create(...args);
        const trace: Tracer['trace'] = (start, end, out) => {
          milliseconds += time;
          const answer = tracer.trace(start, end, out);
          if (isWrong && end[0]! > start[0]!) answer.brush++;
          return answer;
        };
        return Object.create(tracer, { trace: { value: trace } }) as Tracer;
      };
      const { tracers } = map.format;
      return {
        ...map.format,
        tracers: { ...tracers, kinds: [{ ...ray!, create }, ...tracers.kinds.slice(1)] },
      };
    };
    const slow = altered(3, true);
    const rays = { ...slow, tracers: { ...slow.tracers, kinds: slow.tracers.kinds.slice(0, 1) } };
    const others = [{ ...slow, load: async () => rays, loadReader: async () => rays }];
    for (const otherFirst of [false, true]) {
      const asked = { ...options, shapes: ['ray', 'box'], otherFirst, now: () => milliseconds };
      const { series, missing } = await duel({ ...map, format: altered(1, false) }, others, asked);
      expect(series.map(({ shape }) => shape)).toEqual(['ray', 'ray']);
      for (const { ratio, before, after, different } of series) {
        expect(ratio).toBeCloseTo(1 / 3);
        expect([before, after]).toEqual([3e6, 1e6]);
        expect(different).toBeGreaterThan(5);
        expect(different).toBeLessThan(55);
      }
      expect(missing).toHaveLength(1);
      expect(missing[0]).toMatch(/^box long: /);
    }
  });

  it.each([' ', ' batch '])('sees which tests are answered differently: ray%ssight', async (way) => {
    const map = await openMap('quake3/arena');
    const { tracers } = map.format;
    const [ray, ...others] = tracers.kinds;
    const create: TracerKind<BspWorld>['create'] = (...args) => {
      const tracer = ray!.create(...args);
      const blocked: Tracer['blocked'] = (start, end) => tracer.blocked(start, end) !== end[0]! > start[0]!;
      const blockedBatch: Tracer['blockedBatch'] = (segments, out) => {
        const answers = tracer.blockedBatch(segments, out);
        return answers.map((one, k) => Number((one === 1) !== segments[6 * k + 3]! > segments[6 * k]!));
      };
      return Object.create(tracer, {
        blocked: { value: blocked },
        blockedBatch: { value: blockedBatch },
      }) as Tracer;
    };
    const wrong: BspFormat = {
      ...map.format,
      tracers: { ...tracers, kinds: [{ ...ray!, create }, ...others] },
    };
    const asked = { ...options, shapes: [`ray${way}`.trimEnd()], motions: ['sight'] } as const;
    const entry = { ...wrong, load: async () => wrong, loadReader: async () => wrong };
    const { series } = await duel(map, [entry], { ...asked, now: () => (milliseconds += 50) });
    expect(series).toHaveLength(1);
    expect(series[0]!.different).toBeGreaterThan(5);
    expect(series[0]!.different).toBeLessThan(60);
  });

  it.each(['ray', 'ray batch'])('sees answers of %s that differ in contents alone', async (way) => {
    const map = await openMap('quake3/arena');
    const { tracers } = map.format;
    const [ray, ...others] = tracers.kinds;
    const create: TracerKind<BspWorld>['create'] = (world, size, values) => {
      const tracer = ray!.create(world, size, values);
      // What is timed keeps the game's own distance.
      if (values.epsilon !== undefined) return tracer;
      const trace: Tracer['trace'] = (start, end, out) => {
        const answer = tracer.trace(start, end, out);
        if (end[0]! > start[0]!) answer.contents ^= 0x100;
        return answer;
      };
      const traceBatch = (segments: Float32Array, out: TraceBatch): TraceBatch => {
        const answers = tracer.traceBatch(segments, out);
        for (let k = 0; k < segments.length / 6; k++) {
          if (segments[6 * k + 3]! > segments[6 * k]!) answers.contents[k]! ^= 0x100;
        }
        return answers;
      };
      return Object.create(tracer, { trace: { value: trace }, traceBatch: { value: traceBatch } }) as Tracer;
    };
    const wrong: BspFormat = {
      ...map.format,
      tracers: { ...tracers, kinds: [{ ...ray!, create }, ...others] },
    };
    const entry = { ...wrong, load: async () => wrong, loadReader: async () => wrong };
    const asked = { ...options, shapes: [way], now: () => (milliseconds += 50) };
    const { series, missing } = await duel(map, [entry], { ...asked, motions: ['long'] });
    expect([series.length, missing]).toEqual([1, []]);
    expect(series[0]!.different).toBeGreaterThan(5);
    expect(series[0]!.different).toBeLessThan(55);
  });

  it('says which games the other version does not know', async () => {
    const found = await duel(await openMap('quake3/arena'), [], options);
    expect(found).toEqual({ map: 'quake3/arena', series: [], missing: ['no Quake 3 there'] });
  });

  it('finds our own maps of every game', () => {
    for (const { id } of FORMATS) {
      const names = ownMaps().filter((name) => name.startsWith(`${id}/`));
      expect(names, `maps of ${id}: put some into packages/${id}/test/maps`).not.toEqual([]);
    }
  });
});

/** Two processes that found these ratios. */
function pair(first: number, second: number): [DuelResult, DuelResult] {
  const of = (ratio: number): DuelResult => {
    const one = (shape: string, motion: DuelSeries['motion'], factor: number): DuelSeries => ({
      ...{ shape, motion, ratio: ratio * factor, before: 100, after: 100 * ratio * factor, different: 0 },
    });
    return { map: 'arena', series: [one('ray', 'long', 1), one('load', '', 1 / 3)], missing: [] };
  };
  return [of(first), of(second)];
}

describe('the verdict', () => {
  it('favours neither turn, and wants most pairs to agree', () => {
    const even = judge([pair(0.8, 1.25), pair(0.5, 2), pair(0.9, 1 / 0.9)], 0.1);
    expect(even.series.map(({ ratio, change }) => [Number(ratio.toFixed(6)), change])).toEqual([
      [1, ''],
      [0.333333, 'faster'],
    ]);
    const slow = judge([pair(1.2, 1.3), pair(1.4, 1.2), pair(1.1, 1.3), pair(0.6, 1)], 0.1);
    expect(slow.series[0]!.ratio).toBeGreaterThan(1.2);
    expect(slow.series[0]!.change).toBe('');
    const slower = judge([pair(1.2, 1.3), pair(1.4, 1.2), pair(1.1, 1.3), pair(1.1, 1.15)], 0.1);
    expect(slower.series[0]!.change).toBe('slower');
    expect(judge([pair(1.2, 1.3), pair(1.4, 1.2)], 0.5).series[0]!.change).toBe('');
    // What would be slower by more than a tenth the other way around.
    const changes = [0.905, 0.915, 1.095, 1.105].map(
      (ratio) => judge([pair(ratio, ratio)], 0.1).series[0]!.change,
    );
    expect(changes).toEqual(['faster', '', '', 'slower']);
  });

  it('counts the answers that differ in whichever process most do', () => {
    const [first, second] = pair(1, 1);
    const wrong = { ...second, series: second.series.map((one) => ({ ...one, different: 7 })) };
    const { series } = judge([[first, wrong], pair(1, 1)], 0.1);
    expect(series.map(({ different }) => different)).toEqual([7, 7]);
  });

  it('is about the same series of all processes, in whatever order, and wants all of them', () => {
    const [first, second] = pair(1, 1);
    const turned = { ...second, series: [...second.series].reverse() };
    const { series } = judge([[first, turned]], 0.1);
    expect(series.map(({ shape, ratio }) => [shape, Number(ratio.toFixed(6))])).toEqual([
      ['ray', 1],
      ['load', 0.333333],
    ]);
    const lacking = { ...second, series: second.series.slice(1) };
    expect(() => judge([[first, lacking]], 0.1)).toThrow('process 2 of 2 has not measured ray long');
  });

  it('says so where nothing could be compared', () => {
    const { outcome } = againstSummary({
      ...{ revision: '0123abc A change', otherDependencies: false, cpu: 'AMD', node: 'v20.1.0' },
      ...{ pairs: 4, rounds: 5, queries: 3000, seed: 1, threshold: 0.1 },
      maps: [{ map: 'ufoai/arena', series: [], missing: ['no UFO:AI there'] }],
    });
    expect(outcome).toEqual([
      'Missing',
      '  ufoai/arena: not compared: no UFO:AI there',
      'Nothing was compared',
    ]);
  });

  it('is written in 80 columns', () => {
    const map = judge([pair(1.2, 1.3)], 0.1);
    const [ray, load] = map.series;
    const wide = {
      ...ray!,
      shape: 'precise batch',
      motion: 'bundle',
      before: 12345678,
      after: 23456789,
    } as const;
    const report: AgainstReport = {
      ...{ revision: '0123abc A change', otherDependencies: true, cpu: 'AMD', node: 'v20.1.0' },
      ...{ pairs: 4, rounds: 5, queries: 3000, seed: 1, threshold: 0.1 },
      maps: [
        { ...map, map: 'mansion_mansion_main', series: [wide, { ...load!, different: 3 }] },
        { map: 'ufoai/arena', series: [], missing: ['no UFO:AI there'] },
      ],
    };
    expect(changed(report, 'slower')).toEqual(['mansion_mansion_main precise batch bundle: 1.25']);
    const { conditions, outcome } = againstSummary(report);
    const text = [...conditions, ...againstGrids(report).map(gridText), ...outcome].join('\n');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text).toContain('The working tree against 0123abc A change');
    expect(outcome).toEqual([
      'Answers differ',
      '  mansion_mansion_main load : 3 of 3000 answers differ',
      'Missing',
      '  ufoai/arena: not compared: no UFO:AI there',
      'Faster by more than 10 %',
      '  mansion_mansion_main load: 0.42',
      'Slower by more than 10 %',
      '  mansion_mansion_main precise batch bundle: 1.25',
      'Geometric mean of 2 series: 0.721 times as long',
    ]);
    expect(text).toMatch(
      /precise batch {2}bundle {2}slower {2}12,345,678 {2}23,456,789 +1\.25 {2}1\.25\.\.1\.25/,
    );
  });
});

describe('the command line', () => {
  it('takes the options in the help', () => {
    expect(Math.max(...AGAINST_HELP.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(parseAgainst([])).toMatchObject({
      revision: undefined,
      maps: undefined,
      pairs: 4,
      threshold: 0.1,
    });
    expect(parseAgainst(['HEAD~5', '--maps', 'a,b', '--pairs', '2', '--threshold', '25'])).toMatchObject({
      ...{ revision: 'HEAD~5', maps: ['a', 'b'], pairs: 2, threshold: 0.25 },
    });
    expect(() => parseAgainst(['--rounds', '126'])).toThrow('--rounds must be a whole number from 1 to 125');
    for (const wrong of [['a', 'b'], ['--pairs', '0'], ['--motions', 'far'], ['--nonsense']]) {
      expect(() => parseAgainst(wrong), wrong.join(' ')).toThrow();
    }
  });
});

describe('another version', () => {
  const root = realpathSync(temporaryFolder());
  const put = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]): string => {
    const names = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...names, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  const commit = (text: string): void => {
    put('packages/one/index.js', text);
    git('add', '.');
    git('commit', '-m', text);
  };

  // A build script that reports where it was run, and with which workspace package.
  const builder = `const { realpathSync, writeFileSync } = require('node:fs');
if (require('node:path').basename(process.cwd()) !== 'tree') process.exit(1);
writeFileSync('built', realpathSync('node_modules/@ours/one') + ' ' + realpathSync('node_modules/@ours/tool'));`;

  it('is checked out beside this one and built with what is installed here', () => {
    put('.gitignore', 'node_modules\n');
    put('package-lock.json', 'old');
    put('packages/one/package.json', JSON.stringify({ name: '@ours/one' }));
    put('node_modules/turbo/bin/turbo', builder);
    put('node_modules/@ours/tool/package.json', '{}');
    symlinkSync(join(root, 'packages/one'), join(root, 'node_modules/@ours/one'), 'junction');
    git('init', '--initial-branch=main');
    commit('first');
    commit('second');
    expect(usualRevision(root)).toBe('HEAD~1');
    put('package-lock.json', 'new');
    expect(usualRevision(root)).toBe('HEAD');
    git('checkout', '-b', 'feature');
    commit('third');
    expect(usualRevision(root)).toBe(git('rev-parse', 'main'));

    expect(() => checkOut(root, 'nothing')).toThrow("there is no revision 'nothing'");
    const other = checkOut(root, 'main');
    expect(other.title).toMatch(/^[0-9a-f]+ second$/);
    expect(other.otherDependencies).toBe(true);
    const { folder } = other;
    expect(readFileSync(join(folder, 'packages/one/index.js'), 'utf8')).toBe('second');
    const [own, tool] = readFileSync(join(folder, 'built'), 'utf8').split(' ');
    expect(own).toBe(realpathSync(join(folder, 'packages/one')));
    expect(tool).toBe(join(root, 'node_modules/@ours/tool'));
    // On Windows, Git would follow links and empty what is installed.
    let isLeftToGit: boolean | undefined;
    const really = processes.execFileSync;
    const runs = vi.spyOn(processes, 'execFileSync').mockImplementation((file, args, options) => {
      isLeftToGit = existsSync(folder);
      return really(file, args as string[], options);
    });
    syncBuiltinESMExports();
    try {
      other.remove();
      expect(isLeftToGit).toBe(false);
    } finally {
      runs.mockRestore();
      syncBuiltinESMExports();
    }
    expect(existsSync(folder)).toBe(false);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(readFileSync(join(root, 'node_modules/@ours/tool/package.json'), 'utf8')).toBe('{}');

    put('node_modules/turbo/bin/turbo', 'console.log("no such thing"); process.exit(1);');
    expect(() => checkOut(root, 'main')).toThrow(/cannot be built.*\nno such thing/);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});
