// What can be said without running anything: biome's rules, by knip what nothing uses; once all is built, what bundles weigh and
// what is wrong with the published packages. Side by side where nothing waits for anything else: a build keeps one core busy most
// of the time, as packages wait for those that they import.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

process.exitCode =
  (await together('biome check .', 'knip --no-config-hints', 'turbo run build --output-logs=errors-only')) &&
  (await together('size-limit', 'npm run size -w @bspkit/playground', 'node scripts/published.mjs'))
    ? 0
    : 1;

/** Runs commands; the first says at once what it has to say, the others when they end. Returns whether all of them passed. */
async function together(...commands) {
  const ends = commands.map(async (command, k) => {
    const output = k === 0 ? 'inherit' : 'pipe';
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', output, output] });
    const [[code], ...said] = await Promise.all([
      once(child, 'close'),
      ...[child.stdout, child.stderr].filter(Boolean).map(text),
    ]);
    return { code, said };
  });
  const isPassed = [];
  for (const end of ends) {
    const { code, said } = await end;
    process.stdout.write(said.join(''));
    isPassed.push(code === 0);
  }
  return isPassed.every(Boolean);
}
