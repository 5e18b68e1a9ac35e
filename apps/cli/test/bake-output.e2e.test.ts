import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BakeWriter, memoryStore, readBake } from '@bspkit/bake';
import { beforeAll, describe, expect, it } from 'vitest';
import { DONE, setUpBakes } from './bakes.ts';
import { bspkitIn, type Run, type Surroundings, shell } from './bspkit.ts';

// Threads that the command starts run the built code.

const { inFolder, arena } = setUpBakes();

describe('pictures and tables of bakes', () => {
  const bakeIn = (surroundings: Surroundings, ...args: string[]): Promise<Run> =>
    bspkitIn(
      surroundings,
      ...['bake', arena, '--kind', 'sight', '--points', 'cells', '--step', '128', '--jobs', '1'],
      ...['--out', inFolder('arena.bake'), ...args],
    );
  const bake = (...args: string[]): Promise<Run> => bakeIn({}, ...args);

  beforeAll(async () => {
    expect(await bake()).toEqual(DONE);
  });

  it('are written from what is already there', async () => {
    const files = ['png', 'svg', 'csv', 'json'].flatMap((name) => [`--${name}`, inFolder(`arena.${name}`)]);
    expect(await bake('--resume', ...files, '--level', '1', '--seen-from', '0,0,24')).toEqual(DONE);
    expect(readFileSync(inFolder('arena.png')).subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    const svg = readFileSync(inFolder('arena.svg'), 'utf8');
    expect(svg).toMatch(/<title>arena: what is seen from -?\d/);
    expect(svg).toContain('>solid</text>');
    const [names, first, ...lines] = readFileSync(inFolder('arena.csv'), 'utf8').trimEnd().split('\r\n');
    expect(names).toBe('x,y,z,seen,share');
    const { columns, rows } = JSON.parse(readFileSync(inFolder('arena.json'), 'utf8'));
    expect(columns).toEqual(names!.split(','));
    expect(rows).toHaveLength(1 + lines.length);
    expect(rows[0]).toEqual(first!.split(',').map(Number));
    // The middle of a player is 24 above the floor.
    const lowest = Math.min(...rows.map(([, , z]: number[]) => z!)) - 24;
    expect(svg).toMatch(new RegExp(`floors from ${Math.round(lowest)} to`, 'i'));
  });

  it('are all that is written once the bake is finished, and on a terminal it says so', async () => {
    const terminal = { terminal: true, columns: 500, env: { TERM: 'dumb', NO_COLOR: '1' } };
    const part = inFolder('part.bake');
    const finished = readFileSync(inFolder('arena.bake'));
    const points = /(\d[\d,]*) points/.source;
    expect((await bakeIn(terminal, '--resume')).stderr).toMatch(
      new RegExp(`^\\S+arena\\.bake was finished already, with ${points}\n$`),
    );
    const csv = inFolder('again.csv');
    const again = await bakeIn(terminal, '--resume', '--csv', csv, '--json', '-');
    expect(again.stderr).toMatch(
      new RegExp(`^\\S+ was finished already, with ${points}; written to \\S+again\\.csv and stdout\n$`),
    );
    expect(existsSync(csv)).toBe(true);
    writeFileSync(part, finished.subarray(0, finished.length / 2));
    expect((await bakeIn(terminal, '--resume', '--out', part)).stderr).toMatch(
      new RegExp(
        `^${points}, \\d+ % of which were there already, the others in \\S+ m?s, written to \\S+\n$`,
      ),
    );
    expect(readFileSync(part)).toEqual(finished);
    expect((await bakeIn(terminal, '--out', inFolder('new.bake'), '--csv', csv)).stderr).toMatch(
      new RegExp(`^${points} in \\S+ m?s, written to \\S+new\\.bake and \\S+again\\.csv\n$`),
    );
  });

  it('are never of nothing that is there already', async () => {
    const many = inFolder('many.bake');
    const finely = ['--step', '64', '--chunk-size', '1', '--out', many];
    expect(await bake(...finely)).toEqual(DONE);
    const { job, inputs, chunks } = readBake(readFileSync(many));
    expect(chunks.size).toBeGreaterThan(200);
    const store = memoryStore();
    await BakeWriter.create(store, job, inputs).add(0, chunks.get(0)!);
    writeFileSync(many, store.bytes());
    expect((await bake(...finely)).stderr).toMatch(/: less than 1 % of this bake is there already: /);
    const terminal = { terminal: true, columns: 500, env: { TERM: 'dumb', NO_COLOR: '1' } };
    expect((await bakeIn(terminal, ...finely, '--resume')).stderr).toMatch(
      /^[\d,]+ points, less than 1 % of which were there already, /,
    );
  });

  it('can go to stdout', async () => {
    const { stdout, status } = await bake('--resume', '--csv', '-');
    expect([status, stdout.slice(0, 18)]).toEqual([0, 'x,y,z,seen,share\r\n']);
    // A terminal shows lines as lines.
    const shown = await bakeIn({ terminal: true }, '--resume', '--csv', '-');
    expect(shown.stdout).toBe(stdout.replaceAll('\r\n', '\n'));
  });

  it.each([
    ['a table', 'arena.bake', '--resume --csv -'],
    ['the bake', '-', ''],
  ])('that go to files are written even if whoever reads %s has seen enough', async (_, out, more) => {
    const png = inFolder(`behind-${out}.png`);
    const file = out === '-' ? out : inFolder(out);
    const asked = `bake '${arena}' --kind sight --points cells --step 128 --jobs 1 --out '${file}' ${more}`;
    const run = await shell(`set -o pipefail; bspkit ${asked} --png '${png}' | true`);
    expect(run).toEqual(DONE);
    expect(existsSync(png)).toBe(true);
  });

  it.each([
    [['--level', '9', '--png', 'no.png'], '--level must be 1, got 9'],
    [['--level-height', '0', '--png', 'no.png'], 'It must be more than 0.'],
    [['--level-height', '1e-307', '--png', 'no.png'], '--level-height must be larger'],
    [['--level', '1'], '--level is for pictures: add --png or --svg'],
    [['--scale', '2', '--csv', 'no.csv'], '--scale is for pictures: add --png or --svg'],
    [['--scale', '2', '--svg', 'no.svg'], '--scale is for --png: SVG has no pixels of its own'],
    [['--png', 'no.png', '--scale', '99'], 'It must be a number from 0.25 to 8.'],
    [['--svg', 'no.svg', '--width', '20'], 'It must be a whole number from 480 to 8,192.'],
    [['--svg', 'no/folder/no.svg'], 'there is no such folder'],
  ])('are refused: %j', async (args, problem) => {
    const named = args.map((arg) => (arg.startsWith('no') ? inFolder(arg) : arg));
    const { status, stderr } = await bake('--resume', ...named);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(problem) });
    expect(existsSync(inFolder('no.png')) || existsSync(inFolder('no.svg'))).toBe(false);
  });

  it('that cannot be drawn leave the bake, and the error says where it is', async () => {
    const fresh = inFolder('fresh.bake');
    const { status, stderr } = await bake('--out', fresh, '--level', '9', '--png', inFolder('no.png'));
    expect(status).toBe(2);
    expect(stderr).toMatch(/, got 9; the bake itself is in \S+fresh\.bake: --resume only draws it\n$/);
    expect(readBake(readFileSync(fresh)).missing).toBe(0);
    const packed = await bake('--out', `${fresh}.gz`, '--level', '9', '--png', inFolder('no.png'));
    expect(packed.stderr).toMatch(/, got 9\n$/);
    if (!existsSync('/dev/full')) return;
    const full = await bake('--resume', '--out', fresh, '--png', '/dev/full');
    expect(full.status).toBe(2);
    expect(full.stderr).toMatch(
      /: \/dev\/full: cannot be written: no space left on the device; the bake itself is in \S+fresh\.bake: /,
    );
  });

  it('are not made of answers that no bake has: the error names their file', async () => {
    const [good, wrong] = [inFolder('arena.bake'), inFolder('wrong.bake')];
    const { job, inputs, chunks } = readBake(readFileSync(good));
    const store = memoryStore();
    const writer = BakeWriter.create(store, job, inputs);
    for (const [chunk, answer] of chunks) await writer.add(chunk, answer.subarray(chunk === 1 ? 1 : 0));
    await writer.finish();
    writeFileSync(wrong, store.bytes());
    expect(await bake('--resume', '--csv', inFolder('no.csv'), '--out', wrong)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^bspkit: \S+wrong\.bake: chunk 1 has \d+ bytes, but sight has \d+\n$/),
    });
    expect(existsSync(inFolder('no.csv'))).toBe(false);
  });

  it('are seen from a point only for sight', async () => {
    const args = ['--kind', 'exposure', '--png', inFolder('no.png'), '--seen-from', '0,0,0'];
    expect(await bake(...args)).toMatchObject({
      status: 2,
      stderr: 'bspkit: --seen-from is for --kind sight\n',
    });
  });
});
