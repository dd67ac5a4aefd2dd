// What operators do with clients.
import { CLIENT_FLAGS, clientBody, ID_FLAG, TEST_FLAG } from './client-settings.mjs';
import { yes } from './flags.mjs';
import { call, list } from './service.mjs';
import { UsageError } from './usage-error.mjs';

/** Which mode it has, and no more: whether money is real is for each rail's credentials to say. */
const LIVE =
  'This is a live client: its payouts move real money, unless the rails here are bound to sandboxes. With --test none would.';

export const CLIENT_COMMANDS = {
  'clients create': {
    does: 'Makes a client with its first key and secret.',
    flags: { ...CLIENT_FLAGS, ...TEST_FLAG, ...ID_FLAG },
    needs: ['name'],
    run: async (_, flags) => call('POST', '/clients', await clientBody(flags, async () => ({}))),
    note: (answer) => (answer.client.testMode ? null : LIVE),
  },
  'clients list': {
    does: 'Lists clients, newest first.',
    columns: ['id', 'name', 'status', 'testMode', 'prepaid', 'createdAt'],
    run: () => list('/clients'),
  },
  'clients show': {
    does: 'Shows a client and its keys.',
    args: ['client'],
    run: ([id]) => call('GET', `/clients/${id}`),
  },
  'clients set': {
    does: 'Changes what is named, and nothing else.',
    args: ['client'],
    flags: CLIENT_FLAGS,
    changes: true,
    forGood: 'A closed client stays closed: its requests would be refused from now on, for good.',
    when: ({ status }) => status === 'closed',
    whenSaid: 'with --status closed',
    run: setClient,
  },
  'clients suspend': {
    does: 'Refuses all its requests until it is resumed.',
    args: ['client'],
    run: ([id]) => call('PATCH', `/clients/${id}`, { status: 'suspended' }),
  },
  'clients resume': {
    does: 'Lets a suspended client go on.',
    args: ['client'],
    run: ([id]) => call('PATCH', `/clients/${id}`, { status: 'active' }),
  },
  'clients reset': {
    does: 'Makes a test client as new: its payees, payouts and all the rest of it go.',
    args: ['client'],
    flags: { yes: yes('all of it is to go; without it nothing is done') },
    run: resetClient,
  },
};

async function setClient([id], flags) {
  return call('PATCH', `/clients/${id}`, await clientBody(flags, () => call('GET', `/clients/${id}`)));
}

/** Nothing brings it back: whoever asks for it says so twice. */
async function resetClient([id], flags) {
  if (flags.yes) return call('POST', `/clients/${id}/reset`);
  const { name } = await call('GET', `/clients/${id}`);
  throw new UsageError(`All that came to be of the client '${name}' would go, for good. Say --yes if it is to.`);
}
