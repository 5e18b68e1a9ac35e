import type { Walker } from '../games/walker.ts';
import { h } from './dom.ts';
import type { Mode } from './link.ts';
import { sentence } from './sentence.ts';

/** The line at the bottom: where the eye is, what somebody who walks is doing, and what was last said. */
export class Status {
  readonly element: HTMLElement;
  /** Speed of who walks, in the view. */
  readonly speed: HTMLElement;
  /** What there is to say of the map. */
  about = '';
  private readonly _place = h('span', {
    class: 'status-place',
    title: 'Where the eye is: x y z, in Quake units',
  });
  private readonly _state = h('span', { class: 'status-state' });
  private readonly _said = h('span', { id: 'said', class: 'status-said', role: 'status' });
  private readonly _number = h('b', {});

  constructor() {
    this.element = h('footer', { class: 'status' }, this._said, this._state, this._place);
    this.speed = h('div', { class: 'speed', 'aria-hidden': 'true', hidden: true }, this._number, ' u/s');
  }

  /**
   * Says something, as a sentence; screen readers read it out. Without a message it says what there is to say of the map.
   *
   * @param message - what was done begins with the verb: `Saved arena.map`.
   */
  say(message: string = this.about): void {
    setText(this._said, sentence(message));
  }

  /** Shows where the eye is, and how somebody walks. */
  show(mode: Mode, position: ArrayLike<number>, walker: Walker | undefined): void {
    const place = Array.from(position, (x) => String(Math.round(x))).join(' ');
    setText(this._place, place);
    const walks = mode === 'walk' && walker !== undefined;
    if (this.speed.hidden === walks) this.speed.hidden = !walks;
    setText(this._state, walks ? `${walker.name} · ${stateOf(walker)}` : '');
    if (!walks) return;
    const [x, y] = walker.velocity as unknown as [number, number];
    setText(this._number, String(Math.round(Math.sqrt(x * x + y * y))));
  }
}

/** Changes a text only where it is another: the layout of the page depends on it. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function stateOf(walker: Walker): string {
  if (walker.swims) return 'swimming';
  if (walker.isCrouched) return 'crouched';
  return walker.isGrounded ? 'on the ground' : 'in the air';
}
