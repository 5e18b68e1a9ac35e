import type { AnyBakeKind } from '../kind.ts';
import { batch } from './batch.ts';
import { clearance } from './clearance.ts';
import { exposure } from './exposure.ts';
import { occlusion } from './occlusion.ts';
import { routing } from './routing.ts';
import { sight } from './sight.ts';

/** All built-in kinds. */
export const BAKE_KINDS: readonly AnyBakeKind[] = [batch, occlusion, sight, clearance, exposure, routing];
