import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  read,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { defineTracer, type QueryRunner, type Shape, type Tracer } from '@bspkit/compare';
import { type ClockName, chargeTo } from '../clock.ts';
import { place } from '../place.ts';
import type { WorldSource } from '../world.ts';
import type { Peer } from './peer.ts';

// The engine itself: its dedicated server, as packaged by Debian, with a game module of ours that answers requests through two
// pipes. It takes turns like all others; its time is what it takes in its own process.

/** The contents of a format's `yardstick/engine.json` about its engine. */
interface EngineFile {
  /** The Debian package that contains the server. */
  readonly package: string;
  /** The server's path in that package. */
  readonly program: string;
  /** Where the server looks for its game module and for the map, in a folder of its own. */
  readonly module: string;
  readonly map: string;
  /** Other files that it needs, with their contents. */
  readonly files: Readonly<Record<string, string>>;
  /** Arguments of the program; FOLDER stands for that folder. */
  readonly arguments: readonly string[];
}

/** A peer whose server runs until it is freed. */
export interface EnginePeer extends Peer {
  free(): void;
}

/** Servers may refuse to run as root; this is the user `nobody`. */
const NOBODY = 65534;
/** Seconds for the server to start and to load the map. */
const PATIENCE = 60;

/** What is needed to measure a format's engine. */
export interface Engine extends EngineFile {
  /** The path of its server on this machine, if it is there. */
  readonly path: string;
  /** The source of the game module that it loads. */
  readonly source: string;
}

/** The engine of a format; undefined if there is none that can be measured. */
export function engineOf(id: string): Engine | undefined {
  const folder = place(`../../../packages/${id}/yardstick`);
  if (!existsSync(join(folder, 'engine.json'))) return undefined;
  const file = JSON.parse(readFileSync(join(folder, 'engine.json'), 'utf8')) as EngineFile;
  const path = join(process.env.BSPKIT_ENGINES ?? '/', file.program);
  return { ...file, path, source: join(folder, 'engine.c') };
}

/**
 * Starts a format's engine with a map. Undefined for a format whose engine cannot be measured, and for assemblies.
 *
 * @param clock - by which it is timed, in its own process.
 * @throws (rejects with) Error if the server is not installed, or ends before it is ready.
 */
export async function createEnginePeer(
  { format, bytes, tiles }: WorldSource,
  clock: ClockName,
): Promise<EnginePeer | undefined> {
  const engine = engineOf(format.id);
  if (!engine || tiles) return undefined;
  const { path, source, module } = engine;
  if (!existsSync(path)) throw new Error(`there is no ${path}; Debian has it in ${engine.package}`);
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-engine-'));
  try {
    prepareFolder(folder, engine, bytes);
    const options = ['-O2', '-fPIC', '-shared', '-I', place('../native')];
    execFileSync('gcc', [...options, '-o', join(folder, module), source]);
    const words = engine.arguments
      .flatMap((line) => line.split(' '))
      .map((word) => word.replaceAll('FOLDER', folder));
    return enginePeer(await startServer(path, words, folder), clock);
  } finally {
    // The server has read and opened everything that it needs.
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepareFolder(folder: string, { module, map, files }: EngineFile, bytes: Uint8Array): void {
  const contents = { ...files, [map]: bytes };
  for (const path of [module, 'home/', ...Object.keys(contents)]) {
    mkdirSync(dirname(join(folder, `${path}.`)), { recursive: true });
  }
  for (const [path, content] of Object.entries(contents)) writeFileSync(join(folder, path), content);
  execFileSync('mkfifo', [join(folder, 'requests'), join(folder, 'replies')]);
  execFileSync('chmod', ['-R', 'a+rwX', folder]);
  chmodSync(folder, 0o777);
}

/** A server that is ready for requests. */
interface Server {
  readonly child: ChildProcess;
  readonly requests: number;
  readonly replies: number;
}

async function startServer(program: string, words: readonly string[], folder: string): Promise<Server> {
  const [asked, told] = [join(folder, 'requests'), join(folder, 'replies')];
  // Open for reading and writing, so that neither side waits for the other to open it.
  const held = [openSync(asked, 'r+'), openSync(told, 'r+')];
  try {
    const child = spawn(program, words, {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder, BSPKIT_REQUESTS: asked, BSPKIT_REPLIES: told },
      ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 1000 * PATIENCE);
    // A line that the server never sends, so that nobody waits for it.
    child.once('exit', () => writeSync(held[1]!, 'ended\n'));
    child.once('error', () => writeSync(held[1]!, 'ended\n'));
    const line = Buffer.alloc(16);
    const { bytesRead } = await promisify(read)(held[1]!, line, 0, line.length, null);
    clearTimeout(timer);
    child.removeAllListeners();
    if (line.toString('latin1', 0, bytesRead) !== 'ready\n') {
      child.kill('SIGKILL');
      throw new Error(`${program} ended before it was ready`);
    }
    return { child, requests: openSync(asked, 'w'), replies: openSync(told, 'r') };
  } finally {
    for (const pipe of held) closeSync(pipe);
  }
}

function enginePeer({ child, requests, replies }: Server, clock: ClockName): EnginePeer {
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  // It waits for requests for ever, and must not keep a process alive that failed elsewhere.
  child.unref();
  const line = Buffer.alloc(256);
  const ask = (request: string, data?: Float32Array): string => {
    writeFileSync(requests, `${request}\n`);
    if (data) writeFileSync(requests, data);
    let length = 0;
    do {
      const more = readSync(replies, line, length, line.length - length, null);
      if (more === 0) throw new Error('the engine has ended');
      length += more;
    } while (line[length - 1] !== 0x0a);
    return line.toString('latin1', 0, length - 1);
  };
  const askNumber = (request: string, data?: Float32Array): number => {
    const reply = ask(request, data);
    if (reply === '?' || !Number.isFinite(Number(reply)))
      throw new Error(`the engine does not take '${request}'`);
    return Number(reply);
  };
  let chosen = { request: '', isOffered: false };
  /** Chooses what is moved, unless that was moved last; returns whether the engine offers it. */
  const choose = (request: string): boolean => {
    if (request !== chosen.request) chosen = { request, isOffered: askNumber(request) === 1 };
    return chosen.isOffered;
  };
  let loaded: Float32Array | undefined;
  const load = (queries: Float32Array): void => {
    if (queries === loaded) return;
    const count = queries.length / 6;
    if (askNumber(`load ${count}`, queries) !== count) throw new Error('the engine has not got all queries');
    loaded = queries;
  };
  return {
    name: 'engine',
    buildMs: undefined,
    builtFrom: 'bytes',
    bytes: undefined,
    prepare({ shape }) {
      const { kind } = shape;
      const corners =
        'mins' in shape ? [...Array.from(shape.mins), ...Array.from(shape.maxs)] : [0, 0, 0, 0, 0, 0];
      const request = `shape ${kind} ${corners.join(' ')}`;
      if (!choose(request)) return undefined;
      const run: QueryRunner = (queries, first, last) =>
        chargeTo(clock, () => {
          load(queries);
          choose(request);
          return 1e-6 * askNumber(`run ${clock} ${first} ${last}`);
        });
      return {
        run: Object.assign(run, { atOnce: Infinity }),
        tracer: askingTracer(shape, (query) => {
          choose(request);
          return ask(`trace ${query.join(' ')}`);
        }),
      };
    },
    free() {
      process.off('exit', kill);
      closeSync(requests);
      closeSync(replies);
      kill();
    },
  };
}

/** The engine's answers as a tracer of ours. It has the fields that agreement is measured with. */
function askingTracer(shape: Shape, ask: (query: readonly number[]) => string): Tracer {
  return defineTracer({
    shape,
    trace(start, end, out) {
      const [fraction, x, y, z, startSolid, allSolid] = ask([...Array.from(start), ...Array.from(end)])
        .split(' ')
        .map(Number) as [number, number, number, number, number, number];
      out.fraction = fraction;
      out.endPos.set([x, y, z]);
      out.startSolid = startSolid !== 0;
      out.allSolid = allSolid !== 0;
      return out;
    },
  });
}
