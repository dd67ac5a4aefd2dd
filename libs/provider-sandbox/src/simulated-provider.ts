/** What the sandbox needs of a simulated provider: to start it, to do what people do there, and to look into its books. */
import type { Faults } from './faults';

export interface SimulatedProvider {
  readonly faults: Faults;
  /** What a gateway has to set to speak to it, once it has started. */
  settings(): Record<string, string>;
  start(port?: number): Promise<string>;
  stop(): Promise<void>;
  /** All that it knows, as it stands now. */
  shown(): unknown;
  /** What people do at the provider, by name. What it throws is told to whoever asked for it. */
  readonly deeds: Readonly<Record<string, (asked: Record<string, unknown>) => void>>;
}
