// What the page weighs once it is packed by brotli, all of it: fails when that is above its budget. What is loaded at first,
// before any tool or other game is used, is about half of it; a test of the page holds that to a budget of its own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));
const formats = readdirSync(packages).filter((id) => existsSync(`${packages}${id}/src/descriptor.ts`));

/** In kB: what is there for every map, and the mean of what is there for one format. */
const BUDGET = 368.8 + 28 * formats.length;

const folder = fileURLToPath(new URL('../dist/', import.meta.url));
// What the service worker lists: there may be files of older builds beside those, where turbo has restored this one from its cache.
const worker = 'service-worker.js';
const [, list] = /^const FILES = (\[.*\]);$/m.exec(readFileSync(folder + worker, 'utf8'));
const files = [worker, ...JSON.parse(list).map((path) => (path === './' ? 'index.html' : path.slice(2)))]
  .map((name) => ({ name, size: brotliCompressSync(readFileSync(folder + name)).length }))
  .sort((a, b) => b.size - a.size);
const kilobytes = (size) => `${(size / 1000).toFixed(1).padStart(7)} kB`;
for (const { name, size } of files) if (size > 1000) console.log(kilobytes(size), name);
const total = files.reduce((sum, { size }) => sum + size, 0);
console.log(kilobytes(total), `in all, packed by brotli; at most ${BUDGET} kB`);
if (total > 1000 * BUDGET) {
  console.error('that is more than the budget, which is at the top of apps/playground/scripts/size.mjs');
  process.exitCode = 1;
}
