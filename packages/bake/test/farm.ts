import { setImmediate } from 'node:timers/promises';
import { createRandom, type Random } from '@bspkit/geometry';
import { driveChunks } from '../src/executor.ts';
import { BakeError } from '../src/index.ts';
import { capacityOf } from '../src/queue/capacity.ts';
import { type FailedChunk, Scheduler } from '../src/scheduler.ts';

// A farm of workers that die, in virtual time: chunks go through the scheduler and the loop that a coordinator runs, and
// what the queue does is played. Times are in seconds.

/** A farm and its job. */
export interface Farm {
  readonly workers: number;
  readonly chunks: number;
  /** How long a chunk takes, on average: each from half of it to one and a half, on workers that differ by a quarter. */
  readonly chunk: number;
  /** How long a worker lives, on average, and after how long another one takes its place. */
  readonly life: number;
  readonly replace: number;
  /** After how long without a sign of life a worker counts as dead. */
  readonly lock: number;
  /** CPU time of the coordinator and of Redis per chunk. */
  readonly coordinator: number;
  readonly redis: number;
  readonly seed: number;
}

/** What became of it. */
export interface FarmReport {
  /** When the last chunk was answered, and when that would be if no worker died or waited. */
  readonly end: number;
  readonly ideal: number;
  /** How long the last hundredth of the chunks took. */
  readonly tail: number;
  readonly deaths: number;
  /** Attempts that failed, and answers that came a second time. */
  readonly retried: number;
  readonly late: number;
  readonly failed: readonly FailedChunk[];
  /** How often each chunk's answer was taken. */
  readonly taken: Uint8Array;
  /** Share of the time in which the coordinator and Redis had something to do. */
  readonly coordinatorLoad: number;
  readonly redisLoad: number;
  /** Most chunks that were in flight at once. */
  readonly mostAhead: number;
}

/** Seconds that a message takes through the network. */
const LATENCY = 0.001;
/** Chunks that a worker of one thread holds: one is computed, one waits. */
const HELD = 2;
/** Share of deaths that are none: the worker was cut off, and its answers come late. */
const CUT_OFF = 0.1;
const CUT_OFF_SECONDS = 60;

/** What happens later, in the order of its time. */
class Agenda {
  now = 0;
  private readonly _heap: { readonly at: number; readonly order: number; readonly act: () => void }[] = [];
  private _order = 0;

  /** Whether anything is to come. */
  get isEmpty(): boolean {
    return this._heap.length === 0;
  }

  at(time: number, act: () => void): void {
    const heap = this._heap;
    const item = { at: Math.max(time, this.now), order: this._order++, act };
    let place = heap.push(item) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (isBefore(heap[above]!, item)) break;
      heap[place] = heap[above]!;
      place = above;
    }
    heap[place] = item;
  }

  /** Has the next thing happen. */
  step(): void {
    const heap = this._heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      let place = 0;
      for (;;) {
        let below = 2 * place + 1;
        if (below >= heap.length) break;
        if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
        if (isBefore(last, heap[below]!)) break;
        heap[place] = heap[below]!;
        place = below;
      }
      heap[place] = last;
    }
    this.now = first.at;
    first.act();
  }
}

const isBefore = (
  a: { readonly at: number; readonly order: number },
  b: { readonly at: number; readonly order: number },
): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Somebody who does one thing after the other. */
class Server {
  busy = 0;
  private _free = 0;

  /** When something is done that is begun now or later. */
  done(now: number, cost: number): number {
    this._free = Math.max(now, this._free) + cost;
    this.busy += cost;
    return this._free;
  }
}

interface Worker {
  readonly speed: number;
  isAlive: boolean;
  readonly held: Handed[];
}

/** A chunk that was handed out, and who waits for it. */
interface Handed {
  readonly index: number;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Plays a job on a farm to its end. The same farm has the same report, bit for bit. */
export async function playFarm(farm: Farm): Promise<FarmReport> {
  const { workers, chunks, chunk: seconds, life, replace, lock, seed } = farm;
  const random: Random = createRandom(seed);
  const agenda = new Agenda();
  const coordinator = new Server();
  const redis = new Server();
  const waiting: Handed[] = [];
  let first = 0;
  /** Workers that hold so few chunks: none, one. */
  const hungry: Worker[][] = Array.from({ length: HELD }, () => []);
  const taken = new Uint8Array(chunks);
  let [deaths, late, retried, mostAhead, nearEnd, answered, end] = [0, 0, 0, 0, 0, 0, 0];
  let isOver = false;

  /** Gives waiting chunks to workers that have room. */
  const deal = (): void => {
    while (first < waiting.length) {
      const list = hungry.find((some) => some.length > 0);
      if (!list) return;
      const worker = list.pop()!;
      const isStale = !worker.isAlive || worker.held.length !== hungry.indexOf(list);
      if (isStale) continue;
      take(worker, waiting[first++]!);
    }
    waiting.length = first = 0;
  };
  const offer = (worker: Worker): void => {
    if (worker.isAlive && worker.held.length < HELD) hungry[worker.held.length]!.push(worker);
  };
  const take = (worker: Worker, handed: Handed): void => {
    worker.held.push(handed);
    if (worker.held.length === 1) compute(worker, LATENCY);
    offer(worker);
  };
  const compute = (worker: Worker, after: number): void => {
    const handed = worker.held[0]!;
    agenda.at(agenda.now + after + seconds * worker.speed * (0.5 + random()), () => {
      if (!worker.isAlive) return;
      worker.held.shift();
      answer(handed);
      if (worker.held.length > 0) compute(worker, 0);
      offer(worker);
      deal();
    });
  };
  /** Goes through Redis and the coordinator, one after the other, from a time on. */
  const tell = (from: number, act: () => void): void => {
    agenda.at(from, () => {
      agenda.at(redis.done(agenda.now, farm.redis / 2), () => {
        agenda.at(coordinator.done(agenda.now, farm.coordinator / 2), act);
      });
    });
  };
  const answer = (handed: Handed): void => tell(agenda.now + LATENCY, () => handed.resolve(new Uint8Array()));
  const start = (): void => {
    const worker: Worker = { speed: 0.75 + random() / 2, isAlive: true, held: [] };
    offer(worker);
    deal();
    agenda.at(agenda.now - life * Math.log(1 - random()), () => {
      if (isOver) return;
      deaths++;
      worker.isAlive = false;
      const isCutOff = random() < CUT_OFF;
      for (const handed of worker.held) {
        // The sign of life before was some time ago; then somebody has to look.
        const expires = agenda.now + lock * (0.5 + random() / 2);
        const found = Math.ceil(expires / (lock / 2)) * (lock / 2);
        tell(found, () =>
          handed.reject(new BakeError('worker', 'the worker that had it has gone', { chunk: handed.index })),
        );
        if (isCutOff) {
          agenda.at(agenda.now + CUT_OFF_SECONDS, () => {
            late++;
            handed.resolve(new Uint8Array());
          });
        }
      }
      agenda.at(agenda.now + replace, () => {
        if (!isOver) start();
      });
    });
  };
  for (let k = 0; k < workers; k++) start();

  let ahead = 0;
  const scheduler = new Scheduler({ chunks });
  const driving = driveChunks({
    scheduler,
    executor: {
      capacity: capacityOf(workers, 0),
      run: ({ index }) =>
        new Promise((resolve, reject) => {
          mostAhead = Math.max(mostAhead, ++ahead);
          let isSettled = false;
          const settle =
            <T>(how: (value: T) => void) =>
            (value: T): void => {
              if (!isSettled) ahead--;
              isSettled = true;
              how(value);
            };
          const handed = { index, resolve: settle(resolve), reject: settle(reject) };
          agenda.at(coordinator.done(agenda.now, farm.coordinator / 2), () => {
            agenda.at(redis.done(agenda.now, farm.redis / 2), () => {
              waiting.push(handed);
              deal();
            });
          });
        }),
    },
    chunk: (index) => ({ index, first: index, count: 1 }),
    done({ index }) {
      taken[index]!++;
      answered++;
      if (answered === Math.ceil(0.99 * chunks)) nearEnd = agenda.now;
      end = agenda.now;
    },
    retried: () => retried++,
  }).finally(() => {
    isOver = true;
  });
  await setImmediate();
  while (!isOver && !agenda.isEmpty) {
    agenda.step();
    // The coordinator's loop has its turn.
    await setImmediate();
  }
  await driving;
  return {
    end,
    ideal: (chunks * seconds) / workers,
    tail: end - nearEnd,
    deaths,
    retried,
    late,
    failed: scheduler.failed,
    taken,
    coordinatorLoad: coordinator.busy / end,
    redisLoad: redis.busy / end,
    mostAhead,
  };
}
