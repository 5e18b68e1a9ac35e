import type {
  BrushStep,
  Explanation,
  NodeStep,
  Plane,
  PolygonStep,
  Shape,
  SideStep,
  Trace,
  Vec3,
} from '@bspkit/core';
import type { FileBrush } from '@bspkit/core/format';
import { clipBehindAll, flipPlane, type Winding } from '@bspkit/geometry';
import { leafName, show } from '@bspkit/words';
import { crossing, type Point2, Slice } from './slice.ts';

/** How contents are drawn: solid, of another kind, or not at all. */
export type Filling = 'solid' | 'other' | undefined;

/** What goes into the picture besides the steps. */
export interface Drawing {
  readonly title: string;
  readonly shape: Shape;
  /** The move as in the steps. */
  readonly start: Vec3;
  readonly end: Vec3;
  /** All brushes of the map; those that the slice does not cut are left out. Without any, the leafs are drawn. */
  readonly brushes: readonly FileBrush[];
  readonly fillingOf: (contents: number) => Filling;
}

const WIDTH = 960;
const MARGIN = 0.15;
const LEAST_MARGIN = 64;
/** The least height of the slice, relative to its width. */
const LEAST_HEIGHT = 0.45;
/** Pixels above the slice, and of a line of text below it. */
const TOP = 32;
const LINE = 22;
/** Width of a letter, which is only an estimate: no font is at hand. */
const LETTER = 6.4;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .slice text { paint-order: stroke; stroke: #fbfaf8; stroke-width: 3px; stroke-linejoin: round }
  .solid { fill: #d9d4cc; stroke: #a39c90 }
  .other { fill: #cfe3f2; stroke: #8fb4cf }
  .hit { fill: #f6c9a0; stroke: #c0631a; stroke-width: 2 }
  .widened { fill: none; stroke: #c0631a; stroke-dasharray: 6 4 }
  .node { stroke: #5b7db1; stroke-width: 1 }
  text.node-name { fill: #5b7db1; font-size: 10px }
  .move { stroke: #222; stroke-width: 2 }
  .rest { stroke: #222; stroke-dasharray: 2 5 }
  .shape { fill: #2a7d4f22; stroke: #2a7d4f; stroke-width: 1.5 }
  .enter { fill: #c0631a }
  .leave { fill: #5b7db1 }
  .scale { fill: none; stroke: #333 }
`;

/** The meaning of the picture's colours and lines, by style. */
const LEGEND = {
  solid: 'solid',
  other: 'other contents',
  hit: 'what stopped the move',
  widened: 'widened by the shape',
  node: 'split plane',
  move: 'move',
  rest: 'not reached',
  shape: 'shape at start and stop',
} as const;
const LINES: readonly string[] = ['node', 'move', 'rest'];

/**
 * The walk as a picture: a slice that contains the move, with the brushes it cuts, the split planes as far as their nodes reach,
 * the shape at both ends of the move, and where it entered and left what stopped it.
 */
export function explainSvg(explanation: Explanation, drawing: Drawing): string {
  return new Svg(explanation, drawing).toString();
}

/** A brush or polygon that stopped the move, and its sides as they were tested. */
interface Hit {
  readonly step: BrushStep | PolygonStep;
  readonly sides: readonly SideStep[];
}

/** A leaf that the walk came to, as far as it can be seen in the slice. */
interface SeenLeaf {
  readonly leaf: number;
  readonly contents: number;
  readonly region: Winding | undefined;
}

class Svg {
  private readonly _explanation: Explanation;
  private readonly _drawing: Drawing;
  private readonly _slice: Slice;
  private readonly _low: Point2;
  private readonly _high: Point2;
  private readonly _view: Winding;
  /** Pixels per unit. */
  private readonly _scale: number;
  private readonly _hit: Hit | undefined;
  private readonly _labels: Labels = new Labels();

  constructor(explanation: Explanation, drawing: Drawing) {
    this._explanation = explanation;
    this._drawing = drawing;
    this._slice = new Slice(drawing.start, drawing.end);
    [this._low, this._high] = this._frame();
    this._view = this._slice.rectangle(this._low, this._high);
    this._scale = WIDTH / (this._high[0] - this._low[0]);
    this._hit = findHit(explanation);
  }

  toString(): string {
    const height = Math.round((this._high[1] - this._low[1]) * this._scale);
    this._labels.limit(WIDTH, height);
    // Labels of what was hit are placed first.
    const marks = this._marks();
    const { lines, leafs } = this._nodes();
    const filled = this._drawing.brushes.length > 0 ? this._brushes() : this._leafs(leafs);
    const widened = this._region(this._widened(), 'widened');
    const parts = [...filled, ...widened, ...lines, ...this._move(), ...marks].join('\n');
    const legend = this._legend(parts);
    const whole = TOP + height + legend.height;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${whole}" width="${WIDTH}" height="${whole}">
<style>${STYLE}</style>
<clipPath id="frame"><rect width="${WIDTH}" height="${height}"/></clipPath>
<rect width="100%" height="100%" fill="#fbfaf8"/>
<text x="12" y="20">${escapeXml(this._drawing.title)}</text>
<g class="slice" transform="translate(0 ${TOP})" clip-path="url(#frame)">
${parts}
</g>
<g transform="translate(0 ${TOP + height})">
${legend.text}
</g>
</svg>
`;
  }

  /** The part of the slice that is shown, by its lower left and upper right corners. */
  private _frame(): [Point2, Point2] {
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
      [x + halfWidth, y + halfHeight],
    ];
  }

  private _pixel([x, y]: Point2): [number, number] {
    const pixels = [(x - this._low[0]) * this._scale, (this._high[1] - y) * this._scale];
    return pixels.map((value) => Math.round(10 * value) / 10) as [number, number];
  }

  private _polygon(points: readonly Point2[], style: string, title = ''): string {
    const text = title === '' ? '' : `<title>${escapeXml(title)}</title>`;
    const corners = points.map((point) => this._pixel(point).join(',')).join(' ');
    return `<polygon class="${style}" points="${corners}">${text}</polygon>`;
  }

  /** The part of the slice within some planes; nothing if there is none. */
  private _region(planes: readonly Plane[], style: string, title = ''): string[] {
    const winding = planes.length === 0 ? undefined : clipBehindAll(this._view, planes);
    return winding ? [this._polygon(this._slice.points(winding), style, title)] : [];
  }

  private _line(from: Point2, to: Point2, style: string): string {
    const [x1, y1] = this._pixel(from);
    const [x2, y2] = this._pixel(to);
    return `<line class="${style}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  }

  private _brushes(): string[] {
    const { brushes, fillingOf } = this._drawing;
    const hit = this._hit?.step.kind === 'brush' ? this._hit.step.brush : this._touched();
    return brushes.flatMap(({ brush, contents, planes }) => {
      const style = brush === hit ? 'hit' : fillingOf(contents);
      return style ? this._region(planes, style, `brush ${brush}`) : [];
    });
  }

  /** What stopped the move as the shape widens it: where its middle may not be, between these planes. */
  private _widened(): Plane[] {
    if (!this._hit) return [];
    const { step, sides } = this._hit;
    if (step.kind === 'brush') return [...sides];
    // Around its edges and corners, what stops the middle of an exact shape is round.
    if (sides.length === 0) return [];
    // A polygon reaches as far as the shape does, on the side that it faces.
    return [...sides, { normal: step.normal, dist: step.dist + step.offset }, flipPlane(step)];
  }

  /** If the steps name no brush: the solid one that the move would have gone into, or that is behind the polygon. */
  private _touched(): number | undefined {
    const { brushes, fillingOf, start, end } = this._drawing;
    const { fraction } = this._explanation.trace;
    if (fraction === 1) return undefined;
    const length = Math.hypot(...[0, 1, 2].map((k) => end[k]! - start[k]!));
    const step = this._hit?.step;
    const beyond =
      step?.kind === 'polygon'
        ? behindPolygon(step, this._explanation.trace)
        : this._at(Math.min(1, fraction + 1 / Math.max(1, length)));
    const inside = ({ normal, dist }: Plane): boolean =>
      beyond[0]! * normal[0]! + beyond[1]! * normal[1]! + beyond[2]! * normal[2]! <= dist;
    return brushes.find(({ contents, planes }) => fillingOf(contents) === 'solid' && planes.every(inside))
      ?.brush;
  }

  /** For formats that keep no brushes: the leafs that the walk came to. The last solid one stopped it. */
  private _leafs(leafs: readonly SeenLeaf[]): string[] {
    const { fillingOf } = this._drawing;
    const solid = leafs.filter(({ contents }) => fillingOf(contents) === 'solid');
    const hit = this._explanation.trace.fraction < 1 ? solid.at(-1) : undefined;
    return leafs.flatMap((seen) => {
      const style = seen === hit ? 'hit' : fillingOf(seen.contents);
      if (!style || !seen.region) return [];
      return [this._polygon(this._slice.points(seen.region), style, leafName(seen.leaf))];
    });
  }

  /** Split planes, each as far as the region of its node reaches, and the leafs between them. */
  private _nodes(): { lines: string[]; leafs: SeenLeaf[] } {
    const lines: string[] = [];
    const leafs: SeenLeaf[] = [];
    const above: { step: NodeStep; entered: number }[] = [];
    for (const step of this._explanation.steps) {
      if (step.kind !== 'node' && step.kind !== 'leaf') continue;
      above.length = Math.min(above.length, step.depth);
      const parent = above.at(-1);
      if (parent) parent.entered++;
      const sides = above.map(({ step: node, entered }) =>
        node.children[entered - 1] === 0 ? flipPlane(node) : node,
      );
      const region = clipBehindAll(this._view, sides);
      if (step.kind === 'leaf') {
        leafs.push({ leaf: step.leaf, contents: step.contents, region });
        continue;
      }
      const ends = region && crossing(region, step);
      if (ends) {
        const [from, to] = ends.map((end) => this._slice.project(end)) as [Point2, Point2];
        lines.push(this._line(from, to, 'node'));
        lines.push(
          ...this._labels.place(String(step.node), 'node-name', along(this._pixel(from), this._pixel(to))),
        );
      }
      above.push({ step, entered: 0 });
    }
    return { lines, leafs };
  }

  /** The point at a fraction of the move. */
  private _at(fraction: number): number[] {
    const { start, end } = this._drawing;
    return [0, 1, 2].map((k) => start[k]! + fraction * (end[k]! - start[k]!));
  }

  private _place(fraction: number): Point2 {
    return this._slice.project(this._at(fraction));
  }

  private _move(): string[] {
    const { fraction } = this._explanation.trace;
    const stop = this._place(fraction);
    return [
      ...(fraction < 1 ? [this._line(stop, this._place(1), 'rest')] : []),
      this._line(this._place(0), stop, 'move'),
      this._shape(this._place(0)),
      this._shape(stop),
    ];
  }

  private _shape(at: Point2): string {
    const { shape } = this._drawing;
    const [x, y] = this._pixel(at);
    if (shape.kind === 'sphere') {
      return `<circle class="shape" cx="${x}" cy="${y}" r="${show(shape.radius * this._scale, 1)}"/>`;
    }
    if (shape.kind === 'ellipsoid') {
      return this._polygon(
        this._slice.outline(shape.radii).map(([right, up]) => [at[0] + right, at[1] + up] as const),
        'shape',
      );
    }
    if (!('mins' in shape)) return `<circle class="shape" cx="${x}" cy="${y}" r="3"/>`;
    // The steps are about the middle of the box.
    const half = [0, 1, 2].map((k) => (shape.maxs[k]! - shape.mins[k]!) / 2);
    const { low, high } = this._slice.extents({ mins: half.map((h) => -h), maxs: half });
    const corners: Point2[] = [
      [at[0] + low[0], at[1] + low[1]],
      [at[0] + high[0], at[1] + low[1]],
      [at[0] + high[0], at[1] + high[1]],
      [at[0] + low[0], at[1] + high[1]],
    ];
    return this._polygon(corners, 'shape');
  }

  /** Where the move would enter and leave what stopped it. */
  private _marks(): string[] {
    if (!this._hit) return [];
    const { enter } = this._hit.step;
    const leave = this._hit.step.kind === 'brush' ? this._hit.step.leave : this._hit.sides.at(-1)?.leave;
    const mark = (fraction: number, style: 'enter' | 'leave'): string[] => {
      if (fraction < 0 || fraction > 1) return [];
      const [x, y] = this._pixel(this._place(fraction));
      const places = [[x + 7, y - 7] as const, [x + 7, y + 17] as const, [x + 7, y - 21] as const];
      return [
        `<circle class="${style}" cx="${x}" cy="${y}" r="4"/>`,
        ...this._labels.place(`${style} ${show(fraction)}`, style, places),
      ];
    };
    return [...mark(enter, 'enter'), ...(leave === undefined ? [] : mark(leave, 'leave'))];
  }

  /** What is below the slice: the meaning of its styles, its scale, and from where it is seen. */
  private _legend(picture: string): { text: string; height: number } {
    const items = Object.entries(LEGEND).filter(([style]) => picture.includes(`class="${style}"`));
    const parts: string[] = [];
    let [x, y] = [12, 0];
    for (const [style, text] of items) {
      const width = 30 + LETTER * text.length;
      if (x + width > WIDTH) [x, y] = [12, y + LINE];
      const swatch = LINES.includes(style)
        ? `<line class="${style}" x1="${x}" y1="${y + 11}" x2="${x + 16}" y2="${y + 11}"/>`
        : `<rect class="${style}" x="${x}" y="${y + 6}" width="16" height="10"/>`;
      parts.push(swatch, `<text x="${x + 22}" y="${y + 15}">${text}</text>`);
      x += width + 12;
    }
    const units = niceLength(120 / this._scale);
    const end = show(12 + units * this._scale, 1);
    const below = y + LINE;
    const seen = `seen from ${this._slice.view === 'top' ? 'above' : 'the side'}, fraction ${show(this._explanation.trace.fraction, 6)}`;
    parts.push(
      `<path class="scale" d="M12 ${below + 7} v8 H${end} v-8"/>`,
      `<text x="${Number(end) + 8}" y="${below + 15}">${show(units)} units; ${seen}</text>`,
    );
    return { text: parts.join('\n'), height: below + LINE + 6 };
  }
}

/** How far behind a polygon it is looked for a brush, in Quake units: less than thin ones measure. */
const BEHIND = 1 / 32;

/** A point just behind a polygon, near where it is touched: also from its edges, the way back leads into what it belongs to. */
function behindPolygon({ normal, dist }: PolygonStep, trace: Trace & { readonly point?: Vec3 }): number[] {
  const { point = trace.endPos } = trace;
  const side = normal[0] * point[0]! + normal[1] * point[1]! + normal[2] * point[2]! - dist;
  return normal.map((n, k) => point[k]! - side * n - BEHIND * (n + trace.normal[k]!));
}

/** The last brush or polygon that stopped the move. */
function findHit({ steps }: Explanation): Hit | undefined {
  let found: Hit | undefined;
  let sides: SideStep[] = [];
  for (const step of steps) {
    if (step.kind === 'side') {
      sides.push(step);
      continue;
    }
    const isStop = 'outcome' in step && (step.outcome === 'hit' || step.outcome === 'allSolid');
    if (isStop && step.kind !== 'facet') found = { step, sides };
    sides = [];
  }
  return found;
}

type Pixels = readonly [number, number];

/** Places for a label along a line: at its ends, and between. */
const along = (from: Pixels, to: Pixels): Pixels[] =>
  [0.97, 0.03, 0.75, 0.5, 0.25].map((part) => [
    from[0] + part * (to[0] - from[0]) + 2,
    from[1] + part * (to[1] - from[1]) - 2,
  ]);

/** Places labels where they do not cover others, or leaves them out. */
class Labels {
  private readonly _taken: { left: number; top: number; right: number; bottom: number }[] = [];
  private _width = 0;
  private _height = 0;

  limit(width: number, height: number): void {
    this._width = width;
    this._height = height;
  }

  /** The label at the first of some places (its lower left corner) where there is room. */
  place(text: string, style: string, places: readonly Pixels[]): string[] {
    for (const [x, y] of places) {
      const box = { left: x, top: y - 11, right: x + LETTER * text.length, bottom: y + 2 };
      const inside = box.left >= 0 && box.top >= 0 && box.right <= this._width && box.bottom <= this._height;
      const covers = this._taken.some(
        (other) =>
          box.left < other.right &&
          other.left < box.right &&
          box.top < other.bottom &&
          other.top < box.bottom,
      );
      if (!inside || covers) continue;
      this._taken.push(box);
      return [`<text class="${style}" x="${show(x, 1)}" y="${show(y, 1)}">${escapeXml(text)}</text>`];
    }
    return [];
  }
}

/** A round length of at most `most`: 1, 2 or 5 times a power of ten. */
function niceLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char]!);
