/** Does something bit by bit while the page has nothing else to do, until it returns `false`. Returns what ends it before. */
export function inIdleTime(step: () => boolean): () => void {
  let number = 0;
  // Safari does not tell when it is idle. Between two of these it can do anything else.
  const [soon, never] = window.requestIdleCallback
    ? [(go: () => void) => window.requestIdleCallback(go), (id: number) => window.cancelIdleCallback(id)]
    : [(go: () => void) => window.setTimeout(go, 50), (id: number) => window.clearTimeout(id)];
  const go = (): void => {
    if (step()) number = soon(go);
  };
  number = soon(go);
  return () => never(number);
}
