// What operators do about mails to payees.
import { text, whole } from './flags.mjs';
import { call, idOf, list } from './service.mjs';

async function find(_, { client, limit = 100, ...filter }) {
  const clientId = client ? await idOf('client', client) : undefined;
  return list('/mails', { ...filter, clientId }, { enough: limit });
}

export const MAIL_COMMANDS = {
  'mails list': {
    does: 'Lists the mails to payees, newest first, with what became of each.',
    flags: {
      client: text('client', 'only in the name of this one, by name or id'),
      to: text('address', 'only to this address'),
      status: text('word', 'queued, sent, kept, failed or limited'),
      kind: text('word', 'such as portal_link or claim_link'),
      limit: whole('n', 'so many at most; default 100'),
    },
    columns: ['id', 'clientId', 'kind', 'to', 'status', 'lastError', 'createdAt'],
    run: find,
  },
  'mails show': {
    does: 'Shows what became of a mail; never its link.',
    args: ['mail'],
    run: ([id]) => call('GET', `/mails/${id}`),
  },
  'mails send': {
    does: 'Sends a mail that was kept, given up or one too many.',
    args: ['mail'],
    run: ([id]) => call('POST', `/mails/${id}/send`),
  },
};
