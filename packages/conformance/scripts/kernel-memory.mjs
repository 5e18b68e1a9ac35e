// Measures how much memory the kernels in WebAssembly take, beside the bytes of the world, on all maps of BSPKIT_MAPS or
// ../shared, and writes it into the READMEs of the formats. After `npm run build`, in this package:
//
// node scripts/kernel-memory.mjs [--print]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { suitedPresets, tracerOf } from '@bspkit/core/format';
import { FORMATS } from 'bspkit';
import { writeFigures } from '../../../scripts/figures.mjs';

const shared = process.env.BSPKIT_MAPS ?? fileURLToPath(new URL('../../../../shared', import.meta.url));
const maps = join(shared, 'maps');

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

/** The bytes of a world, and of each memory that its first traces create. */
function measure(format, bytes) {
  memories = [];
  const world = format.createWorld([format.read(bytes)]);
  const [start, end] = [world.bounds.maxs, world.bounds.mins].map((corner) => Array.from(corner));
  for (const preset of suitedPresets(format, world).filter(({ measured }) => measured)) {
    const tracer = tracerOf(format, world, preset);
    tracer.trace(start, end);
    tracer.blocked(start, end);
  }
  return memories.map(({ buffer }) => ({ bytes: buffer.byteLength, world: world.data.byteLength }));
}

const size = (bytes) => (bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const index = JSON.parse(readFileSync(join(maps, 'INDEX.json'), 'utf8'));
for (const entry of FORMATS) {
  const files = Object.entries(index).flatMap(([name, { file }]) =>
    name.startsWith(`${entry.id}/`) ? [join(maps, file)] : [],
  );
  if (files.length === 0) continue;
  const format = await entry.load();
  const found = files.flatMap((file) => measure(format, gunzipSync(readFileSync(file))));
  const bytes = found.map((one) => one.bytes);
  const times = found.filter(({ world }) => world >= LARGE).map((one) => one.bytes / one.world);
  const text = [
    `On ${files.length} real maps, a memory of the kernel takes ${size(Math.min(...bytes))} to ${size(Math.max(...bytes))},`,
    `which is ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} times the bytes of \`world.data\` where those are ${size(LARGE)} or more.`,
  ].join('\n');
  console.log(`${entry.id}: ${text}`);
  const readme = new URL(`../../${entry.id}/README.md`, import.meta.url);
  if (!process.argv.includes('--print')) writeFigures(readme, 'kernel-memory.mjs', text);
}
