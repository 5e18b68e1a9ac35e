// Has UFO:AI's own dedicated server (release 2.5, Debian's ufoai-server) load our maps, as compiled by @bspkit/compile, and one
// in a version that it must refuse. The server runs in a network namespace of its own, where it can reach nobody. What it needs
// is taken from Debian's packages into a temporary folder; nothing is installed, and nothing is kept. If that is not possible,
// says why and passes.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MAPS = ['arena', 'house', 'torture'];
/** The server, and the definitions of soldiers and weapons; the game's own maps are not needed. */
const PACKAGES = ['ufoai-server', 'ufoai-common'];
/** Packages of the server's libraries; apt adds what these need and this machine lacks. */
const LIBRARIES = ['libsdl2-2.0-0', 'libcurl3-gnutls'];
const SECONDS = 30;
/** Makes a namespace; a server that listens needs an address other than the machine's own. */
const ALONE = ['--map-root-user', '--net', 'sh', '-c'];
const NETWORK = 'ip link set lo up && ip addr add 10.0.0.1/8 dev lo';

const work = mkdtempSync(join(tmpdir(), 'bspkit-ufoai-'));
try {
  process.exitCode = await main();
} finally {
  rmSync(work, { recursive: true });
}

async function main() {
  const reason = findObstacle() ?? fetchServer();
  if (reason) {
    console.log(`skipped: ${reason}`);
    return 0;
  }
  const maps = join(work, 'base', 'maps');
  mkdirSync(maps);
  let failed = 0;
  for (const name of MAPS) {
    compile(name, join(maps, `${name}.bsp`), '78');
    const { text, loaded } = await load(name);
    report(`${name}: ${loaded ? 'loaded' : 'NOT LOADED'}`, text);
    if (!loaded) failed++;
  }
  compile('arena', join(maps, 'arena79.bsp'), '79');
  const { text, loaded } = await load('arena79');
  report(
    `arena of version 79: ${loaded ? 'LOADED, though this release reads 78 only' : 'refused, as it should be'}`,
    text,
  );
  return failed > 0 || loaded ? 1 : 0;
}

/** Why this machine cannot run the server; nothing if it can. */
function findObstacle() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'Debian builds the server for Linux on x64 here';
  const { status, stderr, error } = spawnSync('unshare', [...ALONE, NETWORK], { encoding: 'utf8' });
  if (status !== 0) return `no network namespace: ${(error?.message ?? stderr).trim()}`;
  return undefined;
}

/** Puts the server and what it reads into the temporary folder. If it cannot, says why. */
function fetchServer() {
  const packages = join(work, 'packages');
  mkdirSync(join(packages, 'partial'), { recursive: true });
  const download = ['download', ...PACKAGES];
  const libraries = [
    '-y',
    '-o',
    `Dir::Cache::archives=${packages}`,
    '--no-install-recommends',
    '--download-only',
  ];
  if (spawnSync('apt-get', download, { cwd: packages }).status !== 0) {
    return `apt-get cannot download ${PACKAGES.join(' and ')}`;
  }
  // Fails without permission to lock apt's lists; then the libraries must already be here.
  spawnSync('apt-get', [...libraries, 'install', ...LIBRARIES]);
  const files = join(work, 'files');
  for (const name of readdirSync(packages).filter((file) => file.endsWith('.deb'))) {
    spawnSync('dpkg-deb', ['-x', join(packages, name), files]);
  }
  const server = join(files, 'usr/lib/ufoai-server/ufoded');
  if (!existsSync(server)) return 'no server in the package';
  copyFileSync(server, join(work, 'ufoded'));
  mkdirSync(join(work, 'base'));
  for (const name of ['0base.pk3', '0ufos.pk3']) {
    copyFileSync(join(files, 'usr/share/games/ufoai/base', name), join(work, 'base', name));
  }
  const missing = spawnSync('ldd', [join(work, 'ufoded')], { encoding: 'utf8', env: serverEnvironment() })
    .stdout.split('\n')
    .filter((line) => line.includes('not found'));
  return missing.length > 0
    ? `libraries are missing:${missing.join(';').replaceAll(/\s+/g, ' ')}`
    : undefined;
}

function serverEnvironment() {
  const library = join(work, 'files/usr/lib/x86_64-linux-gnu');
  return {
    ...process.env,
    LD_LIBRARY_PATH: library,
    HOME: work,
    SDL_VIDEODRIVER: 'dummy',
    SDL_AUDIODRIVER: 'dummy',
  };
}

function compile(name, file, version) {
  const map = join(root, 'packages/fixtures/maps', `${name}.map`);
  const given = ['compile', map, '--format', 'ufoai', '--version', version, '-o', file];
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'apps/cli/dist/main.js'), ...given], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${basename(file)}: ${stderr}`);
}

/** Starts the server with a map, and waits until it plays or gives up. */
function load(map) {
  const command = `${NETWORK} && exec ./ufoded +set sv_dedicated 1 +set sv_public 0 +map day ${map}`;
  return new Promise((resolve) => {
    const server = spawn('unshare', [...ALONE, command], { cwd: work, env: serverEnvironment() });
    let text = '';
    const plays = () => text.includes(`checksum for the map '${map}'`) && text.includes('Created AI player');
    // When it refuses a map, it does not try it again: it continues with maps of its own, which are not here.
    const ended = () => plays() || /^(ERROR|Error): /m.test(text);
    const end = () => server.kill('SIGKILL');
    const timer = setTimeout(end, SECONDS * 1000);
    const take = (part) => {
      text += part;
      if (ended()) end();
    };
    server.stdout.on('data', take);
    server.stderr.on('data', take);
    server.on('close', () => {
      clearTimeout(timer);
      resolve({ text, loaded: plays() });
    });
  });
}

/** Prints what the server said about a map, without what it says about itself and the missing network. */
function report(title, text) {
  const lines = text.slice(text.indexOf('UFO Initialized')).split('\n').slice(1);
  const about = lines.filter((line) =>
    /checksum for|InitGame|Spawned|Created|spawn points|error|signal/i.test(line),
  );
  console.log(`${title}\n${about.map((line) => `  ${line}`).join('\n')}`);
}
