import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bspkit, MAIN, shell, temporaryFolder } from './bspkit.ts';

const folder = temporaryFolder();
const ESCAPE = '\x1b';

/** Many questions about the arena: more than a pipe holds. */
const many = join(folder, 'many.ndjson');
const columns = ['x', 'y', 'z', 'leaf', 'cluster', 'area', 'contents'];
const header = JSON.stringify({ game: 'quake3', map: 'arena', kind: 'points', n: 40_000, columns });
const rows = Array.from({ length: 40_000 }, (_, k) => `[${k % 500},${k % 300},32,null,null,null,null]`);
writeFileSync(many, `${header}\n${rows.join('\n')}\n`);

describe('a pipe', () => {
  it('may be closed by its reader', () => {
    const { status, stdout, stderr } = shell(
      `set -o pipefail; bspkit batch demo:arena --queries '${many}' --out - | head -n 1`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(`${header}\n`);
  });

  it('may be closed before a word is said', () => {
    expect(shell('set -o pipefail; bspkit demo | true')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('that is full is told', () => {
    expect(shell('bspkit info demo:arena > /dev/full')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^bspkit: stdout: cannot be written: [^\n]+\n$/),
    });
  });

  it('gets all of a long answer', () => {
    const { stdout } = bspkit('batch', 'demo:arena', '--queries', many, '--out', '-');
    expect(stdout.split('\n')).toHaveLength(40_002);
  });

  it('gets no colours and no progress', () => {
    for (const args of [
      ['demo'],
      ['info', 'demo:arena'],
      ['batch', 'demo:arena', '--queries', many, '--out', '/dev/null'],
    ]) {
      const { stdout, stderr } = bspkit(...args);
      expect(stdout).not.toContain(ESCAPE);
      expect(stderr).toBe('');
    }
  });
});

describe('Ctrl-C', () => {
  it('ends a batch and leaves no half-written file', async () => {
    const out = join(folder, 'interrupted.ndjson');
    const queries = join(folder, 'queries.fifo');
    expect(spawnSync('mkfifo', [queries]).status).toBe(0);
    const child = spawn(process.execPath, [MAIN, 'batch', 'demo:arena', '--queries', queries, '--out', out]);
    const ended = new Promise<{ signal: string | null; stderr: string }>((resolve) => {
      let stderr = '';
      child.stderr.on('data', (text) => {
        stderr += text;
      });
      child.on('close', (_, signal) => resolve({ signal, stderr }));
    });
    // The questions never end.
    const questions = createWriteStream(queries);
    questions.on('error', () => {});
    questions.write(`${header}\n${rows.slice(0, 5000).join('\n')}\n`);
    while (!existsSync(`${out}.partial`) && child.exitCode === null) await sleep(20);
    child.kill('SIGINT');
    expect(await ended).toEqual({ signal: 'SIGINT', stderr: '' });
    expect(existsSync(out)).toBe(false);
    expect(existsSync(`${out}.partial`)).toBe(false);
    questions.destroy();
  });
});

const hasScript = spawnSync('script', ['--version']).status === 0;

/** Runs the command as if in a terminal: stdin, stdout and stderr are one. */
function inTerminal(line: string, env: Record<string, string> = {}): string {
  const command = `'${process.execPath}' '${MAIN}' ${line}`;
  // Node sees no colours in a terminal of a CI machine.
  return shell(`env -u CI script -qec "${command}" /dev/null`, { TERM: 'xterm-256color', ...env }).stdout;
}

/** Long enough for progress to be shown. */
const BENCH = 'bench demo:arena --count 200 --rounds 5';

describe.skipIf(!hasScript)(`a terminal${hasScript ? '' : ' (skipped: there is no script(1))'}`, () => {
  it('gets colours', () => {
    expect(inTerminal('demo')).toContain(`${ESCAPE}[36m`);
    expect(inTerminal('info demo:arena')).toContain(`${ESCAPE}[1mdemo:arena`);
  });

  it('gets none with NO_COLOR, or when it is a dumb one', () => {
    expect(inTerminal('demo', { NO_COLOR: '1' })).not.toContain(ESCAPE);
    expect(inTerminal(BENCH, { TERM: 'dumb' })).not.toContain(ESCAPE);
  });

  it('sees how far a measurement is', () => {
    expect(inTerminal(BENCH, { NO_COLOR: '1' })).toMatch(/█░+ \d+ % {2}timing/);
  });

  it('is told how many answers there were', () => {
    const text = inTerminal(`batch demo:arena --queries '${many}' --out /dev/null`);
    expect(text).toMatch(/40,000 answers in .* written to \/dev\/null/);
  });
});
