/** Whether all numbers of `count` segments, of 24 bytes each, are finite. */
export function areFinite(segments: usize, count: i32): bool {
  let differences = i32x4.splat(0);
  for (let at: usize = segments; at < segments + 24 * count; at += 24) {
    const first = v128.load(at);
    const last = v128.load64_zero(at, 16);
    // A finite number less itself is 0.
    differences = v128.or(differences, v128.or(f32x4.sub(first, first), f32x4.sub(last, last)));
  }
  return !v128.any_true(differences);
}
