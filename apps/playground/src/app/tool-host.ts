import type { Vec3 } from '@bspkit/core';
import type { Compiler } from '../loading/compiler.ts';
import type { Compiled, Json, MountedTool, ToolContext, ToolEntry, ToolPointer } from '../tools/tool.ts';
import type { Stage } from '../view/stage.ts';
import { canHaveFocus, h, icon } from './dom.ts';
import { glossaryLink } from './help.ts';
import { ICONS } from './icons.ts';
import type { Mode } from './link.ts';
import { RELOAD, reasonOf } from './notice.ts';
import type { OpenMap } from './open-map.ts';
import type { Theme } from './theme.ts';

/** What the page gives to its tools. */
export interface ToolHostParts {
  readonly stage: Stage;
  readonly compiler: Compiler;
  readonly overlay: HTMLElement;
  map(): OpenMap | undefined;
  theme(): Theme;
  camera(): { readonly mode: Mode; readonly position: Vec3; readonly direction: Vec3 };
  lookAt(from: Vec3, to: Vec3): void;
  replaceMap: ToolContext['replaceMap'];
  readonly draft: ToolContext['draft'];
  saveText(text: string): void;
  leaveBehind(): void;
  requestRender(): void;
  /** Says something in the status line; without a message, what there is to say of the map. */
  say(message?: string): void;
  /** The tool or its state is another: the link is. */
  change(): void;
}

/** A compilation that takes longer than this is given up for a newer one, in milliseconds. */
const PATIENCE = 1500;

/** The buttons of the tools, the panel, and the one tool that is in use. */
export class ToolHost {
  readonly toolbar: HTMLElement;
  readonly panel: HTMLElement;
  private readonly _parts: ToolHostParts;
  private readonly _tools: readonly ToolEntry[];
  private readonly _buttons = new Map<string, HTMLButtonElement>();
  private readonly _title = h('h2', { id: 'tool-title', tabindex: '-1' });
  private readonly _help = h('p', { class: 'muted' });
  private readonly _body = h('div', { class: 'panel-body' });
  private _entry: ToolEntry | undefined;
  private _mounted: MountedTool | undefined;
  private _state: Json | undefined;
  private readonly _compilations: { began: number; next: Compilation | undefined; stop: AbortController } = {
    began: 0,
    next: undefined,
    stop: new AbortController(),
  };
  private _isCompiling = false;

  constructor(tools: readonly ToolEntry[], parts: ToolHostParts) {
    this._tools = tools;
    this._parts = parts;
    this.toolbar = h('nav', { class: 'tools', 'aria-label': 'Tools' });
    for (const entry of tools) {
      const button = h(
        'button',
        {
          class: 'tool',
          type: 'button',
          disabled: true, // until there is a map
          'aria-pressed': 'false',
          onclick: () => this.toggle(entry.id),
        },
        icon(entry.icon),
        h('span', {}, entry.title),
      );
      this._buttons.set(entry.id, button);
      this.toolbar.append(button);
    }
    const close = h(
      'button',
      { class: 'icon-button', type: 'button', 'aria-label': 'Close tool', onclick: () => this.close(true) },
      icon(ICONS.close),
    );
    this.panel = h(
      'aside',
      { class: 'panel', 'aria-labelledby': 'tool-title', hidden: true },
      h('header', {}, this._title, close),
      this._help,
      this._body,
    );
  }

  /** The tool in use, and its state, for the link. */
  get id(): string | undefined {
    return this._entry?.id;
  }

  get state(): Json | undefined {
    return this._state;
  }

  /** Opens the k-th tool, or closes it. Says why where it cannot. */
  toggleNumber(k: number): void {
    const entry = this._tools[k];
    const problem = entry && this._problem(entry);
    if (problem) this._parts.say(problem);
    else if (entry) this.toggle(entry.id);
  }

  toggle(id: string): void {
    if (this._entry?.id === id) this.close(false);
    else void this.open(id, undefined);
  }

  /** Opens a tool, if there is one of that name, and a map. Resolves with why it cannot be used for the map. */
  async open(id: string, state: Json | undefined): Promise<string | undefined> {
    const entry = this._tools.find((tool) => tool.id === id);
    if (!entry || !this._parts.map()) return undefined;
    const problem = this._problem(entry);
    if (problem) return problem;
    const wasInside = this._hasFocus;
    this.close(false);
    this._entry = entry;
    this._state = state;
    this._title.textContent = entry.title;
    this._help.replaceChildren(entry.help, ' ', glossaryLink('Glossary'));
    this.panel.hidden = false;
    // Who went on from one tool to the next, by a button in the panel, is in that of the next.
    if (wasInside) this._title.focus();
    // On the smallest screens it is below the view.
    this._title.scrollIntoView({ block: 'nearest' });
    this._changed();
    await this._load(entry);
    return undefined;
  }

  /** Why a tool cannot be used for the map. */
  private _problem({ title, lacks }: ToolEntry): string | undefined {
    const map = this._parts.map();
    const lack = map && lacks?.(map);
    return lack && `${title}: this map has no ${lack}.`;
  }

  /** Puts a tool into the panel as soon as it is loaded, or else a button for another try. */
  private async _load(entry: ToolEntry): Promise<void> {
    const loaded = await entry.load(this._parts.map()!).catch(reasonOf);
    // Another one may have been opened while this one was loaded.
    if (this._entry !== entry || this._mounted) return;
    this._body.replaceChildren();
    if (typeof loaded !== 'string') this._mounted = loaded.mount(this._body, this._context(entry));
    else {
      this._body.append(
        h('p', { class: 'muted', role: 'alert' }, `It could not be loaded. ${loaded}`),
        h('button', { type: 'button', class: 'retry', onclick: RELOAD.take }, RELOAD.name),
      );
    }
    this._parts.change();
    this._parts.requestRender();
  }

  /** Whether some tool takes a file that begins so. */
  takes(bytes: Uint8Array): boolean {
    return this._tools.some((tool) => tool.takes?.(bytes));
  }

  /** Gives a file to the tool that takes it, which is opened for that. */
  async give(name: string, bytes: Uint8Array): Promise<void> {
    const { id } = this._tools.find((tool) => tool.takes?.(bytes))!;
    if (this._entry?.id !== id || !this._mounted) await this.open(id, undefined);
    if (this._entry?.id === id) await this._mounted?.file?.(name, bytes);
  }

  private get _hasFocus(): boolean {
    return this.panel.contains(document.activeElement);
  }

  /** @param focuses - whether the focus goes back to the tool's button. */
  close(focuses: boolean): void {
    const entry = this._entry;
    if (!entry) return;
    // The view has the keys then, as neither a panel nor handles that are not there can.
    if (this._hasFocus || this._parts.overlay.contains(document.activeElement))
      this._parts.stage.canvas.focus({ preventScroll: true });
    this._mounted?.dispose();
    this._mounted = undefined;
    this._entry = undefined;
    this._state = undefined;
    this._body.replaceChildren();
    this._parts.overlay.replaceChildren();
    this.panel.hidden = true;
    this._changed();
    if (focuses) this._buttons.get(entry.id)?.focus();
    this._parts.change();
    this._parts.requestRender();
  }

  /** The map is another one. */
  worldChanged(): void {
    const { activeElement } = document;
    const wasInside = this._hasFocus;
    for (const [k, entry] of this._tools.entries()) {
      const button = this._buttons.get(entry.id)!;
      const problem = this._problem(entry);
      button.disabled = problem !== undefined;
      button.title = `${problem ? `${problem} ` : ''}${entry.help} (${k + 1})`;
    }
    if (this._entry && this._problem(this._entry)) this.close(false);
    void this._keepFocus(this._mounted?.worldChanged?.(), activeElement, wasInside);
  }

  /**
   * Tools make some of their controls anew for another map, and handles, or hide them until they know more of it, and buttons are of no
   * use in some maps: what had the focus may be gone.
   */
  private async _keepFocus(
    change: void | Promise<void>,
    focused: Element | null,
    wasInside: boolean,
  ): Promise<void> {
    await change;
    const { activeElement: now, body } = document;
    if (focused === body || (now !== body && canHaveFocus(now))) return;
    (wasInside && this._mounted ? this._title : this._parts.stage.canvas).focus({ preventScroll: true });
  }

  themeChanged(): void {
    this._mounted?.themeChanged?.();
  }

  pointer(event: ToolPointer): boolean {
    return this._mounted?.pointer?.(event) ?? false;
  }

  key(event: KeyboardEvent): boolean {
    return this._mounted?.key?.(event) ?? false;
  }

  update(seconds: number): void {
    this._mounted?.update?.(seconds);
  }

  /** Another tool is in use, or none: buttons show it, and what the one before said is taken back. */
  private _changed(): void {
    this._parts.say();
    for (const [id, button] of this._buttons) {
      button.setAttribute('aria-pressed', String(id === this._entry?.id));
    }
  }

  private _context(entry: ToolEntry): ToolContext {
    const { _parts: parts } = this;
    const { stage } = parts;
    const isOpen = (): boolean => this._entry === entry;
    const state = {
      get: () => this._state,
      set: (value: Json | undefined) => {
        if (!isOpen()) return;
        this._state = value;
        parts.change();
      },
    };
    return {
      get map() {
        return parts.map()!;
      },
      scene: stage,
      camera: {
        get position() {
          return parts.camera().position;
        },
        get direction() {
          return parts.camera().direction;
        },
        lookAt: (from, to) => parts.lookAt(from, to),
      },
      overlay: parts.overlay,
      state,
      leaveBehind: () => parts.leaveBehind(),
      get colors() {
        return parts.theme().tools;
      },
      requestRender: () => parts.requestRender(),
      pick: (x, y) => stage.pick(x, y),
      sightLine: (x, y) => stage.sightLine(x, y),
      // From inside, walls are seen from the front.
      shownFrom: (x, y) => (parts.camera().mode === 'orbit' ? stage.shownFrom(x, y) : 0),
      project: (point) => stage.project(point),
      compile: (text, format) => this._compile(text, format),
      replaceMap: (bytes, text) => parts.replaceMap(bytes, text),
      draft: parts.draft,
      saveText: (text) => parts.saveText(text),
      openTool: (id, value) => void this.open(id, value),
      announce: (message) => parts.say(message),
    };
  }

  /** One compilation after the other; of those that wait, only the latest is of use. */
  private _compile(text: string, format: string): Promise<Compiled> {
    return new Promise((resolve, reject) => {
      const { _compilations: all } = this;
      all.next?.reject(outdated());
      all.next = { text, format, resolve, reject };
      if (this._isCompiling && performance.now() - all.began > PATIENCE) all.stop.abort();
      if (!this._isCompiling) void this._compileNext();
    });
  }

  private async _compileNext(): Promise<void> {
    const { _compilations: all } = this;
    this._isCompiling = true;
    for (let next = all.next; next; next = all.next) {
      all.next = undefined;
      all.began = performance.now();
      all.stop = new AbortController();
      const { text, format } = next;
      const materials = this._parts.map()?.materials;
      try {
        const work = { kind: 'compile', text, format: format as never, materials } as const;
        const compiled = await this._parts.compiler.ask(work, all.stop.signal);
        if (all.next) next.reject(outdated());
        else next.resolve(compiled);
      } catch (error) {
        next.reject(error);
      }
    }
    this._isCompiling = false;
  }
}

interface Compilation {
  readonly text: string;
  readonly format: string;
  resolve(compiled: Compiled): void;
  reject(error: unknown): void;
}

const outdated = (): DOMException => new DOMException('a later compilation was asked for', 'AbortError');
