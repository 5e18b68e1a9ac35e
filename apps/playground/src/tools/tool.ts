import type { Vec3 } from '@bspkit/core';
import type { Object3D } from 'three';
import type { OpenMap } from '../app/open-map.ts';

// What the page and its tools know of each other. A tool is a panel, what it draws into the scene, and what it does
// with the pointer. Everything is in Quake units with Z up; three.js is used in the same units and axes, so that a
// point of a trace is a point of the scene.

/** Whatever JSON can hold: what a link keeps of a tool. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A point on a drawn surface. */
export interface Pick {
  readonly point: Vec3;
  /** Of the triangle, towards the eye. */
  readonly normal: Vec3;
  /** Distance from the eye, in Quake units. */
  readonly distance: number;
  /** Texture or shader by its number in the file, -1 for none, and contents, as the format codes them. */
  readonly texture: number;
  readonly contents: number;
}

/** What the pointer did on the view. */
export interface ToolPointer {
  /** `click`: the button is up again after a press that nobody took, at the same place. */
  readonly type: 'down' | 'move' | 'up' | 'cancel' | 'click';
  /** In CSS pixels from the view's upper left corner. */
  readonly x: number;
  readonly y: number;
  /** 0: left or touch, 1: middle, 2: right. */
  readonly button: number;
  /** Whether the button is down, for moves. */
  readonly isDown: boolean;
  readonly isTouch: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

/** How the user looks at the map. */
interface ToolCamera {
  /** The eye. Kept up to date; copy it to keep it. */
  readonly position: Vec3;
  /** Unit vector of where the eye looks. */
  readonly direction: Vec3;
  /** Looks at a line from the side. Leaves walking for flying. */
  lookAt(from: Vec3, to: Vec3): void;
}

/** What a compiler in a worker made of `.map` text. */
export type Compiled =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly warnings: readonly MapProblem[] }
  | {
      readonly ok: false;
      readonly problem: MapProblem;
      /** Whether it is map text at all, so that another game may have what this one cannot. */
      readonly isMapText: boolean;
    };

/** Something wrong or odd in `.map` text. */
export interface MapProblem {
  readonly message: string;
  /** Line, from 1, where it is known. */
  readonly line: number | undefined;
  readonly entity: number | undefined;
  readonly brush: number | undefined;
}

/** What a tool is given. The same object for as long as a tool is mounted; what it holds changes. */
export interface ToolContext {
  /** The map that is open. After a change `worldChanged` is called. */
  readonly map: OpenMap;
  /** Where tools draw. What is added is drawn with the map; whoever adds it disposes of it. */
  readonly scene: { add(object: Object3D): void; remove(object: Object3D): void };
  readonly camera: ToolCamera;
  /** Over the view, in CSS pixels, for labels; takes no pointer events by itself. */
  readonly overlay: HTMLElement;
  /** What the link keeps of this tool: what it had when the link was opened, and what it is to keep now. */
  readonly state: { get(): Json | undefined; set(state: Json | undefined): void };
  /** Leaves what is shown behind in the browser's history: what is set from now on comes after it, and Back leads to it. */
  leaveBehind(): void;
  /** Colours of the theme for materials, as three.js takes them; `themeChanged` is called when they change. */
  readonly colors: Readonly<Record<'hit' | 'ray' | 'miss' | 'warning' | 'a' | 'b' | 'c' | 'd', string>>;
  /** Draws a frame soon. Nothing is drawn while nothing changes. */
  requestRender(): void;
  /** What is drawn at a place of the view: the map's surfaces, those that are hidden or cut away aside. */
  pick(x: number, y: number): Pick | undefined;
  /** The line of sight through a place of the view: its start at the eye, and its unit direction. */
  sightLine(x: number, y: number): { readonly start: Vec3; readonly direction: Vec3 };
  /**
   * The distance along that line from which on the map is shown: more than 0 for an eye outside of it, if what is nearer is
   * cut away, or is only seen from behind, as the walls of a room are.
   */
  shownFrom(x: number, y: number): number;
  /** Where a point is on the view, in CSS pixels; `undefined` behind the eye. */
  project(point: Vec3): { readonly x: number; readonly y: number } | undefined;
  /** Compiles text in a worker. A later call makes an earlier one that has not ended reject with `AbortError`. */
  compile(text: string, format: string): Promise<Compiled>;
  /**
   * Opens bytes in place of the map: the view stays where it is. Calls `worldChanged` on the tool once it is drawn.
   * Throws (rejects with) `BspError`.
   */
  replaceMap(bytes: Uint8Array, text: string | undefined): Promise<void>;
  /**
   * Text that was typed in place of the map's but is not what the map is made of: it may not compile. The page keeps it with
   * the map, also while no tool is open.
   */
  readonly draft: { get(): string | undefined; set(text: string | undefined): void };
  /** Gives text to the user as a file, named after the map. */
  saveText(text: string): void;
  /** Puts another tool in this one's place, with `state` as its link state. Does nothing where there is no such tool. */
  openTool(id: string, state: Json): void;
  /** Says something in the status line, which screen readers read out. */
  announce(message: string): void;
}

/** A tool that is in use. */
export interface MountedTool {
  /** What the pointer did; `true` if that was for the tool, so that the camera leaves it alone until the button is up. */
  pointer?(event: ToolPointer): boolean;
  /** A key that the page has no use for; `true` if the tool had one. */
  key?(event: KeyboardEvent): boolean;
  /** Before a frame is drawn. `seconds` since the last one; while nothing moves there are no frames. */
  update?(seconds: number): void;
  /** A file that is for this tool, by {@link ToolEntry.takes}. */
  file?(name: string, bytes: Uint8Array): Promise<void>;
  /** Another map is open, or this one was replaced. Resolves once the controls are those for it, if it takes a while. */
  worldChanged?(): void | Promise<void>;
  /** The colours are others. */
  themeChanged?(): void;
  /** Takes everything away that it added. */
  dispose(): void;
}

/** A tool. Its module is loaded at its first use. */
export interface Tool {
  mount(panel: HTMLElement, context: ToolContext): MountedTool;
}

/** What the page shows of a tool before it is used. */
export interface ToolEntry {
  /** As links name it. */
  readonly id: string;
  /** One or two words for its button. */
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly help: string;
  /** Body of an SVG of 24 by 24, drawn by strokes: `<path d="…"/>`. */
  readonly icon: string;
  /** Keys for the help on `?`: what is pressed, and what it does. */
  readonly keys?: readonly (readonly [keys: string, what: string])[];
  /** Whether a file that is dropped is for this tool, by its beginning. */
  takes?(bytes: Uint8Array): boolean;
  /** What a map does not have that it cannot do without, such as `source text`; left out where it is for all maps. */
  lacks?(map: OpenMap): string | undefined;
  /** Loads it, and what it needs for the game of a map. */
  load(map: OpenMap): Promise<Tool>;
}
