// What operators do about work that waits: payouts looked at or let go on, and the jobs behind them.
import { text, whole, yes } from './flags.mjs';
import { call, idOf, list } from './service.mjs';

const RELEASED = ['id', 'clientId', 'amountCents', 'currency', 'createdAt', 'status', 'statusReason', 'error'];

/** Each of them for a cause of its own. */
function unreleased(rows) {
  const refused = rows.filter(({ error }) => error);
  if (refused.length === 0) return null;
  const lines = refused.map(({ id, error, message }) => `\n  ${id} ${error}: ${message}`);
  return `${refused.length} of ${rows.length} were not released:${lines.join('')}`;
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
  return released;
}

export const WORK_COMMANDS = {
  'payouts look': {
    does: 'Has a payout looked at now; answers before its rail did.',
    args: ['payout'],
    run: ([id]) => call('POST', `/payouts/${id}/look`),
  },
  'payouts release-held': {
    does: 'Puts payouts that are held for one reason to their gates again, oldest first.',
    flags: {
      reason: text('code', 'what holds them, such as not_payable'),
      client: text('client', 'only of this one, by name or id'),
      before: text('time', 'only those made before then, ISO 8601: 2026-11-01T00:00:00Z'),
      limit: whole('n', 'so many at most; default all'),
      'dry-run': yes('releases nothing, and lists what it would'),
    },
    needs: ['reason'],
    forGood: 'Each of them would be paid at once where nothing else holds it: see which by --dry-run.',
    when: (flags) => !flags['dry-run'],
    whenSaid: 'unless --dry-run',
    columns: RELEASED,
    undone: unreleased,
    run: releaseHeld,
  },
  'jobs list': {
    does: 'Lists work that waits, what is due first.',
    flags: {
      name: text('word', 'only of this kind, such as payout.drive'),
      about: text('id', 'only about this payout, payee, event, mail or client'),
      limit: whole('n', 'so many at most; default 100'),
    },
    columns: ['name', 'entityId', 'lane', 'runAt', 'attempts', 'taken', 'lastError'],
    run: (_, { name, about, limit = 100 }) => list('/jobs', { name, entityId: about }, { enough: limit }),
  },
  'jobs backlog': {
    does: 'Shows how much work of each kind waits, and how late it is.',
    columns: ['name', 'waiting', 'due', 'lateSeconds'],
    run: () => list('/jobs/backlog'),
  },
};
