/** One attempt to deliver an event whose job the caller holds: prepare, send, record, and one line in the log. */
import { Injectable } from '@nestjs/common';
import { log, metrics } from '#libs/telemetry';
import type { HeldEvent } from '../db/delivery.reads';
import type { Outcome } from '../delivery';
import { PrepareDelivery } from './prepare-delivery';
import { RecordAttempt } from './record-attempt';
import { SendDelivery } from './send-delivery';
import { TakeTurn } from './take-turn';

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
    if (!('url' in prepared)) {
      const { goesOn } = await this.record.unsent(event, prepared);
      tell(event, prepared, { ms: 0, againInSeconds: null });
      return { made: true, againInSeconds: null, goesOn };
    }
    const turn = await this.turns.take(event, prepared);
    if ('waitSeconds' in turn) return { made: false, againInSeconds: turn.waitSeconds };
    try {
      const sent = await this.send.run(prepared);
      const { againInSeconds, goesOn } = await this.record.made(event, sent, turn.probe);
      tell(event, sent.outcome, { ms: sent.durationMs, host: prepared.host, againInSeconds });
      return { made: true, againInSeconds, goesOn };
    } finally {
      turn.giveBack();
    }
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
