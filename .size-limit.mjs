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

const format = (id, names) => ({
  name: `${id}: read and trace`,
  path: `packages/${id}/dist/index.js`,
  import: `{ ${names} }`,
  limit: '12 kB',
  modifyEsbuildConfig,
});

export default [
  { name: 'core', path: 'packages/core/dist/index.js', limit: '3 kB', modifyEsbuildConfig },
  format('quake1', 'readQuake1, createQuake1World'),
  format('quake3', 'readQuake3, createQuake3World'),
  format('ufoai', 'readUfoai, createUfoaiWorld'),
  {
    name: 'bspkit: before a map is opened',
    path: 'packages/bspkit/dist/index.js',
    import: '{ openBsp }',
    limit: '3 kB',
    modifyEsbuildConfig,
  },
];
