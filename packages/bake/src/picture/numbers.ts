/** Round numbers: these times a power of ten. */
const ROUND = [1, 2, 2.5, 5, 10];

/** The greatest power of ten that is not above a length. */
function powerBelow(length: number): number {
  let power = 1;
  while (power * 10 <= length) power *= 10;
  while (power > length) power /= 10;
  return power;
}

/** The next round number that is at least, or at most, a length above 0. */
export function roundUp(length: number): number {
  const power = powerBelow(length);
  return power * ROUND.find((step) => step * power >= length)!;
}
export function roundDown(length: number): number {
  const power = powerBelow(length);
  return power * ROUND.filter((step) => step * power <= length).at(-1)!;
}

/** A height or length for people, in whole units unless it is small. */
export const showUnits = (value: number): string =>
  String(Math.abs(value) < 10 ? Math.round(10 * value) / 10 : Math.round(value)).replace(/^-0$/, '0');

/** A count with separators between thousands. */
export const showCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** A length that is shown as a number, with its unit. */
export const lengthText = (shown: string): string => `${shown} ${shown === '1' ? 'unit' : 'units'}`;
