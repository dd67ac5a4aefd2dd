/** Asks a rail for the provider's own page of a payment, for its payee who has come for it. The link is in no log. */
import { Injectable } from '@nestjs/common';
import { leadsPayees, type PayeeLinkAnswer, type PayeeLinkFact, type RailOrder } from '#libs/rail-kit';
import { RailCaller } from './rail-caller';
import { soundLink } from './sound-accounts';

/** Somebody waits for the answer, and a provider may take two calls for it. */
const DEADLINE_MS = 10_000;

@Injectable()
export class PayeeLinkCaller {
  constructor(private readonly caller: RailCaller) {}

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
}

/** What is no link, or one that others can read along, is none. */
function linked({ url }: { url: string }): PayeeLinkFact {
  const sound = soundLink({ kind: 'link', url, expiresAt: null });
  return sound.kind === 'link'
    ? { kind: 'link', url }
    : { kind: 'unknown', detail: 'the rail gave a link that is none' };
}

/** In its own words an error may hold the link. */
const threw = ({ name }: Error): PayeeLinkAnswer => ({ kind: 'unknown', detail: `the rail threw ${name}` });
