import { once } from 'node:events';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { QueryRunner } from '@bspkit/compare';
import { type ClockName, chargeTo, processorOfThread } from '../clock.ts';
import type { Peer } from './peer.ts';
import type { PeerName } from './peers.ts';

// Each library in JavaScript is timed in an isolate of its own, as in a program that uses no other: what V8 learns from one
// library's calls would slow another by a tenth or more, and once a WebAssembly memory has grown, it slows everything that uses
// arrays. An isolate waits while it is not asked, so that libraries take turns as within one isolate.

/** What a worker is started with. */
export interface IsolateSetup {
  /** The name of a map. */
  readonly map: string;
  readonly peer: PeerName;
  readonly clock: ClockName;
  /** Questions arrive and answers are sent here. */
  readonly port: MessagePort;
  /** Number of questions asked, and of those answered. */
  readonly turns: Int32Array<SharedArrayBuffer>;
}

/** A request to an isolate: to answer queries `first` to `last - 1` of those sent last, with the shape of a preset. */
export interface IsolateQuestion {
  readonly preset: string;
  /** Whether it only matters if anything is in the way. */
  readonly test: boolean;
  /** The queries, if they have changed. */
  readonly queries: Float32Array | undefined;
  readonly first: number;
  readonly last: number;
  /** Whether to measure allocation too, with more runs. */
  readonly allocation: boolean;
  /** The processor to run on: the one where everything that is compared stays. */
  readonly processor: number;
}

/** The milliseconds that it took, by the chosen clock; bytes per query, if requested. */
export interface IsolateAnswer {
  readonly took: number;
  readonly allocated: number;
}

/** An isolate with a library, and a map loaded into it. */
export interface Isolate {
  ask(question: Omit<IsolateQuestion, 'processor'>): IsolateAnswer;
  free(): void;
}

/** How long a worker may be silent, in milliseconds. */
const PATIENCE = 120_000;

/** Starts an isolate. Rejects with the error if something fails in it. */
export async function openIsolate(map: string, peer: PeerName, clock: ClockName): Promise<Isolate> {
  const { port1: port, port2 } = new MessageChannel();
  const turns = new Int32Array(new SharedArrayBuffer(8));
  const setup: IsolateSetup = { map, peer, clock, port: port2, turns };
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: setup,
    transferList: [port2],
  });
  await once(worker, 'message');
  // It waits for questions for ever, and must not keep a process alive that failed elsewhere.
  worker.unref();
  return {
    ask(question) {
      port.postMessage({ ...question, processor: processorOfThread() } satisfies IsolateQuestion);
      const turn = Atomics.add(turns, 0, 1) + 1;
      Atomics.notify(turns, 0);
      if (Atomics.wait(turns, 1, turn - 1, PATIENCE) === 'timed-out') {
        throw new Error(`${peer} does not answer in its isolate`);
      }
      const answer = receive<IsolateAnswer | Error>(port);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    free() {
      port.close();
      void worker.terminate();
    },
  };
}

/** Receives a message that has been sent: Node may take a moment to deliver it. */
export function receive<T>(port: MessagePort): T {
  for (;;) {
    const received = receiveMessageOnPort(port) as { readonly message: T } | undefined;
    if (received) return received.message;
  }
}

/** A peer that is timed in an isolate, but compared in this one. */
export function inIsolate(peer: Peer, isolate: Isolate, clock: ClockName): Peer {
  let loaded: Float32Array | undefined;
  const ask = (
    preset: string,
    queries: Float32Array,
    question: Pick<IsolateQuestion, 'first' | 'last' | 'allocation' | 'test'>,
  ): IsolateAnswer => {
    const answer = isolate.ask({ ...question, preset, queries: queries === loaded ? undefined : queries });
    loaded = queries;
    return answer;
  };
  return {
    ...peer,
    prepare(measured) {
      const way = peer.prepare(measured);
      if (!way) return undefined;
      const { name } = measured.preset;
      const runner = (test: boolean): QueryRunner => {
        const run: QueryRunner = (queries, first, last) =>
          chargeTo(clock, () => ask(name, queries, { first, last, allocation: false, test }).took);
        return Object.assign(run, { atOnce: Infinity });
      };
      return {
        tracer: way.tracer,
        run: runner(false),
        ...(way.test && { test: runner(true) }),
        allocated: (queries, test) =>
          ask(name, queries, { first: 0, last: queries.length / 6, allocation: true, test }).allocated,
      };
    },
  };
}
