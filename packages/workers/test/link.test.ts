import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  checkWorkers,
  Link,
  type LinkErrors,
  type Platform,
  type StartWorker,
  type WorkerFile,
} from '../src/index.ts';
import { nodePlatform } from '../src/node/index.ts';

const ERRORS: LinkErrors = {
  serves: 'serveEcho',
  ended: (what) => new Error(`ended: ${what}`),
  notPlain: (what) => new TypeError(`not plain: ${what}`),
};

/** The message with which workers start. */
const HELLO = { bspkit: 'serveEcho' };

const linkOf = <A>(start: StartWorker, startLimit?: number, worker = '/worker.js'): Link<object, A> => {
  const platform: Platform = { cores: 1, shares: true, ownScript: 'own.js', start: () => start };
  const { source } = checkWorkers(platform, { worker, startLimit });
  return new Link(source, ERRORS);
};

const messageOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    (answer) => `answered ${answer}`,
    ({ message }) => message,
  );

describe('a link', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('keeps the process waiting for a worker that is being closed, whatever that still answers', async () => {
    const held: boolean[] = [];
    let answer!: (message: unknown) => void;
    const link = linkOf<number>((onMessage) => {
      answer = onMessage;
      return { post: () => {}, hold: (isHeld) => held.push(isHeld), end: async () => undefined };
    });
    answer(HELLO);
    const asked = messageOf(link.ask({}));
    await link.close(new Error('closed'));
    expect(await asked).toBe('closed');
    const before = held.length;
    answer({ id: 1, answer: 5 });
    expect(held.slice(before)).toEqual([]);
    expect(held.at(-1)).toBe(true);
  });

  it('keeps the process alive as long as anything that was asked is not answered', async () => {
    let isHeld: boolean | undefined;
    let answer!: (message: unknown) => void;
    const link = linkOf<number>((onMessage) => {
      answer = onMessage;
      const hold = (held: boolean): void => {
        isHeld = held;
      };
      return { post: () => {}, hold, end: async () => undefined };
    });
    const seen = [isHeld];
    answer(HELLO);
    const asked = [link.ask({}), link.ask({})];
    seen.push(isHeld);
    for (const id of [2, 1]) {
      answer({ id, answer: id });
      seen.push(isHeld);
    }
    expect(seen).toEqual([false, true, true, false]);
    expect(await Promise.all(asked)).toEqual([1, 2]);
  });

  it('tells whoever asks after its end why it ended', async () => {
    let end!: (cause: unknown) => void;
    const start: StartWorker = (_, onEnd) => {
      end = onEnd;
      return { post: () => {}, hold: () => {}, end: async () => undefined };
    };
    const closed = linkOf<number>(start);
    await closed.close(new Error('closed'));
    end(new Error('it exited with code 1'));
    expect(await messageOf(closed.ask({}))).toBe('closed');
    const dead = linkOf<number>((onMessage, onEnd) => {
      const port = start(onMessage, onEnd);
      onMessage(HELLO);
      return port;
    });
    end(new Error('out of memory'));
    expect(await messageOf(dead.ask({}))).toBe('ended: out of memory');
  });

  it.each([
    ['/worker.js', 'it exited with code 1', '/worker.js: it exited with code 1'],
    ['/worker.js', 'Cannot find /worker.js', 'Cannot find /worker.js'],
    ['file:///at/worker.js', 'Cannot find /at/worker.js', 'Cannot find /at/worker.js'],
  ])('names the script that ends before it serves once: %s, %s', async (script, cause, words) => {
    let end!: (cause: unknown) => void;
    const start: StartWorker = (_, onEnd) => {
      end = onEnd;
      return { post: () => {}, hold: () => {}, end: async () => undefined };
    };
    const link = linkOf<number>(start, undefined, script);
    end(new Error(cause));
    expect(await messageOf(link.ask({}))).toBe(`ended: ${words}`);
  });

  it('cannot be created where no worker can be started, and says so', () => {
    const start: StartWorker = () => {
      throw new ReferenceError('Worker is not defined');
    };
    expect(() => linkOf<number>(start)).toThrow(/^ended: it could not be started: Worker is not defined$/);
  });

  it('quotes what errors of another realm say, as Node’s own are in tests with Jest', () => {
    const start: StartWorker = () => runInNewContext('throw new RangeError("no more threads")');
    expect(() => linkOf<number>(start)).toThrow(/^ended: it could not be started: no more threads$/);
  });

  it('keeps working after a request that cannot be sent', async () => {
    let answer!: (message: unknown) => void;
    const start: StartWorker = (onMessage) => {
      answer = onMessage;
      return { post: (message) => void structuredClone(message), hold: () => {}, end: async () => undefined };
    };
    const link = linkOf<number>(start);
    answer(HELLO);
    expect(await messageOf(link.ask({ work: () => {} }))).toMatch(/^not plain: .*could not be cloned/);
    const asked = messageOf(link.ask({ work: 1 }));
    answer({ id: 2, answer: 5 });
    expect(await asked).toBe('answered 5');
    expect(link.isDead).toBe(false);
  });

  it('keeps what is asked until the worker has said what it serves', async () => {
    const posted: unknown[] = [];
    let answer!: (message: unknown) => void;
    const link = linkOf<number>((onMessage) => {
      answer = onMessage;
      return { post: (message) => posted.push(message), hold: () => {}, end: async () => undefined };
    });
    const asked = messageOf(link.ask({ work: 1 }));
    expect(posted).toEqual([]);
    answer(HELLO);
    expect(posted).toEqual([{ work: 1, id: 1 }]);
    // It keeps working whatever else the worker sends.
    for (const other of [null, 'ready', HELLO, { id: 7 }]) answer(other);
    answer({ id: 1, answer: 5 });
    expect(await asked).toBe('answered 5');
    expect(link.isDead).toBe(false);
  });

  it.each([['ready'], [null], [{ bspkit: 'serveBake' }], [{ id: 1, answer: 5 }]])(
    'ends a worker that first says %j, and starts no other',
    async (said) => {
      let started = 0;
      let ended = 0;
      let answer!: (message: unknown) => void;
      const start: StartWorker = (onMessage) => {
        started++;
        answer = onMessage;
        return { post: () => {}, hold: () => {}, end: async () => ended++ };
      };
      const platform: Platform = { cores: 1, shares: true, ownScript: 'own.js', start: () => start };
      const { source } = checkWorkers(platform, {});
      const link = new Link<object, number>(source, ERRORS);
      const asked = messageOf(link.ask({}));
      answer(said);
      const problem =
        'ended: own.js: it is another script: it sent something before it had called serveEcho(); the option `worker` of pools is for one that calls it at its start';
      expect(await asked).toBe(problem);
      expect(() => new Link(source, ERRORS)).toThrow(problem);
      expect([started, ended]).toEqual([1, 1]);
    },
  );

  it('starts more of a script of which a worker has served, even if another does not', async () => {
    const answers: ((message: unknown) => void)[] = [];
    const start: StartWorker = (onMessage) => {
      answers.push(onMessage);
      return { post: () => {}, hold: () => {}, end: async () => undefined };
    };
    const platform: Platform = { cores: 1, shares: true, ownScript: 'own.js', start: () => start };
    const { source } = checkWorkers(platform, {});
    const [one, other] = [0, 1].map(() => new Link<object, number>(source, ERRORS));
    answers[0]!(HELLO);
    answers[1]!('ready');
    expect([one!.isDead, other!.isDead]).toEqual([false, true]);
    const last = new Link<object, number>(source, ERRORS);
    answers[2]!(HELLO);
    expect(last.isServing).toBe(true);
    await Promise.all([one, last].map((link) => link!.close(undefined)));
  });

  it('waits for a silent worker as long as it may take to start, and no longer', async () => {
    vi.useFakeTimers();
    const start: StartWorker = () => ({ post: () => {}, hold: () => {}, end: async () => undefined });
    const link = linkOf<number>(start, 5);
    const other = linkOf<number>(start, 5);
    const asked = messageOf(link.ask({}));
    vi.advanceTimersByTime(4999);
    expect(link.isDead).toBe(false);
    // One more millisecond, and a moment.
    vi.advanceTimersByTime(2);
    expect(link.isDead).toBe(true);
    await other.close(undefined);
    expect(vi.getTimerCount()).toBe(0);
    expect(await asked).toMatch(
      /^ended: \/worker\.js: it has not called serveEcho\(\) within 5 s, its startLimit; /,
    );
  });

  it('waits no longer for a worker that has ended, so that others of its script may still start', async () => {
    vi.useFakeTimers();
    let end!: (cause: unknown) => void;
    const start: StartWorker = (_, onEnd) => {
      end = onEnd;
      return { post: () => {}, hold: () => {}, end: async () => undefined };
    };
    const platform: Platform = { cores: 1, shares: true, ownScript: 'own.js', start: () => start };
    const { source } = checkWorkers(platform, { startLimit: 5 });
    await new Link<object, number>(source, ERRORS).close(undefined);
    new Link<object, number>(source, ERRORS);
    end(new Error('out of memory'));
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(6000);
    expect(() => new Link<object, number>(source, ERRORS)).not.toThrow();
  });
});

describe('Node', () => {
  /** A worker that echoes what it is asked, and does something more once it has started, as the address of its file. */
  const echoThat = (more: string): string =>
    `data:text/javascript,${encodeURIComponent(`
    import { writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, text }) => parentPort.postMessage({ id, answer: text }));
    parentPort.postMessage(${JSON.stringify(HELLO)});
    ${more}
  `)}`;
  const echo = echoThat('');
  const platform = nodePlatform(import.meta.url, () => expect.fail('has a file'));

  const linkIn = (worker: WorkerFile, startLimit?: number): Link<object, string> =>
    new Link(checkWorkers(platform, { worker, startLimit }).source, ERRORS);

  it.each([
    ['text', echo],
    ['an object', new URL(echo)],
    ['an object of which no more is to be seen', { toJSON: () => echo, toString: () => echo }],
  ])('takes URLs as %s', async (_, file) => {
    const link = linkIn(file);
    expect(await link.ask({ text: 'hello' })).toBe('hello');
    await link.close(undefined);
  });

  it('receives what was sent while its thread was busy for longer than workers may take', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bspkit-link-'));
    const started = join(folder, 'started');
    const link = linkIn(echoThat(`writeFileSync(${JSON.stringify(started)}, '');`), 1);
    const begin = performance.now();
    const isBusyFor = (time: number): boolean => performance.now() < begin + time;
    const nothing = new Int32Array(new SharedArrayBuffer(4));
    // Nothing else goes on in this thread meanwhile. On a busy machine, the start alone may take longer.
    while (isBusyFor(1100) || (isBusyFor(30_000) && !existsSync(started))) Atomics.wait(nothing, 0, 0, 5);
    expect(await link.ask({ text: 'hello' })).toBe('hello');
    await link.close(undefined);
    rmSync(folder, { recursive: true });
  });

  it('reports workers that end by themselves', async () => {
    const file = 'data:text/javascript,setTimeout(() => process.exit(3), 10)';
    const link = linkIn(file);
    expect(await messageOf(link.ask({}))).toBe(`ended: ${file}: it exited with code 3`);
    expect(link.isDead).toBe(true);
  });
});
