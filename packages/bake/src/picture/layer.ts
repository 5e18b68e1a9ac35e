import {
  checkArrayOf,
  checkChoice,
  checkFinite,
  checkFlag,
  checkKind,
  checkList,
  checkObject,
  checkPoint,
  checkText,
  checkWhole,
  checkWholeFrom,
  failArgument,
} from '@bspkit/core/format';
import { checkPositive } from '../check.ts';
import { type Color, checkColor, type Ramp } from './colors.ts';

/** Values at places of a map, to be drawn: the outcome of a bake of any kind. */
export interface ValueLayer {
  /** What the picture is called: `Exposure`. */
  readonly title: string;
  /** What the values are, in a few words: `share of the other cells that see a cell`. */
  readonly measure: string;
  /** What one of the places is called, and what several are: `['cell', 'cells']`. */
  readonly nouns: readonly [one: string, several: string];
  /** Three numbers per place, in Quake units: places on a floor have its height. */
  readonly positions: Float32Array;
  /** One per place, finite. */
  readonly values: ArrayLike<number>;
  /** Width of the square that a place stands for, in Quake units. */
  readonly step: number;
  /** Whether places are anywhere, and not a step apart: each then has its square, and nothing around it. False by default. */
  readonly scattered?: boolean | undefined;
  /** How values become colours. */
  readonly scale: ValueScale | ValueClasses;
  /** Special places, with a word for each. */
  readonly marks: readonly Mark[];
  /** What the place of the highest value is called where that is pointed out too: `seen most`. Only with a scale. */
  readonly peak?: string | undefined;
}

/** Values from 0 to `high`, whose colours go from one end of a ramp to the other. */
export interface ValueScale {
  /** Colours from the one for 0 to the one for `high`, two or more. */
  readonly ramp: Ramp;
  /** About the value that has the last colour. */
  readonly high: number;
  /** The highest value that there is. */
  readonly most: number;
  /** `percent`: values are shares, 0 to 1; `units`: lengths in Quake units. */
  readonly unit: 'percent' | 'units';
}

/** Values that are one of a few classes, 64 at most, by their number from 0. */
export interface ValueClasses {
  readonly classes: readonly ValueClass[];
}

/** One of the classes that values may be of. */
export interface ValueClass {
  readonly name: string;
  readonly color: Color;
  /** Whether a picture says of how many of its places the value is of this class: `352 seen`. False by default. */
  readonly isCounted?: boolean | undefined;
}

/** A place that is pointed out. */
export interface Mark {
  /** In Quake units. It is drawn in the highest storey whose floors are not above it. */
  readonly at: readonly [number, number, number];
  readonly label: string;
}

/** Throws TypeError or RangeError unless the value is a layer. */
export function checkLayer(layer: ValueLayer): void {
  checkObject(layer, 'layer');
  for (const name of ['title', 'measure'] as const) checkText(layer[name], `layer.${name}`);
  checkList(layer.nouns, 'layer.nouns');
  for (const k of [0, 1] as const) checkText(layer.nouns[k], `layer.nouns[${k}]`);
  const { positions, values, step, scale } = layer;
  checkArrayOf(positions, Float32Array, 'layer.positions');
  checkKind(typeof values?.length === 'number', values, 'layer.values', 'numbers');
  if (positions.length !== 3 * values.length) {
    failArgument('layer.positions', `three numbers for each of ${values.length} values`, positions.length);
  }
  checkPositive(step, 'layer.step');
  checkFlag(layer.scattered, 'layer.scattered');
  checkScale(scale);
  checkValues(values, scale);
  if (layer.peak !== undefined) checkText(layer.peak, 'layer.peak');
  checkList(layer.marks, 'layer.marks');
  for (const [k, mark] of layer.marks.entries()) {
    checkObject(mark, `layer.marks[${k}]`);
    checkPoint(mark.at, `layer.marks[${k}].at`);
    checkText(mark.label, `layer.marks[${k}].label`);
  }
}

/** The most classes of a layer. */
export const MOST_CLASSES = 64;

function checkValues(values: ArrayLike<number>, scale: ValueScale | ValueClasses): void {
  const classes = 'classes' in scale ? scale.classes.length : undefined;
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!;
    const isRight =
      classes === undefined
        ? Number.isFinite(value)
        : Number.isInteger(value) && value >= 0 && value < classes;
    if (isRight) continue;
    const wanted = classes === undefined ? 'a finite number' : `the number of one of ${classes} classes`;
    failArgument(`layer.values[${k}]`, wanted, value);
  }
}

function checkScale(scale: ValueScale | ValueClasses): void {
  checkObject(scale, 'layer.scale');
  if ('classes' in scale) {
    checkList(scale.classes, 'layer.scale.classes');
    checkWhole(scale.classes.length, 'layer.scale.classes.length', 0, MOST_CLASSES);
    for (const [k, one] of scale.classes.entries()) {
      checkObject(one, `layer.scale.classes[${k}]`);
      checkText(one.name, `layer.scale.classes[${k}].name`);
      checkColor(one.color, `layer.scale.classes[${k}].color`);
      checkFlag(one.isCounted, `layer.scale.classes[${k}].isCounted`);
    }
    return;
  }
  checkList(scale.ramp, 'layer.scale.ramp');
  checkWholeFrom(scale.ramp.length, 'layer.scale.ramp.length', 2);
  for (const [k, color] of scale.ramp.entries()) checkColor(color, `layer.scale.ramp[${k}]`);
  checkFinite(scale.high, 'layer.scale.high');
  checkFinite(scale.most, 'layer.scale.most');
  checkChoice(scale.unit, 'layer.scale.unit', ['percent', 'units']);
}

/** The marks of a layer, and that of the place of its highest value, if it is pointed out: the first if there are several. */
export function layerMarks(layer: ValueLayer): readonly Mark[] {
  checkLayer(layer);
  const { marks, peak, positions, scale, values } = layer;
  if (peak === undefined || 'classes' in scale) return marks;
  let most = 0;
  for (let k = 1; k < values.length; k++) if (values[k]! > values[most]!) most = k;
  if (!(values[most]! > 0)) return marks;
  const at = [positions[3 * most]!, positions[3 * most + 1]!, positions[3 * most + 2]!] as const;
  return [...marks, { at, label: `${peak}: ${showValue(values[most]!, scale)}` }];
}

/** The classes of a layer that are counted, and how many of its places each has. */
export function countClasses(layer: ValueLayer): { readonly name: string; readonly count: number }[] {
  checkLayer(layer);
  const { scale, values } = layer;
  if (!('classes' in scale)) return [];
  const counts = new Uint32Array(scale.classes.length);
  for (let k = 0; k < values.length; k++) counts[values[k]!]!++;
  return scale.classes.flatMap(({ name, isCounted }, k) => (isCounted ? [{ name, count: counts[k]! }] : []));
}

/** A value for people. */
export function showValue(value: number, scale: Pick<ValueScale, 'unit'>): string {
  checkFinite(value, 'value');
  checkObject(scale, 'scale');
  return showIn(value, scale);
}

/** {@link showValue} for a number that may be beyond float32, as the end of a scale may. */
export function showIn(value: number, { unit }: Pick<ValueScale, 'unit'>): string {
  checkChoice(unit, 'scale.unit', ['percent', 'units']);
  return unit === 'percent' ? `${showDecimals(100 * value)} %` : showDecimals(value);
}

/**
 * A number with one decimal place; of less than one, with two digits: 0.25 is a value of scales, and 0.04 is not nothing. From 1e21
 * on, where toFixed writes a power of ten, with three.
 */
function showDecimals(value: number): string {
  const size = Math.abs(value);
  return String(Number(size >= 1 && size < 1e21 ? value.toFixed(1) : value.toPrecision(size < 1 ? 2 : 3)));
}
