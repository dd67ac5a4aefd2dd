/**
 * How it stands, for alarms: read from the database when somebody looks, so that every process tells the same. The numbers of the
 * last few seconds are told again; if the database does not answer there are none, and that is an alarm as well.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { JobQueue } from '#libs/jobs';
import { log, metricsRegistry } from '#libs/telemetry';
import { StandingReads, type StandingRow } from './db/standing.reads';
import { OperateRails } from './use-cases/operate-rails';

const registers = [metricsRegistry];
const KEPT_MS = 5_000;
/** Each question is a call to a provider. */
const FUNDS_KEPT_MS = 60_000;

type Rows = () => Promise<StandingRow[]>;

const gaugeOf = (name: string, help: string, labelNames: string[], what: StandingRow['what']): Gauge =>
  new Gauge({
    ...{ name, help, labelNames, registers },
    async collect() {
      const rows = (await standing()).filter((row) => row.what === what);
      this.reset();
      for (const { by, also, value } of rows) {
        const labels = [by, also].slice(0, labelNames.length);
        this.set(Object.fromEntries(labelNames.map((label, place) => [label, labels[place] ?? ''])), value);
      }
    },
  });

let read: Rows = () => Promise.resolve([]);
let known: { until: number; rows: Promise<StandingRow[]> } | null = null;

/** One question for all that is told in one answer. */
function standing(): Promise<StandingRow[]> {
  if (known && performance.now() < known.until) return known.rows;
  const rows = read().catch((error: Error): StandingRow[] => {
    log.warn({ event: 'standing.not_read', error: error.message }, 'no numbers for alarms this time');
    return [];
  });
  known = { until: performance.now() + KEPT_MS, rows };
  return rows;
}

export const standingMetrics = [
  gaugeOf('gw_payouts_held', 'Payouts that are held, by reason.', ['reason'], 'held'),
  gaugeOf('gw_payouts_unfunded', 'Payouts that failed until their rail has funds of its own.', ['rail'], 'unfunded'),
  gaugeOf(
    'gw_payout_oldest_seconds',
    'How long the oldest payout under way has been so.',
    ['status', 'waits_for'],
    'waits',
  ),
  gaugeOf('gw_jobs_due', 'Work whose time has come, by kind.', ['name'], 'jobs_due'),
  gaugeOf(
    'gw_jobs_late_seconds',
    'How late the oldest of that is, by what it waits for.',
    ['name', 'waits_for'],
    'jobs_late',
  ),
  gaugeOf('gw_drift_open', 'Differences with rails that nobody resolved.', ['rail', 'kind'], 'drift_open'),
  gaugeOf('gw_rail_lane_closed', 'Rails to which nothing is sent, and why.', ['rail', 'reason'], 'lane_closed'),
  gaugeOf('gw_mails_waiting', 'Mails that wait to be sent.', [], 'mails_waiting'),
  gaugeOf('gw_wallets_overdrawn', 'Wallets of prepaid clients below zero.', [], 'wallets_overdrawn'),
];

let askFunds: () => Promise<{ rail: string; currency: string; availableCents: number }[]> = () => Promise.resolve([]);
let fundsUntil = 0;
let troubleOfQueue: () => boolean = () => false;

new Gauge({
  name: 'gw_rail_funds',
  help: 'What lies in the account of a rail, in minor units; a minute old at most.',
  labelNames: ['rail', 'currency'],
  registers,
  async collect() {
    if (performance.now() < fundsUntil) return;
    fundsUntil = performance.now() + FUNDS_KEPT_MS;
    const funds = await askFunds();
    this.reset();
    for (const { rail, currency, availableCents } of funds) this.set({ rail, currency }, availableCents);
  },
});

new Gauge({
  name: 'gw_queue_trouble',
  help: '1 while the queue between processes does not answer; work goes on without it.',
  registers,
  collect() {
    this.set(troubleOfQueue() ? 1 : 0);
  },
});

@Injectable()
export class StandingMetrics implements OnModuleInit {
  constructor(
    private readonly reads: StandingReads,
    private readonly rails: OperateRails,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    read = () => this.reads.all();
    known = null;
    askFunds = () => this.rails.fundsOfAll();
    troubleOfQueue = () => this.queue.trouble() !== null;
  }
}
