import { library } from '../../tsup.base.ts';

export default library(['src/index.ts'], {
  // In CommonJS `import()` would load the format packages' other build, with a `BspError` that is not ours.
  esbuildOptions(options, { format }) {
    if (format === 'cjs') options.supported = { ...options.supported, 'dynamic-import': false };
  },
});
