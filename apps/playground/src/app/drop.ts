import { takesText } from '../camera/controls.ts';

/** Takes files that are dropped anywhere on the page; what they are dropped on looks like a target meanwhile. */
export function takeDrops(target: HTMLElement, open: (files: readonly File[]) => void): void {
  window.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    target.classList.add('is-target');
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) target.classList.remove('is-target');
  });
  window.addEventListener('drop', (event) => {
    target.classList.remove('is-target');
    const files = Array.from(event.dataTransfer?.files ?? []);
    // Words that are dragged into a text field belong there; elsewhere, a link would lead away from the page.
    if (files.length === 0 && takesText(event.target)) return;
    event.preventDefault();
    if (files.length > 0) open(files);
  });
}
