// What operators do about work that waits: the jobs behind payouts, payees, events and mails.
import { text, whole } from './flags.mjs';
import { call, list } from './service.mjs';

export const WORK_COMMANDS = {
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
  'jobs run': {
    does: 'Runs periodic work now: reconcile, sweep, payability, webhooks or release.',
    args: ['name'],
    run: ([name]) => call('POST', `/jobs/${encodeURIComponent(name)}/run`),
  },
};
