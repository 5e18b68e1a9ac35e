import { describe, expect, it } from 'vitest';
import { Link, type LinkErrors, type StartWorker } from '../src/index.ts';
import { nodePlatform } from '../src/node/index.ts';

const ERRORS: LinkErrors = {
  ended: (what) => new Error(`ended: ${what}`),
  notPlain: (what) => new TypeError(`not plain: ${what}`),
};

const messageOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    (answer) => `answered ${answer}`,
    ({ message }) => message,
  );

describe('a link', () => {
  it('has the process wait for a worker that is being closed, whatever that still answers', async () => {
    const held: boolean[] = [];
    let answer!: (message: unknown) => void;
    const link = new Link<object, number>((onMessage) => {
      answer = onMessage;
      return { post: () => {}, hold: (isHeld) => held.push(isHeld), end: async () => undefined };
    }, ERRORS);
    const asked = messageOf(link.ask({}));
    await link.close(new Error('closed'));
    expect(await asked).toBe('closed');
    const before = held.length;
    answer({ id: 1, answer: 5 });
    expect(held.slice(before)).toEqual([]);
    expect(held.at(-1)).toBe(true);
  });

  it('tells whoever asks after its end why it has ended', async () => {
    let end!: (cause: unknown) => void;
    const start: StartWorker = (_, onEnd) => {
      end = onEnd;
      return { post: () => {}, hold: () => {}, end: async () => undefined };
    };
    const closed = new Link<object, number>(start, ERRORS);
    await closed.close(new Error('closed'));
    end(new Error('it exited with code 1'));
    expect(await messageOf(closed.ask({}))).toBe('closed');
    const dead = new Link<object, number>(start, ERRORS);
    end(new Error('out of memory'));
    expect(await messageOf(dead.ask({}))).toBe('ended: out of memory');
  });

  it('cannot be made where no worker can be started, and says so', () => {
    const start: StartWorker = () => {
      throw new ReferenceError('Worker is not defined');
    };
    expect(() => new Link<object, number>(start, ERRORS)).toThrow(
      /^ended: it could not be started: Worker is not defined$/,
    );
  });

  it('goes on after a request that cannot be sent', async () => {
    let answer!: (message: unknown) => void;
    const start: StartWorker = (onMessage) => {
      answer = onMessage;
      return { post: (message) => void structuredClone(message), hold: () => {}, end: async () => undefined };
    };
    const link = new Link<object, number>(start, ERRORS);
    expect(await messageOf(link.ask({ work: () => {} }))).toMatch(/^not plain: .*could not be cloned/);
    const asked = messageOf(link.ask({ work: 1 }));
    answer({ id: 2, answer: 5 });
    expect(await asked).toBe('answered 5');
    expect(link.isDead).toBe(false);
  });
});

describe('Node', () => {
  /** A worker that sends back what it is asked, as the address of its file. */
  const echo = `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, text }) => parentPort.postMessage({ id, answer: text }));
  `)}`;
  const platform = nodePlatform(import.meta.url, () => expect.fail('has a file'));

  it.each([
    ['text', echo],
    ['an object', new URL(echo)],
  ])('takes URLs as %s', async (_, file) => {
    const link = new Link<object, string>(platform.start(file), ERRORS);
    expect(await link.ask({ text: 'hello' })).toBe('hello');
    await link.close(undefined);
  });

  it('tells of workers that end by themselves', async () => {
    const file = 'data:text/javascript,setTimeout(() => process.exit(3), 10)';
    const link = new Link<object, string>(platform.start(file), ERRORS);
    expect(await messageOf(link.ask({}))).toBe('ended: it exited with code 3');
    expect(link.isDead).toBe(true);
  });
});
