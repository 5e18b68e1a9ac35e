import type { BrushStep, Explanation, NodeStep, Plane, Shape, SideStep, Vec3 } from '@bspkit/core';
import { show } from './numbers.ts';
import { type Point2, type Polygon2, Slice } from './slice.ts';

/** A brush to draw: its planes, and its number in the file. */
export interface DrawnBrush {
  readonly brush: number;
  readonly contents: number;
  readonly planes: readonly Plane[];
}

/** What goes into the picture besides the steps. */
export interface Drawing {
  readonly title: string;
  readonly shape: Shape;
  /** The move as the steps have it. */
  readonly start: Vec3;
  readonly end: Vec3;
  /** All brushes of the map; those that the slice does not cut are left out. */
  readonly brushes: Iterable<DrawnBrush>;
  readonly isSolid: (contents: number) => boolean;
}

const WIDTH = 960;
const MARGIN = 0.15;
const LEAST_MARGIN = 64;
/** The picture is at least this high, as a part of its width. */
const LEAST_HEIGHT = 0.45;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .solid { fill: #d9d4cc; stroke: #a39c90 }
  .other { fill: #cfe3f2; stroke: #8fb4cf }
  .hit { fill: #f6c9a0; stroke: #c0631a; stroke-width: 2 }
  .widened { fill: none; stroke: #c0631a; stroke-dasharray: 6 4 }
  .node { stroke: #5b7db1; stroke-width: 1 }
  .node-name { fill: #5b7db1; font-size: 10px }
  .move { stroke: #222; stroke-width: 2 }
  .rest { stroke: #222; stroke-dasharray: 2 5 }
  .shape { fill: #2a7d4f22; stroke: #2a7d4f; stroke-width: 1.5 }
  .enter { fill: #c0631a }
  .leave { fill: #5b7db1 }
`;

/**
 * The walk as a picture: a slice that holds the move, with the brushes it cuts, the split planes as far as their nodes
 * reach, the shape at both ends of what it moved, and where it entered and left the brush that stopped it.
 */
export function explainSvg(explanation: Explanation, drawing: Drawing): string {
  return new Svg(explanation, drawing).toString();
}

class Svg {
  private readonly _explanation: Explanation;
  private readonly _drawing: Drawing;
  private readonly _slice: Slice;
  private readonly _view: Polygon2;
  private readonly _scale: number;

  constructor(explanation: Explanation, drawing: Drawing) {
    this._explanation = explanation;
    this._drawing = drawing;
    this._slice = new Slice(drawing.start, drawing.end);
    this._view = this._frame();
    this._scale = WIDTH / (this._view[2]![0] - this._view[0]![0]);
  }

  toString(): string {
    const [low, , high] = this._view as readonly [Point2, Point2, Point2];
    const height = Math.round((high[1] - low[1]) * this._scale);
    const parts = [
      ...this._brushes(),
      ...this._nodes(),
      ...this._move(),
      ...this._marks(),
      `<text x="12" y="20">${escapeXml(this._drawing.title)}</text>`,
      `<text x="12" y="${height - 12}">seen from ${this._slice.view === 'top' ? 'above' : 'the side'}, fraction ${show(this._explanation.trace.fraction, 6)}</text>`,
    ];
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<style>${STYLE}</style>
<rect width="100%" height="100%" fill="#fbfaf8"/>
${parts.join('\n')}
</svg>
`;
  }

  /** The part of the slice that is shown, lower left corner first. */
  private _frame(): Polygon2 {
    const { start, end } = this._drawing;
    const ends = [this._slice.project(start), this._slice.project(end)];
    const low = [0, 1].map((k) => Math.min(ends[0]![k]!, ends[1]![k]!));
    const high = [0, 1].map((k) => Math.max(ends[0]![k]!, ends[1]![k]!));
    const margin = Math.max(LEAST_MARGIN, MARGIN * Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!));
    let [halfWidth, halfHeight] = [0, 1].map((k) => (high[k]! - low[k]!) / 2 + margin) as [number, number];
    halfWidth = Math.max(halfWidth, halfHeight);
    halfHeight = Math.max(halfHeight, LEAST_HEIGHT * halfWidth);
    const [x, y] = [0, 1].map((k) => (low[k]! + high[k]!) / 2) as [number, number];
    return [
      [x - halfWidth, y - halfHeight],
      [x + halfWidth, y - halfHeight],
      [x + halfWidth, y + halfHeight],
      [x - halfWidth, y + halfHeight],
    ];
  }

  private _pixel([x, y]: Point2): string {
    const [left, top] = [this._view[0]![0], this._view[2]![1]];
    return `${show((x - left) * this._scale, 1)},${show((top - y) * this._scale, 1)}`;
  }

  private _polygon(polygon: Polygon2, style: string, title = ''): string[] {
    if (polygon.length === 0) return [];
    const points = polygon.map((point) => this._pixel(point)).join(' ');
    const text = title === '' ? '' : `<title>${escapeXml(title)}</title>`;
    return [`<polygon class="${style}" points="${points}">${text}</polygon>`];
  }

  private _line(from: Point2, to: Point2, style: string): string {
    const [x1, y1] = this._pixel(from).split(',');
    const [x2, y2] = this._pixel(to).split(',');
    return `<line class="${style}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  }

  private _brushes(): string[] {
    const { brushes, isSolid } = this._drawing;
    const hit = this._hit()?.step.brush;
    const drawn: string[] = [];
    for (const { brush, contents, planes } of brushes) {
      const polygon = this._clipped(planes);
      const style = brush === hit ? 'hit' : isSolid(contents) ? 'solid' : 'other';
      drawn.push(...this._polygon(polygon, style, `brush ${brush}`));
    }
    const widened = this._hit()?.sides.map(({ normal, dist }) => ({ normal, dist })) ?? [];
    return [...drawn, ...this._polygon(this._clipped(widened), 'widened')];
  }

  private _clipped(planes: readonly Plane[]): Polygon2 {
    if (planes.length === 0) return [];
    return planes.reduce<Polygon2>((polygon, plane) => this._slice.clip(polygon, plane), this._view);
  }

  /** The brush that stopped the move, and its sides as they were tested. */
  private _hit(): { step: BrushStep; sides: SideStep[] } | undefined {
    let found: { step: BrushStep; sides: SideStep[] } | undefined;
    let sides: SideStep[] = [];
    for (const step of this._explanation.steps) {
      if (step.kind === 'side') sides.push(step);
      else {
        if (step.kind === 'brush' && (step.outcome === 'hit' || step.outcome === 'allSolid')) {
          found = { step, sides };
        }
        sides = [];
      }
    }
    return found;
  }

  /** Split planes, each as far as the region of its node reaches. */
  private _nodes(): string[] {
    const drawn: string[] = [];
    const above: { step: NodeStep; entered: number }[] = [];
    for (const step of this._explanation.steps) {
      if (step.kind !== 'node' && step.kind !== 'leaf') continue;
      above.length = Math.min(above.length, step.depth);
      const parent = above.at(-1);
      if (parent) parent.entered++;
      if (step.kind === 'leaf') continue;
      const region = above.reduce<Polygon2>(
        (polygon, { step: node, entered }) =>
          this._slice.clip(polygon, node, node.children[entered - 1] === 0),
        this._view,
      );
      const ends = this._slice.cut(region, step);
      if (ends) {
        const [x, y] = this._pixel(ends[1]).split(',');
        drawn.push(this._line(...ends, 'node'));
        drawn.push(`<text class="node-name" x="${x}" y="${y}" dx="2" dy="-2">${step.node}</text>`);
      }
      above.push({ step, entered: 0 });
    }
    return drawn;
  }

  private _at(fraction: number): Point2 {
    const { start, end } = this._drawing;
    return this._slice.project([0, 1, 2].map((k) => start[k]! + fraction * (end[k]! - start[k]!)));
  }

  private _move(): string[] {
    const { fraction } = this._explanation.trace;
    const stop = this._at(fraction);
    return [
      this._line(stop, this._at(1), 'rest'),
      this._line(this._at(0), stop, 'move'),
      ...this._shape(this._at(0)),
      ...this._shape(stop),
    ];
  }

  private _shape(at: Point2): string[] {
    const { shape } = this._drawing;
    const [x, y] = this._pixel(at).split(',');
    if (shape.kind === 'sphere') {
      return [`<circle class="shape" cx="${x}" cy="${y}" r="${show(shape.radius * this._scale, 1)}"/>`];
    }
    if (!('mins' in shape)) return [`<circle class="shape" cx="${x}" cy="${y}" r="3"/>`];
    // The steps move the middle of the box.
    const half = [0, 1, 2].map((k) => (shape.maxs[k]! - shape.mins[k]!) / 2);
    const { low, high } = this._slice.extents({ mins: half.map((h) => -h), maxs: half });
    const corners: Polygon2 = [
      [at[0] + low[0], at[1] + low[1]],
      [at[0] + high[0], at[1] + low[1]],
      [at[0] + high[0], at[1] + high[1]],
      [at[0] + low[0], at[1] + high[1]],
    ];
    return this._polygon(corners, 'shape');
  }

  /** Where the move would enter and leave the brush that stopped it. */
  private _marks(): string[] {
    const hit = this._hit()?.step;
    if (!hit) return [];
    const mark = (fraction: number, style: 'enter' | 'leave'): string[] => {
      if (fraction < 0 || fraction > 1) return [];
      const [x, y] = this._pixel(this._at(fraction)).split(',');
      return [
        `<circle class="${style}" cx="${x}" cy="${y}" r="4"/>`,
        `<text class="${style}" x="${x}" y="${y}" dx="7" dy="-7">${style} ${show(fraction)}</text>`,
      ];
    };
    return [...mark(hit.enter, 'enter'), ...mark(hit.leave, 'leave')];
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char]!);
