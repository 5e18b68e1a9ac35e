/** Numbers that look random and are the same for the same seed: sfc32. */
export function randomNumbers(seed: number): () => number {
  let [a, b, c, d] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1];
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let k = 0; k < 12; k++) next();
  return next;
}

/** A random whole number in `0 .. count - 1`. */
export const pick = (random: () => number, count: number): number => Math.floor(random() * count);
