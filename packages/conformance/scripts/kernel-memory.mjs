// Measures how much memory worlds and the kernels in WebAssembly take, beside the lumps that the worlds are made from, on all maps
// of BSPKIT_MAPS or ../shared, and writes it into the guide about kernels and the FAQ. After `npm run build`, in this package:
//
// node scripts/kernel-memory.mjs [--print]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suitedPresets, tracerOf } from '@bspkit/core/format';
import { FORMATS } from 'bspkit';
import { writeFigures } from '../../../scripts/figures.mjs';
import { realMaps } from '../../../scripts/real-maps.mjs';

const maps = realMaps();

/** Memories that kernels trace in, created since this was last emptied. */
let memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, given) {
    const { exports } = new target(...given);
    memories.push(exports.memory);
    // Laying out a world needs more memory, and frees it again.
    const build = (...sizes) => {
      memories.splice(memories.indexOf(exports.memory), 1);
      return exports.build(...sizes);
    };
    return { exports: exports.build ? { ...exports, build } : exports };
  },
});

/** Smaller worlds add next to nothing to what a kernel always needs. */
const LARGE = 64_000;

/** The bytes of a map's lumps, of its world, and of each memory that the world's first traces create. */
function measure(format, bytes) {
  memories = [];
  const file = format.read(bytes);
  const world = format.createWorld([file]);
  const { lumps } = format.info(file, world).memory;
  const [start, end] = [world.bounds.maxs, world.bounds.mins].map((corner) => Array.from(corner));
  for (const preset of suitedPresets(format, world).filter(({ measured }) => measured)) {
    const tracer = tracerOf(format, world, preset);
    tracer.trace(start, end);
    tracer.blocked(start, end);
  }
  return { lumps, world: world.data.byteLength, kernel: memories.map(({ buffer }) => buffer.byteLength) };
}

const size = (bytes) => (bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const times = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b).map((number) => number.toFixed(1));
  return [`${sorted[0]} to ${sorted.at(-1)}`, sorted[sorted.length >> 1]];
};
const writes = !process.argv.includes('--print');
const index = JSON.parse(readFileSync(join(maps, 'INDEX.json'), 'utf8'));
const [kernels, rows] = [[], []];
for (const entry of FORMATS) {
  const files = Object.entries(index).flatMap(([name, { file }]) =>
    name.startsWith(`${entry.id}/`) ? [join(maps, file)] : [],
  );
  if (files.length === 0) continue;
  const format = await entry.load();
  const found = files.map((file) => measure(format, gunzipSync(readFileSync(file))));
  const bytes = found.flatMap(({ kernel }) => kernel);
  const [range] = times(
    found.flatMap(({ world, kernel }) => (world >= LARGE ? kernel.map((one) => one / world) : [])),
  );
  const memory = `${size(Math.min(...bytes))} to ${size(Math.max(...bytes))}`;
  kernels.push([entry.name, files.length, memory, range]);
  const large = found.filter(({ lumps }) => lumps >= LARGE);
  const worlds = times(large.map(({ lumps, world }) => world / lumps));
  const all = times(
    large.map(({ lumps, world, kernel }) => kernel.reduce((sum, one) => sum + one, world) / lumps),
  );
  rows.push([entry.name, large.length, ...worlds, ...all]);
}
const write = (guide, text) => {
  console.log(text);
  if (!writes) return;
  writeFigures(new URL(`../../../apps/docs/guides/${guide}`, import.meta.url), 'kernel-memory.mjs', text);
};
const lines = (cells) => cells.map((row) => `| ${row.join(' | ')} |`);
const inKernels = [
  `On real maps; the last column is for worlds of ${size(LARGE)} or more:`,
  '',
  '| game | maps | a memory of the kernel | times the bytes of `world.data` |',
  '| ---- | ---: | ---------------------: | ------------------------------: |',
  ...lines(kernels),
];
const inFaq = [
  `How many times as many bytes as the lumps, on real maps with lumps of ${size(LARGE)} or more:`,
  '',
  '| game | maps | `world.data` | median | with the kernel | median |',
  '| ---- | ---: | -----------: | -----: | --------------: | -----: |',
  ...lines(rows),
];
write('kernels.md', inKernels.join('\n'));
write('faq.md', inFaq.join('\n'));
