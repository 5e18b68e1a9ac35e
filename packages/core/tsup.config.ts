import { readdirSync, rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { library } from '../../tsup.base.ts';

// Bundlers load a module early or late, but never half of it. Detecting maps comes early and needs little of what is here for
// formats, so each file is a module of its own; not in CommonJS, where nothing is bundled and calls between modules cost time.
const names = readdirSync('src/format').filter((name) => name !== 'index.ts');
const apart = Object.fromEntries(names.map((name) => [`format/${name.slice(0, -3)}`, `src/format/${name}`]));

const both = library({
  index: 'src/index.ts',
  detect: 'src/detect.ts',
  format: 'src/format/index.ts',
  pak: 'src/pak.ts',
}) as Options;
rmSync('dist', { recursive: true, force: true });

export default defineConfig([
  { ...both, clean: false, format: ['esm'], entry: { ...(both.entry as Record<string, string>), ...apart } },
  { ...both, clean: false, format: ['cjs'], onSuccess: async () => {} },
]);
