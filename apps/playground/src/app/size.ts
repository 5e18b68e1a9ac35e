/**
 * Calls `fit` whenever an element may have another number of pixels: when its size changes, and when the window comes to another
 * screen, where its place may be as large as before in CSS pixels.
 */
export function watchSize(element: HTMLElement, fit: () => void): void {
  new ResizeObserver(fit).observe(element);
  watchResolution(fit);
}

function watchResolution(fit: () => void): void {
  const change = (): void => {
    fit();
    // Of another resolution now.
    watchResolution(fit);
  };
  const now = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  now.addEventListener('change', change, { once: true });
}
