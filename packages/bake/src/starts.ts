import { type BspWorld, type Entity, entityVector } from '@bspkit/core';
import { checkKind, checkObject } from '@bspkit/core/format';

/**
 * Class names of places where players begin, in all games; not cameras of intermissions, things that are spawned while a game
 * runs, or the corners of fields for units of two by two cells, where no player fits.
 */
const STARTS =
  /^(info_player(?!_intermission$)|info_(?!2x2_)\w+_start|(info|team)_\w+spawn$|team_\w+player$|testplayerstart$)/;

/** Whether players begin at an entity, according to its class name. Throws TypeError for anything but an entity. */
export function isStart(entity: Entity): boolean {
  checkObject(entity, 'entity');
  return STARTS.test(String(entity.classname));
}

/**
 * Where players begin: the origins of entities whose class names say so, three numbers each; if there are none, those of
 * all entities that have one.
 *
 * @throws BspError when the entities' text does not parse.
 */
export function startsOf(world: BspWorld): Float32Array {
  checkKind(typeof world?.entities === 'function', world, 'world', 'a world, as openBsp opens it');
  const placed = world.entities().flatMap((entity) => {
    const origin = entityVector(entity, 'origin');
    return origin ? [{ origin, begins: isStart(entity) }] : [];
  });
  const starts = placed.filter(({ begins }) => begins);
  return Float32Array.from((starts.length > 0 ? starts : placed).flatMap(({ origin }) => origin));
}
