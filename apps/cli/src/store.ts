import type { BakeStore } from '@bspkit/bake';
import { openFileStore } from '@bspkit/bake/file';
import type { Session } from './session.ts';
import { checkTarget, withFileName } from './sink.ts';

/** A file that grows while chunks are answered. */
export interface OpenStore {
  /** Its errors name the file. */
  readonly store: BakeStore;
  close(): Promise<void>;
}

/**
 * Opens a file that grows, or makes it.
 * @throws (rejects with) UsageError for a file that cannot be written, or that this run reads.
 */
export async function openStore(name: string, session: Session): Promise<OpenStore> {
  const named = <T>(run: () => T | Promise<T>): Promise<T> => withFileName(name, run);
  await checkTarget(name, session);
  const file = await named(() => openFileStore(session.path(name), name));
  return {
    store: {
      name,
      size: file.size,
      read: (at, length) => named(() => file.read(at, length)),
      append: (at, part) => named(() => file.append(at, part)),
      replace: (parts) => named(() => file.replace(parts)),
    },
    close: () => named(() => file.close()),
  };
}
