import { h } from './dom.ts';

/**
 * Has the browser print a view as it looks on paper. Browsers print what was on the screen, so paper gets a copy of what is drawn
 * for it: the theme has changed by then.
 */
export function takePrints(view: HTMLElement, canvas: HTMLCanvasElement, draw: () => void): void {
  let paper: HTMLCanvasElement | undefined;
  window.addEventListener('beforeprint', () => {
    draw();
    paper?.remove();
    paper = h('canvas', { class: 'paper', width: String(canvas.width), height: String(canvas.height) });
    paper.getContext('2d')!.drawImage(canvas, 0, 0);
    view.append(paper);
  });
  window.addEventListener('afterprint', () => paper?.remove());
}
