/** Asks rails whether a payee was checked, and for a link to where they are. Whatever is no clear answer is `unknown`, and lets nothing on. */
import { Injectable } from '@nestjs/common';
import {
  checksPayees,
  type DirectedCheck,
  directsChecks,
  type OnboardingLinkAnswer,
  type OnboardingLinkFact,
  type OnboardingVisit,
  type PayeeCheckAnswer,
  type PayeeCheckFact,
  type RailOrder,
  type Unknown,
} from '#libs/rail-kit';
import { RailCaller } from './rail-caller';
import { Rails } from './rails';
import { soundLink } from './sound-accounts';
import { soundCheck } from './sound-checks';

/** Somebody waits for the answer. */
const DEADLINE_MS = 3_000;
const LINK_DEADLINE_MS = 10_000;
const CANNOT: Unknown = { kind: 'unknown', detail: 'the rail checks no payees' };

@Injectable()
export class PayeeCheckCaller {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
  ) {}

  /** Right before money leaves it waits for its turn as money does. */
  async check(railName: string, order: RailOrder, { beforeSend = false } = {}): Promise<PayeeCheckFact> {
    const answer = await this.caller.call<PayeeCheckAnswer>(
      railName,
      beforeSend ? 'checkPayeeBeforeSend' : 'checkPayee',
      DEADLINE_MS,
      async (rail, signal) =>
        checksPayees(rail) ? soundCheck(await rail.checkPayee(order, { signal }).catch(threw)) : CANNOT,
      order,
    );
    return answer.kind === 'not_now' ? { kind: 'unknown', detail: answer.detail } : answer;
  }

  /** The link is in no log: whoever reads it there could be checked in somebody else's place. */
  async link(railName: string, order: RailOrder, visit: OnboardingVisit): Promise<OnboardingLinkFact> {
    const answer = await this.caller.call<OnboardingLinkAnswer>(
      railName,
      'payeeCheckLink',
      LINK_DEADLINE_MS,
      async (rail, signal) =>
        checksPayees(rail) ? rail.payeeCheckLink(order, visit, { signal }).catch(threw) : CANNOT,
      order,
    );
    return answer.kind === 'not_now' ? { kind: 'unknown', detail: answer.detail } : soundLink(answer);
  }

  /** Of a rail for tests; others are not told what to think of a payee. */
  async direct(railName: string, order: RailOrder, outcome: DirectedCheck): Promise<void> {
    const rail = this.rails.find(railName)?.rail;
    if (rail && directsChecks(rail)) await rail.directCheck(order, outcome);
  }
}

/** In its own words an error may hold the link, or what was asked of a person. */
const threw = ({ name }: Error): Unknown => ({ kind: 'unknown', detail: `the rail threw ${name}` });
