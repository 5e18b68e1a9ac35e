import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@bspkit/testkit/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLISHED, ROOT, readManifest } from '../src/sources.ts';
import { buildDriver, checkExamples, FOLLOWED, READERS, writeExamples } from './readers.ts';

// A release, twice, to a registry on this machine: versions and changelogs from the changesets, publishing, projects that install
// with npm and pnpm and run every README's examples, and an upgrade. It takes minutes, and a registry that has Verdaccio, so it
// runs before releases and when asked for.

const ON = process.env.BSPKIT_REHEARSAL === '1';
const WHY = ON ? '' : ' (skipped: takes minutes, and a registry; BSPKIT_REHEARSAL=1 runs it)';
const execute = promisify(execFile);

describe.skipIf(!ON)(`a release, rehearsed${WHY}`, () => {
  // Created only when the test runs: if it is skipped, nobody would remove it.
  const folder = join(tmpdir(), `bspkit-rehearsal-${process.pid}`);
  const house = join(folder, 'bspkit');
  const driver = join(folder, 'run-examples.mjs');
  let registry: ChildProcess | undefined;
  let url = '';

  /** Settings passed to npm and pnpm: those for the registry here, and none of the npm that runs the tests. */
  const environment = (own: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_/i.test(name))),
    TURBO_TELEMETRY_DISABLED: '1',
    CI: '1',
    ...own,
  });
  const outside = environment({});
  const inside = (): NodeJS.ProcessEnv =>
    environment({ npm_config_registry: url, npm_config_userconfig: join(folder, 'npmrc') });

  async function run(
    command: string,
    args: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
  ): Promise<string> {
    try {
      return (await execute(command, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
    } catch (error) {
      const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string };
      throw new Error(`${message}\n${stdout}\n${stderr}`);
    }
  }

  /** Makes the next version of all packages and publishes it; returns the version. */
  async function release(): Promise<string> {
    // The first step of `npm run version-packages`; the lock file stays, as nothing of ours is in the registry that it asks.
    await run('node', ['scripts/version.mjs'], house, outside);
    const versions = PUBLISHED.map(({ path }) => readManifest(join(house, path)).version);
    expect(new Set(versions).size, 'all packages have one version').toBe(1);
    await run('npx', ['turbo', 'run', 'build', '--output-logs=errors-only'], house, outside);
    // The last step of `npm run release`.
    await run('npx', ['changeset', 'publish', '--no-git-tag'], house, inside());
    return versions[0]!;
  }

  /** Projects that install what READMEs say, by npm or pnpm. */
  async function install(manager: 'npm' | 'pnpm', version: string): Promise<void> {
    for (const reader of READERS) {
      const project = join(folder, manager, reader.name);
      mkdirSync(project, { recursive: true });
      // What is not ours is installed as we test with it.
      const { devDependencies = {} } = readManifest(ROOT);
      const dependencies = Object.fromEntries(
        reader.installs.map((name) => [name, devDependencies[name] ?? version]),
      );
      const manifest = { name: reader.name, private: true, type: 'module', dependencies };
      writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
      if (manager === 'npm') {
        await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], project, inside());
      } else {
        writeFileSync(join(project, 'pnpm-workspace.yaml'), '');
        const pnpm = join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs');
        const store = ['--store-dir', join(folder, 'store')];
        await run(process.execPath, [pnpm, 'install', '--ignore-scripts', ...store], project, inside());
      }
    }
  }

  beforeAll(async () => {
    mkdirSync(folder);
    await buildDriver(driver);
    // Verdaccio, in a folder of its own, as it is not a dependency of ours. Its newest versions no longer support Node 20.
    const home = join(folder, 'verdaccio');
    mkdirSync(home);
    const dependencies = { verdaccio: '6.8.0' };
    // Not every mirror of the registry has the tag.
    const overrides = { 'node-fetch': '2.7.0' };
    writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }));
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], home, outside);
    const upstream = (await run('npm', ['config', 'get', 'registry'], ROOT, outside)).trim();
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    writeFileSync(
      join(home, 'config.yaml'),
      `storage: ${join(home, 'storage')}
uplinks:
  upstream:
    url: ${upstream}
packages:
  '@bspkit/*': { access: $all, publish: $all }
  'bspkit': { access: $all, publish: $all }
  '**': { access: $all, proxy: upstream }
max_body_size: 50mb
log: { type: stdout, format: json, level: error }
`,
    );
    writeFileSync(join(folder, 'npmrc'), `//127.0.0.1:${port}/:_authToken=rehearsal\n`);
    const verdaccio = join(home, 'node_modules/verdaccio/bin/verdaccio');
    registry = spawn(process.execPath, [verdaccio, '--config', join(home, 'config.yaml'), '--listen', url], {
      stdio: 'ignore',
      env: outside,
    });
    await answers(`${url}-/ping`);
    // The repository as last committed, and as release.yml has it: with all of its history.
    await run('git', ['clone', '--quiet', `file://${ROOT}`, house], folder, outside);
    await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], house, outside);
  }, 300_000);

  afterAll(() => {
    registry?.kill();
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  let first = '';

  it('publishes the first version, with changelogs', async () => {
    first = await release();
    expect(first).toBe('0.1.0');
    for (const { path, manifest } of PUBLISHED) {
      const changelog = readFileSync(join(house, path, 'CHANGELOG.md'), 'utf8');
      expect(changelog, path).toContain(`## ${first}`);
      // And nothing of what came before it.
      const changes = changelog.match(/^- (?!Updated dependencies).*/gm);
      expect(changes, path).toEqual([expect.stringMatching(/^- (?:\w+: )?First release/)]);
      const seen = JSON.parse(await run('npm', ['view', manifest.name, '--json'], folder, inside()));
      expect(seen.version).toBe(first);
      // Ranges for our own packages refer to this version.
      for (const [name, range] of Object.entries((seen.dependencies ?? {}) as Record<string, string>)) {
        if (PUBLISHED.some((other) => other.manifest.name === name))
          expect(range, manifest.name).toBe(`^${first}`);
      }
    }
    // No private packages.
    for (const name of ['@bspkit/fixtures', '@bspkit/testkit', '@bspkit/conformance']) {
      await expect(run('npm', ['view', name, '--json'], folder, inside())).rejects.toThrow('E404');
    }
  }, 600_000);

  for (const manager of ['npm', 'pnpm'] as const) {
    it(`is installed by ${manager}, and every README's examples run`, async () => {
      await install(manager, `^${first}`);
      for (const reader of FOLLOWED) {
        const project = join(folder, manager, reader.name);
        await writeExamples(project, reader);
        await checkExamples(driver, project, reader);
      }
    }, 600_000);
  }

  it('has the suite for formats run by every version of Vitest that it names', async () => {
    const checker = PUBLISHED.find(({ manifest }) => manifest.peerDependencies?.vitest)!;
    const reader = READERS.find(({ manifest }) => manifest?.name === checker.manifest.name)!;
    const ran: string[] = [];
    for (const range of checker.manifest.peerDependencies!.vitest!.split(' || ')) {
      const project = join(folder, 'vitest', range.slice(1));
      mkdirSync(project, { recursive: true });
      const versions = reader.installs.map((name) => [name, name === 'vitest' ? range : `^${first}`]);
      const manifest = { private: true, type: 'module', dependencies: Object.fromEntries(versions) };
      writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
      const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict'];
      // Some are for newer versions of Node than this one.
      const isFor = await run('npm', ['install', ...options], project, inside()).then(
        () => true,
        (error: Error) => {
          if (!error.message.includes('EBADENGINE')) throw error;
          return false;
        },
      );
      if (!isFor) continue;
      await writeExamples(project, reader);
      await checkExamples(driver, project, reader);
      ran.push(range);
    }
    expect(ran.length).toBeGreaterThan(1);
  }, 600_000);

  it('is followed by a second version, and projects upgrade', async () => {
    const packages = PUBLISHED.map(({ manifest }) => `'${manifest.name}': patch`).join('\n');
    writeFileSync(join(house, '.changeset/rehearsal.md'), `---\n${packages}\n---\n\nA second version.\n`);
    const second = await release();
    expect(second).toBe('0.1.1');
    for (const reader of FOLLOWED) {
      const project = join(folder, 'npm', reader.name);
      await run('npm', ['update', '--no-audit', '--no-fund', '--ignore-scripts'], project, inside());
      for (const name of reader.installs.filter((name) => name.includes('bspkit'))) {
        const installed = join(project, 'node_modules', name);
        expect(readManifest(installed).version, `${reader.name}: ${name}`).toBe(second);
        expect(readFileSync(join(installed, 'CHANGELOG.md'), 'utf8'), name).toContain(`## ${second}`);
      }
      await checkExamples(driver, project, reader);
    }
  }, 600_000);
});

/** Waits until an address answers. */
async function answers(address: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`no answer from ${address}`);
}
