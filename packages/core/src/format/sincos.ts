// Sine and cosine that are the same bits in every JavaScript engine: the language leaves the last bits of Math.sin and Math.cos
// open. Only sums and products of doubles, which IEEE 754 defines exactly. The method, its polynomials and its parts of pi/2 are
// those of Sun Microsystems' fdlibm (k_sin.c, k_cos.c and e_rem_pio2.c, 1993); the error is less than one unit in the last place.

// pi/2 in three parts: 33 bits, the next 33, and the rest. A whole number below 2^20 times one of the first two is exact.
const PART_1 = 1.5707963267341256;
const PART_2 = 6.077100506303966e-11;
const REST = 2.0222662487959506e-21;

/** From here on, the number of quarter turns takes more than 20 bits. */
const FAR = 5e5;

/** pi/2 as a fixed-point number with this many binary places, enough for the largest float32. */
const PLACES = 256n;
const QUARTER = 0x1921fb54442d18469898cc51701b839a252049c1114cf98e804177d4c76273645n;
const UNIT = 1.157920892373162e77;

/**
 * Sines and cosines of angles in radians: the angle at each even place becomes its sine, and its cosine is written behind
 * it; NaN beyond the range of float32. Through an array, because numbers that go through calls may be boxed: nothing is
 * allocated for angles below 500,000 radians.
 */
export function sinCos(turns: Float64Array): void {
  for (let at = 0; at < turns.length; at += 2) {
    const x = turns[at]!;
    const size = Math.abs(x);
    // The angle without its quarter turns, as the sum of two doubles.
    let quarters = 0;
    let high = x;
    let low = 0;
    if (size >= FAR) {
      if (!(size < 4e38)) high = Number.NaN;
      else {
        // Doubles of this size have at most 34 binary places.
        const angle = BigInt(x * 0x400000000) << (PLACES - 34n);
        const whole = (2n * angle + (x < 0 ? -QUARTER : QUARTER)) / (2n * QUARTER);
        high = Number(angle - whole * QUARTER) / UNIT;
        quarters = Number(whole & 3n);
      }
    } else if (size > Math.PI / 4) {
      const whole = Math.round(x * (2 / Math.PI));
      const first = x - whole * PART_1;
      const second = whole * PART_2;
      const rest = first - second;
      const lost = whole * REST - (first - rest - second);
      high = rest - lost;
      low = rest - high - lost;
      quarters = whole & 3;
    }
    const z = high * high;
    const cube = z * high;
    const past =
      0.00833333333332249 +
      z *
        (-0.0001984126982985795 +
          z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
    const sine = high - (z * (0.5 * low - cube * past) - low - cube * -0.16666666666666632);
    const near =
      z * (0.0416666666666666 + z * (-0.001388888888887411 + z * 2.480158728947673e-5)) +
      z * z * (z * z) * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11));
    const bow = 0.5 * z;
    const flat = 1 - bow;
    const cosine = flat + (1 - flat - bow + (z * near - high * low));
    const s = quarters & 1 ? cosine : sine;
    const c = quarters & 1 ? -sine : cosine;
    turns[at] = quarters & 2 ? -s : s;
    turns[at + 1] = quarters & 2 ? -c : c;
  }
}

const single: Float64Array = /* @__PURE__ */ new Float64Array(2);

/** Sine of an angle in radians. */
export function sin(x: number): number {
  single[0] = x;
  sinCos(single);
  return single[0]!;
}

/** Cosine of an angle in radians. */
export function cos(x: number): number {
  single[0] = x;
  sinCos(single);
  return single[1]!;
}
