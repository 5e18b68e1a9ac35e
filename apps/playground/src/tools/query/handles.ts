import { h, icon } from '../../app/dom.ts';
import type { ToolContext } from '../tool.ts';
import type { Probe } from './probe.ts';
import { roundPoint } from './query.ts';

/** A point of the scene that can be dragged, or moved with the arrow keys once it has the focus. */
export interface Handle {
  /** As screen readers say it. */
  readonly name: string;
  readonly style: 'start' | 'end';
  /** How far arrow keys move it, and Page Up and Page Down, where it can only stand in cells; in Quake units. */
  readonly steps?: readonly [level: number, upright: number] | undefined;
  get(): readonly number[];
  set(point: readonly number[]): void;
}

/** A handle on the view. */
interface PlacedHandle {
  readonly handle: Handle;
  readonly button: HTMLButtonElement;
  /** How far to the right of its point it stands, in CSS pixels. */
  aside: number;
}

/** Sight lines flatter than this drag upright planes: level ones would run away. */
const FLAT = 0.15;
/** How far beyond the map handles may be dragged, in Quake units. */
const BEYOND = 128;
/** Nearer to the upper edge than this, in CSS pixels, the arrow is below its handle. */
const HIGH = 70;
/** Where those are that are behind the eye, in CSS pixels. */
const OUTSIDE = { x: -100, y: -100 } as const;
/** How large handles are for fingers, in CSS pixels. */
const SIZE = 44;
/** Quake units per press of an arrow key, without Shift and with it. */
const STEPS = { coarse: 16, fine: 1 } as const;

/**
 * Handles over the view, as buttons. Dragging moves them on the level; where the view is too flat for that, on the
 * upright plane that faces it; with Shift, or by the arrow that the one in use has, up and down. Arrow keys move them by what is right and ahead on the screen,
 * Page Up and Page Down up and down.
 */
export class Handles {
  private readonly _context: ToolContext;
  private readonly _answer: HTMLElement;
  private readonly _handles: readonly PlacedHandle[];
  /** Those that are dragged: they stay under the pointer. */
  private readonly _dragged = new Set<Handle>();

  /** @param answer - what comes of moving them; it is said after each move. */
  constructor(context: ToolContext, handles: readonly Handle[], answer: HTMLElement) {
    this._context = context;
    this._answer = answer;
    this._handles = handles.map((handle) => ({ handle, button: this._createButton(handle), aside: 0 }));
    context.overlay.append(...this._handles.map(({ button }) => button));
    this.place();
  }

  /** Puts them where their points are on the view. */
  place(): void {
    const { overlay } = this._context;
    const [width, height] = [overlay.clientWidth, overlay.clientHeight];
    const places = this._handles.map(({ handle }) => this._context.project(handle.get()));
    if (this._dragged.size === 0) this._part(places);
    for (const [k, { handle, button, aside }] of this._handles.entries()) {
      const { x, y } = places[k] ?? OUTSIDE;
      const isSeen = x > -20 && y > -20 && x < width + 20 && y < height + 20;
      // Whoever moves one out of the view still has hold of it.
      button.hidden = !isSeen && button !== document.activeElement;
      button.style.transform = `translate(${x + aside}px, ${y}px)`;
      button.style.setProperty('--aside', `${aside}px`);
      button.classList.toggle('is-high', y < HIGH);
      const name = `${handle.name}, at ${handle.get().join(' ')}`;
      if (button.ariaLabel !== name) button.ariaLabel = name;
    }
  }

  /**
   * Has two handles stand beside each other, as far apart as it takes to get hold of both and of the arrow above each, as
   * where a shot is seen from where it began.
   */
  private _part([from, to]: readonly ({ readonly x: number; readonly y: number } | undefined)[]): void {
    const [first, second] = this._handles;
    if (!first || !second) return;
    const [x, y] = from && to ? [to.x - from.x, to.y - from.y] : [SIZE, 0];
    const part = Math.min(1, Math.max(0, 2 - Math.abs(y) / SIZE));
    const by = (part * Math.max(0, SIZE - Math.abs(x))) / (x < 0 ? -2 : 2);
    first.aside = 0 - by;
    second.aside = by;
  }

  dispose(): void {
    for (const { button } of this._handles) button.remove();
  }

  private _createButton(handle: Handle): HTMLButtonElement {
    const lift = h('span', { class: 'tool-lift' }, icon('<path d="M12 3v18M7 8l5-5 5 5M7 16l5 5 5-5"/>'));
    const button = h(
      'button',
      {
        type: 'button',
        class: `tool-handle tool-handle-${handle.style}`,
        title: `${handle.name}: drag it, by the arrow or with Shift up and down; or press arrow keys, Page Up, Page Down`,
      },
      lift,
    );
    button.addEventListener('pointerdown', (event) =>
      this._drag(handle, button, event, lift.contains(event.target as Node)),
    );
    button.addEventListener('keydown', (event) => {
      if (this._press(handle, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    return button;
  }

  private _drag(handle: Handle, button: HTMLButtonElement, down: PointerEvent, lifts: boolean): void {
    if (down.button !== 0) return;
    down.stopPropagation();
    // A second finger on it changes nothing.
    if (this._dragged.has(handle)) return;
    const { pointerId } = down;
    // Fingers that drag do not give the focus, by which the arrow is shown.
    button.focus({ preventScroll: true });
    button.setPointerCapture(pointerId);
    const frame = this._context.overlay.getBoundingClientRect();
    const first = handle.get();
    const from = this._context.project(first) ?? {
      x: down.clientX - frame.left,
      y: down.clientY - frame.top,
    };
    // Where on the handle it was taken.
    const [offX, offY] = [down.clientX - frame.left - from.x, down.clientY - frame.top - from.y];
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== pointerId) return;
      const [x, y] = [event.clientX - frame.left - offX, event.clientY - frame.top - offY];
      const point = this._dragTo(handle.get(), x, y, lifts || event.shiftKey);
      if (point) handle.set(roundPoint(this._within(point, handle.get())));
    };
    this._dragged.add(handle);
    const end = (event: PointerEvent): void => {
      if (event.pointerId !== pointerId) return;
      this._dragged.delete(handle);
      this.place();
      button.removeEventListener('pointermove', move);
      button.removeEventListener('pointerup', end);
      button.removeEventListener('pointercancel', end);
      this._say();
    };
    button.addEventListener('pointermove', move);
    button.addEventListener('pointerup', end);
    button.addEventListener('pointercancel', end);
  }

  /** Where a handle goes that is dragged to a place of the view. */
  private _dragTo(
    at: readonly number[],
    x: number,
    y: number,
    upright: boolean,
  ): readonly number[] | undefined {
    const { start, direction } = this._context.sightLine(x, y);
    const [dx, dy, dz] = [direction[0]!, direction[1]!, direction[2]!];
    const isFlat = Math.abs(dz) < FLAT;
    // The plane's normal: up, or level towards the eye.
    const level = Math.hypot(dx, dy) || 1;
    const normal = upright || isFlat ? [dx / level, dy / level, 0] : [0, 0, 1];
    const facing = dx * normal[0]! + dy * normal[1]! + dz * normal[2]!;
    if (Math.abs(facing) < 1e-3) return undefined;
    const height = at.reduce((sum, value, k) => sum + (value - start[k]!) * normal[k]!, 0);
    const way = height / facing;
    if (way <= 0) return undefined;
    const point = [0, 1, 2].map((k) => start[k]! + way * direction[k]!);
    return upright ? [at[0]!, at[1]!, point[2]!] : point;
  }

  /** Keeps a point near the map, or no farther from it than it was. */
  private _within(point: readonly number[], before: readonly number[]): number[] {
    const { mins, maxs } = this._context.map.world.bounds;
    return point.map((value, k) => {
      const low = Math.min(mins[k]! - BEYOND, before[k]!);
      const high = Math.max(maxs[k]! + BEYOND, before[k]!);
      return Math.max(low, Math.min(high, value));
    });
  }

  private _press(handle: Handle, { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey) return false;
    const [dx, dy] = [this._context.camera.direction[0]!, this._context.camera.direction[1]!];
    // What is ahead on the screen, along the nearer axis.
    const ahead = Math.abs(dx) > Math.abs(dy) ? [Math.sign(dx), 0] : [0, Math.sign(dy) || 1];
    const right = [ahead[1]!, 0 - ahead[0]!];
    const ways: Readonly<Record<string, readonly number[]>> = {
      ArrowUp: [...ahead, 0],
      ArrowDown: [...ahead.map((x) => 0 - x), 0],
      ArrowRight: [...right, 0],
      ArrowLeft: [...right.map((x) => 0 - x), 0],
      PageUp: [0, 0, 1],
      PageDown: [0, 0, -1],
    };
    const way = ways[key];
    if (!way) return false;
    const step = shiftKey ? STEPS.fine : STEPS.coarse;
    const [level, upright] = handle.steps ?? [step, step];
    const by = [level, level, upright];
    const at = handle.get();
    handle.set(
      this._within(
        at.map((value, k) => value + by[k]! * way[k]!),
        at,
      ),
    );
    this._say();
    return true;
  }

  private _say(): void {
    this._context.announce(this._answer.textContent!);
  }
}

/** The two handles of a move: dragging them retraces it, and then calls `onMove`. */
export function createMoveHandles(
  context: ToolContext,
  probe: Probe,
  answer: HTMLElement,
  onMove: () => void,
): Handles {
  const move = (start: readonly number[], end: readonly number[]): void => {
    probe.move(start, end);
    onMove();
  };
  return new Handles(
    context,
    [
      {
        name: 'Start of the move',
        style: 'start',
        get: () => probe.query.start,
        set: (point) => move(point, probe.query.end),
      },
      {
        name: 'End of the move',
        style: 'end',
        get: () => probe.query.end,
        set: (point) => move(probe.query.start, point),
      },
    ],
    answer,
  );
}
