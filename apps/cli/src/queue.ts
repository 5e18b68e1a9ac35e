import { Option } from 'commander';
import { UsageError } from './errors.ts';
import { printable } from './printable.ts';
import type { Session } from './session.ts';

/** The variable with a queue's password, because command lines can be read by everybody on the machine. */
const PASSWORD = 'BSPKIT_QUEUE_PASSWORD';

/** The option that names a queue. */
export const queueOption = (what: string): Option => new Option('--queue <url>', what);

/** What the help of all commands that use a queue says about its address. */
export const QUEUE_HELP: string = `A queue is a Redis, 6.2 or newer: redis://user:password@host:port/database, or
rediss:// for TLS. The password can come from ${PASSWORD} instead, as
command lines can be seen by others.`;

/** The address of a queue, with the password from the environment if it contains none. */
export function queueUrl(text: string, { io }: Session): string {
  const password = io.env[PASSWORD];
  if (!password || !URL.canParse(text)) return text;
  const url = new URL(text);
  url.password ||= encodeURIComponent(password);
  return url.href;
}

/** Prints something about a queue, on a line of its own. */
export const queueNote =
  (session: Session) =>
  (text: string): void => {
    const { io, err } = session;
    // The terminal shows a Ctrl-C there.
    if (io.stderr.isTTY && io.env.TERM !== 'dumb') err.print('\r\x1b[2K');
    session.say(printable(text));
  };

/** Runs something that uses a queue: problems of the queue are for the user to solve. */
export async function withQueue<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // By its name: importing the class would load what few runs need.
    if (!(error instanceof Error) || error.name !== 'QueueError') throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
