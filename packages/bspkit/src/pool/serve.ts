import type { TraceBatch, Tracer } from '@bspkit/core';
import { type BspFormat, type BspFormatEntry, checkChoice, widthOf } from '@bspkit/core/format';
import { type PoolPort, serve } from '@bspkit/workers';
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
  SERVES,
  type ShareRequest,
  type TracerDescription,
} from './messages.ts';

/** A world that was opened here, and the tracers made for it, by their descriptions. */
interface Opened {
  readonly format: BspFormat;
  readonly world: ReturnType<BspFormat['open']>;
  readonly tracers: Map<string, Tracer>;
}

/** The most tracers that are kept. When there are more, all are dropped. */
const MOST_TRACERS = 64;

/** Answers a pool's requests, in a worker. */
export function serveOn(port: PoolPort, formats: readonly BspFormatEntry[] = FORMATS): void {
  const worlds = new Map<number, () => Promise<Opened>>();

  const answer = async (request: Request): Promise<Answers> => {
    const { ask, world } = request;
    if (ask === 'forget') {
      worlds.delete(world);
      return {};
    }
    if (ask === 'open') worlds.set(world, opener(request, formats));
    const open = worlds.get(world);
    // This worker took the place of one that ended, and the data could no longer be sent to it.
    if (!open) {
      throw new TypeError(
        "the world's data was transferred, but a worker that was started since needs it: open the world again where it is now",
      );
    }
    const opened = await open();
    if (ask === 'open') return {};
    const tracer = tracerOf(opened, request.tracer);
    return ask === 'copy' ? traceCopy(tracer, request) : traceShare(tracer, request);
  };

  // One buffer may contain all answers, and is transferred once.
  serve(port, SERVES, answer, (answers) => [...new Set(Object.values(answers).map(({ buffer }) => buffer))]);
}

/** Opens a world once. If that fails, for lack of memory say, it is tried again at the next request. */
function opener(request: OpenRequest, formats: readonly BspFormatEntry[]): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined;
  return () => {
    opened ??= open(request, formats).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

async function open(
  { format: id, data, kernel }: OpenRequest,
  formats: readonly BspFormatEntry[],
): Promise<Opened> {
  if (!formats.some((known) => known.id === id)) {
    throw new RangeError(
      `the workers know no format '${id}': pass it to ${SERVES} in a script of your own, given as the option worker`,
    );
  }
  const format = await formatOf(id, formats);
  return { format, world: format.open(data, { kernel }), tracers: new Map() };
}

/** Replaces numbers that JSON writes as others, so that each description has a text of its own. No such value is an object. */
function asWritten(_: string, value: unknown): unknown {
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return { number: Object.is(value, -0) ? '-0' : String(value) };
}

function tracerOf({ format, world, tracers }: Opened, description: TracerDescription): Tracer {
  const key = JSON.stringify(description, asWritten);
  const known = tracers.get(key);
  if (known) return known;
  const { kind: name, size = [], options = {} } = description;
  const { kinds } = format.tracers;
  checkChoice(
    name,
    'tracer.kind',
    kinds.map((kind) => kind.name),
  );
  const tracer = kinds.find((kind) => kind.name === name)!.create(world, Array.from(size), options);
  if (tracers.size === MOST_TRACERS) tracers.clear();
  tracers.set(key, tracer);
  return tracer;
}

function traceCopy(tracer: Tracer, { segments, fields }: CopyRequest): Answers {
  if (fields.includes('tests')) return { tests: tracer.blockedBatch(segments) };
  // Fields that the tracer does not have are ignored, as by the tracer itself.
  const known: object = tracer.traceBatch(new Float32Array(0));
  const count = segments.length / 6;
  const answers: Record<string, Float32Array> = {};
  // One buffer for all, which is transferred faster than many.
  let room = 0;
  for (const field of fields) room += 4 * count * widthOf(field);
  const buffer = new ArrayBuffer(room);
  for (const field of fields) {
    const size = count * widthOf(field);
    const none = known[field as never] as Float32Array | undefined;
    room -= 4 * size;
    if (none?.buffer) answers[field] = new (none.constructor as Float32ArrayConstructor)(buffer, room, size);
  }
  tracer.traceBatch(segments, { count, ...answers } as TraceBatch<never>);
  return answers;
}

function traceShare(tracer: Tracer, { segments, answers, state, size }: ShareRequest): Answers {
  const count = segments.length / 6;
  Atomics.add(state, ACTIVE, 1);
  try {
    for (;;) {
      const first = Atomics.add(state, NEXT, size);
      if (first >= count) return {};
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
