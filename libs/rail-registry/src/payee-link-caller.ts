/**
 * Asks a rail for the provider's own page of a payment, for its payee who has come for it, and has it noted that they are led there. The
 * link is in no log.
 */
import { Injectable } from '@nestjs/common';
import { DatabaseTrouble } from '#libs/db';
import { leadsPayees, type PayeeLinkAnswer, type PayeeLinkFact, type RailOrder } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { RailCaller } from './rail-caller';
import { RailHints } from './rail-hints';
import { Rails } from './rails';
import { soundLink } from './sound-accounts';

/** Somebody waits for the answer, and a provider may take two calls for it. */
const DEADLINE_MS = 10_000;

@Injectable()
export class PayeeLinkCaller {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
    private readonly hints: RailHints,
  ) {}

  async link(railName: string, order: RailOrder): Promise<PayeeLinkFact> {
    const answer = await this.caller.call<PayeeLinkAnswer>(
      railName,
      'payeeLink',
      DEADLINE_MS,
      async (rail, signal) =>
        leadsPayees(rail)
          ? rail.payeeLink(order, { signal }).catch(threw)
          : { kind: 'none', detail: 'the rail leads nobody anywhere' },
      order,
    );
    if (answer.kind === 'not_now') return { kind: 'unknown', detail: answer.detail };
    return answer.kind === 'link' ? linked(answer) : answer;
  }

  /**
   * Right before the link goes out, which it may only if this says so. The rail writes it down and asks nobody, so it waits for no turn;
   * nor is it given up while it may still be written: it would count as handed over, and was not. It is part of the caller's transaction, and
   * the caller sees if that fails.
   */
  async handedOver(railName: string, order: RailOrder, { of }: Pick<Link, 'of'>): Promise<boolean> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !leadsPayees(rail)) return false;
    const { payoutId } = order;
    try {
      await rail.handedOver(order, of);
      return true;
    } catch (error) {
      if (error instanceof DatabaseTrouble) throw error;
      const { name } = error as Error;
      log.warn({ event: 'rail.not_handed_over', rail: railName, payoutId, name }, 'its payee is led nowhere');
      return false;
    }
  }

  /** Once the hand-over is committed. If this fails, it is found out when the payout is asked about next. */
  async tell(railName: string, { railKey, payoutId }: RailOrder): Promise<void> {
    log.info({ event: 'rail.handed_over', rail: railName, payoutId }, 'its payee is led to it');
    await this.hints
      .hint(railName, railKey)
      .catch(({ name }: Error) =>
        log.warn({ event: 'rail.not_told', rail: railName, payoutId, name }, 'nobody is told that it was handed over'),
      );
  }
}

type Link = Extract<PayeeLinkFact, { kind: 'link' }>;

/** A malformed link, or one that others can read along, counts as none. */
function linked({ url, of }: Link): PayeeLinkFact {
  const sound = soundLink({ kind: 'link', url, expiresAt: null });
  return sound.kind === 'link'
    ? { kind: 'link', url, of }
    : { kind: 'unknown', detail: 'the rail gave a link that is none' };
}

/** In its own words an error may hold the link. */
const threw = ({ name }: Error): PayeeLinkAnswer => ({ kind: 'unknown', detail: `the rail threw ${name}` });
