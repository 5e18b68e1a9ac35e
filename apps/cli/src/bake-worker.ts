import { serveBake } from '@bspkit/bake/pool';
import { knownFormats } from './own-formats.ts';

// The threads of bakes for users who have added formats: they have the environment and the folder of the command.

serveBake({ formats: await knownFormats({ env: process.env, cwd: process.cwd() }) });
