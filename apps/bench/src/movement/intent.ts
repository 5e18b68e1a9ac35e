import type { Random } from '@bspkit/geometry';

/** What a player means to do for a while, as shares of what it can do: -1 to 1. */
export interface Intent {
  readonly forward: number;
  readonly right: number;
  readonly jumps: boolean;
  readonly crouches: boolean;
}

/** Milliseconds between commands, of players with faster and slower machines. */
const FRAMES = [8, 16, 33];

/**
 * Walks around as players do: ahead most of the time, often also sideways, with jumps, now and then crouching or standing still,
 * looking where it goes.
 */
export class Wanderer {
  /** Milliseconds between its commands. */
  readonly frame: number;
  /** Where it looks, in degrees. */
  pitch = 0;
  yaw: number;
  intent: Intent = { forward: 1, right: 0, jumps: false, crouches: false };
  private readonly _random: Random;
  private _turning = 0;
  private _left = 0;

  constructor(random: Random) {
    this._random = random;
    this.frame = FRAMES[Math.floor(random() * FRAMES.length)]!;
    this.yaw = 360 * random() - 180;
  }

  /** Continues with the next command. */
  next(): void {
    const random = this._random;
    this._left -= this.frame;
    if (this._left <= 0) {
      this._left = 200 + 1000 * random();
      this._turning = random() < 0.6 ? 240 * random() - 120 : 0;
      this.pitch = 60 * random() - 30;
      this.intent = {
        forward: random() < 0.85 ? 1 : random() < 0.5 ? -1 : 0,
        right: random() < 0.4 ? (random() < 0.5 ? -1 : 1) : 0,
        jumps: random() < 0.2,
        crouches: random() < 0.05,
      };
    }
    this.yaw += (this._turning * this.frame) / 1000;
    if (this.yaw > 180) this.yaw -= 360;
    if (this.yaw < -180) this.yaw += 360;
  }
}
