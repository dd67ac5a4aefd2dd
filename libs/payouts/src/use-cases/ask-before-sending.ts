/**
 * No payout at rest is sent again before its rail was asked what became of what it may have got already, for this payout and for those
 * that its rows were on before.
 */
import { Injectable } from '@nestjs/common';
import { type ErrorCode, type PayoutStatus, Refusal } from '#libs/domain';
import { hasMoney, hasSentLegs, isOldAnswer, type Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { AskRail } from './ask-rail';
import { ClearEarlier } from './clear-earlier';

export interface Asked {
  payout: Payout;
  askedAt: Date;
  /** Its rail refused all that was sent, and says so still. */
  isRefused: boolean;
  /** Nothing moved for what its rows were on before. */
  isClear: boolean;
}

type ItsOwn = Pick<Asked, 'payout' | 'isRefused'>;

@Injectable()
export class AskBeforeSending {
  constructor(
    private readonly rail: AskRail,
    private readonly clearing: ClearEarlier,
  ) {}

  /** Each try writes lines that nobody deletes: after very many, one in a minute is enough. */
  refuseHaste({ sequence, updatedAt }: Payout, refusal: ErrorCode): void {
    const isJustTried = this.rail.now().getTime() - updatedAt.getTime() < BETWEEN_TRIES_MS;
    if (sequence >= MANY_STEPS && isJustTried) throw new Refusal(refusal, TRIED_A_MOMENT_AGO);
  }

  /** Refuses if the rail has it, or may have had it and cannot tell any more. */
  async about(payout: Payout, refusal: ErrorCode, byCaller: boolean): Promise<Asked> {
    const askedAt = this.rail.askedAt();
    if (payout.status === 'submitted') {
      const after = await this.rail.lookUp(payout, { byCaller });
      // A payout that came to rest meanwhile is asked about like all others at rest.
      if (after.status !== 'submitted') return this.about(after, refusal, byCaller);
      return { payout: after, askedAt, isRefused: false, isClear: true };
    }
    if (!MAY_GO_ON.includes(payout.status)) return { payout, askedAt, isRefused: false, isClear: true };
    const ask = (): Promise<LookupFact> => this.rail.ask(payout, { byCaller });
    // If it was never sent, an earlier payout of its rows may have been, under its code: whether the rail says no to that still.
    const asked =
      payout.submittedAt === null
        ? { payout, isRefused: payout.codeSince !== null && (await ask()).kind === 'refused' }
        : await this.itself(payout, refusal, ask);
    return { ...asked, askedAt, isClear: (await this.clearing.stillClear(payout, byCaller)).isClear };
  }

  /**
   * Its rows may have been on others before, or it made calls that it makes again under other keys: a job asks about those once more, right
   * before it sends them.
   */
  isOld({ payout, askedAt }: Asked): boolean {
    return (payout.consolidates || hasSentLegs(payout)) && isOldAnswer(askedAt, this.rail.now());
  }

  private async itself(payout: Payout, refusal: ErrorCode, ask: () => Promise<LookupFact>): Promise<ItsOwn> {
    await this.rail.readReplacedAccount(payout);
    const fact = await ask();
    if (!hasMoney(fact)) {
      if (this.rail.mayBeSentAgain(payout, fact)) return { payout, isRefused: this.rail.isRefused(payout, fact) };
      throw new Refusal(refusal, fact.kind === 'unknown' && hasSentLegs(payout) ? CALLS_UNKNOWN : CODE_IS_OLD);
    }
    log.warn({ event: 'payout.contradiction', payoutId: payout.id, fact: fact.kind }, 'the rail has what ended here');
    const after = await this.rail.apply(payout, fact);
    if (after.status !== payout.status) return { payout: after, isRefused: false };
    throw new Refusal(refusal, 'The rail says that it has this payout after all. The operator is told.');
  }
}

/** A hundred releases that came to nothing. */
export const MANY_STEPS = 300;
const BETWEEN_TRIES_MS = 60_000;
const TRIED_A_MOMENT_AGO =
  'The payout was tried very often, and a moment ago. Try again in a minute, once what it waits for has changed.';

const MAY_GO_ON: PayoutStatus[] = ['held', 'failed'];

const CODE_IS_OLD =
  'The rail no longer honours the code of this payout, and does not say that it refused it: to send it again could pay ' +
  'twice. Try again later, or have the operator find out at the rail and fail it.';
const CALLS_UNKNOWN =
  'The rail cannot tell now what became of the calls of this payout, and to begin it anew could pay twice. Try again later, or ' +
  'have the operator find out at the rail and fail it.';
