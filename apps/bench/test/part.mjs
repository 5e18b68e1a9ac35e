// Stands for the benchmark in tests of how its processes are run: prints a report of the map that it is told.
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const map = process.argv[process.argv.indexOf('--maps') + 1];
if (map === 'bad') {
  process.stderr.write('no such map\n');
  process.exit(3);
}
if (map.startsWith('deaf ')) {
  process.on('SIGTERM', () => {});
  writeFileSync(map.slice('deaf '.length), '');
  await setTimeout(20_000);
}
if (map === 'mute') {
  process.stdout.write('{"maps":');
  process.exit();
}
const load = { coldMs: 1, warmMs: 1, lumps: 1, world: 1 };
const maps = [{ map, triangles: 0, load, builds: [], series: [] }];
process.stdout.write(
  JSON.stringify({ date: '', cpu: '', node: '', clock: 'cpu', seed: 1, rounds: 1, processes: 1, maps }),
);
