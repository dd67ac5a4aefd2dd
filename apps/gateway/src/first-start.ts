/** On the first start of a development machine there is nothing to try: this makes a test-mode client to begin with. */
import { ClientReads } from '#libs/clients';
import { ProvisionClients, type ProvisionedClient } from '#libs/operator';

export const DEMO_CLIENT = 'Demo (test mode)';

/** The process itself: there is no access that could be taken back meanwhile. */
const NOBODY = { actor: 'first start', checkAgain: () => Promise.resolve() };

export async function demoClient(clients: ClientReads, provision: ProvisionClients): Promise<ProvisionedClient | null> {
  const existing = await clients.list(null, 1);
  return existing.length > 0 ? null : provision.create(NOBODY, { name: DEMO_CLIENT, testMode: true });
}
