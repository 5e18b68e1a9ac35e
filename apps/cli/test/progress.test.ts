import { describe, expect, it } from 'vitest';
import { showProgress, showStages } from '../src/progress.ts';
import { queueNote } from '../src/queue.ts';
import { Session } from '../src/session.ts';

/** A run on a terminal that records its output, with a clock that is set by hand. */
function terminal(
  isTTY: boolean,
  columns = 80,
  env = {},
): { written: string[]; time: { now: number }; session: Session; output: { columns: number } } {
  const written: string[] = [];
  const output = { isTTY, columns, write: (text: string) => written.push(text) > 0 };
  const time = { now: 0 };
  const session = new Session({ stdout: output, stderr: output, env, cwd: '/', now: () => time.now }, [], []);
  return { written, time, session, output };
}

/** The lines that a terminal shows for a text, as far as progress moves the cursor. */
function screenOf(text: string): string[] {
  const lines = [''];
  let at = 0;
  for (const [part] of text.replaceAll('\x1b', '^').matchAll(/\^\[(?:1A|2K|J)|\r|\n|[^^\r\n]+/g)) {
    if (part === '^[1A') at--;
    else if (part === '^[2K') lines[at] = '';
    else if (part === '^[J') lines.splice(at, Infinity, '');
    else if (part === '\n') lines[++at] ??= '';
    else if (part !== '\r') lines[at] += part;
  }
  return lines.filter((line) => line !== '');
}

describe('progress', () => {
  it('shows bar, share, rate and time left', () => {
    const { written, time, session } = terminal(true);
    // A clock does not begin with the command.
    time.now = 7000;
    const progress = showProgress('rows', session);
    progress.update(1, 0.001);
    expect(written).toEqual([]);
    time.now += 500;
    progress.update(1000, 0.25);
    expect(written).toEqual([
      `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 25 %  rows 1,000  2,000/s  1.5 s left\n`,
    ]);
    time.now += 500;
    progress.update(2000, 0.5);
    expect(written.at(-1)).toBe(
      `\x1b[1A\r\x1b[2K${'█'.repeat(12)}${'░'.repeat(12)} 50 %  rows 2,000  2,000/s  1 s left\n`,
    );
    progress.end();
    expect(written.at(-1)).toBe('\x1b[1A\r\x1b[J');
    const { length } = written;
    time.now += 1000;
    progress.update(3000, 0.75);
    progress.end();
    expect(written.length).toBe(length);
  });

  it('shows count and rate where the whole is not known', () => {
    const { written, time, session } = terminal(true);
    const progress = showProgress('rows', session);
    time.now = 3000;
    progress.update(50, undefined);
    expect(written).toEqual(['\r\x1b[2Krows 50  17/s\n']);
  });

  it('is silent if an answer is written to the same terminal', () => {
    const { written, time, session } = terminal(true);
    session.out.silence();
    const progress = showProgress('rows', session);
    time.now = 500;
    progress.update(1000, 0.25);
    progress.end();
    expect(written).toEqual([]);
  });

  it('leaves out what does not fit the line, of which the last place stays free', () => {
    const bar = `${'█'.repeat(6)}${'░'.repeat(18)} 25 %`;
    for (const [columns, shown] of [
      [40, bar],
      [bar.length + 1, bar],
      [bar.length, ''],
    ] as const) {
      const { written, time, session } = terminal(true, columns);
      const progress = showProgress('rows', session);
      time.now = 500;
      progress.update(1000, 0.25);
      expect(written).toEqual([`\r\x1b[2K${shown}\n`]);
    }
  });

  it('fits a terminal that has become narrower: it would be two lines there, of which one is removed', () => {
    const { written, time, session, output } = terminal(true, 80);
    const progress = showProgress('rows', session);
    const bar = `${'█'.repeat(12)}${'░'.repeat(12)} 50 %`;
    time.now = 1000;
    progress.update(2000, 0.5);
    output.columns = 40;
    time.now = 2000;
    progress.update(2000, 0.5);
    output.columns = 50;
    time.now = 4000;
    progress.update(2000, 0.5);
    const drawn = [`${bar}  rows 2,000  2,000/s  1 s left`, bar, `${bar}  rows 2,000  500/s`];
    expect(written.map((text) => screenOf(`\n${text}`))).toEqual(drawn.map((line) => [line]));
  });

  it('stays below messages', () => {
    const { written, time, session } = terminal(true);
    const progress = showProgress('rows', session);
    time.now = 1000;
    progress.update(50, undefined);
    const note = queueNote(session);
    note('the queue has gone');
    time.now = 2000;
    progress.update(60, undefined);
    note('the queue is back');
    progress.end();
    expect(screenOf(written.join(''))).toEqual(['bspkit: the queue has gone', 'bspkit: the queue is back']);
    const shown = written.slice(0, written.findIndex((text) => text.includes('rows 60')) + 1);
    expect(screenOf(shown.join(''))).toEqual(['bspkit: the queue has gone', 'rows 60  30/s']);
  });

  it('names stages', () => {
    const { written, time, session } = terminal(true);
    const stages = showStages(session);
    time.now = 200;
    stages.update('tree', 0.5);
    stages.end();
    expect(written).toEqual([`\r\x1b[2K${'█'.repeat(12)}${'░'.repeat(12)} 50 %  tree\n`, '\x1b[1A\r\x1b[J']);
  });

  it.each([
    ['elsewhere', false, {}, 1000],
    ['on a dumb terminal', true, { TERM: 'dumb' }, 1000],
    ['when it had no time to show', true, {}, 0],
  ])('is silent %s', (_, isTTY, env, passed) => {
    const { written, time, session } = terminal(isTTY, 80, env);
    const progress = showProgress('rows', session);
    time.now = passed;
    progress.update(5, 0.5);
    progress.end();
    expect(written).toEqual([]);
  });
});
