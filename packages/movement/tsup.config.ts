import { library } from '../../tsup.base.ts';

export default library({ index: 'src/index.ts', rows: 'src/rows.ts' });
