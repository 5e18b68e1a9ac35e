import { application } from '../../tsup.base.ts';

export default application(['src/main.ts']);
