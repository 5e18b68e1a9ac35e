import type { Color } from './colors.ts';
import type { Shape, Text } from './drawing.ts';

/** Collects what is drawn. */
export class Pen {
  readonly shapes: Shape[] = [];

  line(points: readonly number[], width: number, color: Color): void {
    this.shapes.push({ kind: 'line', points, width, color });
  }

  /** The outline of a box. */
  frame(x: number, y: number, width: number, height: number, color: Color): void {
    this.line([x, y, x + width, y, x + width, y + height, x, y + height, x, y], 1, color);
  }

  text(
    x: number,
    y: number,
    text: string,
    size: number,
    color: Color,
    more: Pick<Text, 'anchor' | 'isBold' | 'halo'> = {},
  ): void {
    this.shapes.push({ kind: 'text', x, y, text, size, color, ...more });
  }
}
