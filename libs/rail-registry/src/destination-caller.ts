/** Asks a rail whether the money of a payout can go where its payee wants it. What they entered is in no log. */
import { Injectable } from '@nestjs/common';
import { onBehalfOfAll } from '#libs/db';
import {
  type ArrivalFact,
  type DestinationAnswer,
  type DestinationFact,
  letsPayeesBegin,
  type NotNow,
  type RailOrder,
} from '#libs/rail-kit';
import { RailCaller } from './rail-caller';

/** Somebody waits for the answer. */
const DEADLINE_MS = 3_000;
const ARRIVES_SO_FOR_MS = 60_000;
/** If the rail could not say, everybody who looks within this time is told so too, without asking. */
const ASKED_AGAIN_AFTER_MS = 10_000;
/** Longer than any address. */
const LONGEST = 500;
const LONGEST_NAME = 40;
/** Neither empty nor with a space around it; no control characters, and no halves of a character. */
const LEGIBLE = /^(?!\s)[^\p{Cc}\p{Cs}]+(?<!\s)$/u;

export type Arrival = Pick<Extract<ArrivalFact, { kind: 'arrives' }>, 'coin' | 'network'>;

@Injectable()
export class DestinationCaller {
  /** By rail, being asked or told, until when by this process's ticks. */
  private readonly arrivals = new Map<string, { arrival: Promise<Arrival | null>; until: number }>();

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

  /** null while its rail cannot say. It is asked for with every page on which an address is entered, and hardly ever changes. */
  async arrivesAs(railName: string): Promise<Arrival | null> {
    const known = this.arrivals.get(railName);
    if (known && known.until > performance.now()) return known.arrival;
    // All who look wait for it: it is no single client's work.
    const arrival = onBehalfOfAll(() => this.askedArrival(railName));
    const asked = { arrival, until: performance.now() + ARRIVES_SO_FOR_MS };
    this.arrivals.set(railName, asked);
    try {
      const told = await arrival;
      if (!told) asked.until = performance.now() + ASKED_AGAIN_AFTER_MS;
      return told;
    } catch (error) {
      this.arrivals.delete(railName);
      throw error;
    }
  }

  private async askedArrival(railName: string): Promise<Arrival | null> {
    const answer = await this.caller.call<ArrivalFact | NotNow>(
      railName,
      'arrivesAs',
      DEADLINE_MS,
      async (rail, signal) =>
        letsPayeesBegin(rail)
          ? legibleArrival(await rail.arrivesAs({ signal }))
          : { kind: 'unknown', detail: 'nothing of this rail is sent to an address' },
    );
    return answer.kind === 'arrives' ? { coin: answer.coin, network: answer.network } : null;
  }
}

function legibleArrival(answer: ArrivalFact | NotNow): ArrivalFact | NotNow {
  if (answer.kind !== 'arrives') return answer;
  const isOne = [answer.coin, answer.network].every((name) => name.length <= LONGEST_NAME && LEGIBLE.test(name));
  return isOne ? answer : { kind: 'unknown', detail: 'the rail has no names for what arrives' };
}

/** An address that is kept and shown must be one that a person can read. */
function sound(answer: DestinationAnswer): DestinationAnswer {
  if (answer.kind !== 'taken') return answer;
  const { destination } = answer;
  const isOne = typeof destination === 'string' && destination.length <= LONGEST && LEGIBLE.test(destination);
  return isOne ? answer : { kind: 'unknown', detail: 'the rail takes a destination that cannot be kept' };
}

/** In its own words an error may hold the address. */
const threw = ({ name }: Error): DestinationAnswer => ({ kind: 'unknown', detail: `the rail threw ${name}` });
