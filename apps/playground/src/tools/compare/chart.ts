import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A bar of a chart. */
export interface Bar {
  readonly value: number;
  readonly color: string;
}

/** How a chart of bars is drawn. */
export interface ChartStyle {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly line: string;
  readonly font: string;
  /** The values' unit, after a number. */
  readonly unit: string;
}

/** Bars side by side, numbered from 1 below and with their values above. */
export function barChart(parent: HTMLElement, bars: readonly Bar[], style: ChartStyle): uPlot {
  const { width, height, text, line, font, unit } = style;
  const colors = bars.map(({ color }) => color);
  const highest = Math.max(...bars.map(({ value }) => value));
  const values = uPlot.paths.bars!({
    size: [0.66, 56],
    radius: 0.08,
    disp: { fill: { unit: 3, values: () => colors }, stroke: { unit: 3, values: () => colors } },
  });
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  return new uPlot(
    {
      width,
      height,
      legend: { show: false },
      cursor: { show: false },
      padding: [18, 4, 0, 0],
      scales: {
        x: { time: false, range: [0.4, bars.length + 0.6] },
        y: { range: [0, highest > 0 ? highest * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 22,
          gap: 2,
          splits: () => bars.map((_, k) => k + 1),
          values: (_, splits) => splits.map(String),
        },
        {
          ...axis,
          size: 44,
          gap: 4,
          values: (_, splits) => splits.map((split) => `${+split.toFixed(4)}${unit}`),
        },
      ],
      series: [{}, { paths: values, points: { show: false } }],
      hooks: {
        draw: [
          (chart) => {
            const { ctx } = chart;
            ctx.save();
            ctx.fillStyle = text;
            ctx.font = font.replace(/(\d+)px/, (_, size) => `${Number(size) * devicePixelRatio}px`);
            ctx.textAlign = 'center';
            for (const [k, { value }] of bars.entries()) {
              const [x, y] = [chart.valToPos(k + 1, 'x', true), chart.valToPos(value, 'y', true)];
              ctx.fillText(`${+value.toPrecision(3)}${unit}`, x, y - 4 * devicePixelRatio);
            }
            ctx.restore();
          },
        ],
      },
    },
    [bars.map((_, k) => k + 1), bars.map(({ value }) => value)],
    parent,
  );
}
