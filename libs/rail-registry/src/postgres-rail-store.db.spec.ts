import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { runRailStoreConformance } from '#libs/rail-kit/testing';
import { PostgresRailStore } from './postgres-rail-store';

let scratch: ScratchDb;
beforeAll(async () => {
  scratch = await scratchDb();
});
afterAll(() => scratch.drop());

runRailStoreConformance((rail) => new PostgresRailStore(scratch.db, rail));
