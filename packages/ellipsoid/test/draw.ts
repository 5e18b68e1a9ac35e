// A few shapes as SVG: panels side by side, each with coordinates of its own, x to the right and y up.

export type Point2 = readonly [number, number];

export const INK = '#1f2933';
export const WALL = '#9a5b2c';
export const MOVER = '#2563a8';
export const PLANE = '#6b7280';
export const GOOD = '#1c7c4a';
export const BAD = '#b3261e';

/** The page and its panels. */
const [PAPER, GROUND] = ['#ffffff', '#f7f5f0'];

/** What all colours are on dark pages. */
const DARK: Readonly<Record<string, string>> = {
  [PAPER]: '#0d1117',
  [GROUND]: '#161b22',
  [INK]: '#e6edf3',
  [WALL]: '#d9975f',
  [MOVER]: '#6cacf0',
  [PLANE]: '#9aa4b2',
  [GOOD]: '#4cc38a',
  [BAD]: '#ff7b72',
  // Of what is filled: walls, ellipsoids, what a move comes through, triangles, what is wrong, what is right.
  '#e9dfd3': '#3a2c20',
  '#dbe8f6': '#1b3350',
  '#d9dce1': '#333a44',
  '#f3e6d8': '#35281c',
  '#efb8b1': '#6a2b26',
  '#cfe6d8': '#173f2b',
};

/** Styles win over the attributes that they look for. */
const DARK_STYLE = Object.entries(DARK).flatMap(([light, dark]) =>
  ['fill', 'stroke'].map((name) => `[${name}="${light}"] { ${name}: ${dark}; }`),
);

const SIZE = 300;
const HEAD = 46;
const GAP = 12;

const round = (x: number): string => String(Math.round(100 * x) / 100 + 0);
const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

export interface Style {
  readonly stroke?: string;
  readonly width?: number;
  readonly fill?: string;
  readonly dash?: string;
  readonly opacity?: number;
}

/** A square with a title; shapes are given in units around its middle. */
export class Panel {
  readonly title: readonly [string, string];
  private readonly _middle: Point2;
  private readonly _scale: number;
  private readonly _parts: string[] = [];

  /** @param span - units from edge to edge. */
  constructor(title: readonly [string, string], middle: Point2, span: number) {
    this.title = title;
    this._middle = middle;
    this._scale = SIZE / span;
  }

  polygon(points: readonly Point2[], style: Style): this {
    const list = points.map((point) => this._at(point).map(round).join(',')).join(' ');
    return this._add(`<polygon points="${list}" ${attributes({ fill: 'none', ...style })}/>`);
  }

  line(from: Point2, to: Point2, style: Style): this {
    const [[x1, y1], [x2, y2]] = [this._at(from), this._at(to)];
    const ends = `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`;
    return this._add(`<line ${ends} ${attributes(style)}/>`);
  }

  arrow(from: Point2, to: Point2, style: Style): this {
    this.line(from, to, style);
    const [[x1, y1], [x2, y2]] = [this._at(from), this._at(to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const tip = [
      [x2, y2],
      [x2 - 8 * dx - 4 * dy, y2 - 8 * dy + 4 * dx],
      [x2 - 8 * dx + 4 * dy, y2 - 8 * dy - 4 * dx],
    ];
    const list = tip.map((point) => point.map(round).join(',')).join(' ');
    return this._add(`<polygon points="${list}" fill="${style.stroke ?? INK}"/>`);
  }

  ellipse(center: Point2, radii: Point2, style: Style): this {
    const [x, y] = this._at(center);
    const size = `rx="${round(radii[0] * this._scale)}" ry="${round(radii[1] * this._scale)}"`;
    return this._add(
      `<ellipse cx="${round(x)}" cy="${round(y)}" ${size} ${attributes({ fill: 'none', ...style })}/>`,
    );
  }

  dot(at: Point2, color: string): this {
    const [x, y] = this._at(at);
    return this._add(`<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${color}"/>`);
  }

  /** @param anchor - which end of the text is at the point. */
  text(at: Point2, text: string, color: string = INK, anchor: 'start' | 'middle' | 'end' = 'start'): this {
    const [x, y] = this._at(at);
    const place = `x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"`;
    return this._add(`<text ${place} fill="${color}" class="label">${escapeText(text)}</text>`);
  }

  /** Its elements, placed in the picture. */
  draw(x: number, y: number, number: number): string[] {
    const [first, second] = this.title;
    return [
      `<g transform="translate(${x} ${y})">`,
      `<text x="0" y="16" fill="${INK}" class="title">${escapeText(first)}</text>`,
      `<text x="0" y="34" fill="${INK}" class="sub">${escapeText(second)}</text>`,
      `<clipPath id="panel${number}"><rect x="0" y="${HEAD}" width="${SIZE}" height="${SIZE}" rx="6"/></clipPath>`,
      `<g clip-path="url(#panel${number})">`,
      `<rect x="0" y="${HEAD}" width="${SIZE}" height="${SIZE}" fill="${GROUND}"/>`,
      ...this._parts,
      '</g>',
      '</g>',
    ];
  }

  private _add(part: string): this {
    this._parts.push(part);
    return this;
  }

  private _at([x, y]: Point2): [number, number] {
    return [
      SIZE / 2 + (x - this._middle[0]) * this._scale,
      HEAD + SIZE / 2 - (y - this._middle[1]) * this._scale,
    ];
  }
}

function attributes({ stroke, width = 1.5, fill, dash, opacity }: Style): string {
  const parts: string[] = [];
  if (fill !== undefined) parts.push(`fill="${fill}"`);
  if (stroke !== undefined) parts.push(`stroke="${stroke}" stroke-width="${width}"`);
  if (dash !== undefined) parts.push(`stroke-dasharray="${dash}"`);
  if (opacity !== undefined) parts.push(`opacity="${opacity}"`);
  return parts.join(' ');
}

/** Panels in rows of `columns`, as an SVG file. */
export function picture(name: string, panels: readonly Panel[], columns: number): string {
  const rows = Math.ceil(panels.length / columns);
  const width = columns * SIZE + (columns + 1) * GAP;
  const height = rows * (SIZE + HEAD) + (rows + 1) * GAP;
  const style = [
    'text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; }',
    '.title { font-size: 13px; font-weight: bold; }',
    '.sub, .label { font-size: 11px; }',
    '@media (prefers-color-scheme: dark) {',
    ...DARK_STYLE,
    '}',
  ].join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeText(name)}</title>`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" fill="${PAPER}"/>`,
    ...panels.flatMap((panel, k) =>
      panel.draw(GAP + (k % columns) * (SIZE + GAP), GAP + Math.floor(k / columns) * (SIZE + HEAD + GAP), k),
    ),
    '</svg>',
    '',
  ].join('\n');
}
