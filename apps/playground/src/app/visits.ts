import { changedLines } from './edits.ts';
import type { OpenMap } from './open-map.ts';

/** What it takes to open a map again. */
export type KeptMap = Pick<OpenMap, 'name' | 'isOwn' | 'bytes' | 'text' | 'original' | 'materials' | 'lit'>;

/** The most that kept maps take, in bytes of their files and texts. The one that is open is kept in any case. */
const MOST = 256e6;

/**
 * What was open at each entry of the browser's history, for as long as the page is: addresses hold neither the files of a
 * user nor all edits.
 */
export class Visits {
  /** The entry that the browser is at. */
  current = '0';
  /** In the order of the history. */
  private readonly _entries: string[] = [];
  private readonly _kept = new Map<string, KeptMap>();
  /** By the bytes of the map that they are to replace. */
  private readonly _drafts = new WeakMap<Uint8Array, string | undefined>();
  /** Whether a map was changed while the browser was at another entry than its own, whose address has nothing of that. By its bytes. */
  private readonly _away = new WeakMap<Uint8Array, boolean>();
  /** Texts that were saved last, by the name of their map. */
  private readonly _saved = new Map<string, string>();
  private readonly _most: number;
  private _count = 0;

  constructor(most: number = MOST) {
    this._most = most;
    this.push();
  }

  /** A new entry follows the current one; those that followed it cannot be reached any more. */
  push(): void {
    for (const gone of this._entries.splice(this._entries.indexOf(this.current) + 1)) this._kept.delete(gone);
    // Its place in the history, then what no other one has, of this page load or of others.
    this.current = `${placeOf(this.current) + 1} ${performance.timeOrigin} ${++this._count}`;
    this._entries.push(this.current);
  }

  /** The same for another view of the current map: what is changed in it later is changed in both. */
  pushSame(): void {
    const map = this.kept;
    this.push();
    if (map) this._kept.set(this.current, map);
  }

  /** The browser is at the entry of that name, which may be from before the page was reloaded; at a new one without a name. */
  go(entry: unknown): void {
    if (typeof entry !== 'string') {
      this.push();
      return;
    }
    const { _entries: entries } = this;
    if (!entries.includes(entry)) {
      // Of what was there before a reload, some may have been before an entry that was gone to since, and some after it.
      const next = entries.findIndex((other) => placeOf(other) > placeOf(entry));
      entries.splice(next < 0 ? entries.length : next, 0, entry);
    }
    this.current = entry;
  }

  /** The map of the current entry, if it is still at hand. */
  get kept(): KeptMap | undefined {
    return this._kept.get(this.current);
  }

  /**
   * Keeps the map that is open for its entry, the current one by default, and others with the same, and gives up those of the oldest
   * entries where all take too much.
   */
  keep(map: KeptMap, own: string = this.current): void {
    // Nobody can go there any more.
    if (!this._entries.includes(own)) return;
    const before = this._kept.get(own);
    this._kept.set(own, map);
    this._away.set(map.bytes, own !== this.current);
    for (const entry of this._entries)
      if (before && this._kept.get(entry) === before) this._kept.set(entry, map);
    for (const entry of this._entries) {
      if (this._size() <= this._most) return;
      if (entry !== own) this._kept.delete(entry);
    }
  }

  /** Text that was typed in place of a map's, but is not what the map was made of. */
  draft({ bytes }: KeptMap): string | undefined {
    return this._drafts.get(bytes);
  }

  setDraft({ bytes }: KeptMap, text: string | undefined): void {
    this._drafts.set(bytes, text);
  }

  /** The user has the text as a file. */
  setSaved({ name }: KeptMap, text: string): void {
    this._saved.set(name, text);
  }

  /** Whether something that was typed would be lost with the page: neither an address nor a file has it. */
  get hasUnsaved(): boolean {
    return [...this._kept.values()].some((map) => {
      const { name, isOwn, text, original } = map;
      const draft = this.draft(map);
      const now = draft ?? text;
      if (now === undefined || now === original || now === this._saved.get(name)) return false;
      // Our own maps all come from a text.
      const isInAddress = draft === undefined && isOwn && !this._away.get(map.bytes);
      return !(isInAddress && changedLines(original!, now));
    });
  }

  private _size(): number {
    const all = new Map(Array.from(this._kept.values(), (map) => [map.bytes, map]));
    let size = 0;
    for (const { bytes, lit, text = '', original = '' } of all.values())
      size += bytes.length + (lit?.length ?? 0) + 2 * (text.length + original.length);
    return size;
  }
}

/** Which entry of the history it is, counted from that at which the page was opened first: times would not tell, as clocks are set back. */
const placeOf = (entry: string): number => Number.parseInt(entry, 10) || 0;
