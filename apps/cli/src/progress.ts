import { showTime } from './numbers.ts';
import type { Drawn, Session } from './session.ts';
import { width } from './table.ts';

const BAR_PLACES = 24;
const REDRAW_MS = 100;
const UP = '\x1b[1A';

/**
 * A line on a terminal that is redrawn again and again and then removed. It is silent elsewhere, on a dumb terminal, which cannot
 * remove it, and if an answer is written to the same terminal.
 *
 * The cursor waits below it, so that after Ctrl-C, which ends most commands at once, the prompt has a line of its own.
 */
class StatusLine implements Drawn {
  private readonly _session: Session;
  private readonly _silent: boolean;
  private _drawn: number;
  private _shown = false;
  private _ended = false;

  constructor(session: Session) {
    this._session = session;
    this._silent = !session.io.stderr.isTTY || session.io.env.TERM === 'dumb';
    this._drawn = session.now();
  }

  /** Draws, unless it did so just now: as many of the `parts`, two spaces apart, as there is room for. */
  draw(parts: () => string[]): void {
    if (this._silent || this._ended || this._session.now() - this._drawn < REDRAW_MS) return;
    const { err, out, io } = this._session;
    if (out.isSilent && io.stdout.isTTY) return;
    this._drawn = this._session.now();
    let text = '';
    for (const part of parts()) {
      const longer = text === '' ? part : `${text}  ${part}`;
      // A full line would make some terminals begin another one.
      if (width(longer) >= err.width) break;
      text = longer;
    }
    err.print(`${this._shown ? UP : ''}\r\x1b[2K${text}\n`);
    this._shown = true;
    this._session.draws(this);
  }

  bar(part: number): string {
    const { paint } = this._session.err;
    const full = Math.round(BAR_PLACES * part);
    const bar = paint('cyan', '█'.repeat(full)) + paint('dim', '░'.repeat(BAR_PLACES - full));
    return `${bar} ${Math.floor(100 * part)} %`;
  }

  remove(): void {
    // Including what the terminal shows below it for a Ctrl-C.
    if (this._shown) this._session.err.print(`${UP}\r\x1b[J`);
    this._shown = false;
  }

  /** Removes it for good: work that is still going on does not draw it again. */
  end(): void {
    this.remove();
    this._ended = true;
  }
}

/** Progress of something that is counted. */
export interface Progress {
  /** @param part - how far it is, 0 to 1, if that is known. */
  update(done: number, part: number | undefined): void;
  /** Removes the line. */
  end(): void;
}

/** Shows how far a count is: a bar, the share, the rate and the time left. */
export function showProgress(what: string, session: Session): Progress {
  const line = new StatusLine(session);
  const began = session.now();
  return {
    update(done, part) {
      line.draw(() => {
        const time = session.now() - began;
        const rate = Math.round((1000 * done) / time);
        const counted = [`${what} ${done.toLocaleString('en')}`, `${rate.toLocaleString('en')}/s`];
        if (!part) return counted;
        return [line.bar(part), ...counted, `${showTime((time * (1 - part)) / part)} left`];
      });
    },
    end: () => line.end(),
  };
}

/** Shows the progress of something that reports its own rate and what is left. */
export function showRate(
  what: string,
  session: Session,
): { update(part: number, rate: number, secondsLeft: number | undefined): void; end(): void } {
  const line = new StatusLine(session);
  return {
    update(part, rate, secondsLeft) {
      line.draw(() => {
        const counted = [line.bar(part), `${Math.round(rate).toLocaleString('en')} ${what}/s`];
        return secondsLeft ? [...counted, `${showTime(1000 * Math.ceil(secondsLeft))} left`] : counted;
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

/** Shows the current stage, and how far it is. */
export function showStages(session: Session): Stages {
  const line = new StatusLine(session);
  return {
    update: (stage, part) => line.draw(() => [line.bar(Math.max(0, Math.min(1, part))), stage]),
    end: () => line.end(),
  };
}
