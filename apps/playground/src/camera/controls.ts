import { keep, kept } from '../app/kept.ts';
import type { ToolPointer } from '../tools/tool.ts';
import { movesCamera } from './intents.ts';

/** What comes of keys and pointers. */
export interface ControlsListener {
  /** A tool may take a pointer; it then has it until it is up. */
  tool(event: ToolPointer): boolean;
  /** Drags of the camera, in CSS pixels. */
  drag(x: number, y: number): void;
  pan(x: number, y: number): void;
  zoom(factor: number): void;
  /** The mouse, while it is captured. */
  look(x: number, y: number): void;
  /** A press without a drag that nobody took. */
  click(event: ToolPointer): void;
  /** Keys are pressed or let go. */
  change(): void;
  /** The browser does not give the mouse. */
  refused(): void;
}

/** A pointer that is down. */
interface Press {
  readonly owner: 'tool' | 'camera';
  readonly pans: boolean;
  x: number;
  y: number;
  way: number;
}

const NARROW = 'bspkit-keys';

/** Farther than this, in CSS pixels, a press is a drag. */
const CLICK = 5;

/** Keys and pointers of the view. Text fields keep their keys. */
export class Controls {
  /** Codes of the camera's keys that are down. */
  readonly keys: Set<string> = new Set();
  /**
   * Whether keys do something only while the view has the focus: some visitors press keys that they did not mean, or have
   * dictated words typed.
   */
  isNarrow: boolean = kept(NARROW) !== null;
  private readonly _presses = new Map<number, Press>();
  private readonly _element: HTMLElement;
  private readonly _listener: ControlsListener;

  constructor(element: HTMLElement, listener: ControlsListener) {
    this._element = element;
    this._listener = listener;
    element.addEventListener('pointerdown', (event) => this._down(event));
    element.addEventListener('pointermove', (event) => this._move(event));
    element.addEventListener('pointerup', (event) => this._up(event, 'up'));
    element.addEventListener('pointercancel', (event) => this._up(event, 'cancel'));
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('wheel', (event) => this._wheel(event), { passive: false });
    window.addEventListener('keydown', (event) => this._key(event, true));
    window.addEventListener('keyup', (event) => this._key(event, false));
    // A page that is left, and comes back as it was, does not hear of keys that were let go meanwhile.
    for (const gone of ['blur', 'pagehide']) window.addEventListener(gone, () => this._release());
    document.addEventListener('pointerlockchange', () => listener.change());
    document.addEventListener('pointerlockerror', () => listener.refused());
  }

  /** Whether the mouse turns the view without a button. */
  get isCaptured(): boolean {
    return document.pointerLockElement === this._element;
  }

  /** Asks the browser for the mouse; it may say no. */
  capture(): void {
    const asked = this._element.requestPointerLock?.() as Promise<void> | undefined;
    asked?.catch(() => {});
  }

  /** Gives the mouse back. */
  letGo(): void {
    if (this.isCaptured) document.exitPointerLock();
  }

  /** Chooses {@link Controls.isNarrow}, also for the next visit. */
  narrow(isNarrow: boolean): void {
    this.isNarrow = isNarrow;
    keep(NARROW, isNarrow ? 'view' : undefined);
  }

  /** Whether a key is for the page, and not for what has the focus. */
  hears({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || takesText(target)) return false;
    return !this.isNarrow || target === this._element;
  }

  private _event(event: PointerEvent, type: ToolPointer['type']): ToolPointer {
    const { left, top, width, height } = this._element.getBoundingClientRect();
    const { isCaptured } = this;
    return {
      type,
      x: isCaptured ? width / 2 : event.clientX - left,
      y: isCaptured ? height / 2 : event.clientY - top,
      button: Math.max(0, event.button),
      isDown: this._presses.has(event.pointerId),
      isTouch: event.pointerType === 'touch',
      shift: event.shiftKey,
      alt: event.altKey,
    };
  }

  private _down(event: PointerEvent): void {
    this._element.focus({ preventScroll: true });
    const owner = this._listener.tool(this._event(event, 'down')) ? 'tool' : 'camera';
    const pans = event.button !== 0 || event.shiftKey;
    this._presses.set(event.pointerId, { owner, pans, x: event.clientX, y: event.clientY, way: 0 });
    // Two fingers do not click, even where one of them rests.
    if (this._presses.size > 1) for (const press of this._presses.values()) press.way = CLICK + 1;
    if (!this.isCaptured) this._follow(event.pointerId);
  }

  /** Has the browser report a pointer outside the view, too, until it is up. */
  private _follow(pointer: number): void {
    try {
      this._element.setPointerCapture(pointer);
    } catch {
      // The browser refuses as soon as it has been asked for the mouse, as the first of two clicks does, not only once it gives it.
    }
  }

  private _move(event: PointerEvent): void {
    const press = this._presses.get(event.pointerId);
    if (this.isCaptured) {
      this._listener.look(event.movementX, event.movementY);
      if (press?.owner === 'tool') this._listener.tool(this._event(event, 'move'));
      return;
    }
    if (press?.owner !== 'camera') {
      this._listener.tool(this._event(event, 'move'));
      return;
    }
    const [x, y] = [event.clientX - press.x, event.clientY - press.y];
    const apart = this._apart();
    press.x = event.clientX;
    press.y = event.clientY;
    press.way += Math.abs(x) + Math.abs(y);
    if (press.way <= CLICK) return;
    if (apart !== undefined) {
      // Two fingers: what is between them follows them, and comes nearer as they part.
      this._listener.pan(x / 2, y / 2);
      this._listener.zoom(apart / Math.max(1, this._apart()!));
    } else if (press.pans) this._listener.pan(x, y);
    else this._listener.drag(x, y);
  }

  private _up(event: PointerEvent, type: 'up' | 'cancel'): void {
    const press = this._presses.get(event.pointerId);
    this._presses.delete(event.pointerId);
    if (!press) return;
    const made = this._event(event, type);
    if (press.owner === 'tool') this._listener.tool(made);
    else if (press.way <= CLICK && type === 'up') this._listener.click({ ...made, type: 'click' });
  }

  /** Distance between two fingers that move the camera. */
  private _apart(): number | undefined {
    const own = [...this._presses.values()].filter(({ owner }) => owner === 'camera');
    return own.length === 2 ? Math.hypot(own[0]!.x - own[1]!.x, own[0]!.y - own[1]!.y) : undefined;
  }

  private _wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this._listener.zoom(Math.exp(Math.min(Math.max(event.deltaY * lines, -240), 240) * 0.0015));
  }

  private _key(event: KeyboardEvent, isDown: boolean): void {
    // On a Mac nothing is heard of keys that are let go while Command is down. Those that are still held come again.
    if (event.key === 'Meta' && !isDown) this._release();
    if (!movesCamera(event.code)) return;
    if (!isDown) {
      if (this.keys.delete(event.code)) this._listener.change();
      return;
    }
    if (!this.hears(event)) return;
    // Space presses the button that has the focus, and arrows move a slider; elsewhere they would scroll.
    const isControl = event.target instanceof Element && event.target.closest('button, a, summary, input');
    if (isControl && (event.code === 'Space' || event.code.startsWith('Arrow'))) return;
    event.preventDefault();
    if (!this.keys.has(event.code)) {
      this.keys.add(event.code);
      this._listener.change();
    }
  }

  private _release(): void {
    this.keys.clear();
    this._listener.change();
  }
}

/**
 * Whether an element takes letters for itself, as boxes to tick and sliders do not. One in a dialog that was just closed has
 * the focus until the next frame.
 */
export function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range])') ||
      target.closest('dialog[open]') !== null)
  );
}
