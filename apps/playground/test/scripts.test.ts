import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

describe('scripts of developers', () => {
  // Sources of other packages are TypeScript, which not every Node that we support can import.
  it.each(['measure', 'screenshots'])('leave only JavaScript to be imported (%s)', (name) => {
    const flags = [...scripts[name]!.matchAll(/--(external|packages)[:=](\S+)/g)];
    const external = flags.flatMap(([, flag, module]) => (flag === 'external' ? [module!] : []));
    const { outputFiles } = buildSync({
      entryPoints: [`${folder}scripts/${name}.ts`],
      ...{ bundle: true, write: false, platform: 'node', format: 'esm', external },
      ...(flags.some(([, flag]) => flag === 'packages') && { packages: 'external' }),
    });
    const imported = [...outputFiles[0]!.text.matchAll(/^(?:import|} from) .*?"(.*)";$/gm)];
    expect(imported.map(([, module]) => module!).filter((module) => !isBuiltin(module))).toEqual([
      'playwright-core',
    ]);
  });
});
