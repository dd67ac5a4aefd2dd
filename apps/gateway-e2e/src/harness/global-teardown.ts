import { stopTopology } from './topology';

export default async function tearDown(): Promise<void> {
  if (globalThis.topology) await stopTopology(globalThis.topology);
}
