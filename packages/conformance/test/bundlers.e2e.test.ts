import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { bake, createJob, memoryStore, openJob } from '@bspkit/bake';
import { arenaQuake3 } from '@bspkit/fixtures';
import { BROWSERS, openBrowser } from '@bspkit/testkit/browsers';
import { openBsp } from 'bspkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installWithNpm, packAll, runNode, runNpm } from '../src/pack.ts';

// Pages with pools, from packages as users get them, by the bundlers that guides name, as these say how. It fetches the bundlers
// from npm, so it runs before releases and when asked for. Vite, esbuild and Bun are among our own tools, and tested elsewhere.

const CHROMIUM = BROWSERS.find(({ name }) => name === 'Chromium')!;
const ON = process.env.BSPKIT_REHEARSAL === '1' && CHROMIUM.missing === '';
const WHY = ON ? '' : ` (skipped: ${CHROMIUM.missing || 'fetches bundlers; BSPKIT_REHEARSAL=1 runs it'})`;

/** The bundlers, of versions that run on Node 20. */
const TOOLS = [
  ...['webpack@5.113.0', '@rspack/core@2.3.4', 'parcel@2.16.4', 'rolldown@1.3.3'],
  ...['rollup@4.68.8', '@rollup/plugin-node-resolve@16'],
];

const SEGMENTS = [-256, 0, 56, 1000, 0, 56, 0, -200, 64, 0, -200, -64];
const POINTS = [0, -200, 24, 256, 0, 24, 512, 0, 24.125];

/** A page that leaves what pools answer in a variable. The text of the pools' options is `pool` and `bakes`. */
const pageOf = (pool: string, bakes: string): string => `
import { bake, createJob, memoryStore } from '@bspkit/bake';
import { createBakePool } from '@bspkit/bake/pool';
import { openBsp } from 'bspkit';
import { createTracePool } from 'bspkit/pool';

globalThis.answers = (async () => {
  const map = new Uint8Array(await (await fetch('/arena.bsp')).arrayBuffer());
  const segments = Float32Array.from(${JSON.stringify(SEGMENTS)});
  const pool = createTracePool({ threads: 2${pool} });
  const world = await pool.open(await openBsp(map));
  const { endPos } = await pool.traceBatch({ world, tracer: { kind: 'ray' }, segments });
  await pool.close();
  const inputs = { points: new Uint8Array(Float32Array.from(${JSON.stringify(POINTS)}).buffer) };
  const job = await createJob({ kind: 'occlusion', map, inputs });
  const bakePool = createBakePool({ threads: 2${bakes} });
  const store = memoryStore();
  await bake(job, { inputs, store, executor: await bakePool.open(job, { map, inputs }) });
  await bakePool.close();
  return { endPos: [...endPos], baked: [...store.bytes()] };
})();
`;

const SOURCES: Readonly<Record<string, string>> = {
  'page.mjs': pageOf('', ''),
  'page-own.mjs': pageOf(`, worker: '/pool-worker.js'`, `, worker: '/bake-worker.js'`),
  'pool-worker.mjs': `import { serveTracePool } from 'bspkit/pool';\nserveTracePool();\n`,
  'bake-worker.mjs': `import { serveBake } from '@bspkit/bake/pool';\nserveBake();\n`,
  'index.html': '<!doctype html><head><script type="module" src="page.mjs"></script></head>',
};

/** With webpack and what has its interface, which print what they warn of. */
const webpackLike = (load: string): string => `
import ${load};
const options = {
  mode: 'production',
  context: process.cwd(),
  entry: { main: './page.mjs' },
  output: { path: process.argv[2], filename: '[name].js' },
  performance: { hints: false },
};
bundler(options, (error, stats) => {
  if (error) throw error;
  process.stdout.write(stats.toString({ all: false, errors: true, warnings: true }));
});
`;

/** With Rollup and what has its interface, and workers of the page's own. */
const rollupLike = (load: string, options: string): string => `
import ${load};
const names = { main: 'page-own.mjs', 'pool-worker': 'pool-worker.mjs', 'bake-worker': 'bake-worker.mjs' };
const bundle = await bundler({ input: names, onLog: (_, { message }) => console.log(message), ${options} });
await bundle.write({ dir: process.argv[2], format: 'es' });
`;

const PARCEL = `
process.argv.push('build', 'index.html', '--dist-dir', process.argv.splice(2, 1)[0]);
process.argv.push('--no-scope-hoist', '--no-cache', '--no-source-maps', '--log-level', 'warn');
await import('parcel/lib/bin.js');
`;

/** Programs that bundle the page of the folder in which they run into another one. */
const BUNDLERS: Readonly<Record<string, string>> = {
  webpack: webpackLike(`bundler from 'webpack'`),
  Rspack: webpackLike(`{ rspack as bundler } from '@rspack/core'`),
  Parcel: PARCEL,
  Rollup: rollupLike(
    `{ nodeResolve } from '@rollup/plugin-node-resolve';\nimport { rollup as bundler } from 'rollup'`,
    'plugins: [nodeResolve({ browser: true })]',
  ),
  Rolldown: rollupLike(`{ rolldown as bundler } from 'rolldown'`, `platform: 'browser'`),
};

/** A module that waits for what the page's script answers. */
const REPORT = `
export async function report() {
  while (!globalThis.answers) await new Promise((go) => setTimeout(go, 10));
  return globalThis.answers;
}
`;

describe.skipIf(!ON)(`pools in pages by other bundlers${WHY}`, () => {
  let folder = '';
  const open = openBrowser(CHROMIUM);
  let wanted: unknown;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bspkit-bundlers-'));
    const [project, tools] = [join(folder, 'project'), join(folder, 'tools')];
    const tarballs = await packAll(join(folder, 'tarballs'));
    await installWithNpm(project, { name: 'page', installs: ['@bspkit/bake', 'bspkit'] }, tarballs);
    for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(project, name), text);
    mkdirSync(tools);
    writeFileSync(join(tools, 'package.json'), '{ "private": true, "type": "module" }');
    await runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund', ...TOOLS], tools);
    for (const [name, text] of Object.entries(BUNDLERS)) writeFileSync(join(tools, `${name}.mjs`), text);

    const map = arenaQuake3();
    const ray = (await openBsp(map, { format: 'quake3' })).ray();
    const inputs = { points: new Uint8Array(Float32Array.from(POINTS).buffer) };
    const job = await createJob({ kind: 'occlusion', map, inputs });
    const { run } = await openJob(job, { load: (hash) => (hash === job.map ? map : inputs.points) });
    const store = memoryStore();
    await bake(job, { inputs, store, executor: { capacity: 1, run: async (chunk) => run(chunk) } });
    const { endPos } = ray.traceBatch(Float32Array.from(SEGMENTS));
    wanted = { endPos: [...endPos], baked: [...store.bytes()] };
  }, 300_000);

  afterAll(async () => {
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(BUNDLERS))(
    '%s: answers as on one thread, and nothing to warn of',
    async (name) => {
      const built = join(folder, name);
      const said = await runNode(join(folder, 'tools', `${name}.mjs`), [built], join(folder, 'project'));
      expect(said).toBe('');
      const page = filesIn(built);
      // Parcel writes it without what may be left out of pages.
      const made = page.get('index.html');
      const kind = page.has('pool-worker.js') ? ' type="module"' : '';
      const script = made === undefined ? `<script${kind} src="/main.js"></script>` : String(made);
      page.set('index.html', `<!doctype html><head></head>${script}`);
      page.set('page.js', REPORT).set('arena.bsp', arenaQuake3());
      expect(await open.reportOf(page)).toEqual(wanted);
    },
    300_000,
  );
});

/** All files in a folder, by their paths in it. */
function filesIn(folder: string): Map<string, string | Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  return new Map(files.map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path)]));
}
