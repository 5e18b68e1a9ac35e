import type { FixtureName } from '@bspkit/fixtures/list';
import { loadWalker } from '../games/index.ts';
import type { Walker } from '../games/walker.ts';
import type { Compiler } from '../loading/compiler.ts';
import { openBytes } from '../loading/open.ts';
import { OWN_MAPS, type OwnMap } from '../loading/own-maps.ts';
import type { Address } from './address.ts';
import { withLines } from './edits.ts';
import { type Link, parseLink } from './link.ts';
import { formatOf, ownMapOf } from './linked-map.ts';
import { type Notice, problemOf, type Remark } from './notice.ts';
import { type OpenMap, versionOf } from './open-map.ts';
import { type Opened, type Opener, openEdited, openOwnMap, type Source } from './opening.ts';
import type { Status } from './status.ts';
import { Visits } from './visits.ts';

/** What the page does for the map that is open. */
export interface CurrentMapParts {
  readonly compiler: Compiler;
  readonly address: Address;
  readonly notice: Notice;
  readonly status: Status;
  /** Something is being opened, or is not any more. */
  showLoading(isLoading: boolean): void;
  /** Takes a map over for drawing. Throws where it cannot be drawn; then the one before stays. */
  draw(map: OpenMap): void;
  /** The map is the one that is open now. */
  show(map: OpenMap, walker: Walker | undefined, keepsView: boolean): void;
  /** How many triangles are drawn. */
  triangles(): number;
  /** Does what a link says. Resolves with what it could not do. */
  apply(link: Link): Promise<Remark[]>;
  /** Whether some tool takes a file that begins so. */
  takes(beginning: Uint8Array): boolean;
  /** Hands a file to the tool that takes it. */
  give(name: string, bytes: Uint8Array): Promise<void>;
  /** Opens the browser's choice of files. */
  pick(): void;
}

/**
 * Milliseconds for which the compiler is waited for without a word. Browsers do not tell when a worker has come to a standstill, and on
 * a slow phone a large map takes as long: so the page says that it goes on, and offers to stop.
 */
const PATIENCE = 10_000;

/** What can be done where the first map was not waited for. */
const NO_MAP = 'Choose another map in the menu, or open a file.';

/** How a map comes to be opened. */
interface Way {
  /** What led to it; without one, the user asked for it. */
  readonly link?: Link;
  /** It is shown in place of a file that is not at hand. */
  readonly isStandIn?: boolean;
}

/** Whether a map is another one as it was edited, or as it is in another game. */
const isSamePlace = (map: OpenMap, other: OpenMap): boolean =>
  map.name === other.name &&
  map.isOwn === other.isOwn &&
  // Games have maps of the same names.
  (map.text !== undefined || map.format === other.format);

/** The map that is open, how it came to be, and the browser's history of those before it. */
export class CurrentMap {
  private readonly _parts: CurrentMapParts;
  private readonly _visits = new Visits();
  private _map: OpenMap | undefined;
  /**
   * The entry of the history that the map belongs to. While a link waits for its map, the browser is at another one; what
   * stands in for a file belongs to none.
   */
  private _entry: string | undefined;
  /** Aborted when something else is opened. */
  private _opening = new AbortController();
  /** What a tool puts in the map's place, until another map is opened: the latest counts, whichever is ready first. */
  private _replacement: Uint8Array | undefined;
  /** A link to a map that is not at hand: what it says counts when that file is opened. */
  private _awaited: Link | undefined;
  /** The link that was followed last, as far as it has been. */
  private _going: Promise<void> | undefined;
  /** The files that the user gave last. */
  private _files: readonly File[] | undefined;

  constructor(parts: CurrentMapParts) {
    this._parts = parts;
  }

  get map(): OpenMap | undefined {
    return this._map;
  }

  /** The name of the entry of the history that the browser is at. */
  get entry(): string {
    return this._visits.current;
  }

  /** Whether the map is what the browser's history has here, and nothing else is being opened or awaited. */
  get isHere(): boolean {
    return this._entry === this._visits.current;
  }

  /** Whether something that was typed would be lost with the page. */
  get hasUnsaved(): boolean {
    return this._visits.hasUnsaved;
  }

  /** Text that was typed in place of the map's. */
  get draft(): string | undefined {
    return this._map && this._visits.draft(this._map);
  }

  /** The user has the text as a file. */
  setSaved(text: string): void {
    this._visits.setSaved(this._map!, text);
  }

  /** One of our own maps, compiled for a game: the one that is open as it was edited, if it is for another game. */
  async openOwn(name: FixtureName, format: string): Promise<void> {
    const { _map: map } = this;
    const isOpen = map?.isOwn && map.name === name && map.format.id !== format;
    await this._open(name, {}, (opener) =>
      isOpen && map.text !== map.original
        ? openEdited(opener, map, format)
        : openOwnMap(opener, name, format, undefined),
    );
  }

  /** Files of the user's, whatever they are: of several maps, the one that is chosen. */
  async openFiles(files: readonly File[]): Promise<void> {
    // A link that is being followed comes first: a bake is for its map, which is there also if the files cannot be opened.
    const { _opening: opening } = this;
    this._files = files;
    await this._going;
    // Something else is wanted by now.
    if (opening !== this._opening || files !== this._files) return;
    const name = files.length === 1 ? files[0]!.name : `${files.length} files`;
    const opened = await this._open(name, {}, async (opener, chosen) => {
      const { openUserFiles } = await import('./user-files.ts');
      const { takes: isForTool } = this._parts;
      const { compileFor, _map: map, _awaited: awaited } = this;
      const format = map?.format.id;
      // What stands in for a file is compiled for the game of the link.
      const known = awaited ? awaited.file : map?.isOwn ? undefined : map?.name;
      return openUserFiles({ ...opener, format, known, compileFor, isForTool, chosen }, files);
    });
    if (opened?.forTool) await this._parts.give(opened.forTool.name, opened.forTool.bytes);
  }

  /** A text of the user's, compiled for a game. */
  readonly compileFor = async (source: Source, format: string): Promise<void> => {
    const { compileFor, _map: map } = this;
    const isOpen = map?.name === source.name && map.text === source.text;
    await this._open(source.name, {}, async (opener) => {
      const { openSource } = await import('./user-files.ts');
      return openSource({ ...opener, compileFor, isOpen }, source, format);
    });
  };

  /** Shows what the browser went to: an entry of its history, or an address that was typed. */
  async goTo(entry: unknown): Promise<void> {
    const going = this._goTo(entry);
    // Files that come meanwhile only wait until it is over.
    this._going = going.catch(() => {});
    await going;
  }

  private async _goTo(entry: unknown): Promise<void> {
    this._visits.go(entry);
    // An address that was typed has no name yet.
    this._parts.address.name();
    const link = parseLink(location.hash);
    this._awaited = undefined;
    const { kept } = this._visits;
    if (!kept) await this._follow(link);
    else if (kept.bytes === this._map?.bytes) await this._stay(link);
    else await this._open(kept.name, { link }, async () => ({ map: await openBytes(kept.bytes, kept) }));
  }

  private async _follow(link: Link): Promise<void> {
    if (link.file !== undefined) {
      const { _map: map } = this;
      // A link to text says what it was compiled for.
      const isSameGame = link.format === undefined || link.format === map?.format.id;
      if (map && !map.isOwn && map.name === link.file && isSameGame) await this._stay(link);
      else await this._await(link);
      return;
    }
    const own = ownMapOf(link);
    const format = formatOf(link, own);
    const { text, original } = this._map ?? {};
    const isOpen =
      this._map?.isOwn === true &&
      this._map.name === own.name &&
      this._map.format.id === format &&
      text === (link.lines ? withLines(original!, link.lines) : original);
    if (isOpen) await this._stay(link);
    else await this._open(own.name, { link }, (opener) => openOwnMap(opener, own.name, format, link.lines));
  }

  /** A link to the map that is open. */
  private async _stay(link: Link): Promise<void> {
    const signal = this._giveUpOpening();
    this._parts.showLoading(false);
    this._parts.status.say();
    this._parts.notice.hide();
    this._belongsHere();
    const remarks = await this._parts.apply(link);
    if (!signal.aborted) this._parts.notice.show(...remarks);
  }

  /** A link to a file that is not at hand: one of our own maps is shown until it is dropped. */
  private async _await(link: Link): Promise<void> {
    this._awaited = link;
    const [own] = OWN_MAPS as readonly [OwnMap];
    const load = (opener: Opener) => openOwnMap(opener, own.name, formatOf(link, own), undefined);
    const opened = await this._open(own.name, { isStandIn: true }, load);
    if (opened && this._awaited === link) this._parts.notice.show(...this._wanted());
  }

  /** What there is to say while a link waits for its file. */
  private _wanted(): Remark[] {
    const file = this._awaited?.file;
    if (file === undefined) return [];
    const text =
      'Files never leave their owner’s machine. Drop that file here, or open it, to see what the link shows.';
    return [{ title: `This link is for ${file}`, text, kind: 'note', offers: this._offers, about: 'file' }];
  }

  /** What can be done where a file is wanted, or nothing is open. */
  private get _offers(): Remark['offers'] {
    return [{ name: 'Open a file…', take: () => this._parts.pick() }];
  }

  /** The compiler, for whom a user does not have to wait: what takes long can be stopped, which rejects with an `AbortError`. */
  private _patient(called: () => string): Opener['compiler'] {
    const { compiler, notice } = this._parts;
    return {
      ask: async (work, signal) => {
        signal?.throwIfAborted();
        const stop = new AbortController();
        const end = (): void => stop.abort();
        signal?.addEventListener('abort', end);
        const timer = setTimeout(
          () =>
            notice.show({
              title: `Still opening ${called()}`,
              text: 'Large maps can take minutes on slow machines.',
              kind: 'note',
              about: 'opening',
              offers: [{ name: 'Stop', take: end }],
            }),
          PATIENCE,
        );
        try {
          return await compiler.ask(work, stop.signal);
        } finally {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          notice.takeBack('opening');
        }
      },
    };
  }

  /** What is being opened is not wanted any more. */
  private _giveUpOpening(): AbortSignal {
    this._opening.abort();
    this._opening = new AbortController();
    return this._opening.signal;
  }

  /**
   * Opens a map; when that fails, says why and keeps the one before. Resolves with what came of it, unless it failed or
   * something else is wanted by now.
   */
  private async _open(
    name: string,
    { link, isStandIn = false }: Way,
    load: (opener: Opener, chosen: (name: string) => void) => Promise<Opened>,
  ): Promise<Opened | undefined> {
    const signal = this._giveUpOpening();
    const isAsked = !link && !isStandIn;
    let called = name;
    const chosen = (to: string): void => {
      called = to;
      this._parts.status.say(`Opening ${called}…`);
    };
    this._parts.notice.hide();
    this._parts.showLoading(true);
    chosen(name);
    try {
      const compiler = this._patient(() => called);
      const opened = await load({ compiler, signal }, chosen);
      const walker = opened.map && (await loadWalker(opened.map));
      if (signal.aborted) return undefined;
      const { map, remarks = [] } = opened;
      if (!map) {
        if (isAsked) this._goOn();
        this._parts.status.say();
        this._parts.notice.show(...remarks, ...this._wanted());
        return opened;
      }
      // First, as it may fail: then nothing else is to have changed.
      this._parts.draw(map);
      this._replacement = undefined;
      // Links name a map as it is called once it is unpacked.
      const awaited = isStandIn ? undefined : this._awaited;
      const isAwaited = !map.isOwn && awaited?.file === map.name;
      const followed = isAwaited ? awaited : link;
      // What the user opens comes after what is open, whose link holds its edits up to now.
      const isNext = !followed && !isStandIn && this._map !== undefined;
      this._parts.address.write();
      if (isNext) this._visits.push();
      this._set(map, walker, isNext && isSamePlace(map, this._map!));
      if (isStandIn) this._entry = undefined;
      else {
        this._awaited = undefined;
        this._belongsHere();
      }
      if (isNext) this._parts.address.push();
      this._parts.status.say();
      const all = [...remarks];
      if (awaited?.file && !isAwaited && !map.isOwn) {
        const text = `The link is for that file. What it says of it does not hold for ${map.name}.`;
        all.unshift({ title: `This is not ${awaited.file}`, text, kind: 'note' });
      }
      if (followed) all.push(...(await this._parts.apply(followed)));
      if (!signal.aborted) this._parts.notice.show(...all);
      return opened;
    } catch (error) {
      if (signal.aborted) return undefined;
      const isStopped = error instanceof DOMException && error.name === 'AbortError';
      // Whoever stops a link does not want its map any more.
      if (isAsked || isStopped) this._goOn();
      const problem = isStopped ? `Stopped opening ${called}` : `${called} could not be opened`;
      // A screen reader reads both: what the notice says is not said again.
      this._parts.status.say(isStopped && this._map ? problem : undefined);
      if (!isStopped) this._parts.notice.show(problemOf(problem, error), ...this._wanted());
      else if (this._map) this._parts.notice.show(...this._wanted());
      else this._parts.notice.show({ title: problem, text: NO_MAP, kind: 'note', offers: this._offers });
      return undefined;
    } finally {
      if (!signal.aborted) this._parts.showLoading(false);
    }
  }

  async replace(bytes: Uint8Array, text: string | undefined): Promise<void> {
    this._replacement = bytes;
    const map = await openBytes(bytes, { ...this._map!, text });
    const walker = await loadWalker(map);
    if (bytes !== this._replacement) return;
    this._parts.notice.takeBack('text');
    this._parts.draw(map);
    this._set(map, walker, true);
    // Also while a link waits for its map, or where that could not be opened.
    if (this._entry !== undefined) this._keep(this._entry);
  }

  /** The map is what the browser's history has here, and is found again here. */
  private _belongsHere(): void {
    this._entry = this._visits.current;
    this._keep(this._entry);
  }

  private _keep(entry: string): void {
    const { name, isOwn, bytes, text, original, materials, lit } = this._map!;
    this._visits.keep({ name, isOwn, bytes, text, original, materials, lit }, entry);
  }

  /**
   * The user goes on with the map that is open, as what was wanted did not come in its place: a link that was to be followed before
   * that does not count any more.
   */
  private _goOn(): void {
    if (!this._map || this._awaited || this.isHere) return;
    this._belongsHere();
    this._parts.address.write();
  }

  /** Leaves what is shown of the map behind in the browser's history: Back leads to it. */
  leaveBehind(): void {
    if (!this.isHere) return;
    this._parts.address.write();
    this._visits.pushSame();
    this._entry = this._visits.current;
    this._parts.address.push();
  }

  setDraft(text: string | undefined): void {
    const map = this._map!;
    this._visits.setDraft(map, text);
    if (text === undefined || this._entry !== undefined) return;
    // Who edits what stands in for a file has gone on from the link to that file, which stays behind in the history.
    this._awaited = undefined;
    this._parts.notice.takeBack('file');
    this._visits.push();
    this._belongsHere();
    this._parts.address.push();
  }

  private _set(map: OpenMap, walker: Walker | undefined, keepsView: boolean): void {
    this._map = map;
    this._parts.show(map, walker, keepsView);
    const triangles = this._parts.triangles().toLocaleString('en');
    this._parts.status.about = `${map.name}: ${versionOf(map)}, ${triangles} triangles.`;
  }
}
