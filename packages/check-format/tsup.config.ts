import { library } from '../../tsup.base.ts';

// A module only: Vitest, which it imports, cannot be required.
export default library({ index: 'src/index.ts' }, ['esm']);
