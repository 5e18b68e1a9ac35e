/** Modules that are imported later, when a map is opened, do not count. */
const later = {
  name: 'later',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

const modifyEsbuildConfig = (config) => ({ ...config, plugins: [...(config.plugins ?? []), later] });

// The target is 12 kB; what the formats have today is kept from growing. Of it core's checks and reading take about 4 kB,
// the refusal of wrong arguments 2 kB, Quake 3's curves 3.5 kB, UFO:AI's lines 4.5 kB.
const format = (id, names, limit) => ({
  name: `${id}: read and trace`,
  path: `packages/${id}/dist/index.js`,
  import: `{ ${names} }`,
  limit,
  modifyEsbuildConfig,
});

export default [
  { name: 'core', path: 'packages/core/dist/index.js', limit: '3 kB', modifyEsbuildConfig },
  format('quake1', 'readQuake1, createQuake1World', '16 kB'),
  format('quake3', 'readQuake3, createQuake3World', '27.5 kB'),
  format('ufoai', 'readUfoai, createUfoaiWorld', '22 kB'),
  {
    name: 'bspkit: before a map is opened',
    path: 'packages/bspkit/dist/index.js',
    import: '{ openBsp }',
    limit: '3 kB',
    modifyEsbuildConfig,
  },
];
