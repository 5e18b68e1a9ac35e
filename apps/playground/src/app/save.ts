import { h } from './dom.ts';

/** Gives something to the user as a file. */
export function saveFile(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content]));
  h('a', { href: url, download: name }).click();
  // Once the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
