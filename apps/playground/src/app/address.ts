import { formatLink, type Link } from './link.ts';

/** How long the link waits for the view to rest, in milliseconds: browsers allow 100 changes in half a minute, clicks included. */
const DELAY = 500;

/** The link in the address bar, which says what the page shows, and the name of its entry in the browser's history. */
export class Address {
  private readonly _current: () => Link | undefined;
  private readonly _entry: () => string;
  private _timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param current - the link to what the page shows; `undefined` leaves the address as it is.
   * @param entry - the name of the entry that the browser is at.
   */
  constructor(current: () => Link | undefined, entry: () => string) {
    this._current = current;
    this._entry = entry;
  }

  /** The page shows something else: soon the address says so. */
  change(): void {
    this._timer ??= setTimeout(() => this.write(), DELAY);
  }

  /** Writes the link now. */
  write(): void {
    this._write('replaceState');
  }

  /** Writes the link into a new entry, so that Back leads to what was there before. */
  push(): void {
    this._write('pushState');
  }

  /** The address with the link as it is now, which the browser may not have taken. */
  get now(): string {
    const link = this._current();
    return link ? `${location.href.split('#')[0]}#${formatLink(link)}` : location.href;
  }

  /** Names the entry, and leaves its link as it is. */
  name(): void {
    this._change('replaceState');
  }

  private _write(how: 'replaceState' | 'pushState'): void {
    clearTimeout(this._timer);
    this._timer = undefined;
    const link = this._current();
    if (link) this._change(how, link);
  }

  private _change(how: 'replaceState' | 'pushState', link?: Link): void {
    try {
      history[how](this._entry(), '', link && `#${formatLink(link)}`);
    } catch {
      // The browser has had too many changes. The next one has name and link, in place of the last entry if a new one was refused.
    }
  }
}
