import { type Command, Option } from 'commander';
import {
  type Numbers,
  type Point,
  parseBox,
  parseCapsule,
  parseCount,
  parseNumber,
  parsePoint,
} from './arguments.ts';
import { UsageError } from './errors.ts';

/** What a user said about a tracer: its shape, its filter and what it is against. */
export interface TracerOptions {
  readonly box?: Numbers;
  readonly sphere?: number;
  readonly exact?: boolean;
  readonly capsule?: Numbers;
  readonly hull?: number;
  readonly precise?: boolean;
  readonly levels?: string;
  readonly engine?: boolean;
  readonly mask?: string;
  readonly epsilon?: number;
  readonly curves: boolean;
  readonly model?: number;
  readonly origin?: Point;
  readonly angles?: Point;
}

/** Options that not every format has. */
export type FormatOption = Exclude<keyof TracerOptions, 'box'>;

const SHAPES = ['box', 'sphere', 'capsule', 'hull'] as const;

/** Adds the options of {@link TracerOptions} to a command. */
export function addTracerOptions(command: Command): Command {
  const shape = (flags: string, text: string): Option => {
    const option = new Option(flags, text).helpGroup('Shape (a ray unless told):');
    const others = SHAPES.filter((name) => name !== option.attributeName());
    return others.length < SHAPES.length ? option.conflicts(others) : option;
  };
  const filter = (flags: string, text: string): Option =>
    new Option(flags, text).helpGroup('What is in the way:');
  const options = [
    shape('--box <x,y,z,x,y,z>', 'a box by its lowest and highest corner').argParser(parseBox),
    shape('--sphere <radius>', 'a sphere (Quake 3)').argParser(parseNumber),
    shape('--exact', 'round its edges and corners truly'),
    shape('--capsule <radius,height>', 'an upright capsule, or the box around it (Quake 3)').argParser(
      parseCapsule,
    ),
    shape('--hull <n>', 'a hull that the map was compiled for (Quake 1)').argParser(parseCount),
    shape('--precise', 'a ray in double precision that keeps no distance (Quake 1)'),
    filter('--mask <names>', 'contents by name or number: solid,playerClip (Quake 3, UFO:AI boxes)'),
    filter('--levels <list>', 'levels and clips: 1,3,actorClip; or a number as the game has it (UFO:AI)'),
    filter('--engine', 'with all oddities of the game (UFO:AI)'),
    filter('--epsilon <units>', 'distance kept from surfaces, 0.125 unless told (Quake 3)').argParser(
      parseNumber,
    ),
    filter('--no-curves', 'leave curved patches out (Quake 3)'),
    filter('--model <k>', 'the inline model *k instead of the world').argParser(parseCount),
    filter('--origin <x,y,z>', 'where the model stands').argParser(parsePoint),
    filter('--angles <pitch,yaw,roll>', 'how it is turned, in degrees (Quake 3, UFO:AI)').argParser(
      parsePoint,
    ),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

/** The model that was asked for; 0 for the world. Throws `UsageError` for a pose without a model, or no such model. */
export function askedModel({ model = 0, origin, angles }: TracerOptions, numModels: number): number {
  if (model === 0 && (origin || angles)) {
    throw new UsageError('--origin and --angles belong to a --model: the world does not move');
  }
  if (model > numModels) {
    const range = numModels === 0 ? 'none' : numModels === 1 ? '*1 alone' : `*1 to *${numModels}`;
    throw new UsageError(`there is no model *${model}: the map has ${range}`);
  }
  return model;
}
