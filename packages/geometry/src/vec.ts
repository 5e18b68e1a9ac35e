/** Any array-like of three numbers. */
type Vec3 = ArrayLike<number>;

/** Three doubles, made here. */
export type Vec = [number, number, number];

export const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

export const subtract = (a: Vec3, b: Vec3): Vec => [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];

export const cross = (a: Vec3, b: Vec3): Vec => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];

/** `a + scale * b`. */
export const addScaled = (a: Vec3, scale: number, b: Vec3): Vec => [
  a[0]! + scale * b[0]!,
  a[1]! + scale * b[1]!,
  a[2]! + scale * b[2]!,
];

/**
 * Length of a vector. Square roots are the same in every engine, which `Math.hypot` need not be, and so the bytes made are too.
 */
export const lengthOf = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);

/** The unit vector along `a`, or `undefined` when it has no direction. */
export function normalize(a: Vec3): Vec | undefined {
  const length = lengthOf(a[0]!, a[1]!, a[2]!);
  if (!(length > 1e-9 && length < Number.POSITIVE_INFINITY)) return undefined;
  return [a[0]! / length, a[1]! / length, a[2]! / length];
}
