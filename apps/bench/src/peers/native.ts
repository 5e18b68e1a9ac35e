import { defineTracer, type QueryRunner } from '@bspkit/compare';
import type { BspWorld, Shape, Tracer } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { openAddon } from '../native-addon.ts';
import type { Peer } from './peer.ts';

/** The functions that `native/addon.c` exports. */
interface Addon {
  /** A tracer for a world's words, which must be kept; undefined for a shape that is not offered. */
  create(
    words: Uint32Array,
    kind: string,
    corners: Float32Array,
    number: number,
    keepsDistance: number,
  ): unknown;
  run(tracer: unknown, queries: Float32Array, first: number, last: number): number;
  /** Writes fraction, end, and whether it starts in solid, or is all in solid. */
  trace(tracer: unknown, query: Float32Array, out: Float32Array): void;
}

/** The source of a format's yardstick, and the code that exports it. */
const sources = (id: string): string[] => [`../../../packages/${id}/yardstick/trace.c`, '../native/addon.c'];

/**
 * The format's algorithm in C, as in its engine, on our world's own data, compiled here and called in this process: native speed
 * on this machine. Or the reason why there is none.
 */
export function createNativePeer(format: BspFormat, world: BspWorld): Peer | string {
  const addon = openAddon<Addon>(format.id, sources(format.id));
  if (typeof addon === 'string') return addon;
  const words = new Uint32Array(world.data);
  return {
    name: 'C',
    buildMs: undefined,
    builtFrom: 'world',
    bytes: undefined,
    prepare(measured) {
      const { kind, size = [], options } = measured.preset;
      // The code in C only has the engines' own options.
      if (options) return undefined;
      const corners = new Float32Array(6);
      if (size.length === 6) corners.set(size);
      const number = size.length === 1 ? size[0]! : 0;
      const tracer = addon.create(words, kind, corners, number, 1);
      if (tracer === undefined) return undefined;
      const compared = addon.create(words, kind, corners, number, 0);
      const run: QueryRunner = (queries, first, last) => addon.run(tracer, queries, first, last);
      return {
        run,
        // Engines have no other function for it.
        test: run,
        tracer: addonTracer(addon, compared, measured.shape),
      };
    },
  };
}

/** A tracer of the addon as one of ours. It has the fields that agreement is measured with. */
function addonTracer(addon: Addon, tracer: unknown, shape: Shape): Tracer {
  const query = new Float32Array(6);
  const answer = new Float32Array(6);
  return defineTracer({
    shape,
    trace(start, end, out) {
      query.set(start);
      query.set(end, 3);
      addon.trace(tracer, query, answer);
      out.fraction = answer[0]!;
      for (let k = 0; k < 3; k++) out.endPos[k] = answer[1 + k]!;
      out.startSolid = answer[4] !== 0;
      out.allSolid = answer[5] !== 0;
      return out;
    },
  });
}
