/** A choice of the user's from an earlier visit; storage may be forbidden, or have none. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a choice for the next visit, or forgets it. Where storage is forbidden, it lasts as long as the page. */
export function keep(name: string, choice: string | undefined): void {
  try {
    if (choice === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, choice);
  } catch {}
}
