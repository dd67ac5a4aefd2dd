// Every command: what it does, what it takes, what it asks the service, and the columns a person looks for. An argument
// called client, operator, key, payout or payee reaches `run` as an id.
import { withChanges } from './audit-changes.mjs';
import { CALLER_FLAGS } from './caller.mjs';
import { CLIENT_COMMANDS } from './client-commands.mjs';
import { text, time, whole, yes } from './flags.mjs';
import { knownRails, rowsOfAction, rowsOfRail } from './known.mjs';
import { listen } from './listen.mjs';
import { MAIL_COMMANDS } from './mail-commands.mjs';
import { PAYEE_COMMANDS } from './payee-commands.mjs';
import { PAYOUT_COMMANDS } from './payout-commands.mjs';
import { awaitedUnread, saidUnread } from './read-before.mjs';
import { changedRoutes, ROUTE_FLAGS } from './routes.mjs';
import { call, idOf, list } from './service.mjs';
import { trigger, TRIGGER_NAMES } from './trigger.mjs';
import { WORK_COMMANDS } from './work-commands.mjs';

const OVERLAP = {
  overlap: whole('seconds', 'how long the old one works on, 2592000 at most; default 0: it ends at once'),
};
const UNLESS_OVERLAP = { when: (flags) => flags.overlap === undefined, whenSaid: 'with no --overlap' };
const WALLET_FLAGS = {
  currency: text('code', 'ISO 4217, such as USD'),
  cents: whole('cents', 'in minor units'),
  reference: text('text', "your own, once per client: the bank's, for example"),
  note: text('text', 'for whoever reads the entries'),
};
const WALLET_NEEDS = ['currency', 'cents', 'reference'];
const entry =
  (type) =>
  ([id], { cents, currency, reference, note }) =>
    call('POST', `/clients/${id}/wallet/entries`, { type, amountCents: cents, currency, reference, note });
const overlap = (flags) => ({ overlapSeconds: flags.overlap ?? 0 });
const client = (flags) => (flags.client ? idOf('client', flags.client) : undefined);

export const COMMANDS = {
  ...CLIENT_COMMANDS,
  'keys rotate': {
    does: 'Makes a new API key.',
    args: ['client'],
    flags: OVERLAP,
    forGood: 'The old key ends at once, for good: give it an --overlap.',
    ...UNLESS_OVERLAP,
    run: ([id], flags) => call('POST', `/clients/${id}/keys`, overlap(flags)),
  },
  'keys revoke': {
    does: 'Ends an API key at once; `gw clients show` has the ids of keys.',
    args: ['client', 'key'],
    forGood: 'Whoever signs with that key would be refused from now on, for good.',
    run: ([id, key]) => call('DELETE', `/clients/${id}/keys/${key}`),
  },
  'keys rewrap': {
    does: 'Seals every secret anew with the first master key.',
    run: () => call('POST', '/master-key/rewrap'),
  },
  'secrets rotate': {
    does: 'Makes a new signing secret.',
    args: ['client'],
    flags: OVERLAP,
    forGood: 'The old secret ends at once, for good: give it an --overlap.',
    ...UNLESS_OVERLAP,
    run: ([id], flags) => call('POST', `/clients/${id}/signing-secret`, overlap(flags)),
  },
  'wallet show': {
    does: 'Shows what a prepaid client has left, in minor units.',
    args: ['client'],
    columns: ['currency', 'depositedCents', 'inFlightCents', 'paidCents', 'availableCents'],
    run: ([id]) => call('GET', `/clients/${id}/wallet`),
  },
  'wallet entries': {
    does: 'Lists what came into a wallet, newest first.',
    args: ['client'],
    columns: ['createdAt', 'type', 'currency', 'amountCents', 'reference', 'note'],
    run: ([id]) => list(`/clients/${id}/wallet/entries`),
  },
  'wallet deposit': {
    does: 'Records money that came in; a reference counts once.',
    args: ['client'],
    flags: WALLET_FLAGS,
    needs: WALLET_NEEDS,
    run: entry('deposit'),
  },
  'wallet adjust': {
    does: 'Corrects a wallet, below zero too: --cents -500 --yes.',
    args: ['client'],
    flags: WALLET_FLAGS,
    needs: WALLET_NEEDS,
    forGood: 'That money would be taken from the wallet, and no entry is ever taken back.',
    when: ({ cents }) => cents < 0,
    whenSaid: 'where --cents is below zero',
    run: entry('adjustment'),
  },
  ...PAYOUT_COMMANDS,
  ...PAYEE_COMMANDS,
  ...MAIL_COMMANDS,
  ...WORK_COMMANDS,
  'routes show': { does: 'Shows which rails serve which country.', run: () => call('GET', '/routes') },
  'routes set': {
    does: 'Changes the rows and countries that are named, and no others.',
    flags: ROUTE_FLAGS,
    changes: true,
    run: async (_, flags) => {
      const named = (flags.route ?? []).flatMap(([, rails]) => rails);
      // A route to a rail that nobody has would fail each payout for good.
      await knownRails(named, ({ implemented }) => implemented);
      return call('PUT', '/routes', changedRoutes(await call('GET', '/routes'), flags));
    },
  },
  rails: {
    does: 'Shows how each rail stands.',
    columns: [
      'name',
      'implemented',
      'configured',
      'missingSettings',
      'healthy',
      'funding',
      'boundTo',
      'closed',
      'lastNoticeAt',
      'awaitedSince',
    ],
    run: () => list('/rails'),
  },
  'rails compared': {
    does: 'After a restore: says that you compared by hand with a rail that lists nothing, or with the account that it was bound to before.',
    args: ['rail'],
    forGood: 'Owed rows that wait would leave; any that was paid since the backup would be paid again.',
    flags: {
      since: time('`awaitedSince` as you read it before you compared; it is refused if the database went back since'),
    },
    run: async ([rail], { since }) =>
      call('POST', `/rails/${rail}/compared`, { awaitedSince: since ?? (await awaitedUnread(rail)) }),
  },
  'rails rebind': {
    does: 'Binds a rail to the account that its credentials speak to now.',
    args: ['rail'],
    run: ([rail]) => call('POST', `/rails/${rail}/rebind`),
  },
  drift: {
    does: 'Lists where a rail and the service disagree about money, newest first.',
    flags: { open: yes('only what is open; --no-open: what is resolved'), rail: text('name', 'only of this rail') },
    columns: [
      'id',
      'kind',
      'rail',
      'railKey',
      'providerRef',
      'payoutId',
      'railCurrency',
      'railCents',
      'ourCents',
      'differenceCents',
      'said',
      'foundAt',
      'resolvedAt',
    ],
    run: async (_, { open, rail }) => rowsOfRail(await list('/drift', { open, rail }), rail),
  },
  'drift show': {
    does: 'Shows one difference: what the rail says, what we say, and what was found out.',
    args: ['drift'],
    run: ([id]) => call('GET', `/drift/${id}`),
  },
  'drift resolve': {
    does: 'Closes a difference that was looked into, and says where the money is.',
    args: ['drift'],
    forGood: 'What is said here of money is believed from now on, for good.',
    flags: {
      note: text('text', 'what was found out: nothing else keeps it'),
      rows: text(
        'word',
        'owed: owed rows of its payout may leave again, and what was called paid and came back is owed again, the default; ' +
          "paid: the payout, or its owed rows, count as paid by the rail's money",
      ),
      'never-seen': yes('you found out that its rail never paid it, and it cannot be asked; for admins'),
      said: text(
        'word',
        '`said` as you read it: it is refused if the rail has said otherwise since. Needed if there is one',
      ),
    },
    needs: ['note'],
    run: async ([id], { note, rows, 'never-seen': neverSeen, said }) =>
      call('POST', `/drift/${id}/resolve`, { note, rows, neverSeen, said: said ?? (await saidUnread(id)) }),
  },
  'events list': {
    does: 'Lists what clients were told, newest first.',
    flags: {
      client: text('client', 'only this one, by name or id'),
      type: text('word', 'payee.updated or payout.status'),
      status: text('word', 'pending, delivered, failed or skipped'),
      from: time('made then or later'),
      to: time('made before then'),
      limit: whole('n', 'so many at most; default 100'),
    },
    columns: ['id', 'clientId', 'type', 'status', 'attempts', 'lastStatusCode', 'nextAttemptAt', 'createdAt'],
    run: async (_, { limit = 100, client: named, ...query }) =>
      list('/events', { ...query, clientId: await client({ client: named }) }, { enough: limit }),
  },
  'events show': {
    does: 'Shows an event with each attempt to deliver it.',
    args: ['event'],
    run: ([id]) => call('GET', `/events/${id}`),
  },
  'events replay': {
    does: 'Sends an event once more, under its own id.',
    args: ['event'],
    run: ([id]) => call('POST', `/events/${id}/replay`),
  },
  'events replay-all': {
    does: "Sends a client's events of a time once more, oldest first.",
    args: ['client'],
    flags: {
      from: time('made then or later'),
      to: time('made before then, or now'),
      status: text('word', 'failed, delivered or pending; default failed'),
    },
    needs: ['from'],
    run: ([id], flags) => call('POST', `/clients/${id}/events/replay`, flags),
    note: ({ replayed }) => replayed === 0 && 'Only failed ones are meant unless --status says delivered or pending.',
  },
  receivers: {
    does: 'Lists receivers that keep failing and are left alone for a while.',
    columns: ['clientId', 'host', 'consecutiveFailures', 'failingSince', 'lastStatusCode', 'lastError', 'restingUntil'],
    run: () => list('/receivers'),
  },
  'receivers wake': {
    does: 'Tries a receiver now that is left alone; once it acknowledges, events that were never tried follow, and others in their turn.',
    args: ['client'],
    run: ([id]) => call('POST', `/clients/${id}/receiver/wake`),
    note: ({ woken }) =>
      !woken
        ? 'It was not left alone: its events are sent as they come.'
        : 'Whether it acknowledges, gw receivers shows in a moment: then it is not there any more.',
  },
  listen: {
    does: "Hands a client's new events on to your machine, signed as deliveries are.",
    flags: {
      forward: text('url', 'where to: http://localhost:4000/hooks'),
      count: whole('n', 'end after so many events; default: go on'),
      ...CALLER_FLAGS,
    },
    needs: ['forward'],
    run: listen,
  },
  trigger: {
    does: `Makes an event happen in test mode: ${TRIGGER_NAMES.join(', ')}.`,
    args: ['happening'],
    flags: CALLER_FLAGS,
    run: trigger,
  },
  'operators list': {
    does: 'Lists the named operators.',
    columns: ['id', 'name', 'role', 'revokedAt', 'createdAt'],
    run: () => list('/operators'),
  },
  'operators create': {
    does: 'Names an operator and gives them a token.',
    flags: { name: text('text', 'stands in the audit log'), role: text('word', 'viewer, operator or admin') },
    needs: ['name', 'role'],
    run: (_, { name, role }) => call('POST', '/operators', { name, role }),
  },
  'operators revoke': {
    does: "Ends an operator's token.",
    args: ['operator'],
    forGood: 'That token would be refused from now on, for good.',
    run: ([id]) => call('DELETE', `/operators/${id}`),
  },
  audit: {
    does: 'Lists what operators did, newest first.',
    flags: {
      client: text('client', 'only to this one, by name or id'),
      actor: text('name', 'only by this operator'),
      action: text('word', 'only this, such as payout.released, or payout for all that begins so'),
      from: time('done then or later'),
      to: time('done before then'),
      limit: whole('n', 'so many at most; default 100'),
    },
    columns: ['createdAt', 'actor', 'action', 'clientId', 'target', 'changed'],
    run: async (_, { limit = 100, client: named, ...query }) =>
      withChanges(
        rowsOfAction(
          await list('/audit', { ...query, clientId: await client({ client: named }) }, { enough: limit }),
          query.action,
        ),
      ),
  },
};
