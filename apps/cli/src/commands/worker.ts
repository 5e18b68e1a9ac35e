import { count } from '@bspkit/words';
import { Command, Option } from 'commander';
import { wholeUpTo } from '../arguments.ts';
import { MapError, UsageError } from '../errors.ts';
import { parseJobs, threadsFile } from '../executors.ts';
import { checkFolder } from '../map-source.ts';
import { QUEUE_HELP, queueNote, queueOption, queueUrl, withQueue } from '../queue.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly queue: string;
  readonly jobs?: number;
  readonly maps?: string;
  readonly idle?: number;
  readonly lock: number;
  readonly limit: number;
  readonly patience: number;
}

const MOST_SECONDS = 86_400;

/** A signal this soon after another is the same one: npm passes on a Ctrl-C that the terminal has already sent. */
const SAME_SIGNAL_MS = 500;

/** Notes that a folder of maps is not there. It may be mounted later; but its name may also be mistyped. */
function noteAbsent(folder: string, session: Session, note: (text: string) => void): void {
  try {
    checkFolder(folder, session);
  } catch (error) {
    if (!(error instanceof MapError)) throw error;
    note(`${error.message}; until it can be read, maps come from the queue`);
  }
}

export function workerCommand(session: Session): Command {
  const seconds = (flag: string, what: string, byDefault?: number): Option => {
    const option = new Option(`${flag} <seconds>`, what).argParser(wholeUpTo(MOST_SECONDS));
    return byDefault === undefined ? option : option.default(byDefault);
  };
  return new Command('worker')
    .description('answer chunks of batch and bake from a queue')
    .addOption(queueOption('the queue, as for batch and bake').makeOptionMandatory())
    .addOption(new Option('--jobs <n>', 'number of threads; by default one per core').argParser(parseJobs))
    .option('--maps <place>', 'folder with maps, or URL with SHA256.bsp for each, to look in first')
    .addOption(seconds('--idle', 'exit after this long without a chunk; by default keep waiting'))
    .addOption(seconds('--lock', 'if the worker is silent for this long, others get its chunks', 10))
    .addOption(seconds('--limit', 'longest time for a chunk', 600))
    .addOption(seconds('--patience', 'how long to wait for a queue that is away', 60))
    .addHelpText(
      'after',
      `
Start any number of workers, on any machines, with the same version of bspkit.
Each fetches what it needs through the queue, but never code, and no map above
256 MB: that must be in --maps. After Ctrl-C a worker finishes its chunks and
ends; after a second one it gives them back. If a worker is killed, nothing is
lost: others take its chunks.

${QUEUE_HELP}

Examples:
  bspkit worker --queue redis://farm:6379 --jobs 8
  bspkit bake q3dm1.bsp --kind sight --out a.bake --queue redis://farm:6379`,
    )
    .action(async ({ queue, jobs, maps, ...options }: Options) => {
      const { runQueueWorker } = await import('@bspkit/bake/queue');
      const note = queueNote(session);
      const isFolder = maps !== undefined && !/^https?:/i.test(maps);
      if (isFolder) noteAbsent(maps, session, note);
      const [stop, hurry] = [new AbortController(), new AbortController()];
      let stopped = 0;
      const off = session.io.onSignal?.(() => {
        const now = performance.now();
        if (!stop.signal.aborted) {
          stopped = now;
          note('ending after any chunks at hand; Ctrl-C again gives them back');
          stop.abort();
        } else if (now - stopped > SAME_SIGNAL_MS) hurry.abort();
      });
      try {
        const { answered, failed } = await withQueue(() =>
          runQueueWorker({
            ...options,
            url: queueUrl(queue, session),
            threads: jobs,
            formats: session.entries,
            worker: threadsFile(session),
            maps: isFolder ? session.path(maps) : maps,
            note,
            signal: stop.signal,
            hurry: hurry.signal,
          }),
        );
        note(`answered ${count(answered, 'chunk')}${failed > 0 ? `; ${failed} failed` : ''}`);
      } catch (error) {
        // Errors about the command's own arguments; errors of chunks are reported to the coordinator.
        if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
        throw error;
      } finally {
        off?.();
      }
    });
}
