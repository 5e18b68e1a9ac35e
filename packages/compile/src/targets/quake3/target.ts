import { PORTAL_CLASSES } from '../../areas.ts';
import { CONTENTS, contentsToFile } from '../../flags.ts';
import type { ToolMaterial } from '../../materials.ts';
import { type CompileTarget, defineTarget } from '../../target.ts';
import { FILE_CONTENTS, FILE_SURFACE } from './flags.ts';
import { Quake3Writer } from './write.ts';

/** What the game's own shaders say of its tools, where that is not what all games do. */
const TOOLS: Readonly<Record<string, ToolMaterial>> = {
  'common/nodraw': { material: { contents: 'translucent', surface: 'nodraw,nomarks,nonsolid' } },
};

/** Quake 3: IBSP version 46. */
export const quake3: CompileTarget<'quake3'> = /* @__PURE__ */ defineTarget({
  id: 'quake3',
  name: 'Quake 3',
  options: [],
  contents: FILE_CONTENTS,
  surface: FILE_SURFACE,
  // Shaders say what a brush is made of.
  reach: 65536,
  // Not a class of this game, but with it, maps made for the game that has it are divided too.
  worldClasses: PORTAL_CLASSES,
  // What is left out here does not say what a brush does.
  isKnown: ({ contents }) =>
    contentsToFile(
      FILE_CONTENTS,
      contents & ~(CONTENTS.detail | CONTENTS.structural | CONTENTS.translucent),
    ) !== 0,
  keepsUnknown: true,
  gameOf: () => ({ name: 'Quake 3', tools: TOOLS }),
  text: {
    valve: true,
    patches: true,
    signs: /^\ufeff?\/\/ Game: Quake 3$|"target_position"|\b(patchDef2|brushDef|common\/caulk)\s/m,
    sideNumbers: { detail: 0x8000000, complete: false },
  },
  write: (input) => new Quake3Writer(input).write(),
});
