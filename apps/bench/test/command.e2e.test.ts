import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it } from 'vitest';
import { isReport, type Report } from '../src/result.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const folder = temporaryFolder();

const FEW = ['--maps', 'quake3/arena', '--queries', '20', '--rounds', '1', '--processes', '1'];

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...FEW, ...args], { encoding: 'utf8' });

describe('the command', () => {
  it('says what is wrong with what it is asked before it measures', () => {
    const [cube, file, page] = [
      run('--shapes', 'ray,cube'),
      run('--json', join(folder, 'none', 'out.json')),
      run('--markdown', fileURLToPath(import.meta.url)),
    ];
    expect([cube.status, cube.stderr]).toEqual([
      2,
      expect.stringMatching(/^no map has a shape that is called 'cube', but there are ray, .*\n$/),
    ]);
    expect([file.status, file.stderr]).toEqual([3, expect.stringContaining(join(folder, 'none'))]);
    // This page has the comment <!-- figures: bench --> and not the other one.
    expect([page.status, page.stderr]).toEqual([2, expect.stringContaining('the page has no place')]);
  });

  it('measures threads alone', () => {
    const json = join(folder, 'out.json');
    const { status, stderr } = run('--peers', 'pool', '--shapes', 'ray', '--json', json);
    expect([status, stderr]).toEqual([0, '']);
    const { maps } = JSON.parse(readFileSync(json, 'utf8')) as Report;
    expect(maps[0]!.threads).toMatchObject({ shape: 'ray', segments: 1000 });
  });

  it('saves what was measured with the day on which it was', () => {
    const [json, early] = [join(folder, 'dated.json'), join(folder, 'undated.json')];
    expect(run('--peers', 'bspkit', '--shapes', 'ray', '--motions', 'long', '--json', json).stderr).toBe('');
    const { date, ...undated } = JSON.parse(readFileSync(json, 'utf8')) as Report;
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    writeFileSync(early, JSON.stringify(undated));
    const { status, stderr } = run('--from', early, '--save');
    expect([status, stderr]).toEqual([2, expect.stringContaining('undated.json: does not say when it was')]);
    expect(run('--from', early)).toMatchObject({ status: 0, stderr: '' });
    const [map] = undated.maps;
    const against = { ...undated, maps: [{ map: 'quake3/arena', series: [], missing: [] }] };
    const untimed = {
      ...undated,
      maps: [{ ...map, series: [{ ...map!.series[0], peers: [{ name: 'C' }] }] }],
    };
    for (const other of [null, against, untimed, { ...undated, maps: [] }, { maps: undated.maps }])
      expect(isReport(other), JSON.stringify(other)).toBe(false);
    for (const text of ['{}', 'no JSON']) {
      writeFileSync(early, text);
      const stranger = { status: 2, stderr: `${early}: is not a report, as --json writes it\n` };
      expect(run('--from', early)).toMatchObject(stranger);
    }
  });
});
