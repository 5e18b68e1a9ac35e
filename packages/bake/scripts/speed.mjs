// How long the same work takes by each way there is, with processes and all: plain `batch`, split files and xargs, threads,
// workers at a queue. Wants a machine that does nothing else. Needs bash, coreutils and redis-server. Prints a table in
// Markdown:
//
//   npx turbo run build --filter=@bspkit/cli && node packages/bake/scripts/speed.mjs
//
// --rounds N (3): the best of so many, as anything else that runs makes times longer. --write: into
// apps/docs/guides/scaling.md as well.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFigures } from '../../../scripts/figures.mjs';
import { machine, startRedis, traceRows } from './work.mjs';

const GUIDE = new URL('../../../apps/docs/guides/scaling.md', import.meta.url);

const CLI = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const ROWS = 400_000;

const { values } = parseArgs({ options: { rounds: { type: 'string' }, write: { type: 'boolean' } } });
const folder = mkdtempSync(join(tmpdir(), 'bspkit-speed-'));
const redis = await startRedis(folder);
const queue = `--queue ${redis.url}`;

const batch = 'bspkit batch demo:arena --queries rows.ndjson --out out';
const split = [
  "tail -n +2 rows.ndjson | split -n r/2 --filter='(head -n 1 rows.ndjson; cat) > $FILE' - part-",
  'ls part-a? | xargs -P 2 -I{} bash -c "bspkit batch demo:arena --queries {} --out {}.answers"',
].join('; ');
// No bake is overwritten.
const bake = 'rm -f out; bspkit bake demo:arena --kind occlusion --step 6 --rays 512 --out out';

/** What is done: a name, the command, how many workers are at the queue, and whether all of it is one file in the end. */
const WORKS = [
  [
    `batch, ${ROWS.toLocaleString('en')} rows of traces`,
    [
      ['`batch`', batch],
      ['`split` and `xargs -P 2`', split, 0, false],
      ['`batch --jobs 1`', `${batch} --jobs 1`],
      ['`batch --jobs 2`', `${batch} --jobs 2`],
      ['`batch --queue`, 1 worker', `${batch} ${queue}`, 1],
      ['`batch --queue`, 2 workers', `${batch} ${queue}`, 2],
    ],
  ],
  [
    'occlusion, {} points × 512 rays',
    [
      ['`bake --jobs 1`', `${bake} --jobs 1`],
      ['`bake --jobs 2`', `${bake} --jobs 2`],
      ['`bake --queue`, 1 worker', `${bake} ${queue}`, 1],
      ['`bake --queue`, 2 workers', `${bake} ${queue}`, 2],
    ],
  ],
];

try {
  writeFileSync(join(folder, 'rows.ndjson'), [...traceRows(ROWS)].join(''));
  const lines = [
    '| work | way | wall time | CPU time of the command | as fast as the first |',
    '| --- | --- | ---: | ---: | ---: |',
  ];
  for (const [work, ways] of WORKS) {
    const best = ways.map(() => ({ wall: Infinity, cpu: Infinity }));
    const hashes = new Set();
    for (let round = 0; round < Number(values.rounds ?? 3); round++) {
      for (const [k, [, command, workers = 0, isOne = true]] of ways.entries()) {
        const run = await runWith(workers, command);
        if (isOne) hashes.add(shell('sha256sum < out').stdout);
        best[k] = { wall: Math.min(best[k].wall, run.wall), cpu: Math.min(best[k].cpu, run.cpu) };
      }
    }
    if (hashes.size !== 1) throw new Error(`${work}: the answers differ`);
    const [, points] = /"count":(\d+)/.exec(readFileSync(join(folder, 'out'), 'latin1')) ?? [];
    const name = work.replace('{}', Number(points).toLocaleString('en'));
    for (const [k, [way]] of ways.entries()) {
      const { wall, cpu } = best[k];
      const times = [`${wall.toFixed(1)} s`, `${cpu.toFixed(1)} s`, `${(best[0].wall / wall).toFixed(2)} ×`];
      lines.push(`| ${[k === 0 ? name : '', way, ...times].join(' | ')} |`);
    }
  }
  lines.push('', machine());
  const text = lines.join('\n');
  console.log(text);
  console.log(`Load at the end, 2 of it ours at most: ${loadavg()[0].toFixed(1)}`);
  if (values.write) writeFigures(GUIDE, 'speed.mjs', text);
} finally {
  redis.server.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}

/** Runs a line of bash in the folder. */
function shell(line) {
  const main = `bspkit() { '${process.execPath}' '${CLI}' "$@"; }; export -f bspkit; ${line}`;
  return spawnSync('bash', ['-c', main], { cwd: folder, encoding: 'utf8' });
}

/** Seconds that a command takes while so many workers are at the queue, which have begun before. */
async function runWith(count, command) {
  const args = [CLI, 'worker', '--queue', redis.url, '--jobs', '1'];
  const workers = Array.from({ length: count }, () =>
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  await Promise.all(workers.map((worker) => once(worker.stderr, 'data')));
  const { stderr } = shell(`TIMEFORMAT='%R %U %S'; time { ${command}; }`);
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  const [, wall, user, system] = /^([\d.]+) ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  if (wall === undefined || /^bspkit: (?!no worker)/m.test(stderr)) throw new Error(stderr);
  return { wall: Number(wall), cpu: Number(user) + Number(system) };
}
