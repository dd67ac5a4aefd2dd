// docs/rails.md: the rails of this deployment side by side, by what they declare and what they implement.
import { gateway, lib } from './compiled.mjs';
import { code, page, table } from './markdown.mjs';

const DAY = 86_400;

export function railsPage() {
  const rails = Object.values(gateway('rails')).map((definition) => ({ definition, rail: made(definition) }));
  return page(
    'Rails',
    'the traits and powers of the rails in apps/gateway/src/rails.ts',
    `What the core knows of each rail, and may ask of it. Each has a README for its operator in \`libs/rails\`; what a rail needs to be
     set is in [configuration.md](configuration.md), how to write one in [add-a-rail.md](add-a-rail.md). What a test may ask of \`mock\` is listed in [its README](../libs/rails/mock/README.md)
     and, as callers see it, in [that of the repository](../README.md#test-mode).`,
    table(
      ['', ...rails.map(({ definition }) => code(definition.name))],
      [...TRAITS, ...powers()].map(([title, say]) => [title, ...rails.map(say)]),
    ),
  );
}

const trait =
  (say) =>
  ({ definition }) =>
    say(definition.traits);

const TRAITS = [
  ['Who holds the money until it arrives', trait(({ custody }) => HOLDERS[custody])],
  ['Answers with the outcome', trait(({ settles }) => (settles === 'at_once' ? 'at once' : 'later'))],
  ['Countries', trait(({ countries }) => listed(countries))],
  ['Currencies', trait(({ currencies }) => listed(currencies))],
  ['Pays at least, in minor units', trait(({ floorCents }) => floorCents)],
  [
    'Amounts with rules',
    trait(
      ({ amounts }) =>
        Object.entries(amounts ?? {})
          .map(rule)
          .join('; ') || 'none',
    ),
  ],
  ['Knows a code again', trait(({ keyRetentionSeconds: kept }) => (kept === null ? 'for ever' : `for ${days(kept)}`))],
  [
    'Arrives, as payees are told',
    trait(({ arrivesWithinDays: within }) => (within === undefined ? '' : `within ${days(within * DAY)}`)),
  ],
  [
    'What nobody claims goes back',
    trait(({ claimedWithinDays: within }) => (within === undefined ? '' : `after ${days(within * DAY)}`)),
  ],
  ['Paid money can come back', trait(({ returns }) => (returns ? `within ${days(returns.withinSeconds)}` : 'never'))],
  ['Owed money leaves by itself', trait(({ releasesOwed }) => RELEASES[releasesOwed])],
  ['Where payees act', trait(({ custody, claimPage }) => pageOf(custody, claimPage))],
  ['Checks payees before their money goes on', trait(({ checksPayees }) => CHECKS[checksPayees] ?? '')],
];

const HOLDERS = {
  custodial: "the payee's account",
  claim: 'the provider, until it is claimed',
  swap: "the payee's wallet",
};
const CHECKS = { always: 'always', on_request: 'if the client asks for it' };
const RELEASES = { on_withdraw: 'never', on_credit: 'as soon as it is owed', on_payable: 'when its payee can be paid' };

function powers() {
  const kit = lib('rail-kit');
  return [
    ['Reads accounts', kit.readsAccounts],
    ['Opens accounts', kit.opensAccounts],
    ['Hosts onboarding', kit.hostsOnboarding],
    ['Reads notices', kit.readsNotices],
    ['Lists movements', kit.listsMovements],
    ['Tells its funds', kit.reportsFunding],
    ['Verifies its credentials', kit.verifies],
    ['Moves in more than one call', kit.movesInLegs],
    ['Lets payees say where to', kit.letsPayeesBegin],
    ['Leads payees to its own page', kit.leadsPayees],
  ].map(([title, has]) => [title, ({ rail }) => (has(rail) ? 'yes' : '')]);
}

/** With settings of the right form: nothing is called, only looked at. */
function made(definition) {
  const settings = Object.fromEntries(
    definition.settings.map(({ env, default: usual, example }) => [env, usual ?? example ?? 'none']),
  );
  const nothing = async () => null;
  const store = { claim: nothing, read: nothing, update: nothing, list: nothing };
  const log = { info: () => undefined, warn: () => undefined };
  const clock = { now: () => new Date(0) };
  return definition.create({ settings, store, clock, log, deployment: 'docs', hint: async () => undefined });
}

function listed(places) {
  if (places === '*') return 'all';
  if (Array.isArray(places)) return places.join(' ');
  return Object.entries(places)
    .map(([country, currencies]) => `${country}: ${listed(currencies)}`)
    .join('; ');
}

function rule([currency, { leastCents, mostCents, stepCents, digits }]) {
  const said = [
    leastCents && `at least ${leastCents}`,
    mostCents && `at most ${mostCents}`,
    stepCents && `in steps of ${stepCents}`,
    digits !== undefined && `${digits} decimals`,
  ];
  return `${currency} ${said.filter(Boolean).join(', ')}`;
}

const days = (seconds) => (seconds % DAY === 0 ? `${seconds / DAY} days` : `${seconds} seconds`);

function pageOf(custody, claimPage) {
  if (custody === 'custodial') return 'at the provider';
  return claimPage === 'core' ? 'on a page of the gateway' : 'by a link of the provider';
}
