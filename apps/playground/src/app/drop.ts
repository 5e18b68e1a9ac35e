/** Takes files that are dropped anywhere on the page; what they are dropped on looks like a target meanwhile. */
export function takeDrops(target: HTMLElement, open: (file: File) => void): void {
  window.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    target.classList.add('is-target');
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) target.classList.remove('is-target');
  });
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    target.classList.remove('is-target');
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}
