import { Controls } from '../camera/controls.ts';
import { readIntents } from '../camera/intents.ts';
import { Rig } from '../camera/rig.ts';
import { findSpawns } from '../camera/spawn.ts';
import { Stick } from '../camera/stick.ts';
import { levelsOf } from '../games/index.ts';
import type { Walker } from '../games/walker.ts';
import type { Compiler } from '../loading/compiler.ts';
import { TOOLS } from '../tools/index.ts';
import type { ToolPointer } from '../tools/tool.ts';
import type { Stage } from '../view/stage.ts';
import { Address } from './address.ts';
import { CurrentMap } from './current-map.ts';
import { h } from './dom.ts';
import { takeDrops } from './drop.ts';
import { Frames } from './frames.ts';
import { Header, NOBODY_WALKS } from './header.ts';
import { createHelp } from './help.ts';
import { createHook, type PlaygroundHook } from './hook.ts';
import { keyName } from './keys.ts';
import { COLORINGS, type Coloring, MODES, type Mode, type View } from './link.ts';
import { MapMenu } from './map-menu.ts';
import { Notice, type Remark } from './notice.ts';
import type { OpenMap } from './open-map.ts';
import { PageLink } from './page-link.ts';
import { takePrints } from './print.ts';
import { saveFile } from './save.ts';
import { watchSize } from './size.ts';
import { Status } from './status.ts';
import { Themes } from './theme.ts';
import { ToolHost } from './tool-host.ts';
import { ViewMenu } from './view-menu.ts';

/** What is said where the map was, when the browser takes the graphics card away. */
const LOST: Remark = {
  title: 'The view was lost',
  text:
    'The browser stopped drawing in 3D. The view usually comes back by itself; ' +
    'if it does not, reload the page.',
  kind: 'error',
};

/** Buttons of the page that do something at once; menus keep the keys. */
const LETS_GO = '.bar button:not([popovertarget]), .tool, .panel > header button, .stick button';

/** How much nearer or farther a key goes. */
const STEP = 1.2;

/** Degrees from side to side: as the games have it, and of who looks at a model of the map. */
const WIDE = 90;
const NARROW = 58;

/** The page. */
export class App {
  private readonly _stage: Stage;
  private readonly _rig = new Rig();
  private readonly _themes = new Themes();
  private readonly _status = new Status();
  private readonly _notice = new Notice(() => this._focusView());
  private readonly _lost = new Notice(() => this._focusView(), true);
  private readonly _mapMenu: MapMenu;
  private readonly _viewMenu: ViewMenu;
  private readonly _tools: ToolHost;
  private readonly _controls: Controls;
  private readonly _stick: Stick;
  private readonly _help: HTMLDialogElement;
  private readonly _view: HTMLElement;
  private readonly _header: Header;
  private readonly _frames = new Frames({
    advance: (seconds) => this._advance(seconds),
    prepare: (seconds) => this._prepare(seconds),
    render: () => this._render(),
    isMoving: () => this._rig.moves || this._controls.keys.size > 0 || this._stick.isHeld,
  });
  private readonly _address = new Address(
    () => this._pageLink.link,
    () => this._current.entry,
  );
  private readonly _current: CurrentMap;
  private readonly _pageLink: PageLink;
  /** What a visitor who has not touched anything yet is told. */
  private readonly _firstHint = h(
    'p',
    { class: 'hint is-first' },
    'Drag to turn, scroll or pinch to zoom; then open a tool, or walk around',
  );

  constructor(root: HTMLElement, stage: Stage, compiler: Compiler) {
    this._stage = stage;
    const { canvas } = stage;
    // Arrow keys are for the handles in it: screen readers pass them on.
    const overlay = h('div', { class: 'overlay', role: 'application', 'aria-label': 'Handles' });
    this._current = new CurrentMap({
      compiler,
      address: this._address,
      notice: this._notice,
      status: this._status,
      showLoading: (isLoading) => this._view.classList.toggle('is-loading', isLoading),
      draw: (map) => this._stage.setMap(map),
      show: (map, walker, keepsView) => this._showMap(map, walker, keepsView),
      triangles: () => this._stage.triangles,
      apply: (link) => this._pageLink.apply(link),
      takes: (beginning) => this._tools.takes(beginning),
      give: (name, bytes) => this._tools.give(name, bytes),
      pick: () => this._mapMenu.pick(),
    });
    this._mapMenu = new MapMenu({
      own: (name, format) => {
        this._focusView();
        void this._current.openOwn(name, format);
      },
      text: (source, format) => {
        this._focusView();
        void this._current.compileFor(source, format);
      },
      files: (files) => {
        this._focusView();
        void this._current.openFiles(files);
      },
    });
    this._viewMenu = new ViewMenu(() => this._viewChanged());
    this._stick = new Stick(() => this._frames.wake());
    this._tools = new ToolHost(TOOLS, {
      stage: this._stage,
      compiler,
      overlay,
      map: () => this._map,
      theme: () => this._themes.current,
      camera: () => this._rig,
      lookAt: (from, to) => {
        this._rig.lookAt(from, to, (eye, point) => this._stage.sees(eye, point));
        this._moved();
      },
      replaceMap: (bytes, text) => this._current.replace(bytes, text),
      draft: {
        get: () => this._current.draft,
        set: (text) => this._current.setDraft(text),
      },
      saveText: (text) => this._saveText(text),
      leaveBehind: () => this._current.leaveBehind(),
      requestRender: () => this._frames.draw(),
      say: (message) => this._status.say(message),
      change: () => this._address.change(),
    });
    this._pageLink = new PageLink({
      stage: this._stage,
      rig: this._rig,
      current: this._current,
      viewMenu: this._viewMenu,
      tools: this._tools,
      setMode: (mode) => this._setMode(mode),
      setView: (view) => this._setView(view),
      resize: () => this._resize(),
      moved: () => this._moved(),
    });
    this._view = h(
      'main',
      { class: 'view', 'data-mode': 'orbit', 'aria-label': 'View' },
      canvas,
      overlay,
      h('div', { class: 'crosshair', 'aria-hidden': 'true' }),
      this._firstHint,
      h(
        'p',
        { class: 'hint' },
        'W A S D to move, Space to jump or rise, drag to look, L to capture the mouse',
      ),
      h('p', { class: 'hint is-touch' }, 'Drag to look around'),
      this._status.speed,
      this._stick.element,
      h('div', { class: 'notices' }, this._lost.element, this._notice.element),
    );
    this._header = new Header({
      mapMenu: this._mapMenu,
      viewMenu: this._viewMenu,
      themes: this._themes,
      toggleTheme: () => this._toggleTheme(),
      setMode: (mode) => {
        this._focusView();
        this._setMode(mode);
      },
      copyLink: () => void this._copyLink(),
      help: () => this._showHelp(),
    });
    root.replaceChildren(
      this._header.element,
      this._tools.toolbar,
      this._view,
      this._tools.panel,
      this._status.element,
    );
    // After a click with the mouse the space bar jumps; who presses buttons with keys goes on from there.
    root.addEventListener('click', ({ detail, target }) => {
      if (detail > 0 && target instanceof Element && target.closest(LETS_GO)) this._focusView();
    });
    this._controls = new Controls(canvas, {
      tool: (event) => this._tools.pointer(event),
      drag: (x, y) => {
        if (this._rig.mode !== 'orbit') this._view.classList.add('has-looked');
        this._rig.drag(x, y);
        this._moved();
      },
      pan: (x, y) => {
        this._rig.pan(x, y, canvas.clientHeight);
        this._moved();
      },
      zoom: (factor) => this._zoom(factor),
      look: (x, y) => {
        this._rig.look(x, y);
        this._moved();
      },
      click: (event) => this._clicked(event),
      change: () => this._keysChanged(),
      refused: () => this._status.say('The browser did not capture the mouse; drag to look around.'),
    });
    this._help = createHelp(TOOLS, this._controls);
    document.body.append(this._mapMenu.menu, this._viewMenu.menu, this._help);
    this._listen();
    this._themes.watch((theme) => {
      this._stage.setTheme(theme);
      this._tools.themeChanged();
      this._frames.draw();
    });
  }

  /** Opens what the address asks for, or the arena. */
  async start(): Promise<void> {
    // Whoever follows a link sees what the link is about.
    if (location.hash.length > 1) this._firstHint.remove();
    // A screen reader's press of a button is a click alone.
    for (const event of ['pointerdown', 'click', 'wheel', 'keydown', 'drop', 'popstate']) {
      window.addEventListener(event, () => this._firstHint.remove(), { once: true, passive: true });
    }
    await this._current.goTo(history.state);
  }

  /** What tests and other pages can ask. */
  hook(ready: Promise<void>): PlaygroundHook {
    return createHook({
      ready,
      stage: this._stage,
      rig: this._rig,
      current: this._current,
      tools: this._tools,
      frames: this._frames,
      address: this._address,
      setMode: (mode) => this._setMode(mode),
      setView: (view) => this._setView(view),
    });
  }

  /** Keys are for the view then: the space bar jumps, and does not press the button that was pressed last. */
  private _focusView(): void {
    this._stage.canvas.focus({ preventScroll: true });
  }

  private _listen(): void {
    watchSize(this._view, () => this._resize());
    window.addEventListener('keydown', (event) => this._key(event));
    window.addEventListener('popstate', ({ state }) => void this._current.goTo(state));
    window.addEventListener('pagehide', () => this._address.write());
    window.addEventListener('beforeunload', (event) => {
      if (this._current.hasUnsaved) event.preventDefault();
    });
    const { canvas } = this._stage;
    takePrints(this._view, canvas, () => this._frames.drawNow());
    canvas.addEventListener('webglcontextlost', () => this._lost.show(LOST));
    canvas.addEventListener('webglcontextrestored', () => {
      this._lost.hide();
      this._frames.draw();
    });
    takeDrops(this._view, (files) => void this._current.openFiles(files));
  }

  // Maps

  private get _map(): OpenMap | undefined {
    return this._current.map;
  }

  private _showMap(map: OpenMap, walker: Walker | undefined, keepsView: boolean): void {
    const bounds = this._stage.bounds ?? map.world.bounds;
    const { mins, maxs } = bounds;
    this._viewMenu.setMap(mins[2]!, maxs[2]!, levelsOf(map), this._stage.hasLightmaps);
    if (!keepsView) {
      const usual = this._pageLink.usualView;
      const others = [...this._viewMenu.options.shown].filter((name) => name !== 'light');
      this._viewMenu.set({ cut: usual.cut, shown: new Set([...others, ...usual.shown]) });
      if (this._rig.mode === 'walk') this._rig.mode = 'orbit';
    }
    const top = Math.min(maxs[2]!, this._viewMenu.options.cut ?? maxs[2]!);
    const shown = { mins, maxs: [maxs[0]!, maxs[1]!, top] };
    this._rig.setWorld(shown, findSpawns(map.world), walker, keepsView);
    this._header.allow(walker !== undefined);
    this._mapMenu.show(map);
    document.title = `${map.name} · bspkit playground`;
    this._tools.worldChanged();
    this._moved();
    performance.mark('map-open');
  }

  /** Gives the text of the map to the user as a file. */
  private _saveText(text: string): void {
    const map = this._map!;
    const name = `${map.name.replace(/\.map$/i, '')}.map`;
    saveFile(name, text);
    this._current.setSaved(text);
    this._status.say(`Saved ${name}.`);
  }

  // Keys, pointer, time

  private _key(event: KeyboardEvent): void {
    if (!this._controls.hears(event)) return;
    const name = keyName(event);
    // Held down, keys go on stepping, but letters and digits do what they do once.
    if (event.repeat && /^(Key|Digit|Numpad)/.test(name)) return;
    if (event.key === '?') this._showHelp();
    else if (/^[1-9]$/.test(event.key)) this._tools.toggleNumber(Number(event.key) - 1);
    else if (!this._pageKey(name) && !this._tools.key(event)) return;
    event.preventDefault();
  }

  private _pageKey(name: string): boolean {
    const { coloring } = this._viewMenu.options;
    const keys: Readonly<Record<string, () => void>> = {
      KeyN: () => this._toggleTheme(),
      KeyO: () => this._mapMenu.pick(),
      // The others are for a map, as the buttons are that wait for the first one.
      ...(this._map && {
        KeyM: () => this._nextMode(),
        KeyR: () => this._reset(),
        KeyL: () => this._capture(),
        KeyG: () => this._tapMiddle(),
        KeyX: () => this._recolor(nextOf(COLORINGS, coloring)),
        BracketLeft: () => this._moveCut(-1),
        BracketRight: () => this._moveCut(1),
        '-': () => this._zoom(STEP),
        '=': () => this._zoom(1 / STEP),
      }),
    };
    if (!Object.hasOwn(keys, name)) return false;
    keys[name]!();
    return true;
  }

  private _clicked(event: ToolPointer): void {
    if (this._tools.pointer(event)) return;
    // A tool may still be on its way, or have nothing there.
    if (this._tools.id || this._rig.mode === 'orbit' || event.isTouch || event.button !== 0) return;
    this._controls.capture();
  }

  /** What pointers do at a place of the view, for those who have keys alone. */
  private _tapMiddle(): void {
    const { clientWidth, clientHeight } = this._view;
    const at = { x: clientWidth / 2, y: clientHeight / 2 };
    const how = { button: 0, isDown: false, isTouch: true, shift: false, alt: false };
    if (this._tools.pointer({ type: 'click', ...at, ...how })) return;
    this._status.say(
      this._tools.id ? 'There is nothing for this tool in the middle of the view.' : 'No tool is open.',
    );
  }

  private _zoom(factor: number): void {
    this._rig.zoom(factor);
    this._moved();
  }

  private _reset(): void {
    this._rig.reset();
    this._moved();
  }

  private _toggleTheme(): void {
    this._status.say(this._themes.toggle());
  }

  private _showHelp(): void {
    // Who reads needs the mouse to scroll and to close.
    this._controls.letGo();
    this._help.showModal();
  }

  private _capture(): void {
    if (this._rig.mode !== 'orbit') this._controls.capture();
    else this._status.say('The mouse is only captured in fly and walk.');
  }

  private _recolor(coloring: Coloring): void {
    this._viewMenu.set({ coloring });
    this._status.say(`Coloured by ${coloring}.`);
  }

  private _moveCut(steps: number): void {
    this._viewMenu.moveCut(steps);
    if (this._rig.mode !== 'orbit') this._status.say('The cut is only shown in orbit.');
  }

  private _keysChanged(): void {
    this._view.classList.toggle('is-captured', this._controls.isCaptured);
    if (this._controls.keys.size > 0) this._view.classList.add('has-moved');
    this._frames.wake();
  }

  private _nextMode(): void {
    if (!this._setMode(nextOf(MODES, this._rig.mode))) this._setMode(MODES[0]);
  }

  private _setMode(mode: Mode): boolean {
    if (!this._map) return false;
    const { _rig: rig } = this;
    const could = rig.setMode(mode, this._stage.ahead(rig.position, rig.direction));
    if (!could) this._status.say(NOBODY_WALKS);
    this._moved();
    return could;
  }

  private _setView(view: View): void {
    this._rig.setView(view);
    // From there it goes around something else.
    if (this._rig.mode === 'orbit') this._setMode('orbit');
    else this._moved();
  }

  /** The eye is elsewhere. */
  private _moved(): void {
    const { mode } = this._rig;
    if (mode === 'orbit') this._controls.letGo();
    this._header.show(mode);
    this._view.dataset.mode = mode;
    this._cut();
    this._stick.setButtons(mode === 'walk', (this._rig.walker?.eyeHeights.length ?? 0) > 1);
    this._address.change();
    this._frames.draw();
  }

  private _viewChanged(): void {
    const { coloring, shown } = this._viewMenu.options;
    this._stage.setColoring(coloring);
    for (const kind of ['sky', 'hidden'] as const) this._stage.show(kind, shown.has(kind));
    this._stage.showLightmaps(shown.has('light'));
    this._viewMenu.setLegend(this._stage.legend);
    this._cut();
    this._address.change();
    this._frames.draw();
  }

  /** Cuts away what is above the chosen height, for who looks from outside: who is inside sees all of it. */
  private _cut(): void {
    this._stage.setTop(this._rig.mode === 'orbit' ? this._viewMenu.options.cut : undefined);
  }

  private _resize(): void {
    const { clientWidth, clientHeight } = this._view;
    if (clientWidth === 0 || clientHeight === 0) return;
    this._stage.resize(clientWidth, clientHeight, devicePixelRatio);
    Object.assign(this._rig.lens, this._stage.setAngle(NARROW));
    if (this._rig.refit()) this._moved();
    // At once: a canvas that was resized is empty until it is drawn.
    this._frames.drawNow();
  }

  /** Lets time pass for the eye, and says whether it is elsewhere now. */
  private _advance(seconds: number): boolean {
    const intents = readIntents(this._controls.keys, this._stick);
    const { mode } = this._rig;
    if (!this._map || !this._rig.update(seconds, intents)) return false;
    this._address.change();
    // Who fell out of a map without ground is not put back into it.
    if (mode !== this._rig.mode) {
      this._moved();
      this._status.say(NOBODY_WALKS);
    }
    return true;
  }

  private _prepare(seconds: number): void {
    const { _rig: rig } = this;
    this._stage.setAngle(rig.mode === 'orbit' ? NARROW : WIDE);
    this._stage.look(rig.position, rig.direction, rig.up);
    this._tools.update(seconds);
    this._status.show(rig.mode, rig.position, rig.walker);
  }

  private _render(): void {
    this._stage.render();
    if (this._map && performance.getEntriesByName('map-drawn').length === 0) performance.mark('map-drawn');
  }

  // Links

  private async _copyLink(): Promise<void> {
    this._address.write();
    let said = 'Copied the link.';
    try {
      await navigator.clipboard.writeText(this._address.now);
    } catch {
      said = 'The browser did not allow copying; the link is in the address bar.';
    }
    said += this._pageLink.lack;
    this._status.say(said);
    this._header.copied(said);
  }
}

/** The one after, around the end. */
function nextOf<T>(list: readonly T[], now: T): T {
  return list[(list.indexOf(now) + 1) % list.length]!;
}
