import type { Rig } from '../camera/rig.ts';
import type { Stage } from '../view/stage.ts';
import type { Address } from './address.ts';
import type { CurrentMap } from './current-map.ts';
import type { Frames } from './frames.ts';
import type { Mode, View } from './link.ts';
import type { ToolHost } from './tool-host.ts';

/**
 * What tests and other pages can ask of the page, as `window.bspkitPlayground`. The page itself does not use it.
 */
export interface PlaygroundHook {
  /** Settled when the first map is drawn. */
  readonly ready: Promise<void>;
  /** What is open, and how it is looked at. */
  readonly map: { readonly name: string; readonly format: string; readonly triangles: number } | undefined;
  readonly mode: Mode;
  readonly view: View;
  readonly tool: string | undefined;
  /** Who walks: place and velocity, float32 as numbers; `undefined` where nobody can. */
  readonly walker:
    | { readonly name: string; readonly origin: readonly number[]; readonly velocity: readonly number[] }
    | undefined;
  setMode(mode: Mode): boolean;
  setView(view: View): void;
  /** Stops the clock: from then on time passes by `advance` alone. */
  freeze(): void;
  /** Lets time pass, in frames of 1/60 second, with the keys that are down. Returns the number of frames. */
  advance(seconds: number): number;
  /** Takes down what the walker is told from now on; `false` ends it. Returns what was taken down so far. */
  record(goesOn: boolean): readonly unknown[];
  /** Draws a number of frames and says how long the page's own work took in each, and drawing, in milliseconds. */
  measure(frames: number): { readonly work: readonly number[]; readonly draw: readonly number[] };
  /** Opens a file as if it had been dropped. */
  openFile(file: File): Promise<void>;
  /** Settled when the link is up to date. */
  link(): string;
}

declare global {
  interface Window {
    bspkitPlayground?: PlaygroundHook;
  }
}

/** What of the page the hook tells and sets. */
export interface HookParts {
  readonly ready: Promise<void>;
  readonly stage: Stage;
  readonly rig: Rig;
  readonly current: CurrentMap;
  readonly tools: ToolHost;
  readonly frames: Frames;
  readonly address: Address;
  setMode(mode: Mode): boolean;
  setView(view: View): void;
}

/** The hook of a page. */
export function createHook(parts: HookParts): PlaygroundHook {
  const { ready, stage, rig, current, tools, frames, address, setMode, setView } = parts;
  return {
    ready,
    get map() {
      const map = current.map;
      return map && { name: map.name, format: map.format.id, triangles: stage.triangles };
    },
    get mode() {
      return rig.mode;
    },
    get view() {
      return rig.view;
    },
    get tool() {
      return tools.id;
    },
    get walker() {
      const { walker } = rig;
      return (
        walker && {
          name: walker.name,
          origin: Array.from(walker.origin),
          velocity: Array.from(walker.velocity),
        }
      );
    },
    setMode: (mode) => setMode(mode),
    setView: (view) => setView(view),
    freeze: () => frames.freeze(),
    advance: (seconds) => frames.pass(seconds),
    record(goesOn) {
      const taken = rig.recording ?? [];
      rig.recording = goesOn ? [...taken] : undefined;
      return taken;
    },
    measure: (count) => frames.measure(count),
    openFile: (file) => current.openFiles([file]),
    link() {
      address.write();
      return location.hash;
    },
  };
}
