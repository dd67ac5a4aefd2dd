export { openDb, scratchDatabase, type ScratchDatabase, scratchDb, type ScratchDb } from './scratch-database';
