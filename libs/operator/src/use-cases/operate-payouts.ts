/** An operator's deeds with single payouts. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout, PayoutReads, RemedyPayout } from '#libs/payouts';
import { advised } from './advice';
import { LookAtPayout } from './look-at-payout';
import { deedOf, RecordDeeds } from './record-deeds';

const RELEASE = deedOf('payout', 'release', 'released');
const RETRY = deedOf('payout', 'retry', 'retried');
const LOOK = deedOf('payout', 'look', 'looked_at');
const FAIL = deedOf('payout', 'fail', 'failed');

@Injectable()
export class OperatePayouts {
  constructor(
    private readonly payouts: PayoutReads,
    private readonly remedies: RemedyPayout,
    private readonly givingUp: GiveUpPayout,
    private readonly looking: LookAtPayout,
    private readonly deeds: RecordDeeds,
  ) {}

  async find(id: string): Promise<Payout> {
    const payout = await this.payouts.find(id);
    if (!payout) throw new Refusal('payout_not_found');
    return payout;
  }

  /** The rail may be asked first, and called after: no one transaction. */
  async release(actor: string, id: string): Promise<Payout> {
    const payout = await this.find(id);
    const work = (): Promise<Payout> => advised('release', payout, () => this.remedies.release(payout, 'operator'));
    return this.deeds.inSteps(RELEASE, lineOf(actor, payout), work, standing);
  }

  /** Answers before its rail did: what that says comes when it comes. */
  async look(actor: string, id: string): Promise<Payout> {
    const payout = await this.find(id);
    await this.deeds.atOnce(
      LOOK,
      lineOf(actor, payout),
      () => this.looking.run(payout),
      () => null,
    );
    return payout;
  }

  async retry(actor: string, id: string): Promise<Payout> {
    const payout = await this.find(id);
    const work = (): Promise<Payout> => advised('retry', payout, () => this.remedies.retry(payout, 'operator'));
    return this.deeds.inSteps(RETRY, lineOf(actor, payout), work, standing);
  }

  async fail(
    actor: string,
    id: string,
    { why, neverSeen }: { why: string | null; neverSeen: boolean },
  ): Promise<Payout> {
    const payout = await this.find(id);
    let said: Awaited<ReturnType<GiveUpPayout['ask']>> = null;
    const ask = async (): Promise<void> => {
      said = await this.givingUp.ask(payout);
    };
    const work = (): Promise<Payout> => advised('fail', payout, () => this.givingUp.run(payout, why, neverSeen, said));
    return this.deeds.atOnce(FAIL, lineOf(actor, payout), work, standing, ask);
  }
}

const lineOf = (actor: string, payout: Payout) => ({
  ...{ actor, clientId: payout.clientId, target: payout.id },
  before: standing(payout),
});

const standing = ({ status, statusReason, failureKind, neverSeen }: Payout): object => ({
  ...{ status, statusReason, failureKind },
  ...(neverSeen ? { neverSeen } : {}),
});
