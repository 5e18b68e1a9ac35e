/** What keys and sticks ask for at the moment; each from -1 to 1. */
export interface Intents {
  forward: number;
  right: number;
  /** Up or jump; down or crouch. */
  up: number;
  /** Counter-clockwise, and downwards. */
  turn: number;
  tilt: number;
  isFast: boolean;
}

const KEYS: Readonly<Record<string, readonly [keyof Omit<Intents, 'isFast'>, number]>> = {
  KeyW: ['forward', 1],
  KeyS: ['forward', -1],
  KeyD: ['right', 1],
  KeyA: ['right', -1],
  Space: ['up', 1],
  KeyE: ['up', 1],
  KeyC: ['up', -1],
  KeyQ: ['up', -1],
  ArrowLeft: ['turn', 1],
  ArrowRight: ['turn', -1],
  ArrowDown: ['tilt', 1],
  ArrowUp: ['tilt', -1],
};

/** Whether a key moves the camera. */
export const movesCamera = (code: string): boolean => code in KEYS || code.startsWith('Shift');

/** What pressed keys and a stick ask for together. */
export function readIntents(
  keys: ReadonlySet<string>,
  stick: { readonly x: number; readonly y: number; readonly up: number },
): Intents {
  const intents: Intents = {
    forward: stick.y,
    right: stick.x,
    up: stick.up,
    turn: 0,
    tilt: 0,
    isFast: false,
  };
  for (const code of keys) {
    const key = KEYS[code];
    if (key) intents[key[0]] += key[1];
    else intents.isFast = true;
  }
  for (const name of ['forward', 'right', 'up', 'turn', 'tilt'] as const) {
    intents[name] = Math.min(Math.max(intents[name], -1), 1);
  }
  return intents;
}
