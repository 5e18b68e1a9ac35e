import type { Color } from './colors.ts';

// A picture before it is rendered: shapes in pixels from the upper left corner; later ones cover earlier ones. svg.ts and
// raster.ts make the same picture from it.

/** A grid of squares, each in one of several colours. */
export interface Squares {
  readonly kind: 'squares';
  readonly x: number;
  readonly y: number;
  /** Length of a square's side, a whole number. */
  readonly size: number;
  readonly columns: number;
  readonly rows: number;
  /** The colour of each, row by row from the top, by its number in `colors`; 255 for none. */
  readonly cells: Uint8Array;
  readonly colors: readonly Color[];
  /** Number of the colour that has white diagonal lines across it. */
  readonly hatched?: number | undefined;
}

/** Distance between diagonal lines, in pixels along the picture's edges. */
export const HATCH_STEP = 8;

/** A filled rectangle. */
export interface Rectangle {
  readonly kind: 'rectangle';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: Color;
}

/** A line from point to point. */
export interface Line {
  readonly kind: 'line';
  /** x and y of its points, alternating. */
  readonly points: readonly number[];
  readonly width: number;
  readonly color: Color;
}

/** Words in one line. */
export interface Text {
  readonly kind: 'text';
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly text: string;
  /** Of the font, in pixels. */
  readonly size: number;
  readonly color: Color;
  readonly anchor?: 'start' | 'middle' | 'end' | undefined;
  readonly isBold?: boolean | undefined;
  /** Colour of an outline around the letters, so that they can be read on anything. */
  readonly halo?: Color | undefined;
}

/** A part of a {@link Drawing}. */
export type Shape = Squares | Rectangle | Line | Text;

/** A picture as shapes, for `toSvg` and `toPng`. Lengths are in pixels, from the upper left corner. */
export interface Drawing {
  /** In pixels, 1 to 65,535. */
  readonly width: number;
  /** In pixels, 1 to 65,535. */
  readonly height: number;
  readonly background: Color;
  /** What it shows, for people who cannot see it. */
  readonly title: string;
  /** Later ones cover earlier ones. */
  readonly shapes: readonly Shape[];
}

/** A ring of `sides` points, as a line. */
export function ring(x: number, y: number, radius: number, width: number, color: Color): Line {
  return { kind: 'line', points: RING.map((at, k) => (k % 2 === 0 ? x : y) + radius * at), width, color };
}

/** A circle's points: those of an octagon, halved twice; no sine is needed. */
const RING: readonly number[] = (() => {
  const d = Math.SQRT1_2;
  let points: [number, number][] = [
    [1, 0],
    [d, d],
    [0, 1],
    [-d, d],
    [-1, 0],
    [-d, -d],
    [0, -1],
    [d, -d],
  ];
  for (let times = 0; times < 2; times++) {
    points = points.flatMap(([x, y], k) => {
      const [nextX, nextY] = points[(k + 1) % points.length]!;
      const [sumX, sumY] = [x + nextX, y + nextY];
      const length = Math.sqrt(sumX * sumX + sumY * sumY);
      return [
        [x, y],
        [sumX / length, sumY / length],
      ] as [number, number][];
    });
  }
  return [...points, points[0]!].flat();
})();
