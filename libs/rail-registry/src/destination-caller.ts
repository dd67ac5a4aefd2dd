/** Asks a rail whether the money of a payout can go where its payee wants it. What they entered is in no log. */
import { Injectable } from '@nestjs/common';
import { type DestinationAnswer, type DestinationFact, letsPayeesBegin, type RailOrder } from '#libs/rail-kit';
import { RailCaller } from './rail-caller';

/** Somebody waits for the answer. */
const DEADLINE_MS = 3_000;
/** Longer than any address. */
const LONGEST = 500;
/** Neither empty nor with a space around it; no control characters, and no halves of a character. */
const LEGIBLE = /^(?!\s)[^\p{Cc}\p{Cs}]+(?<!\s)$/u;

@Injectable()
export class DestinationCaller {
  constructor(private readonly caller: RailCaller) {}

  async check(railName: string, order: RailOrder, entered: string): Promise<DestinationFact> {
    const answer = await this.caller.call<DestinationAnswer>(
      railName,
      'checkDestination',
      DEADLINE_MS,
      async (rail, signal) =>
        letsPayeesBegin(rail)
          ? sound(await rail.checkDestination(order, entered, { signal }).catch(threw))
          : { kind: 'refused', reason: 'This money is not sent to an address that is entered here.' },
      order,
    );
    return answer.kind === 'not_now' ? { kind: 'unknown', detail: answer.detail } : answer;
  }
}

/** What is kept and shown has to be an address that a person can read. */
function sound(answer: DestinationAnswer): DestinationAnswer {
  if (answer.kind !== 'taken') return answer;
  const { destination } = answer;
  const isOne = typeof destination === 'string' && destination.length <= LONGEST && LEGIBLE.test(destination);
  return isOne ? answer : { kind: 'unknown', detail: 'the rail takes a destination that cannot be kept' };
}

/** In its own words an error may hold the address. */
const threw = ({ name }: Error): DestinationAnswer => ({ kind: 'unknown', detail: `the rail threw ${name}` });
