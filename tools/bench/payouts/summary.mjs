// The table at the end: each ratio is the median of what the rounds found, of numbers that were measured close together.
import { heading, say } from '../../terminal.mjs';
import { median, ms, perSecond, table, times, verdict, whole } from '../report.mjs';
import {
  BARE,
  BATCH,
  LIMIT,
  ONE,
  READING,
  ROWS_16,
  ROWS_64,
  TOLD,
  TWO,
  WIDE,
  withStored,
  WORKING,
} from './measures.mjs';

const AIMS = {
  ...{ post: 0.6, wide: 0.75, pacedP99Ms: 50, two: 1.1, batch: 0.6, told: 0.3, one: 0.5, list: 0.6, growth: 1.2 },
  memoryMiB: 300,
};

/** What is left if a payout costs no more than its request in Nest and its rows in PostgreSQL, one after the other. */
const floorOf = (round) => 1 / (1 / round[BARE].post + 1 / round[ROWS_16]);

export function summarize(rounds, { limit, load, options: { stored, seconds, node } }) {
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
    `Medians of ${rounds.length} rounds of ${seconds} s, 32 connections, the gateway on Node ${node ?? process.versions.node}, ${whole(stored[0])} payouts stored; load by ${load.generator}; no errors.`,
  );
}

const row = (work, measured, ratio = '', aim = '', holds = null) => [work, measured, ratio, aim, verdict(holds)];
const atLeast = (work, measured, ratio, { of, aim }) =>
  row(work, measured, `${times(ratio)} of ${of}`, `≥ ${times(aim)}`, ratio >= aim);

function theLimits(of, { measuredBy }) {
  const rate = (work, read) => row(work, perSecond(of(read)));
  return [
    rate(`${LIMIT}, by ${measuredBy}`, (round) => round[LIMIT]),
    rate(`${ROWS_16}`, (round) => round[ROWS_16]),
    rate(`${ROWS_64}`, (round) => round[ROWS_64]),
    rate(`${BARE}, POST`, (round) => round[BARE].post),
    rate(`${BARE}, GET`, (round) => round[BARE].get),
    rate('bare Nest route that answers a page of 100 rows', (round) => round[BARE].page),
    rate('the floor: that POST, and 16 rows in a statement', floorOf),
  ];
}

function posting(of) {
  const latency = (name) => `p50 ${ms(of((round) => round[name].p50))}, p99 ${ms(of((round) => round[name].p99))}`;
  const ofFloor = (name, aim) => {
    const ratio = of((round) => round[name].perSecond / floorOf(round));
    return atLeast(name, perSecond(of((round) => round[name].perSecond)), ratio, { of: 'the floor', aim });
  };
  const pacedP99 = of((round) => round[ONE].pacedP99);
  const two = of((round) => round[TWO].perSecond / round[ONE].perSecond);
  return [
    ofFloor(ONE, AIMS.post),
    row('  latency', latency(ONE)),
    row(
      ...['  latency at 80 % of that rate, sent on time', `p99 ${ms(pacedP99)}`, '', `≤ ${AIMS.pacedP99Ms} ms`],
      pacedP99 <= AIMS.pacedP99Ms,
    ),
    ofFloor(WIDE, AIMS.wide),
    row('  latency', latency(WIDE)),
    atLeast(TWO, perSecond(of((round) => round[TWO].perSecond)), two, { of: 'one', aim: AIMS.two }),
    row(WORKING, perSecond(of((round) => round[WORKING].perSecond))),
    ofFloor(TOLD, AIMS.told),
  ];
}

function batching(rounds, of) {
  if (rounds.some((round) => round[BATCH] === null))
    return row(BATCH, 'batch: not there yet', '', `≥ ${times(AIMS.batch)}`);
  const ratio = of((round) => round[BATCH].rowsPerSecond / round[ROWS_64]);
  const rate = `${perSecond(of((round) => round[BATCH].rowsPerSecond))} rows`;
  return atLeast(BATCH, rate, ratio, { of: '64 rows in a statement', aim: AIMS.batch });
}

function reading(of) {
  const read = (work, kind, limit) => {
    const ratio = of((round) => round[READING][kind] / round[BARE][limit]);
    const rate = perSecond(of((round) => round[READING][kind]));
    return atLeast(work, rate, ratio, { of: 'bare Nest', aim: AIMS[kind] });
  };
  return [read('GET /payouts/{id}', 'one', 'get'), read('GET /payouts, a page of 100', 'list', 'page')];
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
