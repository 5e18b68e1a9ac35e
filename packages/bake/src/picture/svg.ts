import { type Color, css, HATCH, PAGE_COLORS } from './colors.ts';
import {
  type Drawing,
  HATCH_STEP,
  type Line,
  type Rectangle,
  type Shape,
  type Squares,
  type Text,
} from './drawing.ts';

/** Writes a drawing as SVG, in the viewer's own fonts, and dark where the viewer's pages are, if the page is ours. */
export function drawingSvg({ width, height, background, title, shapes }: Drawing): string {
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="system-ui, sans-serif">
<title>${escapeXml(title)}</title>
${PAGE_COLORS.has(background) ? DARK_STYLE : ''}${shapes.some((shape) => shape.kind === 'squares' && shape.hatched !== undefined) ? HATCHING : ''}<rect width="100%" height="100%" fill="${css(background)}"${styled(background)}/>
${shapes.map(shapeSvg).join('\n')}
</svg>
`;
}

/**
 * The attribute by which what is filled and drawn with colours of the page has others on a dark one; nothing if both stay as they
 * are. The classes begin with our name, as pages in which pictures stand have classes too.
 */
function styled(fill: Color | undefined, stroke?: Color): string {
  const [filled, drawn] = [fill, stroke].map((color) => PAGE_COLORS.get(color)?.[0]);
  const classes = [filled && `bake-${filled}`, drawn && `bake-${drawn}-line`].filter(Boolean).join(' ');
  return classes && ` class="${classes}"`;
}

/** Pages that show a picture may be light or dark. Programs that do not know the question show it light. */
const DARK_STYLE = `<style>@media (prefers-color-scheme: dark) { ${Array.from(
  PAGE_COLORS.values(),
  ([name, dark]) => `.bake-${name} { fill: ${dark} } .bake-${name}-line { stroke: ${dark} }`,
).join(' ')} }</style>
`;

/** Diagonal lines, to be drawn over a colour. */
const HATCHING = `<defs><pattern id="hatch" width="${HATCH_STEP}" height="${HATCH_STEP}" patternUnits="userSpaceOnUse"><path stroke="${css(HATCH)}"${styled(undefined, HATCH)} d="M-1 ${HATCH_STEP + 1}L${HATCH_STEP + 1} -1M-1 1L1 -1M${HATCH_STEP - 1} ${HATCH_STEP + 1}L${HATCH_STEP + 1} ${HATCH_STEP - 1}"/></pattern></defs>
`;

function shapeSvg(shape: Shape): string {
  if (shape.kind === 'squares') return squaresSvg(shape);
  if (shape.kind === 'line') return lineSvg(shape);
  return shape.kind === 'text' ? textSvg(shape) : rectangleSvg(shape);
}

/** Squares of a colour as one path of rectangles, which extend over the rows below if these go on in the same way. */
function squaresSvg({ x, y, size, columns, rows, cells, colors, hatched }: Squares): string {
  const paths = colors.map((): string[] => []);
  const taken = new Uint8Array(cells.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const color = cells[at]!;
      if (color === 255 || taken[at] === 1) continue;
      let end = column + 1;
      while (end < columns && cells[row * columns + end] === color && taken[row * columns + end] === 0) end++;
      let below = row + 1;
      while (below < rows && isAlike(cells, taken, below * columns + column, end - column, color)) below++;
      for (let r = row; r < below; r++) taken.fill(1, r * columns + column, r * columns + end);
      const across = size * (end - column);
      const [left, top] = [size * column, size * row].map(short);
      paths[color]!.push(
        `M${left} ${top}h${short(across)}v${short(size * (below - row))}h${short(-across)}z`,
      );
    }
  }
  const drawn = paths.flatMap((path, color) => {
    if (path.length === 0) return [];
    const draw = (fill: string, style: string): string =>
      `<path fill="${fill}" d="${path.join('')}"${style}/>`;
    const filled = draw(css(colors[color]!), styled(colors[color]));
    return color === hatched ? [filled, draw('url(#hatch)', '')] : [filled];
  });
  const place = `translate(${short(x)} ${short(y)})`;
  return `<g transform="${place}" shape-rendering="crispEdges">\n${drawn.join('\n')}\n</g>`;
}

/** Whether all squares of a part of a row have a colour and are not in a rectangle yet. */
function isAlike(cells: Uint8Array, taken: Uint8Array, from: number, count: number, color: number): boolean {
  for (let at = from; at < from + count; at++) if (cells[at] !== color || taken[at] === 1) return false;
  return true;
}

/** Without smooth edges, as squares are: rectangles side by side would show the page between them wherever it is scaled. */
const rectangleSvg = ({ x, y, width, height, fill }: Rectangle): string =>
  `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${css(fill)}"${styled(fill)} shape-rendering="crispEdges"/>`;

function lineSvg({ points, width, color }: Line): string {
  const stroke = `stroke="${css(color)}" stroke-width="${short(width)}" stroke-linecap="round"`;
  return `<polyline fill="none" ${stroke} points="${points.map(short).join(' ')}"${styled(undefined, color)}/>`;
}

function textSvg({ x, y, text, size, color, anchor, isBold, halo }: Text): string {
  const place = `x="${short(x)}" y="${short(y)}" font-size="${short(size)}" fill="${css(color)}"`;
  const side = anchor ? ` text-anchor="${anchor}"` : '';
  const weight = isBold ? ' font-weight="bold"' : '';
  const around = halo
    ? ` paint-order="stroke" stroke="${css(halo)}" stroke-width="5" stroke-linejoin="round"`
    : '';
  return `<text ${place}${side}${weight}${around}${styled(color, halo)}>${escapeXml(text)}</text>`;
}

/** A number with up to two decimal places. */
const short = (value: number): string => String(Math.round(100 * value) / 100);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that XML cannot contain at all are left out. */
const escapeXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>]/g, (char) => ENTITIES[char]!);
