// What operators do about payouts: find them, have them looked at, let them go on or give them up.
import { text, time, whole, yes } from './flags.mjs';
import { rowsOfRail } from './known.mjs';
import { call, cut, idOf, list } from './service.mjs';
import { UsageError } from './usage-error.mjs';

const PAYOUT = [
  'id',
  'client',
  'payeeId',
  'status',
  'failureKind',
  'statusReason',
  'amountCents',
  'currency',
  'provider',
  'ref',
  'createdAt',
];

const RELEASED = ['id', 'clientId', 'amountCents', 'currency', 'createdAt', 'status', 'statusReason', 'error'];

const payout = (step, does) => ({ does, args: ['payout'], run: ([id]) => call('POST', `/payouts/${id}/${step}`) });

async function payouts(_, flags) {
  const { client, status, payee, ref, rail, from, to, limit = 100 } = flags;
  if (flags.amount !== undefined && client === undefined && payee === undefined && from === undefined)
    throw new UsageError(
      '--amount needs --client, --payee or --from: of all payouts there ever were it would look for ever.',
    );
  const { 'provider-ref': providerRef, 'rail-key': railKey, key: idempotencyKey, amount: amountCents } = flags;
  const query = {
    ...{ clientId: client && (await idOf('client', client)), payeeId: payee },
    ...{ status, provider: rail, createdFrom: from, createdTo: to },
    reasonCode: flags.reason,
    ...{ ref, providerRef, railKey, idempotencyKey, amountCents },
    order: flags.oldest ? 'oldest' : undefined,
  };
  return rowsOfRail(await list('/payouts', query, { enough: limit, cursor: 'cursor2' }), rail);
}

/** Each of them for a cause of its own. */
function unreleased(rows) {
  const refused = rows.filter(({ error }) => error);
  if (refused.length === 0) return null;
  const lines = refused.map(({ id, error, message }) => `\n  ${id} ${error}: ${message}`);
  return `${refused.length} of ${rows.length} were not released:${lines.join('')}`;
}

/** What a long table does not say at a glance: before, what it would cost; after, what became of them. */
function totals(rows, { 'dry-run': dryRun }) {
  if (rows.length === 0) return null;
  if (dryRun) return `Together ${perCurrency(rows)}.`;
  const released = rows.filter(({ error }) => !error);
  const [paid, failed, again] = ['paid', 'failed', 'held'].map(
    (one) => released.filter(({ status }) => status === one).length,
  );
  const others = released.length - paid - failed - again;
  const said = [`${paid} paid`, `${others} under way`, `${failed} failed`, `${again} held again`];
  return `Of ${rows.length}: ${said.join(', ')}, ${rows.length - released.length} not released.`;
}

function perCurrency(rows) {
  return [...new Set(rows.map(({ currency }) => currency))]
    .sort()
    .map((currency) => {
      const ofIt = rows.filter((row) => row.currency === currency);
      const cents = ofIt.reduce((sum, { amountCents }) => sum + amountCents, 0);
      return `${ofIt.length} of ${currency}, ${cents} in minor units`;
    })
    .join('; ');
}

/** Page after page: each is released before the next one is asked for. */
async function releaseHeld(_, { reason, client, before, 'dry-run': dryRun, limit = Infinity }) {
  const clientId = client ? await idOf('client', client) : undefined;
  const released = [];
  let cursor;
  do {
    const wanted = { reason, clientId, before, dryRun, cursor, limit: Math.min(20, limit - released.length) };
    const page = await call('POST', '/payouts/release', wanted);
    released.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && released.length < limit);
  return cursor === undefined ? released : cut(released);
}

export const PAYOUT_COMMANDS = {
  'payouts list': {
    does: 'Lists payouts of all clients, newest first.',
    flags: {
      client: text('client', 'only of this one, by name or id'),
      status: text('word', 'requested, authorized, submitted, held, failed, paid or returned'),
      reason: text(
        'code',
        'only held or failed for this, such as not_payable; of what failed with --client, --payee or --from',
      ),
      payee: text('id', 'only to this payee'),
      ref: text('text', "only with this reference of the caller's"),
      key: text('text', "only with this idempotency key of the caller's"),
      'provider-ref': text('text', "only with this payment id of the rail's"),
      'rail-key': text('text', 'only with this code, by which its rail knows it'),
      rail: text('name', 'only over this rail'),
      amount: whole('cents', 'only of this amount, in minor units: 1250 is 12.50; with --client, --payee or --from'),
      oldest: yes('oldest first'),
      from: time('created then or later'),
      to: time('created before then'),
      limit: whole('n', 'so many at most; default 100'),
    },
    columns: PAYOUT,
    run: payouts,
  },
  'payouts show': {
    does: 'Shows any payout: its reason, its trail, its last send, what its rail said last, and when its turn is.',
    args: ['payout'],
    run: ([id]) => call('GET', `/payouts/${id}`),
  },
  'payouts release': payout('release', 'Puts a held payout to its gates again.'),
  'payouts retry': payout('retry', 'Tries a payout again that failed for a passing cause.'),
  'payouts fail': {
    does: "Gives up a payout that has not left, or that failed, for good: an operator's cancel. What came back stays as it is (--never-seen).",
    args: ['payout'],
    forGood: 'That payout would be given up for good, and its owed rows may leave by another one.',
    flags: {
      reason: text('text', 'kept with the payout'),
      'never-seen': yes(
        'you found out that its rail never saw it, or that what came back is not out again, and it cannot be asked; for admins',
      ),
    },
    run: ([id], { reason, 'never-seen': neverSeen }) => call('POST', `/payouts/${id}/fail`, { reason, neverSeen }),
  },
  'payouts look': {
    does: 'Has a payout looked at now; answers before its rail did.',
    args: ['payout'],
    run: ([id]) => call('POST', `/payouts/${id}/look`),
    note: () => 'That is how it was: its rail is asked now, and gw payouts show says in a moment what it said.',
  },
  'payouts release-held': {
    does: 'Puts payouts that are held for one reason to their gates again, oldest first.',
    flags: {
      reason: text('code', 'what holds them, such as not_payable'),
      client: text('client', 'only of this one, by name or id'),
      before: time('only those made before then'),
      limit: whole('n', 'so many at most; default all'),
      'dry-run': yes('releases nothing, and lists what it would'),
    },
    needs: ['reason'],
    forGood: 'Each of them would be paid at once where nothing else holds it: see which by --dry-run.',
    when: (flags) => !flags['dry-run'],
    whenSaid: 'unless --dry-run',
    columns: RELEASED,
    totals,
    undone: unreleased,
    run: releaseHeld,
  },
};
