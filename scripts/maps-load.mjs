// Runs `bspkit info --json` on many maps, several at a time, and summarises the results.
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../apps/cli/dist/main.js', import.meta.url));

/** What `bspkit info` prints about a map, or its error. */
function info(file) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, 'info', file, '--json'],
      { maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        resolve(error ? { file, error: stderr.trim() || error.message } : { file, ...JSON.parse(stdout) });
      },
    );
  });
}

/** Loads all maps and prints a summary for each game. Returns the exit code: 1 when a map failed or there was none. */
export async function loadAll(games, workers) {
  let failed = 0;
  let loaded = 0;
  for (const { game, files } of games) {
    const queue = [...files];
    const results = [];
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let file = queue.shift(); file; file = queue.shift()) {
          results.push(await info(file));
          if (process.stderr.isTTY) process.stderr.write(`\r${game}: ${results.length} of ${files.length}`);
        }
      }),
    );
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    const bad = results.filter(({ error }) => error);
    for (const { file, error } of bad) console.log(`${basename(file)}: ${error}`);
    console.log(`${game}: ${results.length - bad.length} of ${files.length} maps load`);
    summarize(results.filter(({ error }) => !error));
    failed += bad.length;
    loaded += results.length - bad.length;
  }
  return failed > 0 || loaded === 0 ? 1 : 0;
}

/** Load time and memory, as far as `bspkit info` tells them. */
function summarize(results) {
  const measured = results.filter(({ memory }) => memory);
  if (measured.length === 0) return;
  const sorted = (values) => [...values].sort((a, b) => a - b);
  const ratios = sorted(measured.map(({ memory }) => memory.world / memory.lumps));
  const times = sorted(measured.map(({ readMs, buildMs }) => readMs + buildMs));
  const middle = (values) => values[values.length >> 1];
  console.log(
    `  memory against the collision lumps: median ${middle(ratios).toFixed(2)}, most ${ratios.at(-1).toFixed(2)}`,
  );
  console.log(`  cold load: median ${middle(times).toFixed(0)} ms, most ${times.at(-1).toFixed(0)} ms`);
}
