export { readsWhole } from './generic-plan';
export { happening } from './happening';
export { holding, waitedFor } from './holding';
export { manyJobs, noJobs, rowsRead } from './planned-while-idle';
export { type Fate, PostgresProxy, type SeenStatement } from './postgres-proxy';
export { mostRowsOf } from './most-rows';
export { rowsRemoved } from './rows-removed';
export { openDb, scratchDatabase, type ScratchDatabase, scratchDb, type ScratchDb } from './scratch-database';
