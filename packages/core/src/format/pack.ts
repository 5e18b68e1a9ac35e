/** Where rectangles are in a picture: x, y of each. */
export interface Packing {
  readonly width: number;
  readonly height: number;
  readonly places: Int32Array;
}

/**
 * Packs rectangles (width, height of each, 1 or more) into a picture whose width is a power of 2 and close to its height: the
 * highest first, on shelves. Takes n log n time; the picture has less than twice the rectangles' area, plus a shelf.
 */
export function packRectangles(sizes: Int32Array): Packing {
  const count = sizes.length / 2;
  let [area, widest] = [0, 1];
  for (let k = 0; k < count; k++) {
    area += sizes[2 * k]! * sizes[2 * k + 1]!;
    widest = Math.max(widest, sizes[2 * k]!);
  }
  let width = 1;
  while (width < widest || width * width < area) width *= 2;
  const order = Uint32Array.from({ length: count }, (_, k) => k).sort(
    (a, b) => sizes[2 * b + 1]! - sizes[2 * a + 1]! || a - b,
  );
  const places = new Int32Array(2 * count);
  let [x, y, shelf] = [0, 0, 0];
  for (const k of order) {
    if (x + sizes[2 * k]! > width) {
      y += shelf;
      [x, shelf] = [0, 0];
    }
    places[2 * k] = x;
    places[2 * k + 1] = y;
    x += sizes[2 * k]!;
    shelf = Math.max(shelf, sizes[2 * k + 1]!);
  }
  return { width, height: y + shelf, places };
}
