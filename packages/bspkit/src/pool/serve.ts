import { createTraceBatch, type TraceBatch, type TraceField, type Tracer } from '@bspkit/core';
import { type BspFormat, type BspFormatEntry, checkChoice, packError } from '@bspkit/core/format';
import { FORMATS } from '../formats.ts';
import { formatOf } from '../open.ts';
import {
  ACTIVE,
  type Answers,
  type CopyRequest,
  cutAnswers,
  NEXT,
  type OpenRequest,
  type Request,
  type ShareRequest,
  type TracerDescription,
} from './messages.ts';

/** The way back to the pool, as a platform has it. */
export interface PoolPort {
  listen(onMessage: (message: unknown) => void): void;
  post(message: unknown, transfer: readonly ArrayBufferLike[]): void;
}

/** A world that was opened here, and tracers made of it, by their descriptions. */
interface Opened {
  readonly format: BspFormat;
  readonly world: ReturnType<BspFormat['open']>;
  readonly tracers: Map<string, Tracer>;
}

/** Tracers that are kept at hand. When there are more, it starts from none. */
const MOST_TRACERS = 64;

/** Answers what the pool asks, in a worker. */
export function serve(port: PoolPort, formats: readonly BspFormatEntry[] = FORMATS): void {
  const worlds = new Map<number, Promise<Opened>>();

  const answer = async (request: Request): Promise<Answers | undefined> => {
    const { ask, world } = request;
    if (ask === 'forget') {
      worlds.delete(world);
      return undefined;
    }
    if (ask === 'open') worlds.set(world, open(request, formats));
    const opened = await worlds.get(world)!;
    if (ask === 'open') return undefined;
    const tracer = tracerOf(opened, request.tracer);
    return ask === 'copy' ? traceCopy(tracer, request) : traceShare(tracer, request);
  };

  port.listen(async (message) => {
    const request = message as Request & { readonly id: number };
    const { id } = request;
    try {
      const answers = await answer(request);
      port.post({ id, answers }, answers ? Object.values(answers).map(({ buffer }) => buffer) : []);
    } catch (error) {
      port.post({ id, error: packError(error) }, []);
    }
  });
}

async function open({ format: id, data }: OpenRequest, formats: readonly BspFormatEntry[]): Promise<Opened> {
  const format = await formatOf(id, formats);
  return { format, world: format.open(data), tracers: new Map() };
}

function tracerOf({ format, world, tracers }: Opened, description: TracerDescription): Tracer {
  const key = JSON.stringify(description);
  const known = tracers.get(key);
  if (known) return known;
  const { kind: name, size = [], options = {} } = description;
  const { kinds } = format.tracers;
  checkChoice(
    name,
    kinds.map((kind) => kind.name),
    'tracer.kind',
  );
  const tracer = kinds.find((kind) => kind.name === name)!.create(world, Array.from(size), options);
  if (tracers.size === MOST_TRACERS) tracers.clear();
  tracers.set(key, tracer);
  return tracer;
}

function traceCopy(tracer: Tracer, { segments, fields }: CopyRequest): Answers {
  if (fields.includes('tests')) return { tests: tracer.blockedBatch(segments) };
  const out = createTraceBatch(segments.length / 6, { fields: fields as TraceField[] });
  const { count: _, ...answers } = tracer.traceBatch(segments, out);
  return answers;
}

function traceShare(tracer: Tracer, { segments, answers, state, size }: ShareRequest): undefined {
  const count = segments.length / 6;
  Atomics.add(state, ACTIVE, 1);
  try {
    for (;;) {
      const first = Atomics.add(state, NEXT, size);
      if (first >= count) return;
      const last = Math.min(first + size, count);
      const part = segments.subarray(6 * first, 6 * last);
      const { tests, ...arrays } = cutAnswers(answers, first, last);
      if (tests) tracer.blockedBatch(part, tests);
      else tracer.traceBatch(part, { count: last - first, ...arrays } as TraceBatch<never>);
    }
  } catch (error) {
    // The others need not go on.
    Atomics.store(state, NEXT, count);
    throw error;
  } finally {
    Atomics.sub(state, ACTIVE, 1);
  }
}
