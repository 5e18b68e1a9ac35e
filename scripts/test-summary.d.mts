export function summarize(
  root: string,
  path: string,
  projects: readonly string[],
  isTitled: boolean,
): boolean;
