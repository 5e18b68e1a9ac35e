/** What a page does in its frames. */
export interface FrameWork {
  /** Lets time pass, and says whether that is to be seen. */
  advance(seconds: number): boolean;
  /** All that a frame needs before it is drawn. */
  prepare(seconds: number): void;
  render(): void;
  /** Whether something moves, so that there is to be a next frame. */
  isMoving(): boolean;
}

/** Length of a frame where no clock tells it, in seconds. */
const FRAME = 1 / 60;
/** The longest that a frame can be: a page that was asleep does not leap. */
const LONGEST = 0.25;

/** Frames of the page, as long as there is something to draw or something moves. */
export class Frames {
  private readonly _work: FrameWork;
  private _frame = 0;
  private _last = 0;
  private _isFrozen = false;
  private _isStale = true;

  constructor(work: FrameWork) {
    this._work = work;
  }

  /** There is something new to draw. */
  draw(): void {
    this._isStale = true;
    this.wake();
  }

  /** Sees to it that there is a next frame. */
  wake(): void {
    if (this._frame === 0) this._frame = requestAnimationFrame((time) => this._tick(time));
  }

  /** Draws at once. */
  drawNow(): void {
    this._prepare(0);
    this._work.render();
  }

  /** Stops the clock: from then on time passes by {@link Frames.pass} alone. */
  freeze(): void {
    this._isFrozen = true;
  }

  /** Lets time pass, and returns in how many frames. */
  pass(seconds: number): number {
    const frames = Math.round(seconds / FRAME);
    for (let k = 0; k < frames; k++) this._advance(FRAME);
    this.draw();
    return frames;
  }

  /** Draws a number of frames, and says how long the page's work took in each, and drawing, in milliseconds. */
  measure(frames: number): { readonly work: readonly number[]; readonly draw: readonly number[] } {
    const [work, draw]: [number[], number[]] = [[], []];
    for (let k = 0; k < frames; k++) {
      const began = performance.now();
      this._advance(FRAME);
      this._prepare(FRAME);
      const prepared = performance.now();
      this._work.render();
      work.push(prepared - began);
      draw.push(performance.now() - prepared);
    }
    return { work, draw };
  }

  private _tick(time: number): void {
    this._frame = 0;
    // After a rest, time begins anew.
    const seconds = this._last === 0 ? FRAME : Math.min((time - this._last) / 1000, LONGEST);
    if (!this._isFrozen) this._advance(seconds);
    if (this._isStale) {
      this._prepare(seconds);
      this._work.render();
    }
    const goesOn = !this._isFrozen && (this._isStale || this._work.isMoving());
    this._last = goesOn ? time : 0;
    if (goesOn) this.wake();
  }

  private _advance(seconds: number): void {
    if (this._work.advance(seconds)) this._isStale = true;
  }

  private _prepare(seconds: number): void {
    // Before: what is prepared may ask to be drawn again.
    this._isStale = false;
    this._work.prepare(seconds);
  }
}
