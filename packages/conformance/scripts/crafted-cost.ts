// What crafted files cost: for every structure, the worst time of reading, building, polygons, explain and one trace of
// each kind, and the memory, for files of 4 MB. Each is measured in a process of its own.
//
// cd packages/conformance && npx esbuild scripts/crafted-cost.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/crafted-cost.mjs && node ../fixtures/dist/crafted-cost.mjs
//
// Bundled, because a test runner's modules are slower; in dist beside the maps, which are found from there.
// Names as arguments choose structures; BSPKIT_CRAFTED_BYTES is the size of the files.

import { spawnSync } from 'node:child_process';
import { BspError } from '@bspkit/core';
import { quake1Structures } from './crafted/quake1.ts';
import { quake2Structures } from './crafted/quake2.ts';
import { quake3Structures } from './crafted/quake3.ts';
import { type Phase, SIZE, type Structure } from './crafted/structures.ts';
import { ufoaiStructures } from './crafted/ufoai.ts';

/** The limits for a file: a mesh, and a list of polygons, may take as much as they have to, as there is no smaller answer. */
const MOST_SECONDS = 2;

const mostBytes = (file: number): number => 8 * file + 64 * 2 ** 20;

const structures = (): Structure[] => [
  ...quake1Structures(),
  ...quake2Structures(),
  ...quake3Structures(),
  ...ufoaiStructures(),
];

/** Heap for answers that do not fit into the limits. */
const ROOM_FOR_ANSWERS = 2 ** 29;

interface Cost {
  readonly file: number;
  /** The processor time of the slowest phase, in seconds. */
  readonly seconds: number;
  readonly phase: string;
  /** What the file, and using it, added to the memory of the process at most. */
  readonly bytes: number;
  /** About what the largest answer takes of it. */
  readonly answer: number;
  /** Why it was refused, or what else was thrown. */
  readonly refusal?: string;
  readonly failure?: string;
}

/** A polygon's object, with its two arrays. */
const POLYGON_BYTES = 350;

/** About how many bytes a mesh takes, or a list of polygons; 0 for anything else. */
function bytesOf(answer: unknown): number {
  if (Array.isArray(answer)) {
    const corners = answer.reduce((sum, polygon) => sum + (polygon?.vertices?.byteLength ?? 0), 0);
    return corners > 0 ? corners + POLYGON_BYTES * answer.length : 0;
  }
  return Object.values(answer ?? {}).reduce(
    (sum, part) => sum + (ArrayBuffer.isView(part) ? part.byteLength : 0),
    0,
  );
}

/** Uses a file, one phase after the other. */
function measure({ use, make }: Structure, share: number): Cost {
  const bytes = make(share);
  const before = process.resourceUsage().maxRSS;
  let [slowest, seconds, now, answer] = ['', 0, '', 0];
  const phase: Phase = (name, work) => {
    now = name;
    const begin = process.cpuUsage();
    let answered: unknown;
    try {
      answered = work();
    } finally {
      const { user, system } = process.cpuUsage(begin);
      const took = (user + system) / 1e6;
      if (took > seconds) [slowest, seconds] = [name, took];
    }
    answer = Math.max(answer, bytesOf(answered));
  };
  let ending: Pick<Cost, 'refusal' | 'failure'> = {};
  try {
    use(bytes, phase);
  } catch (error) {
    if (error instanceof BspError) ending = { refusal: error.message };
    else ending = { failure: `${now}: ${String(error).slice(0, 200)}` };
  }
  const used = 1024 * (process.resourceUsage().maxRSS - before);
  return { file: bytes.length, seconds, phase: slowest, bytes: used, answer, ...ending };
}

/** The result of a process of its own, or why there is none. `more` is for answers. */
function apart<T>(script: string, args: readonly string[], more = 0): T | string {
  // With no more heap than is allowed, so that garbage that nobody had to collect is not measured.
  const room = `--max-old-space-size=${Math.ceil((mostBytes(SIZE) + more) / 2 ** 20)}`;
  const { stdout, stderr } = spawnSync(process.execPath, [room, '--max-semi-space-size=2', script, ...args], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 2 ** 26,
  });
  if (stdout) return JSON.parse(stdout) as T;
  return stderr.trim().split('\n').slice(0, 6).join(' ') || 'no end within 120 s';
}

/** The largest share that is not refused, or the smallest that was tried; and the cost of all tries before it. */
function findShare(structure: Structure): { share: number; seconds: number } {
  let seconds = 0;
  for (let share = 1; ; share /= 4) {
    const cost = measure(structure, share);
    if (cost.refusal === undefined || share < 1e-6) return { share, seconds };
    seconds = Math.max(seconds, cost.seconds);
  }
}

const [, script, flag, wanted, wantedShare] = process.argv;
const named = (): Structure => structures().find(({ name }) => name === wanted)!;
if (flag === '--find') console.log(JSON.stringify(findShare(named())));
else if (flag === '--one') console.log(JSON.stringify(measure(named(), Number(wantedShare))));
else {
  const chosen = process.argv.slice(2);
  const isChosen = (name: string): boolean =>
    chosen.length === 0 || chosen.some((part) => name.includes(part));
  const asked = structures().filter(({ name }) => isChosen(name));
  if (asked.length === 0)
    throw new Error(
      `no structure has such a name; there are ${structures()
        .map(({ name }) => name)
        .join(', ')}`,
    );
  let beyond = 0;
  for (const { name, shares } of asked) {
    // The largest accepted share costs the most; what is refused must not cost more than that.
    const found = shares
      ? apart<ReturnType<typeof findShare>>(script!, ['--find', name], ROOM_FOR_ANSWERS)
      : undefined;
    const { share = 1, seconds: refusing = 0 } = typeof found === 'string' ? {} : (found ?? {});
    const one = ['--one', name, String(share)];
    let cost = apart<Cost>(script!, one);
    if (typeof cost === 'string') cost = apart<Cost>(script!, one, ROOM_FOR_ANSWERS);
    if (typeof found === 'string' || typeof cost === 'string') {
      beyond++;
      console.log(`✗ ${name} | FAILS ${typeof found === 'string' ? found : cost}`);
      continue;
    }
    const { file, seconds, phase, bytes, answer, refusal, failure } = cost;
    const isSmall = bytes - answer <= mostBytes(file);
    const fine = Math.max(seconds, refusing) <= MOST_SECONDS && isSmall && !failure;
    if (!fine) beyond++;
    const mega = (count: number): string => `${(count / 1e6).toFixed(1)} MB`;
    const columns = [
      `${fine ? '✓' : '✗'} ${name}${share < 1 ? ` (1/${1 / share})` : ''}`,
      mega(file),
      `${seconds.toFixed(2)} s ${phase}`,
      ...(refusing > 0 ? [`refusing more ${refusing.toFixed(2)} s`] : []),
      answer > bytes / 4 ? `${mega(bytes)}, ${mega(answer)} of them one answer` : mega(bytes),
      failure !== undefined ? `FAILS ${failure}` : (refusal ?? 'loads'),
    ];
    console.log(columns.join(' | '));
  }
  console.log(beyond === 0 ? 'all within bounds' : `${beyond} beyond bounds`);
  process.exitCode = beyond === 0 ? 0 : 1;
}
