/** How many receivers are left alone, for the operator's alarms. Which ones stands in the log and in the table. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { log, metricsRegistry } from '#libs/telemetry';
import { ReceiverReads } from './db/receiver.reads';

const registers = [metricsRegistry];

export const receiverMetrics = {
  rests: new Counter({
    name: 'gw_receiver_rests_total',
    help: 'How often a webhook receiver that kept failing was left alone for a while.',
    registers,
  }),
};

let count: () => Promise<number> = () => Promise.resolve(0);

/** Asked for when somebody looks, so that every process tells the same. */
const resting: Gauge = new Gauge({
  name: 'gw_receivers_resting',
  help: 'Webhook receivers that are left alone and have acknowledged nothing since.',
  registers,
  collect: (): Promise<void> =>
    count().then(
      (found) => resting.set(found),
      (error: Error) => log.warn({ event: 'receivers.not_counted', error: error.message }, 'the last count stays'),
    ),
});

@Injectable()
export class ReceiverMetrics implements OnModuleInit {
  constructor(private readonly receivers: ReceiverReads) {}

  onModuleInit(): void {
    count = () => this.receivers.countResting();
  }
}
