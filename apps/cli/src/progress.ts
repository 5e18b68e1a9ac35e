import type { WriteStream } from 'node:tty';
import { showTime } from './numbers.ts';
import { type Paint, painter } from './style.ts';

/** Where progress is drawn: stderr, unless a test says otherwise. */
export type ProgressStream = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'hasColors'>>;

/** Milliseconds since some moment. */
export type Clock = () => number;

/** A dumb terminal cannot take a line away: it is shown none. */
const terminal = (): ProgressStream =>
  process.env.TERM === 'dumb' ? { write: () => true, isTTY: false } : process.stderr;

const BAR_PLACES = 24;
const REDRAW_MS = 100;

/** A line on a terminal that is drawn over and over and then taken away. Elsewhere it is silent. */
class StatusLine {
  private readonly _stream: ProgressStream;
  private readonly _now: Clock;
  private readonly _paint: Paint;
  private _drawn: number;
  private _shown = false;

  constructor(stream: ProgressStream, now: Clock) {
    this._stream = stream;
    this._now = now;
    this._paint = painter(stream);
    this._drawn = now();
  }

  /** Draws, unless it did so just now. `parts` come two spaces apart. */
  draw(parts: () => string[]): void {
    if (!this._stream.isTTY || this._now() - this._drawn < REDRAW_MS) return;
    this._drawn = this._now();
    this._shown = true;
    this._stream.write(`\r\x1b[2K${parts().join('  ')}`);
  }

  bar(part: number): string {
    const full = Math.round(BAR_PLACES * part);
    const empty = BAR_PLACES - full;
    const bar = this._paint('cyan', '█'.repeat(full)) + this._paint('dim', '░'.repeat(empty));
    return `${bar} ${Math.floor(100 * part)} %`;
  }

  end(): void {
    if (this._shown) this._stream.write('\r\x1b[2K');
    this._shown = false;
  }
}

/** Progress of something that is counted. */
export interface Progress {
  update(done: number): void;
  /** Takes the line away. */
  end(): void;
}

/**
 * Shows how far a count is: a bar, the share, the rate and the time left.
 *
 * @param total - how many there are; without it there is a count and a rate alone.
 */
export function showProgress(
  what: string,
  total: number | undefined,
  stream: ProgressStream = terminal(),
  now: Clock = () => performance.now(),
): Progress {
  const line = new StatusLine(stream, now);
  const began = now();
  return {
    update(done) {
      line.draw(() => {
        const rate = (1000 * done) / (now() - began);
        const parts = [`${what} ${done.toLocaleString('en')}`, `${Math.round(rate).toLocaleString('en')}/s`];
        if (!total) return parts;
        const left = showTime(Math.max(0, total - done) / (rate / 1000));
        return [line.bar(Math.min(1, done / total)), ...parts, `${left} left`];
      });
    },
    end: () => line.end(),
  };
}

/** Progress of something that goes through stages, each from 0 to 1. */
export interface Stages {
  update(stage: string, part: number): void;
  end(): void;
}

/** Shows which stage something is in, and how far that is. */
export function showStages(
  stream: ProgressStream = terminal(),
  now: Clock = () => performance.now(),
): Stages {
  const line = new StatusLine(stream, now);
  return {
    update: (stage, part) => line.draw(() => [line.bar(Math.max(0, Math.min(1, part))), stage]),
    end: () => line.end(),
  };
}
