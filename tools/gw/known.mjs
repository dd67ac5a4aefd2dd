// Words that the service takes as they come: of one that is misspelt a list is empty, as if nothing had happened.
import { list } from './service.mjs';
import { UsageError } from './usage-error.mjs';

/** What the audit log names, by what it was done to. What is tried or refused ends as below. */
export const ACTIONS = {
  client: [
    ...['created', 'updated', 'suspended', 'resumed', 'closed'],
    ...['key_rotated', 'key_revoked', 'signing_secret_rotated', 'reset'],
  ],
  drift: ['resolved'],
  event: ['replayed'],
  events: ['replayed'],
  mail: ['sent'],
  master_key: ['rewrapped'],
  operator: ['created', 'revoked'],
  payee: ['blocked', 'unblocked'],
  payout: ['released', 'retried', 'looked_at', 'failed'],
  rail: ['compared', 'rebound'],
  receiver: ['woken'],
  routes: ['changed'],
  wallet: ['deposit', 'adjustment'],
};
const BESIDE = /_(?:asked|refused)$/;

/** Of an empty list: did nothing happen on that rail, or is there no such rail? */
export async function rowsOfRail(rows, rail) {
  if (rows.length === 0 && rail !== undefined) await knownRails([rail]);
  return rows;
}

/** `counts` says which of the service's rails are meant: unless given, all of them. */
export async function knownRails(wanted, counts = () => true) {
  if (wanted.length === 0) return;
  const names = (await list('/rails')).filter(counts).map(({ name }) => name);
  const missing = wanted.find((name) => !names.includes(name));
  if (missing !== undefined) throw new UsageError(`There is no rail '${missing}', only ${names.join(', ')}.`);
}

export function rowsOfAction(rows, action) {
  if (rows.length > 0 || action === undefined || isAction(action)) return rows;
  const all = Object.entries(ACTIONS).map(([thing, done]) => `\n  ${thing}: ${done.join(', ')}`);
  throw new UsageError(
    `There is no action '${action}'. There are, as in payout.released, and with _asked or _refused:${all.join('')}\n `,
  );
}

function isAction(action) {
  const [thing, done] = action.split('.');
  if (!Object.hasOwn(ACTIONS, thing)) return false;
  return done === undefined || ACTIONS[thing].includes(done) || BESIDE.test(done);
}
