import './style/page.css';
import { App } from './app/app.ts';
import { h } from './app/dom.ts';
import { Compiler } from './loading/compiler.ts';
import { Stage } from './view/stage.ts';

const root = document.querySelector<HTMLElement>('#app')!;
// First, so that the arena is compiled while the page is built.
const compiler = new Compiler();
const stage = createStage();
if (stage) {
  const app = new App(root, stage, compiler);
  const ready = app.start();
  window.bspkitPlayground = app.hook(ready);
  // Once there is something to see: it fetches all that the page has, for the time when there is no network. Browsers that are to
  // keep nothing refuse.
  if (import.meta.env.PROD)
    void ready.then(() =>
      setTimeout(() => navigator.serviceWorker?.register('./service-worker.js').catch(() => {}), 1000),
    );
}

/** The view, or a word to those whose browser cannot draw it. */
function createStage(): Stage | undefined {
  try {
    return new Stage();
  } catch {
    const text =
      'This page needs WebGL 2, which this browser does not offer at the moment. Hardware acceleration may be off in its settings.';
    root.replaceChildren(h('p', { class: 'fatal', role: 'alert' }, text));
    return undefined;
  }
}
