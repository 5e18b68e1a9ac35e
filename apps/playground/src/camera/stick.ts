import { h } from '../app/dom.ts';

/** A stick for the left thumb, and buttons for the right one, where fingers are all there is. */
export class Stick {
  x = 0;
  y = 0;
  /** Up or jump; down or crouch. */
  up = 0;
  readonly element: HTMLElement;
  private readonly _jump = h('button', { class: 'stick-jump', type: 'button' });
  private readonly _crouch = h('button', { class: 'stick-crouch', type: 'button' });
  private readonly _change: () => void;
  private _finger: number | undefined;
  /** Whoever crouches does so until the next tap: the thumb is needed to look around. */
  private _staysDown = false;

  /** Whether a finger asks for something, though it may rest and nothing be heard of it. */
  get isHeld(): boolean {
    return this.x !== 0 || this.y !== 0 || this.up !== 0;
  }

  constructor(change: () => void) {
    this._change = change;
    const knob = h('div', { class: 'stick-knob' });
    const base = h('div', { class: 'stick-base', 'aria-hidden': 'true' }, knob);
    const set = (x: number, y: number): void => {
      const size = Math.max(1, Math.hypot(x, y));
      [this.x, this.y] = [x / size, -y / size];
      knob.style.translate = `${(x / size) * 3.6}rem ${(y / size) * 3.6}rem`;
      change();
    };
    const follow = ({ clientX, clientY }: PointerEvent): void => {
      const { left, top, width, height } = base.getBoundingClientRect();
      set((clientX - left - width / 2) / (0.4 * width), (clientY - top - height / 2) / (0.4 * width));
    };
    base.addEventListener('pointerdown', (event) => {
      // Another finger beside the first one.
      if (this._finger !== undefined && base.hasPointerCapture(this._finger)) return;
      this._finger = event.pointerId;
      base.setPointerCapture(event.pointerId);
      follow(event);
    });
    base.addEventListener('pointermove', (event) => {
      if (event.pointerId === this._finger) follow(event);
    });
    for (const type of ['pointerup', 'pointercancel'] as const) {
      base.addEventListener(type, ({ pointerId }) => {
        if (pointerId !== this._finger) return;
        this._finger = undefined;
        set(0, 0);
      });
    }
    this._listen(this._jump, 1);
    this._listen(this._crouch, -1);
    // From a keyboard, or a screen reader.
    this._crouch.addEventListener('click', ({ detail }) => {
      if (detail === 0 && this._staysDown) this._toggle();
    });
    this.element = h('div', { class: 'stick' }, base, this._jump, this._crouch);
  }

  private _listen(button: HTMLElement, up: number): void {
    const stays = (): boolean => up < 0 && this._staysDown;
    // Not on clicks: there are none while the other thumb is on the stick.
    button.addEventListener('pointerdown', () => (stays() ? this._toggle() : this._setUp(up)));
    for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
      button.addEventListener(type, () => {
        if (this.up === up && !stays()) this._setUp(0);
      });
    }
  }

  private _toggle(): void {
    this._setUp(this.up < 0 ? 0 : -1);
  }

  private _setUp(up: number): void {
    this.up = up;
    if (this._staysDown) this._crouch.ariaPressed = String(up < 0);
    this._change();
  }

  /** What the buttons do: for somebody who walks, and who can crouch or not, or for an eye that flies. */
  setButtons(walks: boolean, crouches: boolean): void {
    const stays = walks && crouches;
    const [jump, crouch] = walks ? ['Jump', 'Crouch'] : ['Up', 'Down'];
    if (this._jump.textContent === jump && this._staysDown === stays) return;
    this._jump.textContent = jump;
    this._crouch.textContent = crouch;
    this._crouch.hidden = walks && !crouches;
    this._crouch.ariaPressed = null;
    this._staysDown = stays;
    this._setUp(0);
  }
}
