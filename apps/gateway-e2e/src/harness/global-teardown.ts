import { stopTopology } from './topology';

/** What the gateways logged as errors belongs to what the run says: a 5xx in a spec is explained here. */
export default async function tearDown(): Promise<void> {
  const { topology } = globalThis;
  if (!topology) return;
  await stopTopology(topology);
  const errors = topology.processes.flatMap(({ output }) => output.split('\n')).filter(isError);
  if (errors.length > 0) process.stderr.write(`\nErrors that the gateways logged:\n${errors.slice(-50).join('\n')}\n`);
}

const isError = (line: string): boolean => /^\{"level":"(error|fatal)"/.test(line);
