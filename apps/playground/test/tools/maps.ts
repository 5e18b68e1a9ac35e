import { type CompileFormat, compileMap, parseMap } from '@bspkit/compile';
import type { BspFormat } from '@bspkit/core/format';
import { withEllipsoids } from '@bspkit/ellipsoid';
import { compileFixture, type FixtureName } from '@bspkit/fixtures';
import { formatOf } from 'bspkit';
import type { OpenMap } from '../../src/app/open-map.ts';

/** One of our own maps, opened as the page opens it. */
export const openFixture = async (name: FixtureName, id: CompileFormat): Promise<OpenMap> =>
  openBytes(name, id, compileFixture(name, id).bytes);

/** A map from its text. */
export const openText = async (text: string, id: CompileFormat): Promise<OpenMap> =>
  openBytes('text', id, compileMap(parseMap(text), { format: id }).bytes);

async function openBytes(name: string, id: CompileFormat, bytes: Uint8Array): Promise<OpenMap> {
  const format: BspFormat = withEllipsoids((await formatOf(id)) as unknown as BspFormat);
  const file = format.read(bytes);
  const world = format.createWorld([file]);
  return { name, isOwn: true, format, file, world, surfaces: format.polygons(world), bytes, text: undefined };
}
