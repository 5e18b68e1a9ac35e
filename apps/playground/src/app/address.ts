import { formatLink, type Link } from './link.ts';

/** How long the link waits for the view to rest, in milliseconds: browsers allow 100 changes in half a minute. */
const DELAY = 400;

/** The link in the address bar, which says what the page shows. */
export class Address {
  private readonly _current: () => Link | undefined;
  private _timer: ReturnType<typeof setTimeout> | undefined;

  /** @param current - the link to what the page shows; `undefined` leaves the address as it is. */
  constructor(current: () => Link | undefined) {
    this._current = current;
  }

  /** The page shows something else: soon the address says so. */
  change(): void {
    this._timer ??= setTimeout(() => this.write(), DELAY);
  }

  /** Writes the link now. */
  write(): void {
    clearTimeout(this._timer);
    this._timer = undefined;
    const link = this._current();
    if (link) history.replaceState(null, '', `#${formatLink(link)}`);
  }
}
