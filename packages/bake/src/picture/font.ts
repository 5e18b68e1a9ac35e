// Letters for pictures without a font: strokes of our own. A stroke is a row of points, two digits each: x to the right, then y
// upward, where 2 is the baseline, 6 the height of small letters and 8 that of capitals. Those that begin with ~ are smoothed.

const GLYPHS: Readonly<Record<string, string>> = {
  '0': '~0208484202',
  '1': '172822 1232',
  '2': '~06084845030242',
  '3': '~0708484515 ~1545420203',
  '4': '32380444',
  '5': '480805 ~051646420203',
  '6': '~4748080242460604',
  '7': '084812',
  '8': '~0508484505 ~0205454202',
  '9': '~0302424808044446',
  A: '022842 1434',
  B: '0208 ~08484505 ~05454202',
  C: '~474808024243',
  D: '0208 ~08484202',
  E: '48080242 0535',
  F: '480802 0535',
  G: '~474808024245 4525',
  H: '0208 4248 0545',
  I: '0222 0828 1218',
  J: '~38320203',
  K: '0208 4804 1542',
  L: '080242',
  M: '0208254842',
  N: '02084248',
  O: '~0208484202',
  P: '0208 ~08484404',
  Q: '~0208484202 3341',
  R: '0208 ~08484404 2442',
  S: '~4748080545420203',
  T: '0848 2822',
  U: '~08024248',
  V: '082248',
  W: '0812263248',
  X: '0248 0842',
  Y: '0825 4825 2522',
  Z: '08480242',
  a: '~0206363202 3632',
  b: '0208 ~0206363202',
  c: '~353606023233',
  d: '3238 ~0206363202',
  e: '0434 ~343606023233',
  f: '~281812 0626',
  g: '~0206363202 ~36300001',
  h: '0208 ~05063632',
  i: '0206 0808',
  j: '~161000 1818',
  k: '0208 3603 1432',
  l: '~080212',
  m: '0206 ~05062622 ~25264642',
  n: '0206 ~05063632',
  o: '~0206363202',
  p: '0006 ~0206363202',
  q: '3036 ~0206363202',
  r: '0206 ~040626',
  s: '~360604343202',
  t: '~181222 0626',
  u: '~06023236 3632',
  v: '062246',
  w: '0612253246',
  x: '0236 0632',
  y: '0622 4610',
  z: '06360232',
  ' ': '',
  '.': '0202',
  ',': '1200',
  ':': '0202 0505',
  ';': '1200 1515',
  '-': '0434',
  '–': '0444',
  '+': '0444 2226',
  '=': '0343 0545',
  '×': '0336 0633',
  '/': '0148',
  '\\': '0841',
  '|': '0109',
  _: '0141',
  '(': '~290521',
  ')': '~092501',
  '[': '19090111',
  ']': '09191101',
  '<': '360432',
  '>': '063402',
  '≤': '370533 0232',
  '≥': '073503 0232',
  '%': '0248 ~0608282606 ~2224444222',
  '#': '1218 3238 0444 0646',
  '*': '0446 0644 2327',
  "'": '0608',
  '"': '0608 2628',
  '!': '0408 0202',
  '?': '~070838351514 1212',
  '·': '0404',
  '…': '0202 2222 4242',
  '°': '~0608282606',
  '@': '~353606023235 ~353343484808001040',
  '&': '~4402020516282616 1642',
  $: '~4748080545420203 2921',
  '^': '062846',
  '~': '~040626444646',
  '`': '0817',
  '{': '~29191505 ~05151121',
  '}': '~09191525 ~25151101',
};

/** For characters without strokes here. */
const UNKNOWN = '0208484202';

/** A unit of the strokes relative to the font's size, horizontally and vertically, and the distance between letters. */
const [ACROSS, UPRIGHT, APART, SPACE] = [0.105, 0.119, 0.17, 0.3];

/** A stroke of a text: x and y of its points, alternating, relative to the font's size, y downward from the baseline. */
export type Stroke = readonly number[];

interface Glyph {
  readonly strokes: readonly Stroke[];
  readonly width: number;
}

const glyphs = new Map<string, Glyph>();

function glyphOf(char: string): Glyph {
  let glyph = glyphs.get(char);
  if (!glyph) {
    glyph = makeGlyph(GLYPHS[char] ?? UNKNOWN);
    glyphs.set(char, glyph);
  }
  return glyph;
}

function makeGlyph(text: string): Glyph {
  if (text === '') return { strokes: [], width: SPACE };
  let width = 0;
  const strokes = text.split(' ').map((stroke) => {
    const isSmooth = stroke.startsWith('~');
    const points: [number, number][] = [];
    for (const [, x, y] of stroke.matchAll(/(\d)(\d)/g)) {
      points.push([Number(x) * ACROSS, (2 - Number(y)) * UPRIGHT]);
      width = Math.max(width, Number(x) * ACROSS);
    }
    return (isSmooth ? smooth(smooth(smooth(points))) : points).flat();
  });
  return { strokes, width: width + APART };
}

/** Cuts the corners of a polyline, by Chaikin's method of 1974; if it ends where it begins, that corner too. */
function smooth(points: readonly [number, number][]): [number, number][] {
  const [first, last] = [points[0]!, points.at(-1)!];
  const isClosed = first[0] === last[0] && first[1] === last[1];
  const cut: [number, number][] = isClosed ? [] : [first];
  for (let k = 0; k + 1 < points.length; k++) {
    const [[ax, ay], [bx, by]] = [points[k]!, points[k + 1]!];
    cut.push([0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by], [0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by]);
  }
  cut.push(isClosed ? cut[0]! : last);
  return cut;
}

/** Width of a text in pixels, at a font size in pixels. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const char of text) width += glyphOf(char).width;
  return text === '' ? 0 : size * (width - APART);
}

/** The strokes of a text at a font size in pixels, from the left end of its baseline. */
export function textStrokes(text: string, size: number): Stroke[] {
  let left = 0;
  const strokes: Stroke[] = [];
  for (const char of text) {
    const glyph = glyphOf(char);
    for (const stroke of glyph.strokes)
      strokes.push(stroke.map((x, k) => size * (k % 2 === 0 ? left + x : x)));
    left += glyph.width;
  }
  return strokes;
}
