// Which suites a command line asks for.

const UNIT = { name: 'specs', config: 'jest.config.js' };

const topology = (name, runtime) => ({
  name: `end to end, ${name}${runtime ? `, Node ${runtime}` : ''}`,
  runtime,
  config: 'apps/gateway-e2e/jest.config.js',
  env: { E2E_TOPOLOGY: name },
  needsRedis: name.startsWith('bull'),
});

/**
 * By the queue's driver and the number of gateway processes: one, or two for the API and two workers. Those, and the crashes, run on
 * the line of Node that the image ships, the others on whatever runs the tests.
 */
const END_TO_END = {
  'embedded-1': topology('embedded-1'),
  'embedded-4': topology('embedded-4', 24),
  'bull-1': topology('bull-1'),
  'bull-4': topology('bull-4', 24),
  browser: {
    ...topology('embedded-1'),
    name: 'end to end, pages in a browser',
    config: 'apps/gateway-e2e/jest.browser.config.js',
    needsChromium: true,
  },
  crash: { name: 'end to end, crashes, Node 24', runtime: 24, config: 'apps/gateway-e2e/jest.crash.config.js' },
};

/**
 * What runs at the same time. An end-to-end run keeps one core busy, and gateways with and without Redis have nothing in common
 * but the servers. The crashes run alone: how long something hangs is what many of them are about.
 */
const TOPOLOGIES = [
  [END_TO_END['embedded-1'], END_TO_END['bull-1']],
  [END_TO_END['embedded-4'], END_TO_END['bull-4']],
];
const E2E_WAVES = [...TOPOLOGIES, [END_TO_END.browser], [END_TO_END.crash]];
/** Specs wait for their database, and a browser's run for its pages: together they leave no core idle. */
const ALL_WAVES = [[UNIT, END_TO_END.browser], ...TOPOLOGIES, [END_TO_END.crash]];

/** Returns { waves }: lists of suites, one list after the other. */
export function choosePlan([part, choice, ...rest]) {
  if (part === undefined) return { checks: true, waves: ALL_WAVES };
  if (part === 'unit' && choice === undefined) return { waves: [[UNIT]] };
  if (part === 'e2e' && choice === undefined) return { waves: E2E_WAVES };
  if (part === 'e2e' && END_TO_END[choice] && rest.length === 0) return { waves: [[END_TO_END[choice]]] };
  if (part === 'only' && choice && rest.length === 0) return onlyMatching(choice);
  const parts = `unit, e2e, e2e <${Object.keys(END_TO_END).join('|')}>, only <pattern>`;
  throw new Error(`npm test takes nothing, or one of: ${parts}.`);
}

function onlyMatching(pattern) {
  const waves = [UNIT, END_TO_END['embedded-1'], END_TO_END.browser, END_TO_END.crash].map((suite) => [
    { ...suite, pattern },
  ]);
  return { waves, pattern };
}
