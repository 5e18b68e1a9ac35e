// What a browser is led through, to find the same everywhere: it runs in the page.

import type { PlaygroundHook } from '../src/app/hook.ts';

async function until<T>(what: string, find: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 1200; tries++) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not come`);
}

/** A player runs, jumps and turns aside, in time that passes by our own clock. */
function walk(hook: PlaygroundHook): string {
  if (!hook.setMode('walk')) return 'nobody';
  const press = (type: 'keydown' | 'keyup', key: string, code: string): void => {
    window.dispatchEvent(new KeyboardEvent(type, { key, code, bubbles: true }));
  };
  hook.advance(0.5);
  press('keydown', 'w', 'KeyW');
  hook.advance(2);
  press('keydown', ' ', 'Space');
  hook.advance(0.5);
  press('keyup', ' ', 'Space');
  press('keydown', 'd', 'KeyD');
  hook.advance(1.5);
  press('keyup', 'd', 'KeyD');
  press('keyup', 'w', 'KeyW');
  const { name, origin, velocity } = hook.walker!;
  const shown = (vector: readonly number[]): string =>
    vector.map((x) => (Object.is(x, -0) ? '-0' : x)).join(' ');
  return `${name} at ${shown(origin)}, velocity ${shown(velocity)}`;
}

/** Puts a mistake into the text of the map, and has the page show it; the font is such that lines have no whole number of pixels. */
async function findMistake(): Promise<string> {
  const root = document.documentElement;
  root.style.fontSize = '10.5px';
  const edit = [...document.querySelectorAll<HTMLButtonElement>('.tool')].find(
    ({ textContent }) => textContent === 'Edit',
  )!;
  edit.click();
  const area = await until('the text', () => document.querySelector('textarea') ?? undefined);
  const text = area.value;
  const type = (typed: string): void => {
    area.value = typed;
    area.dispatchEvent(new InputEvent('input'));
  };
  const line = Math.floor(text.split('\n').length / 2);
  type(text.replace(new RegExp(`^(.*\n){${line - 1}}`), '$&mistake'));
  const problem = await until(
    'the mistake',
    () => document.querySelector<HTMLElement>('.tool-problem:not([hidden])') ?? undefined,
  );
  area.scrollTop = 0;
  problem.click();
  const { top, bottom } = document.querySelector('.tool-editor-error')!.getBoundingClientRect();
  const room = area.getBoundingClientRect();
  const isSeen = top >= room.top && bottom <= room.bottom;
  type(text);
  await until('the text without it', () => (problem.hidden ? true : undefined));
  edit.click();
  root.removeAttribute('style');
  return `line ${line} of the text ${isSeen ? 'is seen' : 'is out of sight'}`;
}

/** Opens all tools that the map has, one after the other. */
async function openTools(hook: PlaygroundHook): Promise<string[]> {
  const opened: string[] = [];
  for (const button of document.querySelectorAll<HTMLButtonElement>('.tool:enabled')) {
    const name = button.textContent.trim();
    button.click();
    await until(`the panel of ${name}`, () => {
      const heading = document.querySelector('.panel h2')?.textContent;
      return hook.tool !== undefined && heading === name ? heading : undefined;
    });
    opened.push(name);
    button.click();
    await until(`the end of ${name}`, () => (hook.tool === undefined ? true : undefined));
  }
  return opened;
}

/** Whether a mistake in a text is found, then a line for each map: what was opened, where its player came to, and which tools opened a panel. */
export async function report(): Promise<string[]> {
  const hook = await until('the page', () => window.bspkitPlayground);
  await hook.ready;
  await until('the map', () => performance.getEntriesByName('map-drawn')[0]);
  hook.freeze();
  const stops = [await findMistake()];
  for (const format of ['quake1', 'quake2', 'quake3', 'ufoai']) {
    const bytes = await (await fetch(`/maps/${format}.bsp`)).arrayBuffer();
    await hook.openFile(new File([bytes], `${format}.bsp`));
    const map = await until(format, () => (hook.map?.name === `${format}.bsp` ? hook.map : undefined));
    const walker = walk(hook);
    hook.setMode('orbit');
    const tools = await openTools(hook);
    stops.push(`${map.format}, ${map.triangles} triangles: ${walker}; ${tools.join(', ')}`);
  }
  return stops;
}
