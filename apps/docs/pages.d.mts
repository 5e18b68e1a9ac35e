export const SITE: string;
export const REPOSITORY: string;
export function finished(
  html: string,
  links: { pageOf(path: string): string | undefined; to(name: string): string },
): string;
export function notFound(home: string): string;
