/** A rail called toy, alone in its deployment, and how it is called: for the specs of those who call rails. */
import { DatabaseClock, type Db } from '#libs/db';
import type { RailOrder } from '#libs/rail-kit';
import { RailCaller } from '../src/rail-caller';
import { RailIdentity } from '../src/rail-identity';
import { RailLanes } from '../src/rail-lanes';
import { RailPauses } from '../src/rail-pauses';
import { Rails, type RegisteredRail } from '../src/rails';

export interface LoneRail {
  rails: Rails;
  calls: RailCaller;
}

export interface Surroundings {
  traits?: RegisteredRail['traits'];
  /** In place of a database that knows nothing, and where nothing is changed. */
  db?: Partial<Record<keyof Db, unknown>>;
}

export const ORDER: RailOrder = {
  railKey: 'gw1',
  payoutId: 'p',
  amountCents: 1_000,
  currency: 'USD',
  payee: { id: 'x', externalId: 'x', email: null, name: null, country: null },
  payeeKey: 'gw-payee',
  payerName: null,
  accountId: null,
  reason: null,
};

/** Of the rail only what a spec is about needs to be there. */
export function loneRail(rail: object, { traits = NO_TRAITS, db: own = {} }: Surroundings = {}): LoneRail {
  const db = { ...EMPTY, ...own } as unknown as Db;
  const definition = { name: 'toy', settings: [] };
  const rails = new Rails([{ definition, traits, rail: rail as RegisteredRail['rail'], missingSettings: [] }], 'here');
  const lanes = new RailLanes(db);
  const pauses = new RailPauses(rails, lanes);
  return { rails, calls: new RailCaller(rails, pauses, new RailIdentity(db, lanes), db, new DatabaseClock()) };
}

const NO_TRAITS = {} as RegisteredRail['traits'];
const EMPTY = { assertNoTransaction: () => undefined, execute: async () => 0, row: async () => null };
