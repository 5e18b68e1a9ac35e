import { EIGHTH, Quake2Type } from './constants.ts';
import { ORIGIN, PLACE, POINT, PREVIOUS, SPEED, TYPE, VELOCITY, type Work } from './memory.ts';
import { fits } from './slide.ts';

const f = Math.fround;

/** A number truncated to 16 bits with a sign, as the processor's conversion does it. */
function toShort(value: number): number {
  const whole = Math.trunc(value);
  return whole >= -0x80000000 && whole < 0x80000000 ? (whole << 16) >> 16 : 0;
}

const short = (value: number): number => (value << 16) >> 16;

/** Whether the player fits at PLACE. Spectators fit everywhere. */
function isGood(work: Work): boolean {
  const { floats: v, ints, point } = work;
  if (ints[TYPE] === Quake2Type.spectator) return true;
  for (let k = 0; k < 3; k++) v[POINT + k] = ints[PLACE + k]! * EIGHTH;
  return fits(work, point);
}

/** Which axes are moved by an eighth away from zero, in the order in which they are tried: bit 0 is x. */
const JITTERS: readonly number[] = [0, 4, 1, 2, 3, 5, 6, 7];

/** Puts the player on the grid of eighths where it fits, or back where it came from. */
export function snap(work: Work): void {
  const { floats: v, ints } = work;
  for (let k = 0; k < 3; k++) ints[SPEED + k] = toShort(f(v[VELOCITY + k]! * 8));
  for (let n = 0; n < JITTERS.length; n++) {
    const bits = JITTERS[n]!;
    for (let k = 0; k < 3; k++) {
      const at = v[ORIGIN + k]!;
      const base = toShort(f(at * 8));
      const sign = base * EIGHTH === at ? 0 : at >= 0 ? 1 : -1;
      ints[PLACE + k] = (bits & (1 << k)) !== 0 ? short(base + sign) : base;
    }
    if (isGood(work)) return;
  }
  for (let k = 0; k < 3; k++) ints[PLACE + k] = ints[PREVIOUS + k]!;
}

/** How many eighths to each side of a place are looked at along each axis, and how many places there are in all. */
const NEARBY = 2;
const WIDTH = 2 * NEARBY + 1;
const NUM_NEARBY = WIDTH * WIDTH * WIDTH;

/**
 * Looks for the eighth nearest to a place (given in eighths) where the player is in nothing, and leaves it in PLACE. Returns
 * whether there is one. The engine has nothing like it: whatever moves players in the engine writes eighths itself.
 */
export function snapNear(work: Work, x: number, y: number, z: number): boolean {
  const { ints } = work;
  const [baseX, baseY, baseZ] = [Math.round(x) - NEARBY, Math.round(y) - NEARBY, Math.round(z) - NEARBY];
  let tried = -1;
  let reached = -1;
  for (;;) {
    // The nearest of those that come after the ones already tried.
    let least = Infinity;
    let next = -1;
    for (let n = 0; n < NUM_NEARBY; n++) {
      const dx = baseX + (n % WIDTH) - x;
      const dy = baseY + (Math.trunc(n / WIDTH) % WIDTH) - y;
      const dz = baseZ + Math.trunc(n / (WIDTH * WIDTH)) - z;
      const distance = dx * dx + dy * dy + dz * dz;
      if (distance >= least || distance < reached || (distance === reached && n <= tried)) continue;
      least = distance;
      next = n;
    }
    if (next < 0) return false;
    tried = next;
    reached = least;
    ints[PLACE] = baseX + (next % WIDTH);
    ints[PLACE + 1] = baseY + (Math.trunc(next / WIDTH) % WIDTH);
    ints[PLACE + 2] = baseZ + Math.trunc(next / (WIDTH * WIDTH));
    if (isClear(work)) return true;
  }
}

/** Whether a state can hold PLACE, and the player is in nothing there. Spectators are never in anything. */
function isClear(work: Work): boolean {
  const { floats: v, ints, point, box, trace } = work;
  for (let k = 0; k < 3; k++) {
    if (short(ints[PLACE + k]!) !== ints[PLACE + k]) return false;
    v[POINT + k] = ints[PLACE + k]! * EIGHTH;
  }
  if (ints[TYPE] === Quake2Type.spectator) return true;
  box.trace(point, point, trace);
  return !trace.startSolid && !trace.allSolid;
}

/** Offsets from 0 to 26, in the order in which they are tried: z changes last, and each takes the values 0, -1, 1. */
const NUM_OFFSETS = 27;
const offset = (digit: number): number => (digit === 2 ? 1 : -digit);

/** Looks for room around the place where something other than a command has put the player. */
export function snapInitial(work: Work): void {
  const { floats: v, ints } = work;
  for (let n = 0; n < NUM_OFFSETS; n++) {
    ints[PLACE] = short(ints[PREVIOUS]! + offset(n % 3));
    ints[PLACE + 1] = short(ints[PREVIOUS + 1]! + offset(Math.trunc(n / 3) % 3));
    ints[PLACE + 2] = short(ints[PREVIOUS + 2]! + offset(Math.trunc(n / 9)));
    if (!isGood(work)) continue;
    for (let k = 0; k < 3; k++) {
      v[ORIGIN + k] = ints[PLACE + k]! * EIGHTH;
      ints[PREVIOUS + k] = ints[PLACE + k]!;
    }
    return;
  }
}
