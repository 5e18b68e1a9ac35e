// Measures how long a large map takes to compile for each game and writes the table into the guide about compiled maps.
// Run it on a quiet machine after `npm run build`: node scripts/measure.mjs [--print]
import { cpus } from 'node:os';
import { writeFigures } from '../../../scripts/figures.mjs';
import {
  boxBrush,
  COMPILE_TARGETS,
  compileMap,
  frustumBrush,
  pillarBrush,
  rampBrush,
  roomBrushes,
} from '../dist/index.js';

const BRUSHES = 2000;
const RUNS = 3;

/** Points that fill space evenly without being a grid: multiples of roots, wrapped around. */
const spread = (i, k) => ((i + 1) * [0.8191725134, 0.6710436067, 0.5497004779, 0.4502995221][k]) % 1;

function scatter(i) {
  const [x, y] = [0, 1].map((k) => Math.round(-1900 + 3700 * spread(i, k)));
  const z = Math.round(380 * spread(i, 2));
  const size = Math.round(24 + 72 * spread(i, 3));
  const options = { material: 'base/wall' };
  if (i % 4 === 0) return boxBrush([x, y, z], [x + size, y + 64, z + 48], options);
  if (i % 4 === 1)
    return rampBrush([x, y, z], [x + size, y + 64, z + 48], ['+x', '-x', '+y', '-y'][i % 3], options);
  if (i % 4 === 2) return pillarBrush([x, y, z], size / 2, 96, 3 + (i % 6), options);
  return frustumBrush([x, y, z], size / 2, size / 4, 64, 3 + (i % 5), options);
}

const map = {
  entities: [
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        ...roomBrushes([-2000, -2000, 0], [2000, 2000, 512], 16, { material: 'base/wall' }),
        ...Array.from({ length: BRUSHES }, (_, i) => scatter(i)),
      ],
    },
    { properties: { classname: 'info_player_start', origin: '1990 1990 500' } },
  ],
};

const rows = COMPILE_TARGETS.map(({ id, name }) => {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    compileMap(map, { format: id });
    return (performance.now() - start) / 1000;
  });
  const { stats } = compileMap(map, { format: id });
  const { nodes, depth } = stats.tree;
  const records = [nodes, depth, stats.counts.clipNodes ?? 0].map((x) => x.toLocaleString('en'));
  return [name, `${Math.min(...times).toFixed(1)} s`, ...records];
});
const heads = ['game', 'time', 'nodes', 'depth', 'clip nodes'];
const widths = heads.map((head, k) => Math.max(head.length, ...rows.map((row) => row[k].length)));
const line = (cells) => `| ${cells.map((cell, k) => cell.padEnd(widths[k])).join(' | ')} |`;
const text = [
  `${BRUSHES.toLocaleString('en')} boxes, ramps, pillars and frustums in a room of 4000 by 4000 units, the best of ${RUNS} runs`,
  `(${cpus()[0].model.trim()}, Node ${process.versions.node.split('.')[0]}):`,
  '',
  line(heads),
  line(widths.map((width) => '-'.repeat(width))),
  ...rows.map(line),
].join('\n');

if (process.argv.includes('--print')) console.log(text);
else
  writeFigures(new URL('../../../apps/docs/guides/compiled-maps.md', import.meta.url), 'measure.mjs', text);
