// SHA-256 (FIPS 180-4), for rows that identify long tables by their hash. The platform's own is asynchronous, which rows are not.

/** The first 32 bits of the fractional parts of the first primes' roots: square roots for power 2, cube roots for 3. */
function rootBits(count: number, power: number): Uint32Array {
  const bits = new Uint32Array(count);
  for (let prime = 2, k = 0; k < count; prime++) {
    let isPrime = true;
    for (let d = 2; d * d <= prime && isPrime; d++) isPrime = prime % d !== 0;
    if (isPrime) bits[k++] = fraction(prime, power);
  }
  return bits;
}

/** The root's first 32 binary places, exactly: the greatest whole number whose power does not exceed the scaled prime. */
function fraction(prime: number, power: number): number {
  const scaled = BigInt(prime) << BigInt(32 * power);
  let root = 0n;
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) {
    if ((root + bit) ** BigInt(power) <= scaled) root += bit;
  }
  return Number(root & 0xffffffffn);
}

let rounds: Uint32Array | undefined;
let first: Uint32Array | undefined;

const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

/** The SHA-256 hash of bytes, in hex: 64 digits. */
export function sha256(bytes: Uint8Array): string {
  rounds ??= rootBits(64, 3);
  first ??= rootBits(8, 2);
  const state = Uint32Array.from(first);
  const words = new Uint32Array(64);
  const whole = bytes.length >> 6;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let block = 0; block < whole; block++) mix(state, words, rounds, view, 64 * block);
  // The bytes that are left, a 1 bit, zeros, and the length in bits.
  const rest = bytes.subarray(64 * whole);
  const last = new DataView(new ArrayBuffer(rest.length < 56 ? 64 : 128));
  for (const [k, byte] of rest.entries()) last.setUint8(k, byte);
  last.setUint8(rest.length, 0x80);
  last.setBigUint64(last.byteLength - 8, BigInt(bytes.length) << 3n);
  for (let at = 0; at < last.byteLength; at += 64) mix(state, words, rounds, last, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function mix(state: Uint32Array, words: Uint32Array, rounds: Uint32Array, view: DataView, at: number): void {
  for (let k = 0; k < 16; k++) words[k] = view.getUint32(at + 4 * k);
  for (let k = 16; k < 64; k++) {
    const a = words[k - 15]!;
    const b = words[k - 2]!;
    const one = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const two = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    words[k] = words[k - 16]! + one + words[k - 7]! + two;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let k = 0; k < 64; k++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + rounds[k]! + words[k]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [k, value] of [a, b, c, d, e, f, g, h].entries()) state[k] = state[k]! + value;
}
