/** A payee who has opened their wallet by the link that was mailed to them, and what they see there. */
import { digest } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DisbursementsModule } from '#libs/disbursements';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalAccess } from '../db/portal-access.store';
import { OpenWallet } from './open-wallet';
import { ReadWallet } from './read-wallet';
import { type ClaimVisit, VisitClaim } from './visit-claim';
import { type Visitor, VisitPortal } from './visit-portal';
import { wordFor } from './what-is-confirmed';

/** Its mails and what is owed go their way; what asks rails a spec does itself. */
export const startWalletWorld = (): Promise<MoneyWorld> =>
  startMoneyWorld({
    also: [PortalModule, DisbursementsModule],
    does: (name) => name.startsWith('mail') || name.startsWith('owed'),
  });

export async function visitorOf(world: MoneyWorld, client: Client, payee: Payee): Promise<Visitor> {
  const { token } = await world.get(PortalAccess).addLink({ clientId: client.id, payeeId: payee.id }, false);
  const kept = (await keptBy(world, token)) as string;
  const [session] = await world.get(PortalAccessReads).sessions([digest(kept)]);
  return (await world.get(VisitPortal).visitor(session as never)) as Visitor;
}

/** What the browser keeps that opens this link; null: it opens nothing. */
export async function keptBy(world: MoneyWorld, token: string): Promise<string | null> {
  const opening = world.get(OpenWallet);
  const session = opening.sessionOf(token, opening.newTap());
  return (await opening.run(token, session)) ? session : null;
}

/** The word for what they say yes to on the page that asks whether they withdraw. */
export const wordShownTo = async (world: MoneyWorld, visitor: Visitor): Promise<string> =>
  wordFor(visitor.session, await world.get(ReadWallet).run(visitor));

/** One of their own payments. */
export async function visitOf(world: MoneyWorld, client: Client, payee: Payee, payoutId: string): Promise<ClaimVisit> {
  const visit = await world.get(VisitClaim).own(await visitorOf(world, client, payee), payoutId);
  if (!visit) throw new Error('There is no such payment.');
  return visit;
}
