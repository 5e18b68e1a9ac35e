import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nodePlatform } from '../src/node/index.ts';

/** A thread that records what is done to it. */
class Thread extends EventEmitter {
  readonly done: string[] = [];
  readonly threadId = 1;
  postMessage(): void {}
  ref(): void {
    this.done.push('ref');
  }
  unref(): void {
    this.done.push('unref');
  }
  async terminate(): Promise<number> {
    this.done.push('terminate');
    return 1;
  }
}

const never = () => expect.fail('the pool has a worker of its own');

function startThread() {
  const thread = new Thread();
  const heard: unknown[] = [];
  const start = nodePlatform(undefined, never).start(() => thread);
  const port = start(
    (message) => heard.push(message),
    () => {},
  );
  return { thread, port, heard };
}

/** Lets everything continue that waits only for a promise. */
const settle = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

// A thread that is ended while it loads its modules never closes the file that it has open.
describe('threads of Node that should end', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('start first, and keep the process alive until they have', async () => {
    const { thread, port, heard } = startThread();
    const end = port.end();
    await settle();
    expect(thread.done).toEqual(['ref']);
    thread.emit('message', 'hello');
    await end;
    expect(thread.done).toEqual(['ref', 'terminate']);
    expect(heard).toEqual(['hello']);
  });

  it('answer their first question first, as they may be loading for it', async () => {
    const { thread, port } = startThread();
    thread.emit('message', 'hello');
    port.post('open', []);
    const end = port.end();
    await settle();
    expect(thread.done).toEqual(['ref']);
    thread.emit('message', 'opened');
    await end;
    expect(thread.done).toEqual(['ref', 'terminate']);
  });

  it('end at once if they have answered before', async () => {
    const { thread, port } = startThread();
    thread.emit('message', 'hello');
    port.post('open', []);
    thread.emit('message', 'opened');
    port.post('trace', []);
    const end = port.end();
    expect(thread.done).toEqual(['terminate']);
    await end;
  });

  it('end at once if they were asked nothing', async () => {
    const { thread, port } = startThread();
    thread.emit('message', 'hello');
    const end = port.end();
    expect(thread.done).toEqual(['terminate']);
    await end;
  });

  it('are not waited for when they have ended already', async () => {
    const { thread, port } = startThread();
    port.post('open', []);
    thread.emit('exit', 1);
    const end = port.end();
    expect(thread.done).toEqual(['terminate']);
    await end;
  });

  it('end all the same if they never start', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { thread, port } = startThread();
    const end = port.end();
    await settle();
    expect(thread.done).toEqual(['ref']);
    vi.runAllTimers();
    await end;
    expect(thread.done).toEqual(['ref', 'terminate']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('threads of Node whose file is missing', () => {
  /** What a pool reports if a thread's file does not exist. */
  function lost(isOwn: boolean): string {
    const thread = new Thread();
    const platform = nodePlatform('file:///app/dist/index.js', () => thread as never);
    let told = '';
    platform.start(isOwn ? undefined : () => thread)(
      () => {},
      (cause) => {
        told = (cause as Error).message;
      },
    );
    thread.emit('error', Object.assign(new Error('Cannot find it'), { code: 'MODULE_NOT_FOUND' }));
    return told;
  }

  it('are reported with advice about bundlers if the file is our own', () => {
    expect(lost(true)).toMatch(/^Cannot find it; if your bundler left it out/);
    expect(lost(false)).toBe('Cannot find it');
  });
});

describe('threads of Node', () => {
  const { execArgv } = process;
  afterEach(() => {
    process.execArgv = execArgv;
  });

  it('get the options of their process, but not the type of text that it was given to run', () => {
    const optionsWith = (...given: string[]): unknown => {
      process.execArgv = given;
      let options: unknown;
      const create = (some: unknown) => {
        options = some;
        return new Thread() as never;
      };
      nodePlatform('file:///app/dist/index.js', create).start(undefined)(
        () => {},
        () => {},
      );
      return options;
    };
    expect([optionsWith(), optionsWith('--no-warnings')]).toEqual([{}, {}]);
    expect(optionsWith('--no-warnings', '--input-type=module')).toEqual({ execArgv: [] });
  });
});
