import type { Plane, Polygon, Shape, Vec3 } from '@bspkit/core';
import { clipBehindAll, type Winding } from '@bspkit/geometry';
import { show } from '@bspkit/words';
import { UsageError } from './errors.ts';
import type { PlacedBrush } from './move-frame.ts';
import { crossing, type Point2, type Slice } from './slice.ts';

/** How contents are drawn: solid, of another kind, or not at all. */
export type Filling = 'solid' | 'other' | undefined;

/** What goes into every picture. */
export interface Drawing {
  readonly title: string;
  readonly shape: Shape;
  /** How far the shape's middle is from the points that the steps have: nowhere by default, as most are about the middle. */
  readonly middle?: Vec3 | undefined;
  /** Where the shape's upper end is: above by default, but the frame of a model may be turned. */
  readonly up?: Vec3 | undefined;
  /** All brushes of the map; those that the slice does not cut are left out. */
  readonly brushes: readonly PlacedBrush[];
  /** The polygons of the map, for shapes that move among them where the map keeps no brushes; otherwise none. */
  readonly polygons: readonly Polygon[];
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
/** Width of a letter, which is only an estimate: no font is at hand, and some are wide. */
export const LETTER = 7.2;
/** Pixels beside lines of text. */
const BESIDE = 12;
/** What is shown around the move, relative to how far the shape reaches. */
const AROUND = 1.25;
/** Radius of a shape that is a point, in pixels. */
const POINT = 3;

/** The colours of a picture. */
interface Palette {
  readonly page: string;
  readonly text: string;
  readonly solid: Pair;
  readonly other: Pair;
  readonly hit: Pair;
  readonly shape: Pair;
  readonly node: string;
  readonly nodeName: string;
  readonly move: string;
  readonly leave: string;
}
/** What something is filled with, and its outline. */
type Pair = readonly [fill: string, stroke: string];

const LIGHT: Palette = {
  page: '#fbfaf8',
  text: '#333333',
  solid: ['#d9d4cc', '#a39c90'],
  other: ['#cfe3f2', '#8fb4cf'],
  hit: ['#f6c9a0', '#b35a14'],
  shape: ['#2a7d4f22', '#2a7d4f'],
  node: '#5b7db1',
  nodeName: '#456596',
  move: '#222222',
  leave: '#4f71a6',
};
const DARK: Palette = {
  page: '#0d1117',
  text: '#e6edf3',
  solid: ['#30363d', '#6e7681'],
  other: ['#12304a', '#3f7ca8'],
  hit: ['#5a3416', '#e08a3e'],
  shape: ['#4fc48a33', '#4fc48a'],
  node: '#6f94cc',
  nodeName: '#9db8e0',
  move: '#f0f3f6',
  leave: '#86abe6',
};

const colored = ({ page, text, solid, other, hit, shape, node, nodeName, move, leave }: Palette): string => `
  .page { fill: ${page} }
  text { fill: ${text} }
  .slice text { stroke: ${page} }
  .solid { fill: ${solid[0]}; stroke: ${solid[1]} }
  .other { fill: ${other[0]}; stroke: ${other[1]} }
  .hit { fill: ${hit[0]}; stroke: ${hit[1]} }
  .wall { stroke: ${solid[1]} }
  .widened { stroke: ${hit[1]} }
  .node { stroke: ${node} }
  text.node-name { fill: ${nodeName} }
  .move, .rest { stroke: ${move} }
  .shape { fill: ${shape[0]}; stroke: ${shape[1]} }
  .enter, .touch { fill: ${hit[1]} }
  .leave { fill: ${leave} }
  .push, .wanted { stroke: ${shape[1]} }
  .arrow, text.place { fill: ${shape[1]} }
  text.round { fill: ${move} }
  .scale { stroke: ${text} }`;

/** Pages that show a picture may be light or dark. Programs that do not know the question show it light. */
const STYLE = `
  text { font: 12px system-ui, sans-serif }
  .slice text { paint-order: stroke; stroke-width: 3px; stroke-linejoin: round }
  .hit { stroke-width: 2 }
  .wall { stroke-width: 2 }
  .widened { fill: none; stroke-dasharray: 6 4 }
  .node { stroke-width: 1 }
  text.node-name { font-size: 10px }
  .move { stroke-width: 2 }
  .rest { stroke-dasharray: 2 5 }
  .shape { stroke-width: 1.5 }
  .push { stroke-width: 1.5; marker-end: url(#arrow) }
  .wanted { fill: none; stroke-dasharray: 2 3 }
  text.round, text.place { font-weight: bold }
  .scale { fill: none }
${colored(LIGHT)}
  @media (prefers-color-scheme: dark) {${colored(DARK)}
  }
`;

/** The meaning of pictures' colours and lines, by style. */
export type Legend = Readonly<Record<string, string>>;
const LINES: readonly string[] = ['wall', 'node', 'move', 'rest', 'push'];

/** A pixel of the slice, from its upper left corner. */
export type Pixels = readonly [number, number];

/** A picture of a slice through a map: what is in it, and below it what its styles mean, its scale, and from where it is seen. */
export abstract class SlicePicture<D extends Drawing> {
  protected readonly labels: Labels = new Labels();
  protected readonly slice: Slice;
  /** The whole slice. */
  protected readonly view: Winding;
  protected readonly drawing: D;
  private readonly _low: Point2;
  private readonly _high: Point2;
  /** Pixels per unit. */
  private readonly _scale: number;

  /** @param shown - what must be in the picture. */
  constructor(drawing: D, slice: Slice, shown: readonly Point2[]) {
    this.drawing = drawing;
    this.slice = slice;
    const { shape } = drawing;
    const corners = this._outline() ?? [[shape.kind === 'sphere' ? shape.radius : 0, 0]];
    [this._low, this._high] = frame(shown, AROUND * Math.max(...corners.flat().map(Math.abs)));
    this.view = slice.rectangle(this._low, this._high);
    this._scale = WIDTH / (this._high[0] - this._low[0]);
    if (!(this._scale > 0)) throw new UsageError('--svg: the move is too long to draw');
  }

  /** The meaning of its styles; those that it does not have are left out. */
  protected abstract readonly legend: Legend;
  /** What there is to say of the answer. */
  protected abstract readonly answer: string;
  /** Its elements, those in front last. */
  protected abstract parts(): string[];

  toString(): string {
    const height = Math.round((this._high[1] - this._low[1]) * this._scale);
    this.labels.limit(WIDTH, height);
    const parts = this.parts().join('\n');
    const legend = this._legend(parts);
    const title = titleLines(this.drawing.title);
    const top = TOP + LINE * (title.length - 1);
    const whole = top + height + legend.height;
    const size = `viewBox="0 0 ${WIDTH} ${whole}" width="${WIDTH}" height="${whole}"`;
    const about = escapeXml(`${this.drawing.title}, ${this._seen}`);
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${about}">
<style>${STYLE}</style>
<clipPath id="frame"><rect width="${WIDTH}" height="${height}"/></clipPath>
<rect class="page" width="100%" height="100%"/>
${title.map((line, k) => `<text x="${BESIDE}" y="${20 + k * LINE}">${escapeXml(line)}</text>`).join('\n')}
<g class="slice" transform="translate(0 ${top})" clip-path="url(#frame)">
${parts}
</g>
<g transform="translate(0 ${top + height})">
${legend.text}
</g>
</svg>
`;
  }

  /** From where the slice is seen, and what came of the move. */
  private get _seen(): string {
    return `seen from ${this.slice.view === 'top' ? 'above' : 'the side'}, ${this.answer}`;
  }

  protected pixel([x, y]: Point2): [number, number] {
    const pixels = [(x - this._low[0]) * this._scale, (this._high[1] - y) * this._scale];
    return pixels.map((value) => Math.round(10 * value) / 10) as [number, number];
  }

  protected polygon(points: readonly Point2[], style: string, title = ''): string {
    const text = title === '' ? '' : `<title>${escapeXml(title)}</title>`;
    const corners = points.map((point) => this.pixel(point).join(',')).join(' ');
    return `<polygon class="${style}" points="${corners}">${text}</polygon>`;
  }

  /** The part of the slice within some planes; nothing if there is none. */
  protected region(planes: readonly Plane[], style: string, title = ''): string[] {
    const winding = planes.length === 0 ? undefined : clipBehindAll(this.view, planes);
    return winding ? [this.polygon(this.slice.points(winding), style, title)] : [];
  }

  protected line(from: Point2, to: Point2, style: string): string {
    const [x1, y1] = this.pixel(from);
    const [x2, y2] = this.pixel(to);
    return `<line class="${style}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  }

  /** The brushes of the map, those that were hit in their own style. */
  protected brushes(isHit: (brush: PlacedBrush) => boolean): string[] {
    const { brushes, fillingOf } = this.drawing;
    return brushes.flatMap((one) => {
      const style = isHit(one) ? 'hit' : fillingOf(one.contents);
      return style ? this.region(one.planes, style, `brush ${one.brush}`) : [];
    });
  }

  /** Where the map's polygons cross the slice. */
  protected walls(): string[] {
    return this.drawing.polygons.flatMap(({ vertices }) => {
      const ends = crossing(Array.from(vertices), this.slice.plane);
      return ends ? [this.line(this.slice.project(ends[0]), this.slice.project(ends[1]), 'wall')] : [];
    });
  }

  /** The shape, where a point of the steps is. */
  protected shape(at: Point2, style = 'shape'): string {
    const outline = this._outline();
    if (outline)
      return this.polygon(
        outline.map(([right, up]) => [at[0] + right, at[1] + up] as const),
        style,
      );
    const [x, y] = this.pixel(at);
    return `<circle class="${style}" cx="${x}" cy="${y}" r="${show(this._radius() * this._scale, 1)}"/>`;
  }

  /** Words beside the shapes where the move began, and where it ended. */
  protected ends(start: Point2, end: Point2, word: string): string[] {
    const isSame = start[0] === end[0] && start[1] === end[1];
    if (isSame) return this._nameShape(start, `start and ${word}`);
    return [...this._nameShape(start, 'start'), ...this._nameShape(end, word)];
  }

  private _nameShape(at: Point2, text: string): string[] {
    const { low, high } = this._reach();
    const [x] = this.pixel(at);
    const [left, bottom] = this.pixel([at[0] + low[0], at[1] + low[1]]);
    const [right, top] = this.pixel([at[0] + high[0], at[1] + high[1]]);
    const width = LETTER * text.length;
    const middle = (bottom + top) / 2 + 4;
    return this.labels.place(text, 'place', [
      [x - width / 2, top - 6],
      [x - width / 2, bottom + 16],
      [left - width - 8, middle],
      [right + 6, middle],
    ]);
  }

  /** How far the shape reaches from the points of the steps. */
  private _reach(): { low: Point2; high: Point2 } {
    const outline = this._outline();
    const radius = this._radius();
    if (!outline) return { low: [-radius, -radius], high: [radius, radius] };
    const [right, up] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
    return { low: [Math.min(...right), Math.min(...up)], high: [Math.max(...right), Math.max(...up)] };
  }

  /** The radius of a shape that is a circle in any slice. */
  private _radius(): number {
    const { shape } = this.drawing;
    return shape.kind === 'sphere' ? shape.radius : POINT / this._scale;
  }

  /** Corners of the shape as it is cut through its middle, relative to the points of the steps; none for a circle. */
  private _outline(): Point2[] | undefined {
    const { shape, middle = [0, 0, 0], up = [0, 0, 1] } = this.drawing;
    if (shape.kind === 'ellipsoid') return this.slice.ellipsoid(shape.radii);
    if (!('mins' in shape)) return undefined;
    const half = [0, 1, 2].map((k) => (shape.maxs[k]! - shape.mins[k]!) / 2);
    const radius = Math.min(half[0]!, half[2]!);
    const line = [0, 1, 2].map((k) => (half[2]! - radius) * up[k]!);
    const outline = shape.kind === 'capsule' ? this.slice.capsule(line, radius) : this.slice.box(half);
    const [x, y] = this.slice.direction(middle);
    return outline.map(([right, above]) => [x + right, y + above]);
  }

  /** What is below the slice: the meaning of its styles, its scale, and from where it is seen. */
  private _legend(picture: string): { text: string; height: number } {
    const items = Object.entries(this.legend).filter(([style]) => picture.includes(`class="${style}"`));
    const parts: string[] = [];
    let [x, y] = [BESIDE, 0];
    for (const [style, text] of items) {
      const width = 30 + LETTER * text.length;
      if (x + width > WIDTH) [x, y] = [BESIDE, y + LINE];
      const swatch = LINES.includes(style)
        ? `<line class="${style}" x1="${x}" y1="${y + 11}" x2="${x + 16}" y2="${y + 11}"/>`
        : `<rect class="${style}" x="${x}" y="${y + 6}" width="16" height="10"/>`;
      parts.push(swatch, `<text x="${x + 22}" y="${y + 15}">${text}</text>`);
      x += width + 12;
    }
    const units = niceLength(120 / this._scale);
    const end = show(BESIDE + units * this._scale, 1);
    const below = y + LINE;
    parts.push(
      `<path class="scale" d="M${BESIDE} ${below + 7} v8 H${end} v-8"/>`,
      `<text x="${Number(end) + 8}" y="${below + 15}">${show(units)} units; ${escapeXml(this._seen)}</text>`,
    );
    return { text: parts.join('\n'), height: below + LINE + 6 };
  }
}

/** A title in lines that fit: of words, and of parts of what is longer than a line itself, as paths can be. */
function titleLines(title: string): string[] {
  const most = Math.floor((WIDTH - 2 * BESIDE) / LETTER);
  return title.match(new RegExp(`\\S.{0,${most - 1}}(?!\\S)|\\S.{0,${most - 1}}`, 'gu')) ?? [];
}

/** The part of a slice that is shown, by its lower left and upper right corners: some points, with room for a shape around each. */
function frame(shown: readonly Point2[], room: number): [Point2, Point2] {
  const low = [0, 1].map((k) => Math.min(...shown.map((point) => point[k]!)));
  const high = [0, 1].map((k) => Math.max(...shown.map((point) => point[k]!)));
  const margin = Math.max(LEAST_MARGIN, room, MARGIN * Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!));
  let [halfWidth, halfHeight] = [0, 1].map((k) => (high[k]! - low[k]!) / 2 + margin) as [number, number];
  halfWidth = Math.max(halfWidth, halfHeight);
  halfHeight = Math.max(halfHeight, LEAST_HEIGHT * halfWidth);
  const [x, y] = [0, 1].map((k) => (low[k]! + high[k]!) / 2) as [number, number];
  return [
    [x - halfWidth, y - halfHeight],
    [x + halfWidth, y + halfHeight],
  ];
}

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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char]!);
