import {
  checkCallback,
  checkOptions,
  checkText,
  checkWhole,
  checkWholeFrom,
  failArgument,
} from '@bspkit/core/format';
import { type Color, FAINT, HATCH, INK, MARK, NO_VALUE, PAPER, rampColor, WALL } from './colors.ts';
import { type Drawing, ring } from './drawing.ts';
import { textWidth } from './font.ts';
import { checkLayer, countClasses, layerMarks, type Mark, MOST_CLASSES, type ValueLayer } from './layer.ts';
import { drawLegend, roundScale } from './legend.ts';
import { type Level, levelsOf, splitLevels } from './levels.ts';
import { lengthText, roundUp, showCount, showUnits } from './numbers.ts';
import { Pen } from './pen.ts';
import { OPEN, type Plan, type PlanFrame, SOLID, type SolidAt, surveyPlan } from './survey.ts';

/** How to draw a layer. */
export interface SheetOptions {
  /** What it shows, in front of the layer's own title: the map's name. */
  readonly name?: string | undefined;
  /** The only storey to draw, from 1, the lowest; all of them by default. */
  readonly level?: number | undefined;
  /** Height of a storey in Quake units, for games that count storeys; by default storeys are found from the heights of floors. */
  readonly levelHeight?: number | undefined;
  /** The greatest width of the picture, in pixels: 480 to 8,192; 1,200 by default. */
  readonly width?: number | undefined;
  /**
   * Asked for walls; without it, everything without a value is left blank. Places with something solid two units above are then
   * left out, and not counted.
   */
  readonly solidAt?: SolidAt | undefined;
}

const OPTIONS: readonly string[] = [
  'name',
  'level',
  'levelHeight',
  'width',
  'solidAt',
] satisfies (keyof SheetOptions)[];
const WIDTH = 1200;

/** Pixels: around everything, between plans, above a plan for its title, left of it and below for coordinates. */
const [MARGIN, GAP, HEAD, AXIS_X, AXIS_Y] = [24, 28, 26, 46, 24];
/** Sizes of letters. */
const [TITLE, PLAIN, SMALL] = [22, 14, 12];
/** How much wider than ours the letters of an SVG's viewer may be, plain and bold, and the most lines of the picture's title. */
const [WIDER, BOLD_WIDER, MOST_LINES] = [1.25, 1.4, 3];

/** What shorter titles of levels mean, by their form. */
const HEIGHTS = ' Levels have their numbers, and the heights of their floors.';
const TITLE_NOTES: readonly string[] = ['', HEIGHTS, HEIGHTS, ' Levels have their numbers.'];
/** The plans are at most this many times as high as they are wide, and what is below and above them is at least this wide. */
const [TALLEST, LEAST_WIDTH] = [1.1, 640];
/** The least room for a plan's height: with many storeys the picture becomes higher, up to what toPng and toSvg take. */
const LEAST_PLAN = 16;
const MOST_HEIGHT = 65_535;
/** Margin around what is drawn, in Quake units. */
const ROOM = 64;
/** Sides of a plan's squares, in Quake units, if there is a choice. */
const [FINEST, COARSEST] = [4, 8];
/** How far from the origin things are drawn, in Quake units. */
const FARTHEST = 2 ** 40;
/** Colours into which a scale is divided, or those of classes; and the numbers of those besides. */
const SHADES = MOST_CLASSES;
const [WALL_SHADE, OPEN_SHADE, NOTHING] = [SHADES, SHADES + 1, 255];

/**
 * A layer from above, storey by storey, with coordinates, legend and scale.
 * @throws RangeError for a level that the map does not have, for options out of range, and for more levels than there is
 *   room for.
 */
export function drawSheet(whole: ValueLayer, options: SheetOptions = {}): Drawing {
  checkLayer(whole);
  checkOptions(options, OPTIONS);
  const { level, levelHeight, width = WIDTH, solidAt, name } = options;
  checkWhole(width, 'width', 480, 8192);
  if (name !== undefined) checkText(name, 'name');
  if (solidAt !== undefined) checkCallback(solidAt, 'solidAt');
  if (level !== undefined) checkWholeFrom(level, 'level', 1);
  checkNear(whole);
  const layer = solidAt ? uncovered(whole, solidAt) : whole;
  const all =
    levelHeight === undefined
      ? splitLevels(layer.positions, layer.step)
      : levelsOf(layer.positions, levelHeight, 'levelHeight');
  if (level !== undefined) {
    if (all.length === 0) failArgument('level', 'left out: nothing to draw', level);
    checkWhole(level, 'level', 1, all.length);
  }
  const marks = all.map((): Mark[] => []);
  for (const mark of layerMarks(layer)) marks[levelBelow(all, mark.at[2])]?.push(mark);
  const levels = all
    .map((one, k) => ({ ...one, titles: levelTitles(one, k + 1, all.length), marks: marks[k]! }))
    .filter((_, k) => level === undefined || k + 1 === level);
  const heading = name === undefined ? layer.title : `${name}: ${layer.title}`;
  return new Sheet(layer, levels, width, solidAt).draw(heading);
}

/** Throws if something is so far out that units could not be counted there. */
function checkNear({ positions, marks }: ValueLayer): void {
  const check = (numbers: Float32Array | readonly number[], name: string): void => {
    const far = numbers.find((x: number) => !(Math.abs(x) <= FARTHEST));
    if (far !== undefined) failArgument(name, `at most ${FARTHEST} from the origin`, far);
  };
  check(positions, 'layer.positions');
  for (const [k, { at }] of marks.entries()) check(at, `layer.marks[${k}].at`);
}

/** How far above a floor there must be room for the floor to be visible, in Quake units. */
const ABOVE = 2;

/** A layer without the places that something solid stands on. */
function uncovered(layer: ValueLayer, isSolid: SolidAt): ValueLayer {
  const { positions, values } = layer;
  const open = new Float32Array(positions.length);
  const valuesOpen = new Float64Array(values.length);
  let count = 0;
  for (let k = 0; k < values.length; k++) {
    const [x, y, z] = [positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!];
    if (isSolid(x, y, z + ABOVE)) continue;
    open[3 * count] = x;
    open[3 * count + 1] = y;
    open[3 * count + 2] = z;
    valuesOpen[count++] = values[k]!;
  }
  return { ...layer, positions: open.subarray(0, 3 * count), values: valuesOpen.subarray(0, count) };
}

/** The storey that a height belongs to: the highest whose floors are not above it, give or take a unit, else the lowest. */
const levelBelow = (levels: readonly Level[], z: number): number =>
  Math.max(
    0,
    levels.filter(({ low }, k) => low <= z + 1 && z > (levels[k - 1]?.high ?? -Infinity)).length - 1,
  );

interface TitledLevel extends Level {
  /** What it is called, in words and, for less room, shorter and shorter. */
  readonly titles: readonly string[];
  /** What is pointed out in it. */
  readonly marks: readonly Mark[];
}

function levelTitles({ low, high }: Level, number: number, count: number): string[] {
  const [from, to] = [showUnits(low), showUnits(high)];
  const heights = from === to ? from : `${from} to ${to}`;
  const floors = from === to ? `floor at ${from}` : `floors from ${heights}`;
  const inWords = count === 1 ? `F${floors.slice(1)}` : `Level ${number} of ${count}: ${floors}`;
  return [inWords, `${number} of ${count}: ${heights}`, `${number}: ${heights}`, String(number)];
}

/** How plans are laid out: how many side by side, and how large their squares are. */
interface Layout {
  readonly across: number;
  /** Pixels per square of a plan, a whole number. */
  readonly pixels: number;
  readonly frame: PlanFrame;
}

/** A part of the map, in Quake units: its north-west corner and its size. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

class Sheet {
  private readonly _layer: ValueLayer;
  private readonly _levels: readonly TitledLevel[];
  /** The most room there is. */
  private readonly _width: number;
  private readonly _solidAt: SolidAt | undefined;
  private readonly _pen = new Pen();
  private readonly _colors: readonly Color[];
  /** The value that has the last colour. */
  private readonly _high: number;

  constructor(
    layer: ValueLayer,
    levels: readonly TitledLevel[],
    width: number,
    solidAt: SolidAt | undefined,
  ) {
    this._layer = layer;
    this._levels = levels;
    this._width = width;
    this._solidAt = solidAt;
    const { scale } = layer;
    const ofValues = Array.from({ length: SHADES }, (_, k) =>
      'classes' in scale ? (scale.classes[k]?.color ?? PAPER) : rampColor(scale.ramp, k / (SHADES - 1)),
    );
    this._colors = [...ofValues, WALL, NO_VALUE];
    this._high = 'classes' in scale ? 1 : roundScale(scale).high;
  }

  draw(heading: string): Drawing {
    const layout = this._levels.length > 0 ? this._layout() : undefined;
    const panel = layout ? AXIS_X + layout.frame.columns * layout.pixels : 0;
    const plans = layout ? layout.across * (panel + GAP) - GAP : 0;
    const room = Math.max(plans, Math.min(LEAST_WIDTH, this._width - 2 * MARGIN));
    const form = layout ? this._titleForm(layout.across === 1 ? room - AXIS_X : panel - AXIS_X + MARGIN) : 0;
    let y = this._heading(heading, form, room);
    if (layout) y = this._plans(layout, panel, form, y, room);
    else this._pen.text(MARGIN, y + 4, 'There is nothing to draw.', PLAIN, INK);
    return {
      width: room + 2 * MARGIN,
      height: this._height(y),
      background: PAPER,
      title: heading,
      shapes: this._pen.shapes,
    };
  }

  /** Height of a picture whose contents end at `y`. Throws if it is too high. */
  private _height(y: number): number {
    const height = Math.ceil(y + MARGIN);
    if (height <= MOST_HEIGHT) return height;
    const levels = `${showCount(this._levels.length)} levels make a picture higher`;
    throw new RangeError(`level must be given: ${levels} than ${showCount(MOST_HEIGHT)} pixels`);
  }

  private _heading(heading: string, form: number, room: number): number {
    const { nouns, step, scattered, values } = this._layer;
    let y = MARGIN + 18;
    const all = lines(heading, TITLE, room / BOLD_WIDER);
    for (const [k, line] of all.slice(0, MOST_LINES).entries()) {
      if (k > 0) y += TITLE + 4;
      const rest = k === MOST_LINES - 1 && all.length > MOST_LINES ? '…' : '';
      this._pen.text(MARGIN, y, line + rest, TITLE, INK, { isBold: true });
    }
    const apart = values.length > 1 && !scattered ? `, ${lengthText(showUnits(step))} apart` : '';
    const levels = TITLE_NOTES[form]!;
    const noun = nouns[values.length === 1 ? 0 : 1];
    const counts = countClasses(this._layer).map(({ name, count }) => `; ${showCount(count)} ${name}`);
    const facts = `${showCount(values.length)} ${noun}${apart}${counts.join('')}. Seen from above, north (+y) is up; coordinates in Quake units.${levels}`;
    y += 26;
    for (const line of lines(facts, PLAIN, room / WIDER)) {
      this._pen.text(MARGIN, y, line, PLAIN, FAINT);
      y += 20;
    }
    return y;
  }

  /** Surveys and draws all storeys, and the legend below. */
  private _plans(layout: Layout, panel: number, form: number, y: number, room: number): number {
    const { positions, step, scattered } = this._layer;
    const { across, frame, pixels } = layout;
    const reach = scattered ? 0 : step;
    const down = HEAD + frame.rows * pixels + AXIS_Y + GAP / 2;
    const below = y + Math.ceil(this._levels.length / across) * down + 6;
    // Before the work of drawing them; the legend only takes a few lines more.
    this._height(below);
    let [hasSolid, hasOpen] = [false, false];
    for (const [k, level] of this._levels.entries()) {
      const plan = surveyPlan(frame, level.points, positions, step, reach, this._solidAt);
      hasSolid ||= plan.cells.includes(SOLID);
      hasOpen ||= plan.cells.includes(OPEN);
      const x = MARGIN + AXIS_X + (k % across) * (panel + GAP);
      const top = y + Math.floor(k / across) * down;
      this._pen.text(x, top + 16, level.titles[form]!, PLAIN, INK, { isBold: true });
      this._plan(plan, level, layout, x, top + HEAD);
    }
    const facts = { hasSolid, hasOpen, pixelsPerUnit: pixels / frame.unit };
    return drawLegend(this._pen, this._layer, facts, MARGIN, below, room);
  }

  /** The number of the longest form in which the titles of all storeys fit above their plans. */
  private _titleForm(room: number): number {
    const widest = (form: number): number =>
      Math.max(...this._levels.map(({ titles }) => 1.1 * textWidth(titles[form]!, PLAIN)));
    return [0, 1, 2].find((form) => widest(form) <= room) ?? 3;
  }

  /** What all storeys that are drawn take up. */
  private _area(): Area {
    const { positions, step } = this._layer;
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    const widen = (x: number, y: number, by: number): void => {
      west = Math.min(west, x - by);
      east = Math.max(east, x + by);
      south = Math.min(south, y - by);
      north = Math.max(north, y + by);
    };
    for (const { points, marks } of this._levels) {
      for (const k of points) widen(positions[3 * k]!, positions[3 * k + 1]!, step / 2 + ROOM);
      for (const { at } of marks) widen(at[0], at[1], ROOM);
    }
    return { left: west, top: north, width: east - west, height: north - south };
  }

  /** As many plans side by side as makes them largest. */
  private _layout(): Layout {
    const area = this._area();
    const count = this._levels.length;
    let best: { scale: number; across: number } | undefined;
    for (let across = 1; across <= count; across++) {
      const down = Math.ceil(count / across);
      const room = (this._width - 2 * MARGIN - (across - 1) * GAP) / across - AXIS_X;
      if (room <= 0) break;
      const roomDown = (TALLEST * this._width) / down - HEAD - AXIS_Y - GAP / 2;
      const scale = Math.min(room / area.width, Math.max(LEAST_PLAN, roomDown) / area.height);
      if (!best || scale > best.scale || (scale === best.scale && roomDown < LEAST_PLAN))
        best = { scale, across };
    }
    const { across } = best!;
    const room = Math.max(3, Math.floor((this._width - 2 * MARGIN - (across - 1) * GAP) / across) - AXIS_X);
    let { scale } = best!;
    for (;;) {
      const { pixels, frame } = this._squares(area, scale);
      const wide = frame.columns * pixels;
      // Those at its edges may reach beyond the area.
      if (wide <= room) return { across, pixels, frame };
      scale *= room / wide;
    }
  }

  /** The squares of a plan at about `scale` pixels per unit. */
  private _squares(area: Area, scale: number): Pick<Layout, 'pixels' | 'frame'> {
    const { unit, pixels } = squares(this._layer.step, scale);
    // The squares of points and those of the plan begin at the same lines.
    const [first] = this._levels[0]!.points as unknown as readonly [number];
    const [x, y] = [this._layer.positions[3 * first]!, this._layer.positions[3 * first + 1]!];
    const half = this._layer.step / 2;
    const left = x - half - unit * Math.ceil((x - half - area.left) / unit);
    const top = y + half + unit * Math.ceil((area.top - y - half) / unit);
    const columns = Math.ceil((area.left + area.width - left) / unit);
    const rows = Math.ceil((top - (area.top - area.height)) / unit);
    return { pixels, frame: { left, top, unit, columns, rows } };
  }

  private _plan(plan: Plan, level: TitledLevel, { pixels, frame }: Layout, x: number, y: number): void {
    const { columns, rows } = plan;
    const [width, height] = [columns * pixels, rows * pixels];
    const cells = new Uint8Array(plan.cells.length);
    for (let at = 0; at < cells.length; at++) cells[at] = this._shade(plan.cells[at]!);
    this._pen.shapes.push({
      kind: 'squares',
      ...{ x, y, size: pixels, columns, rows, cells, colors: this._colors, hatched: OPEN_SHADE },
    });
    this._pen.frame(x, y, width, height, HATCH);
    this._axes(frame, pixels / frame.unit, x, y, width, height);
    for (const mark of level.marks) this._mark(mark, frame, pixels / frame.unit, x, y, width);
  }

  /** Number of the colour of a square. */
  private _shade(point: number): number {
    if (point < 0) return point === SOLID ? WALL_SHADE : point === OPEN ? OPEN_SHADE : NOTHING;
    const { scale, values } = this._layer;
    const value = values[point]!;
    if ('classes' in scale) return value;
    return Math.min(SHADES - 1, Math.max(0, Math.floor((value / this._high) * SHADES)));
  }

  /** Coordinates along the lower and left edges of a plan. In full: of 12.5, a rounded one would be elsewhere. */
  private _axes(frame: PlanFrame, scale: number, x: number, y: number, width: number, height: number): void {
    const every = roundUp(90 / scale);
    for (let at = Math.ceil(frame.left / every) * every; (at - frame.left) * scale <= width; at += every) {
      const px = x + (at - frame.left) * scale;
      this._pen.line([px, y + height, px, y + height + 5], 1, FAINT);
      this._pen.text(px, y + height + 19, String(at + 0), SMALL, FAINT, { anchor: 'middle' });
    }
    const bottom = frame.top - height / scale;
    for (let at = Math.ceil(bottom / every) * every; at <= frame.top; at += every) {
      const py = y + (frame.top - at) * scale;
      this._pen.line([x - 5, py, x, py], 1, FAINT);
      this._pen.text(x - 9, py + 4, String(at + 0), SMALL, FAINT, { anchor: 'end' });
    }
  }

  private _mark(
    { at, label }: Mark,
    frame: PlanFrame,
    scale: number,
    x: number,
    y: number,
    width: number,
  ): void {
    const [px, py] = [x + (at[0] - frame.left) * scale, y + (frame.top - at[1]) * scale];
    const around = [ring(px, py, 9, 5, PAPER), ring(px, py, 9, 2.5, MARK), ring(px, py, 1, 2.5, MARK)];
    this._pen.shapes.push(...around);
    const isRight = px + 16 + 1.15 * textWidth(label, PLAIN) > x + width;
    const options = { isBold: true, halo: PAPER, anchor: isRight ? 'end' : 'start' } as const;
    this._pen.text(isRight ? px - 16 : px + 16, py < y + 24 ? py + 20 : py - 7, label, PLAIN, INK, options);
  }
}

/**
 * The squares of a plan at about `scale` pixels per unit: an integer fraction of a point's square, and a whole number of pixels
 * wide.
 */
function squares(step: number, scale: number): { unit: number; pixels: number } {
  let best = { unit: 1 / scale, pixels: 1, true: 0 };
  for (let parts = 1; step / parts >= Math.min(FINEST, step); parts++) {
    const unit = step / parts;
    const pixels = Math.floor(unit * scale);
    // Smaller parts would not be a pixel wide either.
    if (pixels < 1) break;
    if (unit > COARSEST && Math.floor((step * scale) / (parts + 1)) >= 1) continue;
    if (pixels / unit > best.true) best = { unit, pixels, true: pixels / unit };
  }
  return best;
}

/** A text broken into lines that fit: between words, and within a word that is longer than a line. */
function lines(text: string, size: number, room: number): string[] {
  const made = [''];
  for (const word of text.split(' ').flatMap((word) => pieces(word, size, room))) {
    const longer = made.at(-1) === '' ? word : `${made.at(-1)} ${word}`;
    if (made.at(-1) === '' || textWidth(longer, size) <= room) made[made.length - 1] = longer;
    else made.push(word);
  }
  return made;
}

/** A word in pieces that fit into a line. */
function pieces(word: string, size: number, room: number): string[] {
  const made = [''];
  for (const char of word) {
    const piece = made.at(-1)!;
    if (piece === '' || textWidth(piece + char, size) <= room) made[made.length - 1] = piece + char;
    else made.push(char);
  }
  return made;
}
