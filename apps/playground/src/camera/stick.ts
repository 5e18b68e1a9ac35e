import { h } from '../app/dom.ts';

/** A stick for the left thumb and a button to jump for the right one, where fingers are all there is. */
export class Stick {
  x = 0;
  y = 0;
  up = 0;
  readonly element: HTMLElement;
  private _finger: number | undefined;
  private readonly _jump: HTMLButtonElement;

  constructor(change: () => void) {
    const knob = h('div', { class: 'stick-knob' });
    const base = h('div', { class: 'stick-base', 'aria-hidden': 'true' }, knob);
    const jump = h('button', { class: 'stick-jump', type: 'button' }, 'Jump');
    this._jump = jump;
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
      this._finger = event.pointerId;
      base.setPointerCapture(event.pointerId);
      follow(event);
    });
    base.addEventListener('pointermove', (event) => {
      if (event.pointerId === this._finger) follow(event);
    });
    for (const type of ['pointerup', 'pointercancel'] as const) {
      base.addEventListener(type, () => {
        this._finger = undefined;
        set(0, 0);
      });
    }
    const press = (up: number) => (): void => {
      this.up = up;
      change();
    };
    jump.addEventListener('pointerdown', press(1));
    for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
      jump.addEventListener(type, press(0));
    }
    this.element = h('div', { class: 'stick' }, base, jump);
  }

  /** What the button for the right thumb does. */
  setUp(name: string): void {
    if (this._jump.textContent !== name) this._jump.textContent = name;
  }
}
