import type { Rig } from '../camera/rig.ts';
import { highestCeiling } from '../camera/spawn.ts';
import { OWN_MAPS } from '../loading/own-maps.ts';
import { TOOLS } from '../tools/index.ts';
import type { Stage } from '../view/stage.ts';
import type { CurrentMap } from './current-map.ts';
import { type Changes, changedLines } from './edits.ts';
import type { Link, Mode, View } from './link.ts';
import { mapProblems } from './linked-map.ts';
import type { Remark } from './notice.ts';
import type { OpenMap } from './open-map.ts';
import type { ToolHost } from './tool-host.ts';
import { EXTRAS, type Extra, type ViewMenu } from './view-menu.ts';

/** What of the page is in its links. */
export interface PageLinkParts {
  readonly stage: Stage;
  readonly rig: Rig;
  readonly current: CurrentMap;
  readonly viewMenu: ViewMenu;
  readonly tools: ToolHost;
  setMode(mode: Mode): void;
  setView(view: View): void;
  /** Fits into the room that the view has now. */
  resize(): void;
  /** The eye is elsewhere. */
  moved(): void;
}

/** The link to what the page shows, and the page as a link has it. */
export class PageLink {
  private readonly _parts: PageLinkParts;
  private readonly _cuts = new WeakMap<OpenMap, { readonly cut: number | undefined }>();

  constructor(parts: PageLinkParts) {
    this._parts = parts;
  }

  /** What is shown of a map at first. */
  get usualView(): { readonly cut: number | undefined; readonly shown: readonly Extra[] } {
    const { current, stage } = this._parts;
    const own = OWN_MAPS.find(({ name }) => current.map?.isOwn && name === current.map.name);
    // Our own maps are as bright everywhere; others come with light that is worth seeing.
    return {
      cut: own ? own.cut : this._usualCut(current.map),
      shown: own || !stage.hasLightmaps ? [] : ['light'],
    };
  }

  /** Text keeps the outsides of walls and ceilings, which games' maps lack: one would see nothing of a room but a box. */
  private _usualCut(map: OpenMap | undefined): number | undefined {
    if (map?.text === undefined) return undefined;
    let known = this._cuts.get(map);
    if (!known) {
      known = { cut: highestCeiling(map) };
      this._cuts.set(map, known);
    }
    return known.cut;
  }

  /** Does what a link says; what it leaves out is as when the page opens with the map. Resolves with what it could not do. */
  async apply(link: Link): Promise<Remark[]> {
    const { current, rig, viewMenu, tools, setMode, setView, resize, moved } = this._parts;
    const { color, show, cut, mode, view, tool, state } = link;
    const usual = this.usualView;
    viewMenu.set({
      coloring: color ?? 'texture',
      shown: new Set(show ? EXTRAS.filter((name) => show.includes(name)) : usual.shown),
      cut: cut === 'all' ? undefined : (cut ?? usual.cut),
    });
    // A panel takes room from the view, which the map would be turned for.
    tools.close(false);
    resize();
    // From where the page opens, not from where one happens to be.
    setMode('orbit');
    if (!view) rig.reset();
    if (mode && mode !== 'orbit') setMode(mode);
    if (view) setView(view);
    // Who walks begins elsewhere if there is a wall, or nothing to stand on.
    const isElsewhere = view?.position.some((x, k) => Math.abs(x - rig.position[k]!) > 1);
    moved();
    const problems = [...mapProblems(link, current.map!)];
    const isKnown = TOOLS.some(({ id }) => id === tool);
    const opening = isKnown ? tools.open(tool!, state) : undefined;
    // Browsers do not report the size that a panel leaves if it was as large before the link.
    resize();
    const problem = isKnown
      ? await opening
      : tool && `It names a tool that this page does not have: ${tool}.`;
    if (problem) problems.push(problem);
    if (isElsewhere) problems.push('Nobody can walk from the link’s viewpoint.');
    const unread = [...(link.unread ?? [])];
    if (show && !show.every((name) => ['none', ...EXTRAS].includes(name))) unread.push('show');
    if (unread.length > 0) problems.push(`Parts that cannot be read: ${unread.join(', ')}.`);
    if (problems.length === 0) return [];
    return [{ title: 'Not all of this link can be shown', text: problems.join(' '), kind: 'note' }];
  }

  /** What was changed in one of our own maps; `undefined` where nothing was, or too much for a link. */
  private _changes(): Changes | undefined {
    const { text, original } = this._parts.current.map ?? {};
    if (text === undefined || original === undefined || text === original) return undefined;
    return changedLines(original, text);
  }

  /** The link to what is seen; none while the address is that of something else, which is being opened or awaited. */
  get link(): Link | undefined {
    const { current, rig, viewMenu, tools } = this._parts;
    if (!current.map || !current.isHere) return undefined;
    const { name, isOwn, format, text } = current.map;
    const { coloring, shown, cut } = viewMenu.options;
    const usual = this.usualView;
    const compiledFor = isOwn || text !== undefined ? format.id : undefined;
    return {
      ...(isOwn ? { map: name, lines: this._changes() } : { file: name }),
      format: compiledFor,
      mode: rig.mode,
      view: rig.view,
      color: coloring === 'texture' ? undefined : coloring,
      show: shown.size > 0 || isOwn ? [...shown] : ['none'],
      cut: cut === usual.cut ? undefined : (cut ?? 'all'),
      tool: tools.id,
      state: tools.state,
    };
  }

  /** What the link does not hold, for those who copy it. */
  get lack(): string {
    const { map, draft } = this._parts.current;
    if (map && !map.isOwn) return ' It does not contain your file: whoever opens it needs the file too.';
    const isChanged = draft !== undefined || (map?.text !== map?.original && !this._changes());
    return isChanged ? ' It cannot hold all of your changes: save the text as a .map, too.' : '';
  }
}
