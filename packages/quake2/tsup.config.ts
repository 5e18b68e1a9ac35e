import { library } from '../../tsup.base.ts';

export default library({ index: 'src/index.ts', format: 'src/format.ts' });
