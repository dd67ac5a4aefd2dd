// What operators do about payees.
import { text, whole } from './flags.mjs';
import { call, idOf, list } from './service.mjs';
import { UsageError } from './usage-error.mjs';

const OTHER_WAYS =
  'Try --email with the whole address, --begins with another word of the name or of the address, or --ref with the id that the ' +
  'client gave. Accents and apostrophes may be left out: ü is u then, not ue.';

async function find(_, { begins: q, client, email, ref, limit = 100 }) {
  if (email !== undefined && !email.includes('@'))
    throw new UsageError(
      `--email takes a whole address, not '${email}': \`gw payees find --begins ${email}\` finds how one begins.`,
    );
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

/** Somebody at the phone has an address, or the id of whoever pays them. */
const howToFind = (given) =>
  `Find it by \`gw payees find ${given.includes('@') ? '--email' : '--ref'} ${given}\`, or by \`--begins\`.`;

export const PAYEE_COMMANDS = {
  'payees find': {
    does: "Finds payees of all clients by how an address, a word of a name or an id of the caller's begins.",
    flags: {
      begins: text('text', 'how it begins, in any case and without accents: ada and love both find Ada Lovelace'),
      client: text('client', 'only of this one, by name or id'),
      email: text('address', 'only with exactly this address'),
      ref: text('id', "only with exactly this id of the caller's"),
      limit: whole('n', 'so many at most; default 100'),
    },
    none: OTHER_WAYS,
    columns: ['id', 'clientId', 'externalId', 'email', 'name', 'country', 'provider', 'payable', 'blocked'],
    run: find,
  },
  'payees show': {
    does: 'Shows any payee, and what is owed to them, on its way or arrived, by currency.',
    args: ['payee'],
    run: ([id]) => call('GET', `/payees/${id}`),
    unlessId: howToFind,
  },
  'payees block': {
    does: 'Holds every payout to a payee.',
    args: ['payee'],
    flags: { reason: text('text', 'why, for operators only: whoever asks at night has nothing else') },
    needs: ['reason'],
    unlessId: howToFind,
    run: ([id], { reason }) => call('PATCH', `/payees/${id}`, { blocked: true, blockReason: reason }),
  },
  'payees unblock': {
    does: 'Lets a blocked payee be paid again.',
    args: ['payee'],
    unlessId: howToFind,
    run: ([id]) => call('PATCH', `/payees/${id}`, { blocked: false }),
    note: heldStill,
  },
};
