import { type Color, HATCH } from './colors.ts';
import { type Drawing, HATCH_STEP, type Line, type Shape, type Squares, type Text } from './drawing.ts';
import { type Stroke, textStrokes, textWidth } from './font.ts';

/** Pixels of a picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue per pixel, the top row first. */
  readonly data: Uint8Array;
}

/** Width of the strokes of letters, relative to the font's size. */
const [PLAIN, BOLD] = [0.092, 0.135];
/** How far around letters a halo reaches, in pixels. */
const HALO = 2.5;

/** Draws a picture as pixels, `scale` of them for each of the drawing's. With plain arithmetic only: the same everywhere. */
export function rasterize(drawing: Drawing, scale: number): Pixels {
  const canvas = new Canvas(drawing, scale);
  for (const shape of drawing.shapes) canvas.draw(shape);
  return canvas;
}

class Canvas implements Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  private readonly _scale: number;

  constructor({ width, height, background }: Drawing, scale: number) {
    this.width = Math.ceil(width * scale);
    this.height = Math.ceil(height * scale);
    this.data = new Uint8Array(3 * this.width * this.height);
    this._scale = scale;
    this._fill(0, 0, this.width, this.height, background);
  }

  draw(shape: Shape): void {
    const scale = this._scale;
    if (shape.kind === 'squares') this._squares(shape);
    else if (shape.kind === 'line') this._line(shape);
    else if (shape.kind === 'text') this._text(shape);
    else {
      const [left, top] = [Math.round(shape.x * scale), Math.round(shape.y * scale)];
      const right = Math.round((shape.x + shape.width) * scale);
      this._fill(left, top, right, Math.round((shape.y + shape.height) * scale), shape.fill);
    }
  }

  private _squares({ x, y, size, columns, rows, cells, colors, hatched }: Squares): void {
    const side = size * this._scale;
    const edges = (first: number, count: number): number[] =>
      Array.from({ length: count + 1 }, (_, k) => Math.round(first + k * side));
    const across = edges(x * this._scale, columns);
    const down = edges(y * this._scale, rows);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const number = cells[row * columns + column]!;
        const color = colors[number];
        if (!color) continue;
        // Squares of a colour are filled together.
        const first = column;
        while (column + 1 < columns && cells[row * columns + column + 1] === number) column++;
        this._fill(
          across[first]!,
          down[row]!,
          across[column + 1]!,
          down[row + 1]!,
          color,
          number === hatched,
        );
      }
    }
  }

  private _fill(
    left: number,
    top: number,
    right: number,
    bottom: number,
    color: Color,
    isHatched = false,
  ): void {
    const { data, width } = this;
    const every = HATCH_STEP * this._scale;
    left = Math.max(left, 0);
    right = Math.min(right, width);
    bottom = Math.min(bottom, this.height);
    for (let y = Math.max(top, 0); y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const fill = isHatched && (x + y) % every < this._scale ? HATCH : color;
        const at = 3 * (y * width + x);
        data[at] = fill[0];
        data[at + 1] = fill[1];
        data[at + 2] = fill[2];
      }
    }
  }

  private _line({ points, width, color }: Line): void {
    this._strokes([points.map((at) => at * this._scale)], 0, 0, (width * this._scale) / 2, color);
  }

  private _text({ x, y, text, size, color, anchor, isBold, halo }: Text): void {
    const scaled = size * this._scale;
    const width = textWidth(text, scaled);
    const left = x * this._scale - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0);
    const strokes = textStrokes(text, scaled);
    const radius = (scaled * (isBold ? BOLD : PLAIN)) / 2;
    const base = y * this._scale;
    if (halo) this._strokes(strokes, left, base, radius + HALO * this._scale, halo);
    this._strokes(strokes, left, base, radius, color);
  }

  /** Lines with round ends: each pixel is covered according to its distance from the nearest of them. */
  private _strokes(
    strokes: readonly Stroke[],
    left: number,
    base: number,
    radius: number,
    color: Color,
  ): void {
    const all = strokes.flat();
    const xs = all.filter((_, k) => k % 2 === 0);
    const ys = all.filter((_, k) => k % 2 === 1);
    const reach = radius + 1;
    const low = (values: readonly number[], by: number): number =>
      Math.floor(values.reduce((least, x) => Math.min(least, x), Infinity) + by - reach);
    const high = (values: readonly number[], by: number): number =>
      Math.ceil(values.reduce((most, x) => Math.max(most, x), -Infinity) + by + reach);
    const x0 = Math.max(0, low(xs, left));
    const y0 = Math.max(0, low(ys, base));
    const columns = Math.min(this.width, high(xs, left)) - x0;
    const rows = Math.min(this.height, high(ys, base)) - y0;
    if (columns <= 0 || rows <= 0) return;
    const cover = new Float64Array(columns * rows);
    const segments: Segment[] = [];
    for (const stroke of strokes) {
      for (let k = 0; k + 1 < stroke.length; k += 2) {
        const next = k + 3 < stroke.length ? k + 2 : k;
        if (next === k && stroke.length > 2) continue;
        const [ax, ay] = [stroke[k]! + left - x0, stroke[k + 1]! + base - y0];
        const [bx, by] = [stroke[next]! + left - x0, stroke[next + 1]! + base - y0];
        const segment = segmentOf(ax, ay, bx - ax, by - ay, radius + 1, columns, rows);
        segments.push(segment);
        coverSegment(cover, columns, segment, radius);
      }
    }
    // Only where the segments are: the outline of a plan is around millions of pixels.
    const { data, width } = this;
    for (const { x1, x2, y1, y2 } of segments) {
      for (let y = y1; y < y2; y++) {
        for (let x = x1; x < x2; x++) {
          const part = cover[y * columns + x]!;
          if (part === 0) continue;
          cover[y * columns + x] = 0;
          const pixel = 3 * ((y0 + y) * width + x0 + x);
          for (let k = 0; k < 3; k++) {
            data[pixel + k] = Math.round(data[pixel + k]! + part * (color[k]! - data[pixel + k]!));
          }
        }
      }
    }
  }
}

/** A segment from (ax, ay) by (dx, dy), and the pixels that it may cover: from the first numbers up to below the second ones. */
interface Segment {
  readonly ax: number;
  readonly ay: number;
  readonly dx: number;
  readonly dy: number;
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

/** The segment of a line with some reach, in a picture of so many pixels. */
function segmentOf(
  ax: number,
  ay: number,
  dx: number,
  dy: number,
  reach: number,
  columns: number,
  rows: number,
): Segment {
  const x1 = Math.max(0, Math.floor(Math.min(ax, ax + dx) - reach));
  const x2 = Math.min(columns, Math.ceil(Math.max(ax, ax + dx) + reach));
  const y1 = Math.max(0, Math.floor(Math.min(ay, ay + dy) - reach));
  const y2 = Math.min(rows, Math.ceil(Math.max(ay, ay + dy) + reach));
  return { ax, ay, dx, dy, x1, x2, y1, y2 };
}

/** Notes how much of each pixel is within `radius` of a segment. */
function coverSegment(cover: Float64Array, columns: number, segment: Segment, radius: number): void {
  const { ax, ay, dx, dy, x1, x2, y1, y2 } = segment;
  const square = dx * dx + dy * dy;
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) {
      const [fromX, fromY] = [x + 0.5 - ax, y + 0.5 - ay];
      const along = square === 0 ? 0 : Math.min(1, Math.max(0, (fromX * dx + fromY * dy) / square));
      const [offX, offY] = [fromX - along * dx, fromY - along * dy];
      const part = Math.min(1, radius + 0.5 - Math.sqrt(offX * offX + offY * offY));
      const at = y * columns + x;
      if (part > cover[at]!) cover[at] = part;
    }
  }
}
