import { startTopology, type Topology, type TopologyName } from './topology';

declare global {
  var topology: Topology | undefined;
}

const UNHURRIED = { RATE_LIMIT_PER_MINUTE: '1000000', AUTH_FAILURES_PER_MINUTE: '1000000' };

export default async function setUp(): Promise<void> {
  const topology = await startTopology((process.env.E2E_TOPOLOGY ?? 'embedded-1') as TopologyName, UNHURRIED, {
    standIns: true,
  });
  globalThis.topology = topology;
  const { urls, operatorToken, databaseUrl } = topology;
  process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
}
