import { COMPILE_TARGETS, type CompileFormat, compileMap, parseMap } from '@bspkit/compile';
import type { Trace, Tracer } from '@bspkit/core';
import { between, createRandom } from '@bspkit/geometry';
import { FORMATS } from 'bspkit';

// What Node and a browser must agree on to the last bit: a map compiled for each format, and traces through it by
// everything in the format's catalog.

const TRACES = 1000;

/** A digest of compiled maps and of answers, by name. */
export async function answers(source: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  const targets: readonly { readonly id: string }[] = COMPILE_TARGETS;
  for (const entry of FORMATS) {
    if (!targets.some(({ id }) => id === entry.id)) continue;
    const { bytes } = compileMap(parseMap(source), { format: entry.id as CompileFormat });
    digests[`${entry.id} map`] = digest(bytes);
    const format = await entry.load();
    const world = format.createWorld([format.read(bytes) as never]);
    const { kinds, presets } = format.tracers;
    for (const { name, kind, size = [], options = {}, suits } of presets) {
      if (suits?.(world as never) === false) continue;
      const found = kinds.find((known) => known.name === kind)!;
      const make = (more: object): Tracer => found.create(world as never, size, { ...options, ...more });
      digests[`${entry.id} ${name}`] = digest(traceAll(make({})));
      if (!found.options.includes('model')) continue;
      digests[`${entry.id} ${name} model`] = digest(traceAll(placeModel(make)));
    }
  }
  return digests;
}

/** A tracer of a model, turned where the map's models can be: then sine and cosine reach the answer. */
function placeModel(make: (more: object) => Tracer): Tracer {
  const place = { model: 2, origin: [40, -30, 60] };
  try {
    return make({ ...place, angles: [10, 33, -7] });
  } catch {
    return make(place);
  }
}

function traceAll(tracer: Tracer): Uint8Array {
  const numbers = new Float64Array(10 * TRACES);
  const random = createRandom(1);
  const point = (): number[] => [
    between(random, -500, 500),
    between(random, -500, 500),
    between(random, -50, 350),
  ];
  for (let k = 0; k < TRACES; k++) {
    const trace: Trace = tracer.trace(point(), point());
    const flags = (trace.startSolid ? 1 : 0) + (trace.allSolid ? 2 : 0);
    numbers.set(
      [trace.fraction, ...trace.endPos, ...trace.normal, trace.dist, flags, trace.contents],
      10 * k,
    );
  }
  return new Uint8Array(numbers.buffer);
}

/** FNV-1a, 32 bits. */
function digest(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
