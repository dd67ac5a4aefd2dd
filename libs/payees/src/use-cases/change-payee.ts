/**
 * The one way a payee changes: under its lock, with rail and payability resolved again, and with `payee.updated` recorded
 * in the same transaction when its onboarding state became another.
 */
import { Injectable } from '@nestjs/common';
import { type Client } from '#libs/auth';
import { EventOutbox } from '#libs/events';
import { MethodStore } from '../db/method.store';
import { PayeeStore } from '../db/payee.store';
import { RouteStore } from '../db/route.store';
import type { Payee, Standing } from '../payee';
import { PayeeRouting } from '../payee-routing';

@Injectable()
export class ChangePayee {
  constructor(
    private readonly payees: PayeeStore,
    private readonly methods: MethodStore,
    private readonly routes: RouteStore,
    private readonly routing: PayeeRouting,
    private readonly events: EventOutbox,
  ) {}

  /** `before` is locked by the caller's transaction; `wanted` is what it should become, rail and payability aside. */
  async apply(client: Client, before: Payee, wanted: Payee): Promise<Payee> {
    const method = await this.methods.activeOf(before.id);
    const table = await this.routes.table();
    const resolved = this.routing.resolved({ client, payee: wanted, method, table });
    const tells = !sameStanding(before, resolved);
    const saved = await this.payees.save({ ...resolved, eventSequence: before.eventSequence + (tells ? 1 : 0) });
    if (tells) await this.tell(client, saved);
    return saved;
  }

  private tell(client: Client, payee: Payee): Promise<void> {
    return this.events.append([
      {
        clientId: client.id,
        type: 'payee.updated',
        entityId: payee.id,
        sequence: payee.eventSequence,
        subscribed: client.webhookUrl !== null && client.eventTypes.includes('payee.updated'),
        payload: {
          externalId: payee.externalId,
          payeeId: payee.id,
          payable: payee.payable,
          kycStatus: payee.kycStatus,
          kycReason: payee.kycReason,
          occurredAt: payee.updatedAt.toISOString(),
        },
      },
    ]);
  }
}

function sameStanding(a: Standing, b: Standing): boolean {
  return (
    a.payable === b.payable &&
    a.kycStatus === b.kycStatus &&
    a.kycReason === b.kycReason &&
    a.onboardingStatus === b.onboardingStatus
  );
}
