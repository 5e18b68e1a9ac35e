import type { Trace, Tracer } from '@bspkit/core';
import { compileFixture } from '@bspkit/fixtures';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake3World, MASK_ALL, readQuake3 } from '@bspkit/quake3';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';

// What Node and a browser must agree on to the last bit: the arena compiled for each game, and traces through it.

const TRACES = 4000;

/** A digest of compiled maps and of answers, by name. */
export function answers(): Record<string, string> {
  const bytes = {
    quake1: compileFixture('arena', 'quake1').bytes,
    quake3: compileFixture('arena', 'quake3').bytes,
    ufoai: compileFixture('arena', 'ufoai').bytes,
  };
  const quake1 = createQuake1World(readQuake1(bytes.quake1));
  const quake3 = createQuake3World(readQuake3(bytes.quake3));
  const ufoai = createUfoaiWorld([{ file: readUfoai(bytes.ufoai), x: 0, y: 0, z: 0 }]);
  const [mins, maxs] = [
    [-15, -15, -24],
    [15, 15, 32],
  ];
  const tracers: Record<string, Tracer> = {
    'quake1 hull 0': quake1.hull(0),
    'quake1 hull 1': quake1.hull(1),
    'quake1 hull 2': quake1.hull(2),
    'quake1 precise ray': quake1.ray({ precise: true }),
    'quake3 ray': quake3.ray({ mask: MASK_ALL }),
    'quake3 box': quake3.box(mins, maxs),
    'quake3 capsule': quake3.capsule(mins, maxs),
    'quake3 exact sphere': quake3.sphere(12, { exact: true }),
    'quake3 turned model': quake3.model(2).box(mins, maxs, { origin: [40, -30, 60], angles: [10, 33, -7] }),
    'ufoai line': ufoai.line(),
    'ufoai box': ufoai.box(mins, maxs),
  };
  const digests: Record<string, string> = {};
  for (const [name, map] of Object.entries(bytes)) digests[`${name} map`] = digest(map);
  for (const [name, tracer] of Object.entries(tracers)) digests[name] = digest(traceAll(tracer));
  return digests;
}

function traceAll(tracer: Tracer): Uint8Array {
  const numbers = new Float64Array(10 * TRACES);
  let seed = 1;
  const random = (span: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    return ((seed >>> 0) / 2 ** 32 - 0.5) * span;
  };
  const point = (): number[] => [random(1000), random(1000), 150 + random(400)];
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
