import { h } from '../../app/dom.ts';

/** A bar of a chart. */
export interface Bar {
  readonly value: number;
  readonly color: string;
}

/** Bars below each other, numbered from 1, with their values beside them. */
export function barChart(label: string, bars: readonly Bar[], unit: string): HTMLElement {
  const highest = Math.max(...bars.map(({ value }) => value)) || 1;
  return h(
    'div',
    { class: 'tool-chart', role: 'img', 'aria-label': label },
    ...bars.map(({ value, color }, k) =>
      h(
        'div',
        { style: `--chip: ${color}; --part: ${value / highest}` },
        h('i', { class: 'tool-chip' }, String(k + 1)),
        h('span'),
        `${+value.toPrecision(3)}${unit}`,
      ),
    ),
  );
}
