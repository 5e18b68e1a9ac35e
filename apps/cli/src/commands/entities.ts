import { parseEntities } from '@bspkit/core';
import { Command } from 'commander';
import { withMapName } from '../errors.ts';
import { MAP_FORMS } from '../maps.ts';
import { openMap } from '../open-map.ts';
import { escapeControls, printable } from '../printable.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly json?: boolean;
}

export function entitiesCommand(session: Session): Command {
  return new Command('entities')
    .description("list a map's entities with all of their keys")
    .argument('<map>', MAP_FORMS)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  bspkit entities demo:arena
  bspkit entities demo:house --json`,
    )
    .action((name: string, { json }: Options) => {
      const map = openMap(name, session);
      const head = { map: map.name, format: map.format.id };
      if (map.file) {
        const entities = withMapName(name, () => map.world.entities());
        if (json) session.out.printJson({ ...head, entities });
        else session.out.print(entities.map(entityText).join(''));
        return;
      }
      const parts = map.parts.map(({ name: part, offset, file }) => ({
        ...{ name: part, offset: Array.from(offset) },
        entities: withMapName(part, () => parseEntities(file.entities, map.format.id)),
      }));
      if (json) session.out.printJson({ ...head, parts });
      else session.out.print(parts.map(partText).join(''));
    });
}

/** The entities of one part of an assembly, as they are in its file. */
const partText = (part: { readonly name: string; readonly entities: readonly object[] }): string =>
  `// ${printable(part.name)}\n${part.entities.map(entityText).join('')}`;

/** An entity as in map sources. */
function entityText(entity: object): string {
  const lines = Object.entries(entity).map(([key, value]) => `${escapeControls(`"${key}" "${value}"`)}\n`);
  return `{\n${lines.join('')}}\n`;
}
