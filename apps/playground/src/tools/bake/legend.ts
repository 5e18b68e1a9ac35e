import { rampColor, scaleLabels, type ValueLayer } from '@bspkit/bake/picture';
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
