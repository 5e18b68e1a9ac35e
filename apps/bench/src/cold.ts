import { uniformQueries } from '@bspkit/compare';
import { suitedPresets } from '@bspkit/core/format';
import { presetTracer } from './shapes.ts';
import { buildWorld, type WorldSource } from './world.ts';

/** How a new process or page begins, in milliseconds. */
export interface ColdStart {
  /** From bytes to a world. */
  readonly loadMs: number;
  /** The first tracer and its first trace, for which the kernel is compiled and builds what it walks through. */
  readonly firstMs: number;
  /** Of that, what the kernel takes to compile; 0 for one that is not WebAssembly. */
  readonly compileMs: number;
  /** Of that, what its instances take, without what they build. */
  readonly instanceMs: number;
  /** The next thousand traces. */
  readonly tracesMs: number;
}

/** Traces after the first one. */
const FIRST_TRACES = 1000;
/** The same moves for all. */
const SEED = 1;

type Constructor = new (...given: unknown[]) => object;

/** Where there is WebAssembly: its constructors, by name. */
const { WebAssembly: wasm } = globalThis as { readonly WebAssembly?: Record<string, Constructor> };

/** Milliseconds that some of WebAssembly's constructors take from now on, by their names. */
function watch(...names: readonly string[]): Record<string, number> {
  const took = Object.fromEntries(names.map((name) => [name, 0]));
  for (const name of wasm ? names : []) {
    wasm![name] = new Proxy(wasm![name]!, {
      construct(target, given) {
        const begin = performance.now();
        const made = new target(...given);
        took[name]! += performance.now() - begin;
        return made;
      },
    });
  }
  return took;
}

/**
 * What someone waits for in a process or page that has done nothing else: the world, its first tracer and trace, and the
 * thousand that follow, when the JavaScript engine has compiled little. Moves are uniform in the world's bounds, of the
 * first shape that the format has measured. Only once in a process: it replaces WebAssembly's constructors.
 */
export function startCold(source: WorldSource): ColdStart {
  const took = watch('Module', 'Instance');
  const begin = performance.now();
  const world = buildWorld(source);
  const loadMs = performance.now() - begin;
  const preset = suitedPresets(source.format, world).find(({ measured }) => measured)!;
  const moves = uniformQueries(1 + FIRST_TRACES, { bounds: world.bounds, seed: SEED });
  const ends = Array.from({ length: 2 * (1 + FIRST_TRACES) }, (_, k) => moves.subarray(3 * k, 3 * k + 3));
  const loaded = performance.now();
  const tracer = presetTracer(source.format, world, preset);
  const trace = tracer.createTrace();
  tracer.trace(ends[0]!, ends[1]!, trace);
  const first = performance.now();
  for (let k = 2; k < ends.length; k += 2) tracer.trace(ends[k]!, ends[k + 1]!, trace);
  const tracesMs = performance.now() - first;
  return { loadMs, firstMs: first - loaded, compileMs: took.Module!, instanceMs: took.Instance!, tracesMs };
}
