/** The metrics of /metrics. Labels are routes, rails, job names and outcomes: never ids. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const metricsRegistry = new Registry();
collectDefaultMetrics({ register: metricsRegistry });

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const registers = [metricsRegistry];

export const metrics = {
  requests: new Histogram({
    name: 'gw_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  }),
  connections: new Gauge({
    name: 'gw_http_connections',
    help: 'Connections that are open.',
    registers,
  }),
  bodyBytes: new Gauge({
    name: 'gw_http_body_bytes',
    help: 'Memory that the bodies of requests under way take.',
    registers,
  }),
  turnedAway: new Counter({
    name: 'gw_http_turned_away_total',
    help: 'Connections and requests for which there was no room: for the address, in all, or for the body.',
    labelNames: ['for'] as const,
    registers,
  }),
  railCalls: new Histogram({
    name: 'gw_rail_call_seconds',
    help: 'Time of calls to rails, by rail, call and the kind of fact that came back.',
    labelNames: ['rail', 'call', 'fact'] as const,
    buckets: SECONDS,
    registers,
  }),
  railScanAge: new Gauge({
    name: 'gw_rail_scan_age_seconds',
    help: 'How long ago it is that what a rail says it moved was compared with what we know.',
    labelNames: ['rail'] as const,
    registers,
  }),
  payoutSteps: new Counter({
    name: 'gw_payout_steps_total',
    help: 'Steps payouts took, by the status they reached.',
    labelNames: ['to'] as const,
    registers,
  }),
  jobs: new Histogram({
    name: 'gw_job_seconds',
    help: 'Time of jobs, by name and outcome.',
    labelNames: ['name', 'outcome'] as const,
    buckets: SECONDS,
    registers,
  }),
  deliveries: new Histogram({
    name: 'gw_event_delivery_seconds',
    help: 'Time of delivery attempts, by outcome.',
    labelNames: ['outcome'] as const,
    buckets: SECONDS,
    registers,
  }),
};
