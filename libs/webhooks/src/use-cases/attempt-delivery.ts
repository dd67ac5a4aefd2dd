/** One attempt to deliver an event whose job the caller holds: prepare, send, record, and one line in the log. */
import { Injectable } from '@nestjs/common';
import { log, metrics } from '#libs/telemetry';
import type { HeldEvent } from '../db/delivery.reads';
import type { Delivery, Outcome, Undeliverable } from '../delivery';
import { PrepareDelivery } from './prepare-delivery';
import { RecordAttempt } from './record-attempt';
import { SendDelivery } from './send-delivery';
import { TakeTurn, type Turn } from './take-turn';

/** The client moved to another host: the event takes its turn there. */
const AT_ANOTHER_HOST_SECONDS = 1;

export type Attempted =
  /** In how many seconds the next attempt is due; null if there is none. */
  | { made: true; againInSeconds: number | null; goesOn: boolean }
  /** Nothing was sent, and nothing counted: it was not its turn. */
  | { made: false; againInSeconds: number };

@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly prepare: PrepareDelivery,
    private readonly turns: TakeTurn,
    private readonly send: SendDelivery,
    private readonly record: RecordAttempt,
  ) {}

  async run(event: HeldEvent): Promise<Attempted> {
    const prepared = await this.prepare.run(event);
    if (!('url' in prepared)) return this.givenUp(event, prepared);
    const turn = await this.turns.take(event, prepared);
    if ('waitSeconds' in turn) return { made: false, againInSeconds: turn.waitSeconds };
    try {
      const delivery = turn.waited ? await this.prepare.now(event) : prepared;
      if (!('url' in delivery)) return await this.givenUp(event, delivery);
      if (delivery.host !== prepared.host) return { made: false, againInSeconds: AT_ANOTHER_HOST_SECONDS };
      return await this.made(event, delivery, turn);
    } finally {
      turn.giveBack();
    }
  }

  private async made(event: HeldEvent, delivery: Delivery, { probe }: Turn): Promise<Attempted> {
    const sent = await this.send.run(delivery);
    const { againInSeconds, goesOn } = await this.record.made(event, sent, probe);
    tell(event, sent.outcome, { ms: sent.durationMs, host: delivery.host, againInSeconds });
    return { made: true, againInSeconds, goesOn };
  }

  private async givenUp(event: HeldEvent, why: Undeliverable): Promise<Attempted> {
    const { goesOn } = await this.record.unsent(event, why);
    tell(event, why, { ms: 0, againInSeconds: null });
    return { made: true, againInSeconds: null, goesOn };
  }
}

/** No URL, and no text that may hold one: paths of webhook URLs are often secrets. */
function tell(event: HeldEvent, outcome: Outcome, rest: { ms: number; [field: string]: unknown }): void {
  const { id, type, clientId, entityId, sequence, attempts } = event;
  metrics.deliveries.observe({ outcome: outcome.kind }, rest.ms / 1_000);
  log.info(
    {
      event: 'event.attempted',
      eventId: id,
      type,
      clientId,
      entityId,
      sequence,
      attempt: attempts + 1,
      outcome: outcome.kind,
      statusCode: outcome.kind === 'undeliverable' ? null : outcome.statusCode,
      error: outcome.kind === 'delivered' ? null : outcome.error,
      ...rest,
    },
    outcome.kind,
  );
}
