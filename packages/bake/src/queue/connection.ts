import { setTimeout as sleep } from 'node:timers/promises';
import { checkCallback, checkText } from '@bspkit/core/format';
import { onAbort, type StopSignal, unlessAborted } from '@bspkit/workers';
import { Redis, type RedisOptions } from 'ioredis';
import { QueueError } from './error.ts';

/** Milliseconds within which a queue must answer at first. */
const CONNECT_MS = 10_000;
/** Milliseconds between two checks whether it is there. */
const LOOK_MS = 500;
/** Milliseconds of silence before it is reported. */
const SILENCE_MS = 3000;
/** The oldest version with the streams and blocking reads that are needed here. */
const LEAST_VERSION = [6, 2];

/** A queue that has answered. */
export interface Connection {
  /** For commands that return at once. */
  readonly redis: Redis;
  /** The address as it may be shown: without the password. */
  readonly shown: string;
  /** Aborts with a {@link QueueError} when the queue has been gone for too long. */
  readonly lost: AbortSignal;
  /** Resolves as soon as the queue does not answer, which may be now: whoever closes need not wait until it is lost. */
  gone(): Promise<void>;
  /** Another connection to the same queue, for commands that wait. */
  another(): Redis;
  /** Closes all of them. */
  close(): void;
}

/** How to keep a connection. */
export interface ConnectionOptions {
  /** How many seconds to wait for a queue that has gone. */
  readonly patience: number;
  /** Called when the queue has gone and when it is back, and with what is unwise about its settings. */
  readonly note: (text: string) => void;
}

/**
 * The option `note` of executors and workers, as it is called: what it throws, as somebody's log may, must not end a process, nor
 * keep a chunk from being reported.
 * @throws TypeError for anything but a function.
 */
export function noteOf(note: ((text: string) => void) | undefined): (text: string) => void {
  if (note === undefined) return () => {};
  checkCallback(note, 'note');
  return (text) => {
    try {
      note(text);
    } catch {}
  };
}

/**
 * A connection that says so when it is ended between two attempts, and then gives up its commands. ioredis does neither, and BullMQ
 * would wait for that for ever when it closes a worker.
 */
class QueueRedis extends Redis {
  override disconnect(reconnect?: boolean): void {
    // As before its first attempt: no other is under way.
    if (!reconnect && this.status === 'reconnecting') this.status = 'wait';
    super.disconnect(reconnect);
  }

  override duplicate: Redis['duplicate'] = (override) => {
    const options = { ...this.options, ...override } as { readonly replyMapping: 'legacy' };
    return new QueueRedis(options) as ReturnType<Redis['duplicate']>;
  };
}

/** What an address says. */
interface Address {
  readonly options: Pick<RedisOptions, 'host' | 'port' | 'db' | 'username' | 'password' | 'tls'>;
  readonly shown: string;
}

/**
 * Parses the address of a queue: `redis://user:password@host:port/database`, `rediss://` for TLS.
 * @throws QueueError (`url`) saying what is wrong, without repeating the password.
 */
export function parseQueueUrl(text: string): Address {
  checkText(text, 'url');
  const fail = (problem: string): never => {
    throw new QueueError('url', `${problem}; a queue's address is like redis://host:6379`);
  };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return fail('the address of the queue is not a URL');
  }
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (protocol !== 'redis:' && protocol !== 'rediss:') {
    fail(`the address of the queue begins with ${protocol}, not with redis: or rediss:`);
  }
  if (hostname === '') fail('the address of the queue names no host');
  if (search !== '' || hash !== '') fail('the address of the queue must not have anything after a ? or #');
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1];
  if (database === undefined)
    fail('the address of the queue ends in something that is not the number of a database');
  const decode = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      return fail(
        'the address of the queue has a % in its user or password that is not part of a %-encoded byte',
      );
    }
  };
  const options: Address['options'] = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 6379 : Number(port),
    db: Number(database),
    ...(username !== '' && { username: decode(username) }),
    ...(password !== '' && { password: decode(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
  const user = username === '' ? '' : `${username}@`;
  return {
    options,
    shown: `${protocol}//${user}${hostname}:${options.port}${database ? `/${database}` : ''}`,
  };
}

/**
 * Connects to a queue and checks that it is one.
 * @param signals - end the attempt, as if nothing had answered.
 * @throws (rejects with) QueueError: `url`, `unreachable`, `denied`, `not-redis`, `version`.
 */
export async function connectQueue(
  url: string,
  { patience, note }: ConnectionOptions,
  ...signals: readonly (StopSignal | undefined)[]
): Promise<Connection> {
  const { options, shown } = parseQueueUrl(url);
  let isOpen = false;
  /** The latest error of the connections. */
  let trouble: Error | undefined;
  const redis = new QueueRedis({
    ...options,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    // A cable that has been cut says nothing.
    socketTimeout: 3 * CONNECT_MS,
    keepAlive: CONNECT_MS,
    // Commands wait for the queue to come back; the watch below decides how long, for all of them.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isOpen ? Math.min(50 * 2 ** times, 2000) : null),
  });
  const hear = (error: Error): void => {
    trouble = withoutCommand(error);
  };
  redis.on('error', hear);
  const failed = new Promise<never>((_, reject) => redis.once('error', reject));
  failed.catch(() => {});
  let leave: (() => void)[] = [];
  const stopped = new Promise<never>((_, reject) => {
    leave = signals.map((signal) => onAbort(signal, () => reject(new Error('it was given up'))));
  });
  const others: Redis[] = [];
  try {
    const info = await Promise.race([greet(redis), failed, silence(), stopped]);
    checkInfo(info, shown, note);
  } catch (error) {
    redis.disconnect();
    if (error instanceof QueueError) throw error;
    throw explain(trouble ?? withoutCommand(error as Error), shown);
  } finally {
    for (const off of leave) off();
  }
  isOpen = true;
  trouble = undefined;
  // What was wrong the last time is no reason for the next.
  redis.on('ready', () => {
    trouble = undefined;
  });

  const lost = new AbortController();
  let isGone = false;
  /** Those that wait for it to be gone. */
  const waiting: (() => void)[] = [];
  const watch = watchConnection(redis, patience, {
    gone() {
      isGone = true;
      for (const tell of waiting.splice(0)) tell();
      note(`${shown} does not answer${trouble ? ` (${reason(trouble)})` : ''}; trying for ${patience} s`);
    },
    back() {
      isGone = false;
      note(`${shown} answers again`);
    },
    lost: () => {
      const said = trouble ? `: ${reason(trouble)}` : '';
      lost.abort(new QueueError('lost', `the queue at ${shown} has not answered for ${patience} s${said}`));
    },
  });
  return {
    redis,
    shown,
    lost: lost.signal,
    gone: () =>
      new Promise((resolve) => {
        if (isGone) resolve();
        else waiting.push(resolve);
      }),
    another() {
      const other = redis.duplicate({ lazyConnect: false });
      other.on('error', hear);
      others.push(other);
      return other;
    },
    close() {
      clearInterval(watch);
      for (const client of [redis, ...others]) client.disconnect();
    },
  };
}

/**
 * Connects as {@link connectQueue} does, but waits for a queue that is not there yet: machines of a farm start in any order.
 * `undefined` once a signal is aborted.
 */
export async function awaitQueue(
  url: string,
  options: ConnectionOptions,
  ...signals: readonly (StopSignal | undefined)[]
): Promise<Connection | undefined> {
  const { patience, note } = options;
  const last = performance.now() + 1000 * patience;
  const isStopped = (): boolean => signals.some((signal) => signal?.aborted);
  for (let isFirst = true; !isStopped(); isFirst = false) {
    try {
      return await connectQueue(url, options, ...signals);
    } catch (error) {
      if (isStopped()) break;
      if (!mayCome(error) || performance.now() > last) throw error;
      if (isFirst) note(`${(error as Error).message}; trying for ${patience} s`);
    }
    await unlessAborted(sleep(LOOK_MS), ...signals);
  }
  return undefined;
}

/** Whether what cannot be reached may be there in a moment: certificates, protocols and numbers of databases stay as they are. */
function mayCome(error: unknown): boolean {
  if (!(error instanceof QueueError) || error.code !== 'unreachable') return false;
  const { code = '', name, message } = error.cause as NodeJS.ErrnoException;
  if (name === 'ReplyError') return /^(BUSY|LOADING) /.test(message);
  return /^(E(?!RR).*)?$/.test(code);
}

/**
 * Checks that there is a queue that can be used, before work is done for it.
 * @throws (rejects with) QueueError: `url`, `unreachable`, `denied`, `not-redis`, `version`; TypeError for anything but text.
 */
export async function checkQueue(url: string): Promise<void> {
  (await connectQueue(url, { patience: 1, note: () => {} })).close();
}

async function greet(redis: Redis): Promise<string> {
  await redis.connect();
  return redis.info();
}

/** Rejects when there has been no answer for too long. */
async function silence(): Promise<never> {
  await sleep(CONNECT_MS, undefined, { ref: false });
  throw Object.assign(new Error('it accepts connections, but does not answer'), { code: 'ETIMEDOUT' });
}

const VERSION = /^(?:redis|valkey)_version:((\d+)\.(\d+)[^\r\n]*)/m;

/** Checks that a greeting is that of a Redis that is new enough, and reports what is unwise about its settings. */
function checkInfo(info: string, shown: string, note: (text: string) => void): void {
  const [, version, major, minor] = VERSION.exec(info) ?? [];
  if (version === undefined) throw new QueueError('not-redis', `${shown} answers, but is not a Redis`);
  const [least, leastMinor] = LEAST_VERSION as [number, number];
  if (Number(major) < least || (Number(major) === least && Number(minor) < leastMinor)) {
    throw new QueueError(
      'version',
      `${shown} is Redis ${version}; ${LEAST_VERSION.join('.')} or newer is needed`,
    );
  }
  const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1] ?? 'noeviction';
  const limit = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0);
  if (policy !== 'noeviction' && limit > 0) {
    note(`${shown} throws keys away when it is full (maxmemory-policy ${policy}); noeviction is safer`);
  }
}

/** What is told about a connection that is watched. */
interface Watcher {
  gone(): void;
  back(): void;
  lost(): void;
}

/**
 * Asks again and again whether a queue is there. Its silence is measured in unanswered questions, not with a clock: while the
 * process itself was held up, or the machine was asleep, the queue had no chance to say anything.
 */
function watchConnection(redis: Redis, patience: number, watcher: Watcher): NodeJS.Timeout {
  let unanswered = 0;
  let isAsking = false;
  let isGone = false;
  const look = (): void => {
    const silence = LOOK_MS * unanswered;
    if (silence > 1000 * patience) {
      clearInterval(timer);
      watcher.lost();
      return;
    }
    if (!isGone && silence > SILENCE_MS) {
      isGone = true;
      watcher.gone();
    }
    unanswered++;
    if (isAsking) return;
    isAsking = true;
    redis.ping().then(
      () => {
        unanswered = 0;
        isAsking = false;
        if (isGone) watcher.back();
        isGone = false;
      },
      () => {
        isAsking = false;
      },
    );
  };
  const timer = setInterval(look, LOOK_MS);
  return timer;
}

/**
 * An error of a connection without the command that led to it, which ioredis keeps with it and a Redis may repeat: it may have the
 * password, or a whole map. Errors are logged with all that they have.
 */
export function withoutCommand(error: Error): Error {
  const { name, message } = error;
  const text = message.replace(/,? with args beginning with:.*$/s, '');
  if (!('command' in error) && text === message) return error;
  return Object.assign(new Error(text), { name });
}

/** What an error of a connection means, for people. */
function explain(error: Error, shown: string): QueueError {
  const { message } = error;
  const at = (code: QueueError['code'], problem: string): QueueError =>
    new QueueError(code, problem, { cause: error });
  if (/^(WRONGPASS|NOAUTH|NOPERM)|invalid password/.test(message)) {
    const why = message.startsWith('NOAUTH')
      ? 'wants a password; the address takes it: redis://user:password@host'
      : `refuses the user or password: ${message}`;
    return at('denied', `${shown} ${why}`);
  }
  if (/RESP type|Protocol error/.test(message)) {
    return at('not-redis', `something answers at ${shown}, but it is not a Redis`);
  }
  return at('unreachable', `cannot reach the queue at ${shown}: ${reason(error)}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'no answer',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'no way to that host',
  ENETUNREACH: 'no way to that network',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; try redis://',
};

function reason(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  // Some messages of the TLS library have several lines.
  return Object.hasOwn(REASONS, code) ? REASONS[code]! : error.message.replace(/\s+/g, ' ').trim();
}
