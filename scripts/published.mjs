// Checks the published packages, once built: what their package.json files say, by publint, and the types that npm packs, as
// modules and as CommonJS, by are-the-types-wrong. All in one process: both commands take longer to start than to check.
// `npm run lint` runs it; it writes nothing but a temporary folder.
import { execSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = fileURLToPath(new URL('..', import.meta.url));

const packages = ['apps', 'packages']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `./${group}/${name}`))
  .filter((path) => existsSync(join(root, path, 'package.json')))
  .map((path) => ({ path, manifest: JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => !manifest.private);
// The others are only commands.
const libraries = packages.filter(({ manifest }) => manifest.exports?.['.']);

const temporary = mkdtempSync(join(tmpdir(), 'bspkit-published-'));
try {
  execSync(`npm pack ${libraries.map(({ path }) => path).join(' ')}`, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Not as an argument: a shell would split it at the spaces in the user's name.
    env: { ...process.env, npm_config_loglevel: 'error', npm_config_pack_destination: temporary },
  });
  for (const library of packages) {
    const isTyped = libraries.includes(library);
    const problems = [...(await ofManifest(library)), ...(isTyped ? await ofTypes(library) : [])];
    for (const problem of problems) console.error(`${library.manifest.name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true });
}
if (!process.exitCode) {
  console.log(`${packages.length} published packages, ${libraries.length} of them with types: no problems`);
}

async function ofManifest({ path }) {
  const { messages, pkg } = await publint({ pkgDir: join(root, path), pack: false, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }));
}

async function ofTypes({ manifest: { name, version, exports } }) {
  const tarball = join(temporary, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!types) return ['has no types'];
  // What is a module only cannot be required by older versions of Node.
  const isModule = !JSON.stringify(exports).includes('"require"');
  return problems
    .filter(({ kind }) => !(isModule && kind === 'CJSResolvesToESM'))
    .map(({ kind, ...where }) => `${kind} ${JSON.stringify(where)}`);
}
