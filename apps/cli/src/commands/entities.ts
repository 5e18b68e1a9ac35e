import { Command } from 'commander';
import { withMapName } from '../errors.ts';
import { openMap } from '../open-map.ts';
import { escapeControls } from '../printable.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly json?: boolean;
}

export function entitiesCommand(session: Session): Command {
  return new Command('entities')
    .description("list a map's entities with all of their keys")
    .argument('<map>', 'map to inspect')
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
      const entities = withMapName(name, () => map.world.entities());
      if (json) session.out.printJson({ map: map.name, format: map.format.id, entities });
      else session.out.print(entities.map(entityText).join(''));
    });
}

/** An entity as map sources have it. */
function entityText(entity: object): string {
  const lines = Object.entries(entity).map(([key, value]) => `${escapeControls(`"${key}" "${value}"`)}\n`);
  return `{\n${lines.join('')}}\n`;
}
