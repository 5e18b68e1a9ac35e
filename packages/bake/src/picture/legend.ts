import { checkFinite, checkObject } from '@bspkit/core/format';
import { type Color, FAINT, INK, NO_VALUE, rampColor, WALL } from './colors.ts';
import { textWidth } from './font.ts';
import { showIn, type ValueLayer, type ValueScale } from './layer.ts';
import { lengthText, roundDown, roundUp, showCount } from './numbers.ts';
import type { Pen } from './pen.ts';

/** What a legend says besides the colours of values. */
export interface LegendFacts {
  readonly hasSolid: boolean;
  readonly hasOpen: boolean;
  readonly pixelsPerUnit: number;
}

/** Sizes of letters; then, in pixels, the bar of colours, a swatch, the distance between lines, and that between items. */
const [PLAIN, SMALL] = [14, 12];
const [BAR, BAR_HEIGHT] = [300, 14];
const [SWATCH, SWATCH_HEIGHT] = [24, 14];
const [LINE, GAP] = [34, 28];
/** The fonts of an SVG's viewer may be wider than ours. */
const WIDER = 1.15;
/** Into about how many intervals a scale is divided. */
const INTERVALS = 4;

interface Item {
  readonly width: number;
  draw(x: number, y: number): void;
}

/** Where a scale ends so that its values are round numbers: `every` apart, up to `high`. */
export function roundScale(scale: Pick<ValueScale, 'high'>): { high: number; every: number } {
  checkObject(scale, 'scale');
  const { high } = scale;
  checkFinite(high, 'scale.high');
  // Values are float32; of less, the steps would be 0.
  if (!(Math.fround(high) > 0)) return { high: 1, every: 1 };
  const every = roundUp(high / INTERVALS);
  return { high: every * Math.ceil(high / every - 1e-9), every };
}

/**
 * The labels of a scale, at equal distances, from 0 to the end that {@link roundScale} gives it. The last one says its unit, and
 * whether there are values beyond it.
 */
export function scaleLabels(scale: ValueScale): string[] {
  const { high, every } = roundScale(scale);
  checkFinite(scale.most, 'scale.most');
  const last = Math.round(high / every);
  const labels = Array.from({ length: last + 1 }, (_, k) => showIn(k * every, scale));
  const unit = scale.unit === 'units' ? ' units' : '';
  const more = scale.most > high * (1 + 1e-9) ? ' and more' : '';
  labels[last] += unit + more;
  return labels;
}

/** Draws what colours mean and how long things are, in lines of `room` pixels. Returns where it ends. */
export function drawLegend(
  pen: Pen,
  layer: ValueLayer,
  facts: LegendFacts,
  x: number,
  y: number,
  room: number,
): number {
  const { scale, nouns, measure } = layer;
  const items: Item[] = [];
  if ('classes' in scale) for (const { color, name } of scale.classes) items.push(swatch(pen, color, name));
  else y = drawBar(pen, scale, measure, x, y);
  if (facts.hasSolid) items.push(swatch(pen, WALL, 'solid'));
  if (facts.hasOpen) items.push(swatch(pen, NO_VALUE, `open, but no ${nouns[1]} here`, true));
  items.push(lengthScale(pen, facts.pixelsPerUnit));
  let left = x;
  for (const { width, draw } of items) {
    if (left > x && left + width > x + room) {
      left = x;
      y += LINE;
    }
    draw(left, y);
    left += width + GAP;
  }
  return y + SWATCH_HEIGHT;
}

function swatch(pen: Pen, color: Color, text: string, isHatched = false): Item {
  return {
    width: SWATCH + 8 + WIDER * textWidth(text, PLAIN),
    draw(x, y) {
      pen.shapes.push({
        kind: 'squares',
        ...{ x, y, size: 1, columns: SWATCH, rows: SWATCH_HEIGHT, colors: [color] },
        cells: new Uint8Array(SWATCH * SWATCH_HEIGHT),
        ...(isHatched && { hatched: 0 }),
      });
      pen.frame(x, y, SWATCH, SWATCH_HEIGHT, FAINT);
      pen.text(x + SWATCH + 8, y + 12, text, PLAIN, INK);
    },
  };
}

/** The colours of a scale, with what they measure above, and values below. */
function drawBar(pen: Pen, scale: ValueScale, measure: string, x: number, y: number): number {
  const parts = BAR / 5;
  pen.text(x, y + 12, measure, PLAIN, INK);
  const top = y + 20;
  for (let k = 0; k < parts; k++) {
    const fill = rampColor(scale.ramp, k / (parts - 1));
    pen.shapes.push({ kind: 'rectangle', x: x + 5 * k, y: top, width: 5, height: BAR_HEIGHT, fill });
  }
  pen.frame(x, top, BAR, BAR_HEIGHT, FAINT);
  const labels = scaleLabels(scale);
  for (const [k, label] of labels.entries()) {
    const at = x + (k / (labels.length - 1)) * BAR;
    const anchor = k === 0 || k === labels.length - 1 ? 'start' : 'middle';
    pen.line([at, top + BAR_HEIGHT, at, top + BAR_HEIGHT + 4], 1, FAINT);
    pen.text(at, top + BAR_HEIGHT + 18, label, SMALL, FAINT, { anchor });
  }
  return top + BAR_HEIGHT + 34;
}

/** How long a round number of units is. */
function lengthScale(pen: Pen, pixelsPerUnit: number): Item {
  const units = roundDown(160 / pixelsPerUnit);
  const length = units * pixelsPerUnit;
  const text = lengthText(showCount(units));
  return {
    width: length + 10 + WIDER * textWidth(text, PLAIN),
    draw(x, y) {
      pen.line([x, y + 2, x, y + 12, x + length, y + 12, x + length, y + 2], 1.5, INK);
      pen.text(x + length + 10, y + 12, text, PLAIN, INK);
    },
  };
}
