/** The sandbox's view of a simulated provider: it starts it, does what people do there, and looks into its books. */
import type { Faults } from './faults';

export interface SimulatedProvider {
  readonly faults: Faults;
  /** The settings with which a gateway speaks to it, once it has started. */
  settings(): Record<string, string>;
  start(port?: number): Promise<string>;
  stop(): Promise<void>;
  /** All that it knows, as it stands now. */
  shown(): unknown;
  /** The deeds of people at the provider, by name. An error that one throws is told to whoever asked for it. */
  readonly deeds: Readonly<Record<string, (asked: Record<string, unknown>) => void>>;
}
