import type { Bounds, Vec3 } from '@bspkit/core';
import type { Place, PusherScene } from '../pusher-parts.ts';
import type { Quake3State } from './state.ts';

/** What rows need of scenes. */
export interface RowScene extends PusherScene {
  add(collider: object, options: object): number;
}

/** A scene that notes in which order bodies are linked. */
export class NotingScene implements PusherScene {
  readonly links: number[] = [];
  readonly rules: string;
  readonly traceOptions: readonly string[] | undefined;
  private readonly _scene: RowScene;
  /** Players who are linked in whole numbers, with their boxes. */
  private readonly _shifted: Map<number, Bounds> = new Map();

  constructor(scene: RowScene) {
    this._scene = scene;
    this.rules = scene.rules;
    this.traceOptions = scene.traceOptions;
  }

  has(body: number): boolean {
    return this._scene.has(body);
  }

  pose(...given: Parameters<PusherScene['pose']>): unknown {
    return this._scene.pose(...given);
  }

  ownBounds(...given: Parameters<PusherScene['ownBounds']>): unknown {
    return this._scene.ownBounds(...given);
  }

  linkedBounds(...given: Parameters<PusherScene['linkedBounds']>): unknown {
    return this._scene.linkedBounds(...given);
  }

  linked(...given: Parameters<PusherScene['linked']>): number {
    return this._scene.linked(...given);
  }

  box(...given: Parameters<PusherScene['box']>): ReturnType<PusherScene['box']> {
    return this._scene.box(...given);
  }

  move(body: number, { origin, angles }: Partial<Place>): void {
    this.links.push(body);
    const bounds = this._shifted.get(body);
    this._shifted.delete(body);
    this._scene.move(body, { origin, angles, bounds });
  }

  /**
   * Links a player who has moved: the game does so at whole numbers, about which its box is linked, but traces against the box where
   * the player is.
   */
  link({ entity, origin, mins, maxs }: Quake3State): void {
    const shift = (corner: Vec3): number[] =>
      Array.from(corner, (x, k) => Math.trunc(origin[k]!) - origin[k]! + x);
    this._scene.move(entity, { origin, bounds: { mins: shift(mins), maxs: shift(maxs) } });
    this._shifted.set(entity, { mins, maxs });
  }

  /** Whether a body was linked in whole numbers. */
  isShifted(body: number): boolean {
    return this._shifted.has(body);
  }
}
