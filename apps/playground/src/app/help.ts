import type { Controls } from '../camera/controls.ts';
import type { ToolEntry } from '../tools/tool.ts';
import { h, icon } from './dom.ts';
import { ICONS } from './icons.ts';

/** The guides and the API of what the page is made with. */
export const SITE = 'https://bspkit.github.io/bspkit/';

type Keys = readonly (readonly [keys: string, what: string])[];

const MOUSE: Keys = [
  ['Drag', 'turn the view'],
  ['Right drag, Shift drag', 'pan the view'],
  ['Wheel', 'zoom'],
  ['Click', 'use the open tool; without one, in fly and walk, capture the mouse'],
];

const TOUCH: Keys = [
  ['Drag', 'turn the view'],
  ['Two fingers', 'pan the view'],
  ['Pinch', 'zoom'],
  ['Tap', 'use the open tool'],
  ['Stick, Jump, Crouch', 'move in fly and walk; another tap, or a jump, to stand up'],
];

const MOVE: Keys = [
  ['W A S D', 'move'],
  ['Arrows', 'turn'],
  ['Space or E', 'jump, up'],
  ['C or Q', 'crouch, down'],
  ['Shift', 'fly faster'],
  ['M', 'switch between orbit, fly and walk'],
  ['- and =', 'zoom'],
  ['R', 'reset the view'],
  ['L', 'in fly and walk: capture the mouse; Esc releases it'],
];

const PAGE: Keys = [
  ['G', 'use the open tool in the middle of the view'],
  ['X', 'colour by texture, by contents or by slope'],
  ['[ and ]', 'in orbit: lower and raise the cut'],
  ['N', 'switch between dark and light; one of them follows your system'],
  ['O', 'open a file'],
  ['?', 'this help'],
];

/** A link to what the words of the tools mean. */
export const glossaryLink = (text: string): HTMLElement =>
  h('a', { href: `${SITE}documents/Glossary.html`, target: '_blank' }, text);

/** The help on `?`, and where its keys work. */
export function createHelp(tools: readonly ToolEntry[], controls: Controls): HTMLDialogElement {
  const close = h(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': 'Close help', autofocus: true },
    icon(ICONS.close),
  );
  const box = h('input', {
    type: 'checkbox',
    checked: controls.isNarrow,
    onchange: () => controls.narrow(box.checked),
  });
  const keys = [
    section('Move', MOVE),
    section('Page', [[`1 … ${tools.length}`, 'open the tools, in order; again to close'], ...PAGE]),
  ];
  // A device without a mouse may have no keys either.
  const isTouched = matchMedia('(pointer: coarse)').matches;
  const tap = ([key, what]: Keys[number]) => [isTouched && key === 'Click' ? 'Tap' : key, what] as const;
  const own = tools.flatMap(({ title, keys: its }) => (its?.length ? [section(title, its.map(tap))] : []));
  const sections = isTouched
    ? [section('Touch', TOUCH), ...own, ...keys]
    : [section('Mouse', MOUSE), ...keys, ...own];
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-labelledby': 'help-title' },
    h(
      'header',
      {},
      h('h2', { id: 'help-title' }, 'Keys and pointer'),
      h('label', {}, box, 'Keys work only while the view has the focus'),
      close,
    ),
    h(
      'p',
      {},
      'This page traces rays, boxes and players through maps of Quake-family games, as the engines do. Open a tool to see where a move ends and why, or walk around. More in the ',
      h('a', { href: SITE, target: '_blank' }, 'guides and API'),
      '; what the words mean is in the ',
      glossaryLink('glossary'),
      '.',
    ),
    h('div', { class: 'help-columns' }, ...sections),
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

function section(title: string, keys: Keys): HTMLElement {
  const rows = keys.flatMap(([key, what]) => [h('dt', {}, ...keyNames(key)), h('dd', {}, what)]);
  return h('section', {}, h('h3', {}, title), h('dl', {}, ...rows));
}

const KEY = /^([A-Z1-9?,.=[\]-]|Space|PgUp|PgDn|Shift|Alt|Ctrl|Esc|Tab|Enter|Up|Down)$/;

/** Names of keys as keys, those that are pressed together (`Alt+Up`) on one line; words between them as words. */
function keyNames(text: string): (Node | string)[] {
  return text.split(/(\s+)/).flatMap((word): (Node | string)[] => {
    const name = word.length > 1 ? word.replace(/,$/, '') : word;
    const parts = name.split('+');
    if (!parts.every((part) => KEY.test(part))) return [word];
    const keys = parts.flatMap((part, k) => [k > 0 ? '+' : '', h('kbd', {}, part)]);
    return [h('span', {}, ...keys, word.slice(name.length))];
  });
}
