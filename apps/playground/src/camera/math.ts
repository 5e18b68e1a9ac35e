/** A vector of three numbers that can be changed. */
export type Vector = [number, number, number];

/** Unit vector of where somebody looks, by degrees: yaw counter-clockwise from x, pitch downwards. */
export function directionOf(yaw: number, pitch: number): Vector {
  const [y, p] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  return [Math.cos(p) * Math.cos(y), Math.cos(p) * Math.sin(y), -Math.sin(p)];
}

/** Unit vector to the right of who looks so. */
export function rightOf(yaw: number): Vector {
  const y = (yaw * Math.PI) / 180;
  return [Math.sin(y), -Math.cos(y), 0];
}

/** Unit vector upwards on the screen of who looks so. */
export function upOf(yaw: number, pitch: number): Vector {
  const [x, y] = directionOf(yaw, 0);
  const p = (pitch * Math.PI) / 180;
  return [x * Math.sin(p), y * Math.sin(p), Math.cos(p)];
}

export const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

/** Yaw between 0 and 360. */
export const turn = (yaw: number): number => ((yaw % 360) + 360) % 360;
