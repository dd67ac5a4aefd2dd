export { readsWhole } from './generic-plan';
export { happening } from './happening';
export { holding, waitedFor } from './holding';
export { type Fate, PostgresProxy, type SeenStatement } from './postgres-proxy';
export { openDb, scratchDatabase, type ScratchDatabase, scratchDb, type ScratchDb } from './scratch-database';
