import { rampColor, roundScale, showValue, type ValueLayer, type ValueScale } from '@bspkit/bake/picture';
import { h } from '../../app/dom.ts';
import { swatches } from '../dom.ts';

type Rgb = readonly number[];

const css = (rgb: Rgb): string => `rgb(${rgb.join(' ')})`;

/** Colours between the ends of a ramp that a gradient is made of. */
const STOPS = 12;

/** What the colours of a layer mean. */
export function valueLegend({ scale, measure }: ValueLayer): HTMLElement {
  if ('classes' in scale) {
    return swatches(scale.classes.map(({ name, color }) => [name, css(color)] as const));
  }
  const bar = h('div', { class: 'bake-bar', 'aria-hidden': 'true' });
  const stops = Array.from({ length: STOPS + 1 }, (_, k) => css(rampColor(scale.ramp, k / STOPS)));
  bar.style.backgroundImage = `linear-gradient(to right, ${stops.join(', ')})`;
  return h(
    'div',
    { class: 'bake-legend' },
    h('p', { class: 'tool-hint' }, measure),
    bar,
    h('div', { class: 'bake-values' }, ...scaleLabels(scale).map((label) => h('span', {}, label))),
  );
}

/** The labels of a scale, at equal distances: the last one says its unit, and whether there are values beyond it. */
export function scaleLabels(scale: ValueScale): string[] {
  const { high, every } = roundScale(scale);
  const labels = Array.from({ length: Math.round(high / every) + 1 }, (_, k) => showValue(k * every, scale));
  const unit = scale.unit === 'units' ? ' units' : '';
  const more = scale.most > high ? ' and more' : '';
  labels[labels.length - 1] += unit + more;
  return labels;
}
