export { dataSourceOptions } from './data-source';
export { Db, type SqlValue } from './db';
export { DbModule } from './db.module';
export { migrate, NewerDatabase } from './migrate';
export { MIGRATIONS } from './migrations';
export { Signals } from './signals';
export { SingleRunner } from './single-runner';
