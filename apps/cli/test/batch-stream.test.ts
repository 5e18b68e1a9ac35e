import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { batchFiles, full } from './batch-files.ts';
import { bspkitIn, type Run, WINDOWS } from './bspkit.ts';

const { folder, arena } = batchFiles();

describe('a stream', () => {
  const head = `${JSON.stringify({ ...full, kind: 'points', columns: ['x', 'y', 'z', 'note'] })}\n`;
  /** Sends questions in pieces, and counts the pieces that were read. */
  async function stream(
    pieces: Iterable<string | Uint8Array>,
    ...args: string[]
  ): Promise<Run & { taken: number }> {
    let taken = 0;
    async function* stdin(): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) {
        taken++;
        yield typeof piece === 'string' ? Buffer.from(piece) : piece;
      }
    }
    const asked = ['batch', arena, '--queries', '-', '--out', '-', ...args];
    return { ...(await bspkitIn({ stdin: stdin() }, ...asked)), taken };
  }
  function* endless(first: string, piece: string | Uint8Array): Generator<string | Uint8Array> {
    yield first;
    for (;;) yield piece;
  }
  const zeros = new Uint8Array(1 << 16);

  it('is read from stdin, wherever it is split', async () => {
    const text = Buffer.from(`\ufeff${head}[1,2,3,"naïve"]\r\n\n \n[4,5,6,"次"]`);
    const { status, stdout } = await stream([...text].map((byte) => Uint8Array.of(byte)));
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^\[1,2,3,"naïve",/),
      expect.stringMatching(/^\[4,5,6,"次",/),
      '',
    ]);
    const zipped = gzipSync(text);
    expect(await stream([zipped.subarray(0, 1), zipped.subarray(1)])).toMatchObject({ status: 0, stdout });
  });

  it.each<[string, () => Iterable<string | Uint8Array>, string]>([
    ['zeros', () => endless('', zeros), 'stdin: line 1 has more than 4 MB\n'],
    ['zeros after the header', () => endless(head, zeros), 'stdin: line 2 has more than 4 MB\n'],
    ['a line', () => endless(`${head}[1,2,3,"`, 'x'.repeat(1 << 16)), 'stdin: line 2 has more than 4 MB\n'],
    ['words', () => endless('', 'y\n'), 'stdin: line 1 is not JSON: y\n'],
    ['nothing', () => endless(head, `${' '.repeat(2 ** 16)}\n`), ' ends more than 4 MB of blank lines\n'],
  ])('that never ends is refused: %s', async (_, pieces, problem) => {
    const { status, stderr, taken } = await stream(pieces());
    expect(stderr.endsWith(problem), stderr).toBe(true);
    expect(status).toBe(2);
    expect(taken).toBeLessThan(70);
  });

  it('of lines that continue from each other is refused if it is too long to be kept', async () => {
    const columns = [
      ...['seq', 'step', 'gravity', 'speed', 'health', 'flight', 'mask', 'serverTime', 'cpitch', 'cyaw'],
      ...['croll', 'forward', 'right', 'up', 'buttons', 'kx', 'ky', 'kz', 'kt', 'note'],
    ];
    const note = `${',0'.repeat(columns.length - 3)},"${'x'.repeat(3.9e6)}"]\n`;
    function* steps(): Generator<string> {
      yield `${JSON.stringify({ ...full, kind: 'pmove', columns })}\n`;
      for (let step = 0; ; step++) yield `[0,${step}${note}`;
    }
    const { status, stderr, taken } = await stream(steps(), '--jobs', '1');
    const problem = 'lines 2 to 18 continue from each other, and have more than 64 MB together';
    expect({ status, stderr, taken }).toEqual({
      status: 2,
      stderr: `bspkit: stdin: ${problem}: leave out --jobs, --queue and --resume\n`,
      taken: 18,
    });
  });

  it('that unpacks to far too much is refused', async () => {
    const { status, stderr } = await stream([gzipSync(head + '\0'.repeat(1 << 25))]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'bspkit: stdin: line 2 has more than 4 MB\n' });
  });

  it.each<[string, string | Uint8Array, string]>([
    [
      'a cell that is nested too deep',
      `[1,2,3,${'['.repeat(6000)}${']'.repeat(6000)}]`,
      'line 2 is nested more than',
    ],
    ['bytes that are not text', Uint8Array.of(0x5b, 0xff, 0x5d), 'line 2 is not UTF-8'],
    ['escapes', '[1,\x1b[31m', 'line 2 is not JSON: [1,\\u001b[31m'],
  ])('with %s is refused', async (_, row, problem) => {
    const { status, stderr } = await stream([head, row]);
    expect(stderr).toContain(`bspkit: stdin: ${problem}`);
    expect(status).toBe(2);
  });

  it('is named as a damaged gzip file if it was cut short', async () => {
    const zipped = gzipSync(head);
    const { status, stderr } = await stream([zipped.subarray(0, zipped.length - 12)]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'bspkit: stdin: is a damaged gzip file: unexpected end of file\n',
    });
  });

  it('needs its header first', async () => {
    expect((await stream(['\n', head])).stderr).toContain('stdin: line 1 is not');
    expect((await stream([])).stderr).toBe('bspkit: stdin: is empty\n');
  });

  it.skipIf(WINDOWS)('says so if another run has removed its output', async () => {
    const place = join(folder, 'removed');
    mkdirSync(place);
    async function* stdin(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${head}[1,2,3,""]\n`);
      for (const left of readdirSync(place)) rmSync(join(place, left));
    }
    const out = join(place, 'out.ndjson');
    const { status, stderr } = await bspkitIn(
      { stdin: stdin() },
      ...['batch', arena, '--queries', '-', '--out', out],
    );
    const problem = 'another program has removed what was written: only one may write to it at a time';
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `bspkit: ${out}: cannot be written: ${problem}\n`,
    });
  });

  it.skipIf(!existsSync('/dev/full'))(
    'that is silent is closed where the answers cannot be written',
    async () => {
      const stdin = new PassThrough();
      // More answers than are written at once, and nothing after them.
      stdin.write(head + '[1,2,3,"a note"]\n'.repeat(4000));
      const asked = ['batch', arena, '--queries', '-', '--out', '/dev/full'];
      expect((await bspkitIn({ stdin }, ...asked)).stderr).toContain('no space left on the device');
      // While it is open, the process would not end.
      expect(stdin.destroyed).toBe(true);
    },
  );

  it('shows no escapes on a terminal, and is the same JSON', async () => {
    async function* stdin(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${head}[1,2,3,"\u009b31m"]`);
    }
    const asked = ['batch', arena, '--queries', '-', '--out', '-'];
    const env = { NO_COLOR: '1' };
    const { stdout } = await bspkitIn({ stdin: stdin(), terminal: true, env }, ...asked);
    expect(stdout).not.toContain('\u009b');
    expect(JSON.parse(stdout.split('\n')[1]!)[3]).toBe('\u009b31m');
    // A pipe gets what was asked about as it is.
    expect((await bspkitIn({ stdin: stdin() }, ...asked)).stdout).toContain('"\u009b31m"');
  });
});
