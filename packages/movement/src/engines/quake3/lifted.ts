import type { Quake3State } from './state.ts';

/**
 * Players who were pushed off what they stand on: nothing carries them any more in this frame. Their states do not say so, because
 * the game does not tell its players either: they find out where they stand when they move next.
 */
export class Lifted {
  /** How many there are. */
  count = 0;
  private readonly _players: Quake3State[] = [];
  /** When each of them has moved by itself. */
  private readonly _times: number[] = [];

  has(state: Quake3State): boolean {
    for (let k = 0; k < this.count; k++) if (this._players[k] === state) return true;
    return false;
  }

  add(state: Quake3State): void {
    if (this.has(state)) return;
    this._players[this.count] = state;
    this._times[this.count++] = state.commandTime;
  }

  /** Leaves out those who have moved by themselves since. */
  update(): void {
    const { _players: players, _times: times, count } = this;
    this.count = 0;
    for (let k = 0; k < count; k++) {
      const state = players[k]!;
      const time = times[k]!;
      if (state.commandTime !== time) continue;
      players[this.count] = state;
      times[this.count++] = time;
    }
    this._release(count);
  }

  /** Forgets all but the first of them. */
  keep(count: number): void {
    const { count: before } = this;
    this.count = count;
    this._release(before);
  }

  /** Keeps no state for longer than necessary. */
  private _release(before: number): void {
    for (let k = this.count; k < before; k++) this._players[k] = undefined as never;
  }
}
