import { h } from '../../app/dom.ts';
import { button } from '../dom.ts';

/** Milliseconds per step while it plays. */
const PACE = 450;

/** Leads through stops: with a slider, with buttons to the one before and the next, and by itself. */
export class Player {
  readonly element: HTMLElement;
  private readonly _show: (at: number) => void;
  private readonly _text: HTMLElement;
  private readonly _paused: () => void;
  private readonly _slider: HTMLInputElement = h('input', {
    type: 'range',
    min: '0',
    value: '0',
    class: 'tool-slider',
    'aria-label': 'Step',
    oninput: () => this.go(Number(this._slider.value)),
  });
  private readonly _play: HTMLButtonElement = button('Play', () => this._toggle());
  private _timer: ReturnType<typeof setInterval> | undefined;
  private _at = 0;
  private _last = 0;

  /**
   * @param show - shows a stop, and calls {@link Player.set} with it.
   * @param text - says what is shown, and is read out as it changes: but not while it plays, as steps follow each other faster than
   *   they can be read.
   * @param paused - called when it has come to the end, or was paused.
   */
  constructor(show: (at: number) => void, text: HTMLElement, paused: () => void) {
    this._show = show;
    this._text = text;
    this._paused = paused;
    this.element = h(
      'div',
      { class: 'tool-player' },
      button('◂', () => this.step(-1), { 'aria-label': 'Step back', title: 'Step back (,)' }),
      this._slider,
      button('▸', () => this.step(1), { 'aria-label': 'Step forward', title: 'Step forward (.)' }),
      this._play,
    );
  }

  /** Which of how many stops is shown. */
  set(at: number, count: number): void {
    this._at = at;
    this._last = count - 1;
    this._slider.max = String(this._last);
    this._slider.value = String(at);
    // What it is, the step's title says.
    this._slider.setAttribute('aria-valuetext', `${at + 1} of ${count}`);
  }

  /** Goes to a stop, and no longer plays. */
  go(at: number): void {
    this.stop();
    this._show(at);
  }

  /** Goes back or forward. */
  step(by: 1 | -1): void {
    this.go(this._at + by);
  }

  stop(): void {
    clearInterval(this._timer);
    this._timer = undefined;
    this._play.textContent = 'Play';
    this._text.ariaLive = 'polite';
  }

  private _toggle(): void {
    if (this._timer !== undefined) {
      this._pause();
      return;
    }
    if (this._at === this._last) this._show(0);
    this._play.textContent = 'Pause';
    this._text.ariaLive = 'off';
    this._timer = setInterval(() => {
      this._show(this._at + 1);
      if (this._at === this._last) this._pause();
    }, PACE);
  }

  private _pause(): void {
    this.stop();
    this._paused();
  }
}
