// Numbers as recorded rows have them.

const f = Math.fround;

/** A number as in rows: a float32 with as few digits as still read back the same, or a 32-bit integer. */
export function numberText(x: number): string {
  if (Object.is(x, -0)) return '-0';
  if (Number.isInteger(x)) return `${x}`;
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(x.toPrecision(digits));
    if (Object.is(f(short), f(x))) return `${short}`;
  }
  return `${Number(x.toPrecision(9))}`;
}
