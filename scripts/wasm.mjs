// Compiles the kernel of the package in the working folder and writes it as text into src/wasm/module.ts, which is kept in git,
// so that tests, editors and type checks need no build. Does nothing if that is up to date. `--debug` writes a .wasm with a
// source map and a .wat into wasm/ instead.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const OUTPUT = 'src/wasm/module.ts';

const OPTIONS = [
  ...['--runtime', 'stub', '--noAssert', '--enable', 'simd', '--importMemory', '--initialMemory', '1'],
  // Vectors are never passed to JavaScript.
  ...['--disableWarning', '112'],
];
const RELEASE = ['-O3', '--converge'];
const DEBUG = ['--debug', '--sourceMap', '-t', 'kernel.wat'];

/** Identifies the sources of a package's kernel, the options and the compiler. */
export function fingerprint(root) {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'wasm')).filter((name) => name.endsWith('.ts'));
  const texts = new Map();
  const read = (name) => texts.set(name, readFileSync(join(root, name), 'utf8').replaceAll('\r\n', '\n'));
  for (const name of files.sort()) read(`wasm/${name}`);
  // What they import from outside the folder: sources that kernels share, and files of numbers.
  const shared = new Set();
  const follow = (name) => {
    for (const [, path] of texts.get(name).matchAll(/from '(\.[^']+)'/g)) {
      const from = posix.join(posix.dirname(name), `${path}.ts`);
      if (texts.has(from)) continue;
      shared.add(from);
      read(from);
      follow(from);
    }
  };
  for (const name of [...texts.keys()]) follow(name);
  for (const name of shared) texts.delete(name);
  for (const name of [...shared].sort()) read(name);
  for (const [name, text] of texts) hash.update(name).update(text);
  const monorepo = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  hash.update(JSON.stringify([OPTIONS, RELEASE, monorepo.devDependencies.assemblyscript]));
  return hash.digest('hex').slice(0, 16);
}

/** The fingerprint of a package's compiled kernel; empty if there is none. */
export function currentFingerprint(root) {
  try {
    return /^\/\/ Compiled from (\w+)$/m.exec(readFileSync(join(root, OUTPUT), 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

async function compile(root, options) {
  const { default: asc } = await import('assemblyscript/asc');
  let binary;
  const given = ['wasm/index.ts', '-o', 'kernel.wasm', '--baseDir', root, ...OPTIONS, ...options];
  const { error, stderr } = await asc.main(given, {
    readFile: (name, base) => {
      try {
        return readFileSync(join(base, name), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') binary = contents;
      if (options === DEBUG) writeFileSync(join(root, 'wasm', name), contents);
    },
    listFiles: () => [],
  });
  process.stderr.write(stderr.toString());
  if (error) throw error;
  return Buffer.from(binary);
}

const moduleText = (binary, print) => `// Written by scripts/wasm.mjs; do not edit.
// Compiled from ${print}

/** The compiled kernel, ${binary.length} bytes, in hexadecimal: that packs to 2/3 of what base64 packs to. */
export const KERNEL =
  '${binary.toString('hex')}';
`;

// Modules are identified by where links lead, while arguments are as they were given.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = process.cwd();
  const print = fingerprint(root);
  if (process.argv.includes('--debug')) await compile(root, DEBUG);
  else if (currentFingerprint(root) !== print) {
    writeFileSync(join(root, OUTPUT), moduleText(await compile(root, RELEASE), print));
  }
}
