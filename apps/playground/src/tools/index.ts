import { hullFacesOf, sightRulesOf } from '../games/index.ts';
import { solidHulls } from './hulls/solids.ts';
import type { ToolEntry } from './tool.ts';

/** What files of bakes begin with. */
const BAKE: readonly number[] = Array.from('BSPBAKE', (char) => char.charCodeAt(0));

/** The tools, in the order of their buttons. */
export const TOOLS: readonly ToolEntry[] = [
  {
    id: 'shoot',
    title: 'Shoot',
    help: 'Traces rays, boxes and other shapes. Click in the view to shoot from the eye; in Side view, drag the ends.',
    icon: '<circle cx="12" cy="12" r="7"/><path d="M12 2v6M12 16v6M2 12h6M16 12h6"/>',
    keys: [
      ['Click', 'shoot from the eye; the browser’s Back shows the previous shot'],
      ['Drag a handle', 'move an end; by its arrow or with Shift, up and down'],
      ['Arrows, PgUp, PgDn', 'move the focused handle; with Shift, by one unit'],
    ],
    load: async () => (await import('./shoot/tool.ts')).tool,
  },
  {
    id: 'explain',
    title: 'Take apart',
    help: 'A trace through the tree, step by step. Click in the view to take apart a shot from the eye, then see it in Side view; the browser’s Back shows the previous one.',
    icon: '<path d="M12 3v6M12 9 6 15M12 9l6 6"/><circle cx="12" cy="4" r="2"/><circle cx="6" cy="18" r="3"/><circle cx="18" cy="18" r="3"/>',
    keys: [
      ['Click', 'take apart a shot from the eye'],
      [', and .', 'step back and forward'],
    ],
    load: async () => (await import('./explain/tool.ts')).tool,
  },
  {
    id: 'compare',
    title: 'Compare',
    help: 'The same queries through several tracers: how well they agree, how fast they are, and where they differ.',
    icon: '<path d="M4 20V10M10 20V4M16 20v-7M22 20H2"/>',
    keys: [['Click', 'open a difference in Shoot']],
    load: async () => (await import('./compare/tool.ts')).tool,
  },
  {
    id: 'edit',
    title: 'Edit',
    help: 'The source of the map. Change a number, and the map is recompiled and the move retraced.',
    icon: '<path d="m4 20 1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19z"/><path d="m14 7 3 3"/>',
    keys: [
      ['Alt+Up, Alt+Down', 'change the number at the caret by 1'],
      ['Alt+Shift+Up, Alt+Shift+Down', 'move the side at the caret out or in by 8'],
      ['Click', 'find a surface in the text'],
    ],
    lacks: ({ text }) => (text === undefined ? 'source text' : undefined),
    load: async () => (await import('./edit/tool.ts')).tool,
  },
  {
    id: 'hulls',
    title: 'Hulls',
    help: 'The hulls that the map was compiled for, as solids: what the origin of a player of that size collides with.',
    icon: '<path d="M12 3 4 7.5v9L12 21l8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9"/>',
    lacks: (map) => (solidHulls(map).length === 0 ? 'clip hulls' : undefined),
    load: async (map) => (await Promise.all([import('./hulls/tool.ts'), hullFacesOf(map)?.()]))[0].tool,
  },
  {
    id: 'sight',
    title: 'Sight',
    help: 'Lines of sight from cell to cell, with a mask of levels. Drag the two cells, or click where the target stands.',
    icon: '<path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12z"/><circle cx="12" cy="12" r="2.8"/>',
    keys: [['Click', 'put the target there']],
    lacks: (map) => (sightRulesOf(map) ? undefined : 'cells to look from'),
    load: async (map) => (await Promise.all([import('./sight/tool.ts'), sightRulesOf(map)?.()]))[0].tool,
  },
  {
    id: 'paths',
    title: 'Paths',
    help: 'Where actors can go from a cell, coloured by time units, and the path to the cell under the pointer.',
    icon: '<circle cx="5" cy="19" r="2.5"/><circle cx="19" cy="5" r="2.5"/><path d="M7.5 19H14a3.5 3.5 0 0 0 0-7h-4a3.5 3.5 0 0 1 0-7h6.5"/>',
    keys: [
      ['Point at a cell, or tap it', 'show the path to it'],
      ['Click', 'start from a cell'],
    ],
    lacks: ({ format }) => (format.routing ? undefined : 'cells to walk on'),
    load: async () => (await import('./paths/tool.ts')).tool,
  },
  {
    id: 'bake',
    title: 'Bakes',
    help: 'Answers for the whole map, on its surfaces: compute them here, or open what bspkit bake has computed. Its file can be dropped anywhere.',
    icon: '<rect x="3" y="3" width="18" height="18" rx="2"/><path d="M3 9h18M3 15h18M9 3v18M15 3v18"/>',
    keys: [['Click', 'show the value at a place; for sight, what it sees']],
    takes: (bytes) => BAKE.every((byte, k) => bytes[k] === byte),
    load: async () => (await import('./bake/tool.ts')).tool,
  },
];
