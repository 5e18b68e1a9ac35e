import { fileURLToPath } from 'node:url';

/** A file or folder of the repository, by its path from this application's `src` or, bundled, from its `dist`. */
export const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
