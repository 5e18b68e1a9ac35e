import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Counts the files that are loaded at once, of those that esbuild makes of a package as built, and not those that come
 * later, when a map is opened. Both must be bundled: what is in one module with what comes early comes early itself.
 */
const early = {
  name: 'early',
  setup(build) {
    const entry = resolve(build.initialOptions.entryPoints[0]);
    build.onEnd(({ metafile: { outputs } }) => {
      const names = Object.keys(outputs);
      const isEntry = (name) => outputs[name].entryPoint && resolve(outputs[name].entryPoint) === entry;
      const loaded = new Set(names.filter(isEntry));
      for (const name of loaded) {
        for (const { path, kind } of outputs[name].imports) if (kind === 'import-statement') loaded.add(path);
      }
      for (const name of names) if (!loaded.has(name)) delete outputs[name];
    });
  },
};

/** All that a page loads, which is one file. esbuild warns of what it leaves out. */
const modifyEsbuildConfig = (config) => ({ ...config, format: 'esm', logLevel: 'error' });

const modifyForEarly = ({ plugins = [], ...config }) =>
  modifyEsbuildConfig({ ...config, splitting: true, plugins: [...plugins, early] });

// The targets are 12 kB, and 16 kB with WebAssembly; what the formats have today is kept from growing. Their code alone is
// 19 to 26 kB, the kernels in WebAssembly 5 to 9 kB, clearings and blockers 2 kB of both each, all texts 1.5 kB; mangled
// names of what is internal would save 0.3 kB.
const packages = fileURLToPath(new URL('packages/', import.meta.url));
const FORMATS = readdirSync(packages).filter((id) => existsSync(`${packages}${id}/src/descriptor.ts`));

// What reads a map and traces, with its budget, is in the format's folder.
const formats = FORMATS.map((id) => ({
  name: `${id}: read and trace`,
  path: `packages/${id}/dist/index.js`,
  ...JSON.parse(readFileSync(`${packages}${id}/.size-limit.json`, 'utf8')),
  modifyEsbuildConfig,
}));

/**
 * What a bundle may weigh that has the light halves of all formats: so much without them, and so much for each. The names of what
 * is loaded later are in it, whose hashes weigh some 25 bytes more or less with every change of a format.
 */
const withFormats = (rest, each) => `${(rest + each * FORMATS.length).toFixed(2)} kB`;

/** One game's players, or a character of no game: the others must not weigh on them. */
const player = (game, names, limit) => ({
  name: `movement: ${game}`,
  path: 'packages/movement/dist/index.js',
  import: `{ ${names} }`,
  limit,
  modifyEsbuildConfig,
});

export default [
  { name: 'core', path: 'packages/core/dist/index.js', limit: '3 kB', modifyEsbuildConfig },
  ...formats,
  player('Quake 3', 'createQuake3Mover, createQuake3State, createQuake3Command', '9.7 kB'),
  player('Quake 3 things', 'createQuake3ThingMover, createQuake3ThingState', '4.5 kB'),
  player('Quake 2', 'createQuake2Mover, createQuake2State, createQuake2Command', '7.68 kB'),
  player('Quake 2 things', 'createQuake2ThingMover, createQuake2ThingState', '8.33 kB'),
  player('QuakeWorld', 'createQuakeWorldMover, createQuakeWorldState, createQuakeWorldCommand', '6.76 kB'),
  player('Quake', 'createQuakeMover, createQuakeState', '5.07 kB'),
  player('Quake things', 'createQuakeThingMover, createQuakeThingState', '7.47 kB'),
  player('a character', 'createController', '6.63 kB'),
  {
    name: 'scene: bodies and their traces',
    path: 'packages/scene/dist/index.js',
    import: '{ createScene }',
    limit: '19.18 kB',
    modifyEsbuildConfig,
  },
  {
    name: 'ellipsoid: both methods and sliding',
    path: 'packages/ellipsoid/dist/index.js',
    import: '{ createEllipsoidWorld, EllipsoidSlider }',
    limit: '16.4 kB',
    modifyEsbuildConfig,
  },
  {
    name: 'compile: shapes of brushes, and no target',
    path: 'packages/compile/dist/index.js',
    import: '{ boxBrush, hullBrush, prismBrush, roomBrushes, stairBrushes }',
    limit: '2.99 kB',
    modifyEsbuildConfig,
  },
  {
    // Tests are loaded from a disk: this only shows what is bundled into it.
    name: 'check-format: all tests, without Vitest',
    path: 'packages/check-format/dist/index.js',
    ignore: ['vitest'],
    limit: '22.22 kB',
    modifyEsbuildConfig: (config) => ({ ...modifyEsbuildConfig(config), platform: 'node' }),
  },
  {
    name: 'bspkit: before a map is opened',
    path: 'packages/bspkit/dist/index.js',
    import: '{ openBsp }',
    limit: withFormats(6.69, 0.15),
    modifyEsbuildConfig: modifyForEarly,
  },
  {
    name: 'bspkit/pool: in a page',
    path: 'packages/bspkit/dist/pool.js',
    import: '{ createTracePool }',
    limit: withFormats(11.37, 0.15),
    modifyEsbuildConfig: modifyForEarly,
  },
  {
    name: 'bspkit/pool: in its worker, before a map is opened',
    path: 'packages/bspkit/dist/worker.js',
    limit: withFormats(7.59, 0.15),
    modifyEsbuildConfig: modifyForEarly,
  },
  {
    name: 'bake: pictures of results',
    path: 'packages/bake/dist/picture.js',
    import: '{ readOutcome, drawBake, toSvg }',
    limit: '19.15 kB',
    modifyEsbuildConfig,
  },
  {
    name: 'bake: jobs of all kinds, before rows are answered',
    path: 'packages/bake/dist/index.js',
    import: '{ bake, createJob, readBake, mergeBake, memoryStore }',
    limit: '37.03 kB',
    modifyEsbuildConfig: modifyForEarly,
  },
];
