// The table at the end: each ratio is the median of what the rounds found, of numbers that were measured close together.
import { heading, say } from '../../terminal.mjs';
import { median, ms, perSecond, table, times, verdict, whole } from '../report.mjs';
import { BARE, BATCH, LIMIT, ONE, READING, TWO, withStored, WORKING } from './measures.mjs';

const AIMS = { post: 0.3, batch: 0.8, read: 0.6, growth: 1.2, memoryMiB: 350 };

export function summarize(rounds, { limit, load, options: { stored, seconds } }) {
  heading('What came out');
  const of = (read) => median(rounds.map(read));
  const rows = [
    ...theLimits(of, limit),
    ...posting(of),
    batching(rounds, of),
    ...reading(of),
    ...growing(of, stored),
    ...using(rounds, of),
  ];
  table(['work', 'measured', 'ratio', 'aim', ''], rows);
  say('');
  say(
    `Medians of ${rounds.length} rounds of ${seconds} s, 32 connections, ${whole(stored[0])} payouts stored; load by ${load.generator}; no errors.`,
  );
}

const row = (work, measured, ratio = '', aim = '', holds = null) => [work, measured, ratio, aim, verdict(holds)];
const atLeast = (work, measured, ratio, { of, aim }) =>
  row(work, measured, `${times(ratio)} of ${of}`, `≥ ${times(aim)}`, ratio >= aim);

function theLimits(of, { measuredBy }) {
  return [
    row(`${LIMIT}, by ${measuredBy}`, perSecond(of((round) => round[LIMIT]))),
    row(`${BARE}, POST`, perSecond(of((round) => round[BARE].post))),
    row(`${BARE}, GET`, perSecond(of((round) => round[BARE].get))),
  ];
}

function posting(of) {
  const rate = (name) => perSecond(of((round) => round[name].perSecond));
  const ofLimit = (name) => of((round) => round[name].perSecond / round[LIMIT]);
  const latency = (name) => `p50 ${ms(of((round) => round[name].p50))}, p99 ${ms(of((round) => round[name].p99))}`;
  return [
    atLeast(ONE, rate(ONE), ofLimit(ONE), { of: 'PostgreSQL', aim: AIMS.post }),
    row('  the same', '', `${times(of((round) => round[ONE].perSecond / round[BARE].post))} of bare Nest`),
    row('  latency', latency(ONE)),
    row('  latency at 80 % of that rate, sent on time', `p99 ${ms(of((round) => round[ONE].pacedP99))}`),
    row(TWO, rate(TWO), `${times(ofLimit(TWO))} of PostgreSQL`),
    row('  latency', latency(TWO)),
    row(WORKING, rate(WORKING), `${times(ofLimit(WORKING))} of PostgreSQL`),
    row('  latency', latency(WORKING)),
  ];
}

function batching(rounds, of) {
  if (rounds.some((round) => round[BATCH] === null))
    return row(BATCH, 'batch: not there yet', '', `≥ ${times(AIMS.batch)}`);
  const ratio = of((round) => round[BATCH].rowsPerSecond / round[LIMIT]);
  const rate = `${perSecond(of((round) => round[BATCH].rowsPerSecond))} rows`;
  return atLeast(BATCH, rate, ratio, { of: 'PostgreSQL', aim: AIMS.batch });
}

function reading(of) {
  const read = (work, kind) => {
    const ratio = of((round) => round[READING][kind] / round[BARE].get);
    return atLeast(work, perSecond(of((round) => round[READING][kind])), ratio, { of: 'bare Nest', aim: AIMS.read });
  };
  return [read('GET /payouts/{id}', 'one'), read('GET /payouts, a page of 100', 'list')];
}

/** A payout costs the inverse of how many of them there are in a second. */
function growing(of, [smallest, ...larger]) {
  return larger.map((size) => {
    const cost = of((round) => round[ONE].perSecond / round[withStored(size)].perSecond);
    const measured = perSecond(of((round) => round[withStored(size)].perSecond));
    const isLast = size === larger.at(-1);
    const aim = isLast ? `≤ ${times(AIMS.growth)}` : '';
    const ratio = `costs ${times(cost)} × that with ${whole(smallest)}`;
    return row(withStored(size), measured, ratio, aim, isLast ? cost <= AIMS.growth : null);
  });
}

function using(rounds, of) {
  if (rounds[0][ONE].memory === null) return [row('memory and CPU', 'only Linux tells')];
  const memory = (round) => Math.max(...Object.values(round).map((found) => found?.memory ?? 0));
  const most = Math.max(...rounds.map(memory));
  const cpu = (kind) => `${of((round) => round[ONE][kind]).toFixed(2)} s`;
  return [
    row(
      'most memory of a gateway process under load',
      `${whole(most)} MiB`,
      '',
      `≤ ${AIMS.memoryMiB} MiB`,
      most <= AIMS.memoryMiB,
    ),
    row('CPU for 1,000 payouts, gateway', cpu('gatewayCpu')),
    row('CPU for 1,000 payouts, PostgreSQL', cpu('postgresCpu')),
  ];
}
