// What operators do about payees.
import { text, whole } from './flags.mjs';
import { call, idOf, list } from './service.mjs';

async function find(_, { begins: q, client, email, ref, limit = 100 }) {
  const clientId = client ? await idOf('client', client) : undefined;
  return list('/payees', { q, clientId, email, externalId: ref }, { enough: limit });
}

/** To lift a block releases nothing. */
function heldStill({ id, clientId }) {
  return [
    'What was held before is held still:',
    `  gw payouts list --payee ${id} --status held`,
    '  gw payouts release <payout>',
    'or all of its client that a block held, first with --dry-run in place of --yes:',
    `  gw payouts release-held --reason route_blocked --client ${clientId} --yes`,
  ].join('\n');
}

export const PAYEE_COMMANDS = {
  'payees find': {
    does: "Finds payees of all clients by how an address, a word of a name or an id of the caller's begins.",
    flags: {
      begins: text('text', 'how it begins, in any case: ada and love both find Ada Lovelace'),
      client: text('client', 'only of this one, by name or id'),
      email: text('address', 'only with exactly this address'),
      ref: text('id', "only with exactly this id of the caller's"),
      limit: whole('n', 'so many at most; default 100'),
    },
    columns: ['id', 'clientId', 'externalId', 'email', 'name', 'country', 'provider', 'payable', 'blocked'],
    run: find,
  },
  'payees show': {
    does: 'Shows any payee.',
    args: ['payee'],
    run: ([id]) => call('GET', `/payees/${id}`),
  },
  'payees block': {
    does: 'Holds every payout to a payee.',
    args: ['payee'],
    flags: { reason: text('text', 'why, for operators only') },
    run: ([id], { reason }) => call('PATCH', `/payees/${id}`, { blocked: true, blockReason: reason }),
  },
  'payees unblock': {
    does: 'Lets a blocked payee be paid again.',
    args: ['payee'],
    run: ([id]) => call('PATCH', `/payees/${id}`, { blocked: false }),
    note: heldStill,
  },
};
