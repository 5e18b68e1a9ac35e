/** How bad a line is. */
export interface LineOptions {
  /** Milliseconds that a message takes, one way. */
  readonly delay: number;
  /** Part of the messages that never arrive, 0 to 1. */
  readonly loss: number;
  /** How many times as fast as real time everything runs. */
  readonly speed: number;
  readonly seed: number;
}

/** One direction of a line that delays messages and loses some of them, the same ones for the same seed. */
export class BadLine {
  sent = 0;
  lost = 0;
  private _random: number;
  private readonly _options: LineOptions;

  constructor(options: LineOptions) {
    this._options = options;
    this._random = options.seed >>> 0;
  }

  /** Delivers later, or never. */
  send(deliver: () => void): void {
    const { delay, loss, speed } = this._options;
    this.sent++;
    // A linear congruential generator is good enough to choose which messages are lost.
    this._random = (Math.imul(this._random, 1664525) + 1013904223) >>> 0;
    if (this._random / 2 ** 32 < loss) this.lost++;
    else setTimeout(deliver, delay / speed);
  }
}
